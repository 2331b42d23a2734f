//! Claude Code 2.1.332 where signals lie, come late or stay away.

use belfry_protocol::Status;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Observation, Place, Rule, Word};

use super::claude::{asking, idle, scenario, working};
use crate::support::play::Do::{self, Because, By, Dated, From, Is, Over, See, Stays};
use crate::support::play::play;
use crate::support::tables::{claude_332, screens_only};
use crate::support::words::*;

#[test]
fn a_forged_idle_while_it_works_is_found_out() {
    // A file was printed that holds the report; the spinner goes on, and is read once a second.
    let mut lines = vec![(6000, See(program(Says::Idle)))];
    lines.extend((6030..9000).step_by(120).flat_map(|at| {
        let read = (at % 1000 < 120).then_some((at, See(Observation::Looked)));
        [(at, See(Observation::Output(40))), (at, Is(Status::Running))].into_iter().chain(read)
    }));
    lines.extend([
        (9000, By(Rule::ScreenWorks)),
        (9100, See(program(Says::Done))),
        (9130, See(prompt())),
        (9180, Is(Status::Idle)),
        (9180, Over(true)),
    ]);
    scenario("forged idle", working(), lines);
}

#[test]
fn a_word_of_idleness_before_a_screen_that_stands_still_is_believed() {
    scenario(
        "leftover",
        working(),
        [
            (5500, See(lost(Source::Registry))),
            (5900, See(Observation::Output(40))),
            (6000, See(program(Says::Idle))),
            (6030, See(Observation::Output(40))),
            (6240, Is(Status::Running)),
            (6250, Stays(60_000, Status::Idle)),
        ],
    );
}

#[test]
fn a_forged_question_without_a_dialog_is_found_out() {
    scenario(
        "forged question at the prompt",
        idle(),
        [
            (3000, See(program(Says::Asking))),
            (3000, Is(Status::Waiting)),
            (3030, See(prompt())),
            (3990, Is(Status::Waiting)),
            (4000, Is(Status::Idle)),
            (4000, Stays(60_000, Status::Idle)),
        ],
    );
    scenario(
        "forged question at work",
        working(),
        [
            (6000, See(program(Says::Asking))),
            (6100, See(works())),
            (6600, See(works())),
            (7100, See(works())),
            (7110, Stays(20_000, Status::Running)),
        ],
    );
}

#[test]
fn a_forged_question_is_found_out_by_the_screen_alone() {
    let alone = |lines: Vec<(u64, Do)>| lines.into_iter().chain([(5200, See(lost(Source::Registry)))]);
    scenario(
        "at the prompt",
        alone(idle()).collect(),
        [
            (6000, See(program(Says::Asking))),
            (6030, See(prompt())),
            (8000, Is(Status::Waiting)),
            (9000, Stays(60_000, Status::Idle)),
        ],
    );
    let mut lines = vec![(6000, See(program(Says::Asking)))];
    lines.extend((6100..20_000).step_by(1000).map(|at| (at, See(works()))));
    lines.extend([(9000, Stays(20_000, Status::Running))]);
    lines.sort_by_key(|(at, _)| *at);
    scenario("at work", alone(working()).collect(), lines.into_iter().take_while(|(at, _)| *at <= 9000));
    // A screen that nobody has described may well be the question.
    scenario(
        "unknown",
        alone(working()).collect(),
        [
            (6000, See(program(Says::Asking))),
            (6030, See(nothing_known())),
            (6030, Stays(60_000, Status::Waiting)),
        ],
    );
}

#[test]
fn a_forged_word_of_work_at_an_idle_prompt_is_found_out() {
    scenario(
        "forged work",
        idle(),
        [
            (3000, See(program(Says::Working))),
            (3030, See(prompt())),
            (3300, Is(Status::Running)),
            (4000, Is(Status::Idle)),
            (4000, By(Rule::TwoAgree)),
            (4000, Stays(60_000, Status::Idle)),
        ],
    );
    scenario(
        "forged work and no registry",
        idle(),
        [
            (2000, See(lost(Source::Registry))),
            (3000, See(program(Says::Working))),
            (3030, See(Observation::Output(40))),
            (3030, See(prompt())),
            (3300, Stays(13_000, Status::Running)),
            (13_100, Is(Status::Idle)),
            (13_100, By(Rule::NothingMoves)),
        ],
    );
}

#[test]
fn a_forged_answer_ends_no_dialog_on_the_screen() {
    scenario(
        "forged end",
        asking(),
        [
            (9000, See(program(Says::Done))),
            (9000, Stays(60_000, Status::Waiting)),
            (60_000, See(program(Says::Working))),
            (60_000, Stays(70_000, Status::Waiting)),
        ],
    );
}

