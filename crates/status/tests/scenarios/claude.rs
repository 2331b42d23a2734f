//! Claude Code 2.1.332: its own report first, then its registry.

use belfry_protocol::Status;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Doing, Observation, Place, Rule, TaskKind, Word};

use crate::support::play::Do::{
    self, Because, Because as Why, By, Dated, Does, From, Is, Over, See, Stays, Takes,
};
use crate::support::play::play;
use crate::support::tables::claude_332;
use crate::support::words::*;

/// At its prompt at 1000.
pub(crate) fn idle() -> Vec<(u64, Do)> {
    vec![
        (0, See(Observation::Started)),
        (500, See(Observation::Output(3000))),
        (600, Is(Status::Starting)),
        (900, See(program(Says::Idle))),
        (900, See(registry(Says::Idle))),
        (930, See(prompt())),
        (1000, Is(Status::Idle)),
        (1000, Over(false)),
        (1000, Takes(true)),
    ]
}

/// At work since 5000.
pub(crate) fn working() -> Vec<(u64, Do)> {
    let mut lines = idle();
    lines.extend([
        (4900, See(Observation::Submitted)),
        (5000, See(program(Says::Working))),
        (5050, See(registry(Says::Working))),
        (5100, See(works())),
        (5200, Is(Status::Running)),
    ]);
    lines
}

/// An approval is open since 8000.
pub(crate) fn asking() -> Vec<(u64, Do)> {
    let mut lines = working();
    let blocked =
        Word::new(Source::Program, Says::Asking, "blocked").detail("approve Bash: touch x".to_owned());
    lines.extend([
        (8000, See(Observation::Word(blocked))),
        (8000, Is(Status::Waiting)),
        (8000, Why("approve Bash: touch x")),
        (8030, See(dialog("touch x"))),
        (8050, See(registry(Says::Asking))),
        (8060, See(hook(Says::Asking))),
        (8060, Is(Status::Waiting)),
        (8060, By(Rule::Dialog)),
        (8060, Because("approve touch x")),
        (8060, Takes(false)),
    ]);
    lines
}

pub(crate) fn scenario(name: &str, start: Vec<(u64, Do)>, lines: impl IntoIterator<Item = (u64, Do)>) {
    play(name, claude_332(), start.into_iter().chain(lines).collect());
}

#[test]
fn a_turn_and_its_end() {
    scenario(
        "turn",
        working(),
        [
            (5300, See(tool(Source::Hook, "Running npm test"))),
            (5300, Does(Some("Running npm test"))),
            (5300, Takes(false)),
            (65_300, Is(Status::Running)),
            (65_300, Does(Some("Running npm test"))),
            (65_400, See(hook(Says::Done))),
            (65_410, See(program(Says::Done))),
            (65_410, Is(Status::Idle)),
            (65_410, Over(true)),
            (65_410, From(Source::Program)),
            (65_460, See(registry(Says::Idle))),
            (65_500, See(prompt())),
            (65_500, Stays(200_000, Status::Idle)),
            (200_000, Takes(true)),
        ],
    );
}

#[test]
fn an_approval_is_answered() {
    scenario(
        "approved",
        asking(),
        [
            (600_000, Is(Status::Waiting)),
            (600_000, See(Observation::Typed)),
            (600_040, See(works())),
            (600_045, See(program(Says::Working))),
            (600_045, Is(Status::Running)),
            // The hook has said nothing since, and the registry is late.
            (600_045, Stays(600_090, Status::Running)),
            (600_095, See(registry(Says::Working))),
            (600_100, Stays(660_000, Status::Running)),
        ],
    );
}

#[test]
fn an_approval_is_refused_with_escape_and_no_hook_says_so() {
    scenario(
        "refused",
        asking(),
        [
            (9000, See(Observation::Interrupted)),
            (9030, See(prompt())),
            (9035, See(program(Says::Idle))),
            (9080, See(registry(Says::Idle))),
            (9080, Is(Status::Idle)),
            (9080, Over(false)),
            (9080, Stays(60_000, Status::Idle)),
        ],
    );
}

#[test]
fn escape_ends_a_turn_that_the_person_need_not_hear_of() {
    scenario(
        "interrupted",
        working(),
        [
            (7000, See(Observation::Interrupted)),
            (7040, See(program(Says::Idle))),
            (7040, Is(Status::Idle)),
            (7040, Over(false)),
            (7060, See(prompt())),
            (7090, See(registry(Says::Idle))),
            (7090, Stays(100_000, Status::Idle)),
        ],
    );
}

#[test]
fn a_start_up_dialog_says_nothing_but_on_the_screen() {
    scenario(
        "trust",
        vec![],
        [
            (0, See(Observation::Started)),
            (700, See(dialog("trust this folder"))),
            (700, Is(Status::Waiting)),
            (700, Takes(false)),
            (100_000, See(Observation::Submitted)),
            (100_050, See(nothing_known())),
            (100_050, Is(Status::Waiting)),
            (100_900, See(program(Says::Idle))),
            (100_900, Is(Status::Idle)),
            (100_900, Over(false)),
        ],
    );
}

