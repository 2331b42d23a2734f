//! OpenCode: its own interface, or its plugin.

use belfry_protocol::Status;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Doing, Observation, TaskKind, Word};

use crate::support::play::Do::{self, Dated, Does, From, Is, Over, See, Stays};
use crate::support::play::play;
use crate::support::tables::opencode;
use crate::support::words::*;

fn idle() -> Vec<(u64, Do)> {
    vec![
        (0, See(Observation::Started)),
        (4000, See(api(Says::Idle))),
        (4000, Is(Status::Idle)),
        (4100, See(prompt())),
        (5000, See(Observation::Submitted)),
    ]
}

fn scenario(name: &str, lines: impl IntoIterator<Item = (u64, Do)>) {
    play(name, opencode(), idle().into_iter().chain(lines).collect());
}

#[test]
fn a_turn_with_a_permission_and_a_retry() {
    let retry = Word::new(Source::Api, Says::Working, "session.status retry")
        .doing(Doing::Retrying("Provider is overloaded, attempt 3".to_owned()));
    scenario(
        "turn",
        [
            (5010, See(api(Says::Working))),
            (5010, Is(Status::Running)),
            (5060, See(works())),
            (6000, See(Observation::Word(retry))),
            (6000, Does(Some("Retrying: Provider is overloaded, attempt 3"))),
            (9000, See(api(Says::Asking))),
            (9000, Is(Status::Waiting)),
            (9040, See(dialog("bash"))),
            (90_000, Is(Status::Waiting)),
            (90_000, See(Observation::Submitted)),
            (90_020, See(api(Says::Working))),
            (90_050, See(works())),
            (90_050, Is(Status::Running)),
            (91_000, See(api(Says::Done))),
            (91_000, Is(Status::Idle)),
            (91_000, Over(true)),
        ],
    );
}

#[test]
fn without_its_interface_the_plugin_and_the_screen_tell() {
    scenario(
        "plugin",
        [
            (5000, See(lost(Source::Api))),
            (5010, See(hook(Says::Working))),
            (5060, See(works())),
            (5060, Is(Status::Running)),
            (5060, From(Source::Hook)),
            (9000, See(hook(Says::Asking))),
            (9040, See(dialog("bash"))),
            (9040, Is(Status::Waiting)),
            (10_000, See(Observation::Submitted)),
            (10_040, See(works())),
            (10_040, Is(Status::Running)),
            (20_000, See(hook(Says::Done))),
            (20_050, See(prompt())),
            (20_100, Is(Status::Idle)),
            (20_100, Over(true)),
        ],
    );
}

#[test]
fn a_subagent_is_a_session_of_its_own() {
    scenario(
        "subagent",
        [
            (5010, See(api(Says::Working))),
            (5500, See(task(Source::Api, "ses_2", TaskKind::Agent, true))),
            (5500, Does(Some("1 subagent"))),
            (6000, See(api(Says::Done))),
            (6000, Is(Status::Running)),
            (9000, See(task(Source::Api, "ses_2", TaskKind::Agent, false))),
            (9000, Is(Status::Idle)),
            // Its beginning once more, late.
            (9100, Dated(5500, task(Source::Api, "ses_2", TaskKind::Agent, true))),
            (9100, Stays(20_000, Status::Idle)),
        ],
    );
}

#[test]
fn a_start_that_hangs_with_an_empty_screen() {
    play(
        "hung",
        opencode(),
        vec![
            (0, See(Observation::Started)),
            (500, See(nothing_known())),
            (500, Stays(29_990, Status::Starting)),
            (30_000, Stays(90_000, Status::Unknown)),
        ],
    );
}