#[test]
fn a_dialog_that_scrolls_away_is_still_open_until_something_shows_an_answer() {
    scenario(
        "scrolled",
        asking(),
        [
            (9000, See(nothing_known())),
            (9000, Stays(18_990, Status::Waiting)),
            (9000, By(Rule::DialogAway)),
            // The agent itself still says that it asks.
            (19_000, Stays(60_000, Status::Waiting)),
            (60_000, By(Rule::Asked)),
            (60_000, See(program(Says::Working))),
            (60_020, See(registry(Says::Working))),
            (60_020, Is(Status::Running)),
        ],
    );
}

#[test]
fn a_half_drawn_screen_counts_for_nothing() {
    scenario(
        "half drawn",
        asking(),
        [
            (9000, See(unsettled(Place::Prompt))),
            (9000, See(unsettled(Place::Working))),
            (9000, Stays(20_000, Status::Waiting)),
        ],
    );
    scenario(
        "half drawn dialog",
        working(),
        [(6000, See(unsettled(Place::Dialog))), (6000, Stays(20_000, Status::Running))],
    );
}

#[test]
fn an_agent_that_dies_in_a_dialog_is_dead() {
    scenario(
        "killed",
        asking(),
        [
            (9000, See(Observation::Ended)),
            (9000, Is(Status::Dead)),
            // Left behind by SIGKILL: the report, the registry's file, the screen.
            (9001, See(program(Says::Asking))),
            (9002, See(registry(Says::Asking))),
            (9003, See(dialog("touch x"))),
            (9004, See(Observation::Started)),
            (9005, Stays(60_000, Status::Dead)),
        ],
    );
}

#[test]
fn hooks_late_twice_and_out_of_order() {
    scenario(
        "hooks",
        working(),
        [
            (6000, Dated(5900, hook(Says::Working))),
            (7000, See(program(Says::Done))),
            (7000, Dated(6990, hook(Says::Done))),
            (7030, See(prompt())),
            (7040, See(registry(Says::Idle))),
            (7100, Is(Status::Idle)),
            // The tool's end comes after the turn's.
            (7200, Dated(6900, hook(Says::Working))),
            (7300, Dated(6990, hook(Says::Done))),
            (7300, Stays(20_000, Status::Idle)),
            // A question of long ago.
            (20_000, Dated(6000, hook(Says::Asking))),
            (20_000, Stays(30_000, Status::Idle)),
        ],
    );
}

#[test]
fn a_hook_s_question_comes_late_after_the_answer() {
    scenario(
        "late question",
        working(),
        [
            (6000, See(program(Says::Asking))),
            (6030, See(dialog("touch x"))),
            (6500, See(Observation::Typed)),
            (6540, See(works())),
            (6545, See(program(Says::Working))),
            (6600, Is(Status::Running)),
            (6700, Dated(6010, hook(Says::Asking))),
            (6700, Dated(6010, hook(Says::Asking))),
            (6700, Stays(30_000, Status::Running)),
        ],
    );
}

#[test]
fn the_registry_goes_and_the_report_stays() {
    scenario(
        "no registry",
        working(),
        [
            (6000, See(lost(Source::Registry))),
            (6000, Stays(20_000, Status::Running)),
            (20_000, See(program(Says::Done))),
            (20_030, See(prompt())),
            (20_080, Is(Status::Idle)),
        ],
    );
}

#[test]
fn the_report_goes_and_the_registry_stays() {
    scenario(
        "no report",
        working(),
        [
            (6000, See(program(None))),
            (6000, Stays(20_000, Status::Running)),
            (6000, From(Source::Registry)),
            (20_000, See(registry(Says::Idle))),
            (20_030, See(prompt())),
            (20_100, Is(Status::Idle)),
            (20_100, Over(true)),
        ],
    );
}

#[test]
fn a_notification_that_comes_after_the_answer_asks_nothing() {
    scenario(
        "late notification",
        working(),
        [(6000, See(word(Source::Notification, Says::Asking))), (6000, Stays(20_000, Status::Running))],
    );
}

#[test]
fn a_worker_s_own_report_raises_nothing() {
    scenario(
        "report",
        working(),
        [
            (6000, See(word(Source::Report, Says::Done))),
            (6000, See(word(Source::Report, Says::Asking))),
            (6000, Stays(20_000, Status::Running)),
            (
                20_000,
                See(Observation::Word(
                    Word::new(Source::Report, Says::Blocked, "says so")
                        .detail("no key for the server".to_owned()),
                )),
            ),
            (20_000, Is(Status::Running)),
            (20_100, See(program(Says::Done))),
            (20_130, See(prompt())),
            (20_180, Is(Status::Blocked)),
            (20_180, Because("no key for the server")),
        ],
    );
}