#[test]
fn a_start_that_hangs_is_not_called_idle() {
    scenario(
        "hung",
        vec![],
        [
            (0, See(Observation::Started)),
            (10, Stays(29_990, Status::Starting)),
            (30_000, Is(Status::Unknown)),
            (90_000, See(program(Says::Idle))),
            (90_000, Is(Status::Idle)),
        ],
    );
}

#[test]
fn subagents_hold_the_end_back() {
    scenario(
        "subagents",
        working(),
        [
            (6000, See(task(Source::Hook, "a", TaskKind::Agent, true))),
            (6001, See(task(Source::Hook, "b", TaskKind::Agent, true))),
            (7000, See(program(Says::Done))),
            (7000, See(hook(Says::Done))),
            (
                7030,
                See(Observation::Screen(belfry_status::ScreenSays { subagents: 2, ..says(Place::Prompt) })),
            ),
            (7030, Stays(60_000, Status::Running)),
            (60_000, By(Rule::Subagents)),
            (60_000, Does(Some("2 subagents"))),
            (60_000, Takes(false)),
            (61_000, See(task(Source::Hook, "a", TaskKind::Agent, false))),
            (
                61_010,
                See(Observation::Screen(belfry_status::ScreenSays { subagents: 1, ..says(Place::Prompt) })),
            ),
            (61_010, Does(Some("1 subagent"))),
            // The end comes twice, and the beginning once more, late.
            (62_000, See(task(Source::Hook, "b", TaskKind::Agent, false))),
            (62_000, See(task(Source::Hook, "b", TaskKind::Agent, false))),
            (62_000, Dated(6001, task(Source::Hook, "b", TaskKind::Agent, true))),
            (62_020, See(registry(Says::Idle))),
            (62_030, See(prompt())),
            (62_030, Is(Status::Idle)),
            (62_030, Over(true)),
        ],
    );
}

#[test]
fn a_subagent_whose_end_was_missed_does_not_hold_for_ever() {
    scenario(
        "lost end",
        working(),
        [
            (6000, See(task(Source::Hook, "a", TaskKind::Agent, true))),
            (9000, See(program(Says::Done))),
            (9000, Is(Status::Running)),
            (9010, See(registry(Says::Idle))),
            (9030, See(prompt())),
            (9031, Is(Status::Idle)),
        ],
    );
}

#[test]
fn a_background_shell_is_an_activity_of_idle() {
    let over = Word::new(Source::Program, Says::Idle, "1 shell still running").doing(Doing::Background(1));
    scenario(
        "background",
        working(),
        [
            (6000, See(task(Source::Program, "s", TaskKind::Unknown, true))),
            (6500, See(Observation::Word(over))),
            (6530, See(prompt())),
            (6580, Is(Status::Idle)),
            (6580, Over(true)),
            (6580, Does(Some("1 shell in the background"))),
            (6580, Takes(true)),
            (6590, See(registry(Says::Idle))),
            (6600, Stays(100_000, Status::Idle)),
        ],
    );
}

#[test]
fn retries_are_work_and_a_final_error_is_blocked() {
    let retrying = belfry_status::ScreenSays {
        retrying: Some("429 rate limited, attempt 8/10".to_owned()),
        ..says(Place::Working)
    };
    scenario(
        "error",
        working(),
        [
            (6000, See(Observation::Screen(retrying))),
            (6000, Does(Some("Retrying: 429 rate limited, attempt 8/10"))),
            (180_000, Is(Status::Running)),
            (180_000, See(failed(Source::Program, "API Error: Repeated 529"))),
            (180_020, See(prompt())),
            (180_020, Is(Status::Blocked)),
            (180_020, By(Rule::Failed)),
            (180_020, Because("API Error: Repeated 529")),
            (180_020, Takes(true)),
            (500_000, Is(Status::Blocked)),
            (500_000, See(Observation::Typed)),
            (500_001, Is(Status::Idle)),
            (500_990, See(Observation::Submitted)),
            (501_000, See(program(Says::Working))),
            (501_000, Is(Status::Running)),
        ],
    );
}

#[test]
fn a_limit_blocks_with_its_reset_time() {
    let blocked =
        belfry_status::Trouble { reason: "usage limit".to_owned(), until: Some("15:30".to_owned()) };
    let limit = belfry_status::ScreenSays { blocked: Some(blocked), ..says(Place::Prompt) };
    let arbiter = play(
        "limit",
        claude_332(),
        working()
            .into_iter()
            .chain([
                (6000, See(program(Says::Done))),
                (6050, See(Observation::Screen(limit.clone()))),
                (6050, Is(Status::Blocked)),
                (6050, Because("usage limit")),
                (6050, By(Rule::CannotGoOn)),
                (6050, Takes(false)),
            ])
            .collect(),
    );
    assert_eq!(arbiter.verdict(6050).until.as_deref(), Some("15:30"));
}
