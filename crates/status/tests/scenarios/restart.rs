//! The daemon comes back to a run that went on without it.

use belfry_protocol::Status;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Arbiter, Observation, Table};

use crate::support::play::Do::{Is, Over, See, Stays, Takes};
use crate::support::play::play_on;
use crate::support::tables::{claude_332, codex};
use crate::support::words::*;

#[test]
fn what_is_read_again_is_not_news() {
    play_on(
        "replay",
        Arbiter::resumed(codex(), Status::Idle, Source::Program, 0),
        vec![
            (0, See(program(Says::Working))),
            (0, Is(Status::Idle)),
            (1, See(Observation::Output(60_000))),
            (2, See(program(Says::Done))),
            (2, See(title(Says::Idle))),
            (3, See(Observation::CaughtUp)),
            (30, See(prompt())),
            (30, Stays(60_000, Status::Idle)),
        ],
    );
}

#[test]
fn a_turn_that_ended_meanwhile_is_news_where_the_agent_says_so() {
    play_on(
        "ended",
        Arbiter::resumed(codex(), Status::Running, Source::Program, 0),
        vec![
            (1, See(program(Says::Working))),
            (2, See(program(Says::Done))),
            (2, See(title(Says::Idle))),
            (2, Is(Status::Running)),
            (3, See(Observation::CaughtUp)),
            (30, See(prompt())),
            (100, Is(Status::Idle)),
            (100, Over(true)),
        ],
    );
}

#[test]
fn one_whose_end_nobody_saw_is_none() {
    play_on(
        "presumed",
        Arbiter::resumed(Table::of_any_program(), Status::Running, Source::Output, 0),
        vec![
            (1, See(Observation::CaughtUp)),
            (1990, Is(Status::Running)),
            (2001, Is(Status::Idle)),
            (2001, Over(false)),
        ],
    );
    play_on(
        "seen",
        Arbiter::resumed(Table::of_any_program(), Status::Running, Source::Output, 0),
        vec![
            (1, See(Observation::CaughtUp)),
            (1500, See(Observation::Output(10))),
            (3490, Is(Status::Running)),
            (3500, Is(Status::Idle)),
            (3500, Over(true)),
        ],
    );
}

#[test]
fn a_question_stands_until_the_screen_has_been_read() {
    play_on(
        "waiting",
        Arbiter::resumed(claude_332(), Status::Waiting, Source::Screen, 0),
        vec![
            (1, Takes(false)),
            (1, See(Observation::CaughtUp)),
            (1, Is(Status::Waiting)),
            (40, See(dialog("touch x"))),
            (40, Stays(60_000, Status::Waiting)),
        ],
    );
}

#[test]
fn a_status_of_which_nothing_is_left_ages() {
    play_on(
        "aged",
        Arbiter::resumed(claude_332(), Status::Idle, Source::Program, 0),
        vec![
            (1, See(Observation::CaughtUp)),
            (1, Stays(9_990, Status::Idle)),
            (10_010, Stays(60_000, Status::Unknown)),
        ],
    );
}
