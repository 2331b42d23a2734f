//! A shell: which process has the terminal, and the marks of shell integration.

use belfry_protocol::Status;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Doing, Observation, Rule, Word};

use crate::support::play::Do::{self, Because, By, Does, Is, Over, See, Stays, Takes};
use crate::support::play::play;
use crate::support::tables::shell;
use crate::support::words::*;

fn idle() -> Vec<(u64, Do)> {
    vec![
        (0, See(Observation::Started)),
        (100, See(Observation::Output(60))),
        (400, See(own())),
        (400, Is(Status::Idle)),
        (400, Takes(true)),
    ]
}

fn scenario(name: &str, lines: impl IntoIterator<Item = (u64, Do)>) {
    play(name, shell(), idle().into_iter().chain(lines).collect());
}

#[test]
fn a_silent_command_runs() {
    scenario(
        "sleep",
        [
            (1000, See(Observation::Submitted)),
            (1300, See(command("sleep 600"))),
            (1300, Is(Status::Running)),
            (1300, Does(Some("Running sleep 600"))),
            (1300, Stays(100_000, Status::Running)),
            (100_000, Takes(false)),
            (100_000, See(own())),
            (100_000, Is(Status::Idle)),
            (100_000, Over(true)),
        ],
    );
}

#[test]
fn a_password_and_a_yes_or_no_are_asked_for() {
    scenario(
        "input",
        [
            (1000, See(Observation::Submitted)),
            (1300, See(asks("sudo", None, true))),
            (1300, Stays(60_000, Status::Waiting)),
            (1300, By(Rule::TerminalRead)),
            (60_000, See(Observation::Submitted)),
            (60_001, Is(Status::Running)),
            (60_300, See(asks("apt", Some("Do you want to continue? [Y/n]"), false))),
            (60_300, Is(Status::Waiting)),
            (60_300, Because("Do you want to continue? [Y/n]")),
            (60_300, Takes(false)),
            (61_000, See(Observation::Submitted)),
            (61_300, See(command("apt"))),
            (61_300, Is(Status::Running)),
            (62_000, See(own())),
            (62_000, Is(Status::Idle)),
        ],
    );
}

#[test]
fn a_program_that_reads_and_asks_nothing_runs() {
    scenario("python", [(1000, See(asks("python3", None, false))), (1000, Stays(60_000, Status::Running))]);
}

#[test]
fn what_is_open_runs_and_who_leaves_it_waits_for_nothing() {
    let lines = |last_key: u64| {
        [
            (1000, See(Observation::Submitted)),
            (1100, See(open("vim notes"))),
            (1100, Is(Status::Running)),
            (1100, By(Rule::InFront)),
            (1100, Does(Some("vim notes is open"))),
            (1100, Takes(false)),
            (5000, See(Observation::Typed)),
            (5000, See(Observation::Interrupted)),
            (5100, See(open("vim notes"))),
            (5100, Stays(last_key, Status::Running)),
            (last_key, See(Observation::Submitted)),
            (60_000, See(own())),
            (60_000, Is(Status::Idle)),
            (60_000, By(Rule::InFront)),
            (60_000, Over(last_key < 50_000)),
            (60_000, Takes(true)),
        ]
    };
    scenario("left by :q", lines(59_900));
    scenario("watch -g that has seen a change", lines(20_000));
    scenario(
        "the next command is one again",
        lines(59_900).into_iter().chain([
            (70_000, See(Observation::Submitted)),
            (70_300, See(command("make"))),
            (70_300, Is(Status::Running)),
            (90_000, See(own())),
            (90_000, Is(Status::Idle)),
            (90_000, Over(true)),
        ]),
    );
}

#[test]
fn the_shell_s_own_marks_tell_where_the_process_cannot_be_seen() {
    let begins =
        Word::new(Source::Shell, Says::Working, "command").doing(Doing::Command("npm test".to_owned()));
    scenario(
        "osc 133",
        [
            (500, See(lost(Source::Foreground))),
            (500, See(word(Source::Shell, Says::Idle))),
            (500, Is(Status::Idle)),
            (1000, See(Observation::Submitted)),
            (1010, See(Observation::Word(begins))),
            (1010, Is(Status::Running)),
            (1010, Does(Some("Running npm test"))),
            (1010, Stays(90_000, Status::Running)),
            (90_000, See(word(Source::Shell, Says::Idle))),
            (90_000, Is(Status::Idle)),
            (90_000, Over(true)),
        ],
    );
}

#[test]
fn a_silent_command_is_not_idle_where_nothing_tells_any_more() {
    scenario(
        "nothing",
        [
            (1300, See(command("sleep 600"))),
            (1300, Is(Status::Running)),
            (2000, See(lost(Source::Foreground))),
            (2000, Stays(11_990, Status::Running)),
            (12_000, Stays(60_000, Status::Unknown)),
        ],
    );
}

#[test]
fn a_printed_report_of_an_agent_means_nothing_to_a_shell() {
    scenario(
        "cat",
        [
            (1000, See(program(Says::Asking))),
            (1000, See(dialog("touch x"))),
            (1000, See(title(Says::Working))),
            (1010, Is(Status::Waiting)),
        ]
        .into_iter()
        .filter(|(_, line)| !matches!(line, See(Observation::Screen(_)) | Is(Status::Waiting)))
        .chain([(1010, Stays(10_000, Status::Idle))]),
    );
}

#[test]
fn the_shell_s_marks_are_ahead_of_the_look_at_its_processes() {
    scenario(
        "ahead",
        [
            (1000, See(Observation::Submitted)),
            (1010, See(word(Source::Shell, Says::Working))),
            (1010, Is(Status::Running)),
            (1010, By(Rule::Newer)),
            (1300, See(command("make"))),
            (9000, See(word(Source::Shell, Says::Idle))),
            (9000, Is(Status::Idle)),
            (9300, See(own())),
            (9300, Stays(20_000, Status::Idle)),
        ],
    );
}
