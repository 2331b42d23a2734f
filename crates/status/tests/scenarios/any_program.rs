//! A program of which nothing is known: output and quiet.

use belfry_protocol::Status;
use belfry_status::{Observation, Table};

use crate::support::play::Do::{Is, Over, See, Stays};
use crate::support::play::play;
use crate::support::tables::{claude_332, codex, screens_only};
use crate::support::words::*;

#[test]
fn it_works_while_it_prints() {
    play(
        "output",
        Table::of_any_program(),
        vec![
            (0, See(Observation::Started)),
            (100, See(Observation::Output(300))),
            (100, Stays(2090, Status::Starting)),
            (2100, Is(Status::Idle)),
            // An echo is none of its work, and one late redraw neither.
            (3000, See(Observation::Typed)),
            (3030, See(Observation::Output(20))),
            (3040, Is(Status::Idle)),
            (9000, See(Observation::Output(200))),
            (9000, Stays(10_000, Status::Idle)),
            (10_000, See(Observation::Submitted)),
            (10_400, See(Observation::Output(200))),
            (10_500, See(Observation::Output(200))),
            (10_600, See(Observation::Output(200))),
            (10_600, Is(Status::Running)),
            (10_600, Stays(12_590, Status::Running)),
            (12_600, Is(Status::Idle)),
            (12_600, Over(true)),
            (20_000, See(Observation::Output(20_000))),
            (20_000, Is(Status::Running)),
        ],
    );
}

#[test]
fn one_that_says_nothing_is_idle() {
    play(
        "mute",
        Table::of_any_program(),
        vec![(0, See(Observation::Started)), (1990, Is(Status::Starting)), (2000, Is(Status::Idle))],
    );
}

#[test]
fn one_that_prints_without_a_pause_does_not_start_for_ever() {
    let mut lines = vec![(0, See(Observation::Started))];
    lines.extend((10..2010).step_by(200).map(|at| (at, See(Observation::Output(30)))));
    lines.extend([
        (1990, Is(Status::Starting)),
        (2010, See(Observation::Output(30))),
        (2010, Is(Status::Running)),
    ]);
    lines.sort_by_key(|(at, _)| *at);
    play("steady", Table::of_any_program(), lines);
}

#[test]
fn screens_alone_tell_an_agent_that_always_shows_its_work() {
    play(
        "screens",
        screens_only(&claude_332()),
        vec![
            (0, See(Observation::Started)),
            (900, See(prompt())),
            (1200, Is(Status::Idle)),
            (5000, See(Observation::Submitted)),
            (5100, See(works())),
            (5100, Is(Status::Running)),
            (9000, See(dialog("touch x"))),
            (9000, Is(Status::Waiting)),
            (10_000, See(Observation::Typed)),
            // The prompt shows for a moment before the work goes on.
            (10_030, See(prompt())),
            (10_100, Is(Status::Waiting)),
            (10_150, See(works())),
            (10_150, Is(Status::Running)),
            (20_000, See(prompt())),
            (20_090, Is(Status::Running)),
            (20_100, Is(Status::Idle)),
            (20_100, Over(true)),
        ],
    );
}

#[test]
fn screens_alone_wait_for_quiet_where_work_shows_no_mark() {
    let mut lines = vec![
        (0, See(Observation::Started)),
        (900, See(prompt())),
        (1200, Is(Status::Idle)),
        (5000, See(Observation::Submitted)),
        (5100, See(works())),
        (5100, Is(Status::Running)),
    ];
    lines.extend(
        (5200..9000).step_by(70).flat_map(|at| {
            [(at, See(Observation::Output(90))), (at, See(prompt())), (at, Is(Status::Running))]
        }),
    );
    lines.extend([(10_900, Is(Status::Running)), (11_000, Is(Status::Idle))]);
    play("streaming", screens_only(&codex()), lines);
}

#[test]
fn a_screen_that_nobody_knows_becomes_unknown_and_not_idle() {
    play(
        "unknown",
        screens_only(&claude_332()),
        vec![
            (0, See(Observation::Started)),
            (900, See(prompt())),
            (5000, See(works())),
            (5000, Is(Status::Running)),
            (6000, See(nothing_known())),
            (6000, Stays(15_990, Status::Running)),
            (16_000, Is(Status::Unknown)),
            (20_000, See(prompt())),
            (20_500, Is(Status::Idle)),
        ],
    );
}
