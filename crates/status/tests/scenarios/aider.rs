//! Aider: bracketed paste is on while it waits for a line, whatever for.

use belfry_protocol::Status;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Observation, Rule};

use crate::support::play::Do::{self, By, Is, Over, See, Stays, Takes};
use crate::support::play::play;
use crate::support::tables::aider;
use crate::support::words::*;

fn working() -> Vec<(u64, Do)> {
    vec![
        (0, See(Observation::Started)),
        (3000, See(modes(Says::Idle))),
        (3040, See(prompt())),
        (3100, Is(Status::Idle)),
        (5000, See(Observation::Submitted)),
        (5010, See(modes(Says::Working))),
        (5010, Is(Status::Running)),
        (5100, See(works())),
    ]
}

fn scenario(name: &str, start: Vec<(u64, Do)>, lines: impl IntoIterator<Item = (u64, Do)>) {
    play(name, aider(), start.into_iter().chain(lines).collect());
}

#[test]
fn a_turn() {
    scenario(
        "turn",
        working(),
        [
            (30_000, Is(Status::Running)),
            (30_000, See(modes(Says::Idle))),
            (30_020, Is(Status::Running)),
            (30_040, See(prompt())),
            (30_090, Is(Status::Idle)),
            (30_090, Over(true)),
            (30_090, Takes(true)),
        ],
    );
}

#[test]
fn a_question_at_the_first_start() {
    scenario(
        "git",
        vec![],
        [
            (0, See(Observation::Started)),
            (2000, See(modes(Says::Idle))),
            (2030, See(dialog("No git repo found, create one?"))),
            (2030, Stays(60_000, Status::Waiting)),
        ],
    );
}

#[test]
fn a_question_of_a_turn_that_the_modes_call_a_prompt() {
    scenario(
        "create file",
        working(),
        [
            (9000, See(modes(Says::Idle))),
            (9005, See(hook(Says::Idle))),
            (9040, See(dialog("Create new file?"))),
            (9040, Stays(60_000, Status::Waiting)),
            (60_000, See(Observation::Submitted)),
            (60_010, See(modes(Says::Working))),
            (60_050, See(works())),
            (60_050, Is(Status::Running)),
        ],
    );
}

#[test]
fn a_prompt_that_nobody_can_read_may_be_a_question() {
    scenario(
        "unknown screen",
        working(),
        [
            (9000, See(modes(Says::Idle))),
            (9005, See(hook(Says::Idle))),
            (9040, See(nothing_known())),
            (9040, Stays(10_990, Status::Running)),
            (11_000, Stays(60_000, Status::Unknown)),
            (60_000, By(Rule::Ambiguous)),
            (60_000, Takes(false)),
        ],
    );
}

#[test]
fn without_the_modes_its_command_and_the_screen_tell() {
    let mut lines = working();
    lines.push((5200, See(lost(Source::Modes))));
    lines.extend(
        (5200..20_000).step_by(100).flat_map(|at| [(at, See(Observation::Output(130))), (at, See(works()))]),
    );
    scenario(
        "no modes",
        lines,
        [
            (20_000, Is(Status::Running)),
            (20_000, See(hook(Says::Idle))),
            (20_020, See(prompt())),
            (22_600, Is(Status::Idle)),
        ],
    );
}

#[test]
fn control_c_is_no_end_that_anybody_waits_for() {
    scenario(
        "interrupted",
        working(),
        [
            (9000, See(Observation::Interrupted)),
            (9010, See(modes(Says::Idle))),
            (9040, See(prompt())),
            (9100, Is(Status::Idle)),
            (9100, Over(false)),
        ],
    );
}
