//! Claude Code 2.1.197: the registry, then hooks, then the title, which cannot tell a question from the prompt.

use belfry_protocol::Status;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Observation, Rule};

use crate::support::play::Do::{self, By, Dated, From, Is, Over, See, Stays};
use crate::support::play::play;
use crate::support::tables::claude_197;
use crate::support::words::*;

fn working() -> Vec<(u64, Do)> {
    vec![
        (0, See(Observation::Started)),
        (900, See(title(Says::Idle))),
        (900, See(registry(Says::Idle))),
        (930, See(prompt())),
        (1100, Is(Status::Idle)),
        (4900, See(Observation::Submitted)),
        (5000, See(hook(Says::Working))),
        (5010, See(title(Says::Working))),
        (5050, See(registry(Says::Working))),
        (5100, See(works())),
        (5200, Is(Status::Running)),
    ]
}

/// The spinner of the title and of the screen, once a second.
fn spinner(from: u64, to: u64) -> Vec<(u64, Do)> {
    (from..to)
        .step_by(960)
        .flat_map(|at| {
            [(at, See(title(Says::Working))), (at, See(works())), (at, See(Observation::Output(60)))]
        })
        .collect()
}

fn scenario(name: &str, start: Vec<(u64, Do)>, lines: impl IntoIterator<Item = (u64, Do)>) {
    play(name, claude_197(), start.into_iter().chain(lines).collect());
}

#[test]
fn a_turn() {
    let mut lines = working();
    lines.extend(spinner(6000, 60_000));
    scenario(
        "turn",
        lines,
        [
            (60_000, Is(Status::Running)),
            (60_000, See(hook(Says::Done))),
            (60_020, See(title(Says::Idle))),
            (60_040, See(prompt())),
            (60_050, See(registry(Says::Idle))),
            (60_130, Is(Status::Idle)),
            (60_130, From(Source::Registry)),
            (60_130, Over(true)),
        ],
    );
}

#[test]
fn a_question_while_the_title_looks_idle() {
    scenario(
        "question",
        working(),
        [
            (8000, See(hook(Says::Asking))),
            (8010, See(title(Says::Idle))),
            (8030, See(dialog("touch x"))),
            (8050, See(registry(Says::Asking))),
            (8050, Stays(60_000, Status::Waiting)),
        ],
    );
}

#[test]
fn without_the_registry_an_escape_is_seen_by_the_title() {
    let mut lines = working();
    lines.push((5300, See(lost(Source::Registry))));
    lines.extend(spinner(6000, 20_000));
    scenario(
        "escape",
        lines,
        [
            (20_000, Is(Status::Running)),
            (20_000, From(Source::Hook)),
            (20_000, See(Observation::Interrupted)),
            (20_030, See(title(Says::Idle))),
            (20_040, See(prompt())),
            (20_120, Is(Status::Idle)),
            (20_120, By(Rule::Newer)),
            (20_120, Over(false)),
            (20_120, Stays(60_000, Status::Idle)),
        ],
    );
}

#[test]
fn without_registry_and_title_an_escape_is_seen_by_the_screen() {
    scenario(
        "hooks alone",
        working(),
        [
            (5300, See(lost(Source::Registry))),
            (5300, See(lost(Source::Title))),
            (20_000, Is(Status::Running)),
            (20_000, See(Observation::Interrupted)),
            (20_040, See(Observation::Output(4000))),
            (20_040, See(prompt())),
            (22_100, Is(Status::Idle)),
            (22_100, Over(false)),
            (22_100, Stays(60_000, Status::Idle)),
        ],
    );
}

#[test]
fn a_title_whose_spinner_stopped_is_no_word_of_idleness() {
    scenario(
        "title off",
        working(),
        [
            (5300, See(lost(Source::Registry))),
            (5300, See(lost(Source::Hook))),
            (5400, Is(Status::Running)),
            (5400, Stays(60_000, Status::Running)),
        ],
    );
}

#[test]
fn a_hook_s_question_alone_does_not_hold() {
    scenario(
        "hook alone",
        working(),
        [
            (5300, See(lost(Source::Registry))),
            (5300, See(lost(Source::Title))),
            (8000, See(hook(Says::Asking))),
            (8000, Is(Status::Waiting)),
            (8030, See(works())),
            (9100, See(works())),
            (9100, Is(Status::Running)),
        ],
    );
}

#[test]
fn a_hook_that_comes_after_a_newer_one_counts_for_nothing() {
    scenario(
        "late hook",
        working(),
        [
            (5300, See(lost(Source::Registry))),
            (5300, See(lost(Source::Title))),
            (9000, See(hook(Says::Done))),
            (9030, See(prompt())),
            (9200, Is(Status::Idle)),
            (9300, Dated(8900, hook(Says::Working))),
            (9300, Stays(60_000, Status::Idle)),
        ],
    );
}
