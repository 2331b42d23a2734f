//! Gemini CLI: its title, then hooks.

use belfry_protocol::Status;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Observation, Rule, ScreenSays};

use crate::support::play::Do::{self, Because, By, Is, Over, See, Stays};
use crate::support::play::play;
use crate::support::tables::gemini;
use crate::support::words::*;

fn working() -> Vec<(u64, Do)> {
    vec![
        (0, See(Observation::Started)),
        (7000, See(title(Says::Idle))),
        (7030, See(prompt())),
        (7200, Is(Status::Idle)),
        (8000, See(Observation::Submitted)),
        (8050, See(title(Says::Working))),
        (8060, See(hook(Says::Working))),
        (8090, See(works())),
        (8100, Is(Status::Running)),
    ]
}

fn scenario(name: &str, start: Vec<(u64, Do)>, lines: impl IntoIterator<Item = (u64, Do)>) {
    play(name, gemini(), start.into_iter().chain(lines).collect());
}

#[test]
fn its_title_is_ready_while_it_asks_whether_to_trust() {
    scenario(
        "trust",
        vec![],
        [
            (0, See(Observation::Started)),
            (7000, See(title(Says::Idle))),
            (7020, See(nothing_known())),
            (7100, Is(Status::Starting)),
            (7120, See(dialog("Do you trust the files in this folder?"))),
            (7120, Stays(60_000, Status::Waiting)),
            // It starts anew to apply that.
            (60_000, See(Observation::Submitted)),
            (60_050, See(nothing_known())),
            (60_300, See(title(Says::Idle))),
            (61_000, Stays(65_000, Status::Starting)),
            (65_000, See(prompt())),
            (65_000, Is(Status::Idle)),
            (65_000, Over(false)),
        ],
    );
}

#[test]
fn a_turn_and_the_burst_after_it() {
    scenario(
        "turn",
        working(),
        [
            (9000, See(Observation::Output(40_000))),
            (20_000, Is(Status::Running)),
            (20_000, See(title(Says::Idle))),
            (20_010, See(hook(Says::Done))),
            (20_040, See(prompt())),
            (20_100, Is(Status::Idle)),
            (20_100, Over(true)),
            // It redraws up to 6 KB once within 2 s after a turn.
            (21_500, See(Observation::Output(6000))),
            (21_500, Stays(60_000, Status::Idle)),
        ],
    );
}

#[test]
fn a_rejected_permission_fires_no_hook() {
    scenario(
        "rejected",
        working(),
        [
            (9000, See(title(Says::Asking))),
            (9005, See(hook(Says::Asking))),
            (9040, See(dialog("Allow execution of [Shell]?"))),
            (9040, Stays(20_000, Status::Waiting)),
            (20_000, See(Observation::Interrupted)),
            (20_030, See(title(Says::Idle))),
            (20_040, See(prompt())),
            (20_200, Is(Status::Idle)),
            (20_200, Over(false)),
            (20_200, Stays(60_000, Status::Idle)),
        ],
    );
    // And with the title switched off.
    scenario(
        "rejected without a title",
        working(),
        [
            (8500, See(lost(Source::Title))),
            (9005, See(hook(Says::Asking))),
            (9040, See(dialog("Allow execution of [Shell]?"))),
            (20_000, See(Observation::Interrupted)),
            (20_040, See(prompt())),
            (20_540, Is(Status::Idle)),
            (20_540, Over(false)),
            (20_540, Stays(60_000, Status::Idle)),
        ],
    );
}

#[test]
fn silent_retries_are_work() {
    scenario("retries", working(), [(8100, Stays(60_000, Status::Running))]);
}

#[test]
fn an_error_that_only_the_screen_shows() {
    let error =
        ScreenSays { failed: Some("API Error: 400".to_owned()), ..says(belfry_status::Place::Prompt) };
    scenario(
        "error",
        working(),
        [
            (9000, See(title(Says::Idle))),
            (9040, See(Observation::Screen(error.clone()))),
            (9100, Is(Status::Blocked)),
            (9100, By(Rule::Failed)),
            (9100, Because("API Error: 400")),
            (20_000, See(Observation::Typed)),
            (20_040, See(Observation::Screen(error))),
            (20_040, Stays(30_000, Status::Idle)),
        ],
    );
}

#[test]
fn a_question_answered_at_once_is_not_asked_again_by_the_hook() {
    scenario(
        "fast answer without a title",
        working(),
        [
            (8500, See(lost(Source::Title))),
            (9005, See(hook(Says::Asking))),
            (9040, See(dialog("Allow execution of [Shell]?"))),
            (9300, See(Observation::Typed)),
            (9340, See(works())),
            (9340, Stays(20_000, Status::Running)),
        ],
    );
}
