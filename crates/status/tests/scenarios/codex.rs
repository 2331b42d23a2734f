//! Codex: its own report, then the title.

use belfry_protocol::Status;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Observation, Rule};

use crate::support::play::Do::{self, By, From, Is, Over, See, Stays, Takes};
use crate::support::play::play;
use crate::support::tables::codex;
use crate::support::words::*;

fn working() -> Vec<(u64, Do)> {
    vec![
        (0, See(Observation::Started)),
        (470, See(title(Says::Idle))),
        (480, See(prompt())),
        (520, See(program(Says::Idle))),
        (620, See(prompt())),
        (1000, Is(Status::Idle)),
        (4900, See(Observation::Submitted)),
        (5000, See(program(Says::Working))),
        (5030, See(title(Says::Working))),
        (5050, Is(Status::Running)),
        (5100, See(works())),
    ]
}

fn scenario(name: &str, start: Vec<(u64, Do)>, lines: impl IntoIterator<Item = (u64, Do)>) {
    play(name, codex(), start.into_iter().chain(lines).collect());
}

/// The title's spinner.
fn streams(from: u64, to: u64) -> Vec<(u64, Do)> {
    // No mark of work is on the screen while text streams.
    (from..to)
        .step_by(100)
        .flat_map(|at| {
            [(at, See(title(Says::Working))), (at, See(prompt())), (at, See(Observation::Output(120)))]
        })
        .collect()
}

#[test]
fn blips_of_the_start_are_not_shown() {
    // As measured: the report and the title say idle, work and idle within 0.3 s.
    scenario(
        "blips",
        vec![],
        [
            (0, See(Observation::Started)),
            (481, See(title(Says::Idle))),
            (490, See(prompt())),
            (522, See(program(Says::Idle))),
            (530, See(prompt())),
            (610, Is(Status::Idle)),
            (625, See(title(Says::Working))),
            (625, See(program(Says::Working))),
            (625, Stays(720, Status::Idle)),
            (728, See(title(Says::Idle))),
            (734, See(program(Says::Idle))),
            (740, See(prompt())),
            (740, Stays(30_000, Status::Idle)),
            (30_000, Over(false)),
        ],
    );
    // The same without an idle before: it is starting all the while.
    scenario(
        "blips",
        vec![],
        [
            (0, See(Observation::Started)),
            (556, See(program(Says::Working))),
            (556, See(title(Says::Working))),
            (556, Stays(670, Status::Starting)),
            (671, See(program(Says::Idle))),
            (671, See(title(Says::Idle))),
            (677, See(prompt())),
            (680, Is(Status::Starting)),
            (800, Stays(30_000, Status::Idle)),
        ],
    );
}

#[test]
fn text_streams_without_a_mark_on_the_screen() {
    let mut lines = working();
    lines.extend(streams(5200, 40_000));
    scenario(
        "streaming",
        lines,
        [
            (40_000, Is(Status::Running)),
            (40_000, See(program(Says::Done))),
            (40_000, See(title(Says::Idle))),
            (40_030, See(prompt())),
            (40_100, Is(Status::Idle)),
            (40_100, Over(true)),
            (40_100, Takes(true)),
        ],
    );
}

#[test]
fn a_plan_that_its_report_calls_done() {
    scenario(
        "plan",
        working(),
        [
            (6000, See(program(Says::Done))),
            (6000, See(title(Says::Idle))),
            (6001, See(prompt())),
            (6001, Is(Status::Running)),
            (6018, See(dialog("Implement this plan?"))),
            (6018, Is(Status::Waiting)),
            (6018, Stays(60_000, Status::Waiting)),
            (60_000, See(Observation::Submitted)),
            (60_020, See(prompt())),
            (60_030, See(program(Says::Working))),
            (60_030, Stays(60_500, Status::Running)),
        ],
    );
}

#[test]
fn a_plan_is_not_called_idle_where_the_screen_is_lost() {
    scenario(
        "plan unseen",
        working(),
        [
            (5500, See(lost(Source::Screen))),
            (6000, See(program(Says::Done))),
            (6000, See(title(Says::Idle))),
            (6000, Stays(7990, Status::Running)),
            (8000, Is(Status::Unknown)),
            (8000, By(Rule::Ambiguous)),
        ],
    );
}