#[test]
fn an_idle_word_from_before_enter_is_stale() {
    // As recorded on a loaded machine: the report comes 1.4 s after the screen.
    scenario(
        "loaded",
        idle(),
        [
            (6526, See(program(Says::Idle))),
            (6528, See(Observation::Submitted)),
            (7176, See(works())),
            (7176, Is(Status::Running)),
            (7176, By(Rule::GivenWork)),
            (8558, See(program(Says::Working))),
            (8558, Stays(20_000, Status::Running)),
        ],
    );
}

#[test]
fn an_end_right_after_the_start_of_a_turn_is_shown_at_once() {
    scenario(
        "short",
        working(),
        [
            (7000, See(program(Says::Done))),
            (7010, See(prompt())),
            (7080, Is(Status::Idle)),
            (7100, See(Observation::Submitted)),
            (7120, See(program(Says::Working))),
            (7120, Is(Status::Running)),
            (7167, See(failed(Source::Program, "API Error"))),
            (7167, Is(Status::Blocked)),
        ],
    );
}

#[test]
fn a_dialog_left_with_escape_is_idle_as_soon_as_it_is_gone() {
    scenario(
        "escape",
        asking(),
        [
            (9000, See(Observation::Interrupted)),
            (9020, See(program(Says::Idle))),
            (9060, See(dialog("touch x"))),
            (9062, See(prompt())),
            (9062, Is(Status::Idle)),
        ],
    );
}

#[test]
fn an_old_error_that_an_interrupted_turn_leaves_behind_blocks_nothing() {
    let failed = |place| {
        let failed = Some("API Error: Repeated 529".to_owned());
        Observation::Screen(belfry_status::ScreenSays { failed, ..says(place) })
    };
    scenario(
        "old error",
        working(),
        [
            (6000, See(program(Says::Failed))),
            (6030, See(failed(Place::Prompt))),
            (6080, Is(Status::Blocked)),
            (9000, See(Observation::Typed)),
            (9001, Is(Status::Idle)),
            (9900, See(Observation::Submitted)),
            (10_000, See(program(Says::Working))),
            (10_100, See(works())),
            (10_100, Is(Status::Running)),
            // Nothing was said yet, so that the end of the turn before is the last thing on the screen again.
            (12_000, See(Observation::Typed)),
            (12_000, See(Observation::Interrupted)),
            (12_030, See(program(Says::Idle))),
            (12_050, See(failed(Place::Prompt))),
            (12_060, See(registry(Says::Idle))),
            (12_060, Stays(60_000, Status::Idle)),
            // An error of the next turn is one.
            (60_000, See(Observation::Submitted)),
            (60_100, See(program(Says::Working))),
            (60_120, See(works())),
            (63_000, See(program(Says::Idle))),
            (63_020, See(failed(Place::Prompt))),
            (63_100, Is(Status::Blocked)),
        ],
    );
}

#[test]
fn an_answered_question_is_not_named_any_more() {
    // Its report is late.
    scenario(
        "late report",
        asking(),
        [
            (9000, See(Observation::Submitted)),
            (9050, See(works())),
            (9300, Is(Status::Waiting)),
            (9300, By(Rule::JustAnswered)),
            (9300, Because("its question has just left the screen")),
            (9600, See(program(Says::Working))),
            (9600, Is(Status::Running)),
        ],
    );
    // The next question is one, also where the report of the first is the last that was heard.
    scenario(
        "next",
        asking(),
        [
            (9000, See(Observation::Submitted)),
            (9050, See(works())),
            (9200, See(dialog("rm y"))),
            (9200, Is(Status::Waiting)),
            (9200, Because("approve rm y")),
        ],
    );
}

#[test]
fn an_answered_question_is_over_although_the_screen_is_not_known() {
    play(
        "answered",
        screens_only(&claude_332()),
        idle_on_screen()
            .into_iter()
            .chain([
                (6000, See(dialog("touch x"))),
                (6000, Is(Status::Waiting)),
                (7000, See(Observation::Submitted)),
                (7100, See(nothing_known())),
                (8500, Is(Status::Waiting)),
                (8700, Because("its question has just left the screen")),
            ])
            .collect(),
    );
}

fn idle_on_screen() -> Vec<(u64, Do)> {
    vec![(0, See(Observation::Started)), (900, See(prompt())), (1200, Is(Status::Idle))]
}