#[test]
fn a_title_blinks_while_it_asks() {
    let mut lines = working();
    lines.extend([(6000, See(program(Says::Asking))), (6030, See(dialog("ls")))]);
    lines.extend((6700..30_000).step_by(1000).flat_map(|at| {
        [(at, See(title(Says::Asking))), (at, See(Observation::Output(60))), (at, Is(Status::Waiting))]
    }));
    scenario(
        "blinking",
        lines,
        [
            (30_000, See(Observation::Typed)),
            (30_020, See(title(Says::Working))),
            (30_020, See(program(Says::Working))),
            (30_040, See(works())),
            (30_040, Stays(31_000, Status::Running)),
        ],
    );
}

#[test]
fn done_becomes_idle_as_soon_as_somebody_types() {
    scenario(
        "typing",
        working(),
        [
            (6000, See(program(Says::Done))),
            (6000, See(title(Says::Idle))),
            (6020, See(prompt())),
            (6040, See(Observation::Typed)),
            (6050, See(program(Says::Idle))),
            (6060, See(prompt())),
            (6140, Is(Status::Idle)),
            (6140, Over(true)),
        ],
    );
}

#[test]
fn an_interruption_is_idle_and_not_done() {
    scenario(
        "interrupted",
        working(),
        [
            (9000, See(Observation::Interrupted)),
            (9020, See(program(Says::Idle))),
            (9020, See(title(Says::Idle))),
            (9040, See(prompt())),
            (9120, Is(Status::Idle)),
            (9120, Over(false)),
        ],
    );
}

#[test]
fn a_rejected_approval_is_idle_and_not_done() {
    scenario(
        "rejected",
        working(),
        [
            (6000, See(program(Says::Asking))),
            (6020, See(dialog("rm x"))),
            (6735, See(title(Says::Asking))),
            (7000, See(Observation::Typed)),
            (7020, See(prompt())),
            (7025, See(program(Says::Idle))),
            (7025, See(title(Says::Idle))),
            (7060, See(prompt())),
            (7200, Is(Status::Idle)),
            (7200, Over(false)),
        ],
    );
}

#[test]
fn an_error_is_blocked_until_the_next_turn() {
    scenario(
        "error",
        working(),
        [
            (9000, See(failed(Source::Program, "429 Too Many Requests"))),
            (9000, See(title(Says::Idle))),
            (9030, See(prompt())),
            (9100, Is(Status::Blocked)),
            (9100, Stays(60_000, Status::Blocked)),
            (60_000, See(Observation::Submitted)),
            (60_010, See(program(Says::Working))),
            (60_010, Is(Status::Running)),
            (70_000, See(program(Says::Done))),
            (70_000, See(title(Says::Idle))),
            (70_030, See(prompt())),
            (70_100, Is(Status::Idle)),
        ],
    );
}

#[test]
fn a_forged_idle_is_found_out_by_the_title_and_the_output() {
    let mut lines = working();
    lines.push((6000, See(program(Says::Done))));
    lines.extend(streams(6010, 7600));
    scenario(
        "forged idle",
        lines,
        [(7600, Is(Status::Running)), (7600, By(Rule::TwoAgree)), (7600, From(Source::Title))],
    );
}

#[test]
fn the_report_goes_and_the_title_stays() {
    let mut lines = working();
    lines.push((5200, See(lost(Source::Program))));
    lines.extend(streams(5200, 20_000));
    scenario(
        "no report",
        lines,
        [
            (20_000, Is(Status::Running)),
            (20_000, See(title(Says::Asking))),
            (20_000, Is(Status::Waiting)),
            (21_000, See(title(Says::Working))),
            (21_000, Is(Status::Running)),
            (22_000, See(title(Says::Idle))),
            (22_030, See(prompt())),
            (22_100, Is(Status::Idle)),
        ],
    );
}
