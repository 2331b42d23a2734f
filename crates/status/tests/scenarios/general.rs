//! What is true of all agents: clocks, evidence, what is missing.

use belfry_protocol::Status;
use belfry_protocol::explain::Weight;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Arbiter, Observation, Silence};

use crate::support::play::Do::{Is, See, Stays};
use crate::support::play::play;
use crate::support::tables::{claude_332, gemini, shell};
use crate::support::words::*;

#[test]
fn a_clock_that_is_set_back_stops_nothing() {
    let mut arbiter = Arbiter::new(claude_332(), 1_000_000_000);
    arbiter.observe(program(Says::Idle), 1_000_001_000);
    arbiter.observe(prompt(), 1_000_001_050);
    assert_eq!(arbiter.verdict(1_000_001_100).status, Status::Idle);
    // Back by days.
    arbiter.observe(program(Says::Working), 5000);
    assert_eq!(arbiter.verdict(5000).status, Status::Idle, "nobody has asked for that");
    let mut now = 5000;
    while let Some(again) = arbiter.verdict(now).again_at.filter(|again| *again <= 5300) {
        now = again;
    }
    assert_eq!((now, arbiter.verdict(now).status), (5300, Status::Running));
    // A little back, as by a late observation.
    arbiter.observe(program(Says::Done), 9000);
    arbiter.observe(Observation::Typed, 8000);
    assert_eq!(arbiter.verdict(9000).status, Status::Idle);
    assert_eq!(arbiter.verdict(10).status, Status::Idle, "asked for the past");
    // And ahead by years.
    arbiter.observe(Observation::Submitted, u64::MAX / 8);
    arbiter.observe(program(Says::Working), u64::MAX / 8);
    assert_eq!(arbiter.verdict(u64::MAX / 8).status, Status::Running);
    assert_eq!(arbiter.verdict(u64::MAX).status, Status::Idle, "nothing has moved since");
}

#[test]
fn a_word_from_the_future_is_one_of_now() {
    let mut arbiter = Arbiter::new(claude_332(), 0);
    arbiter.observe_dated(hook(Says::Working), 900_000, 1000);
    arbiter.observe(program(Says::Idle), 2000);
    arbiter.observe(hook(Says::Done), 2010);
    arbiter.observe(prompt(), 2050);
    assert_eq!(arbiter.verdict(2500).status, Status::Idle);
}

#[test]
fn evidence_tells_what_decided_and_what_did_not() {
    let mut arbiter = Arbiter::new(claude_332(), 0);
    arbiter.observe(program(Says::Idle), 500);
    arbiter.observe(registry(Says::Idle), 500);
    arbiter.observe(prompt(), 530);
    arbiter.observe(hook(Says::Working), 600);
    arbiter.observe(title(Says::Working), 700);
    let evidence = arbiter.evidence(9000);
    let of = |source| evidence.iter().find(|evidence| evidence.source == source).expect("it was observed");
    assert_eq!(evidence[0].source, Source::Program);
    assert_eq!(evidence[0].weight, Weight::Decided);
    assert_eq!(evidence[0].age_ms, 8500);
    assert_eq!(of(Source::Registry).weight, Weight::Agrees);
    assert_eq!(of(Source::Hook).weight, Weight::Overruled);
    assert_eq!(of(Source::Title).weight, Weight::Expired);
    assert_eq!(of(Source::Title).why.as_deref(), Some("it would have been said again within 3 s"));
    assert!(evidence.iter().all(|evidence| !evidence.what.is_empty()));
}

#[test]
fn what_is_missing_is_told_until_it_speaks() {
    let mut arbiter = Arbiter::new(claude_332(), 0);
    let silence = Silence {
        source: Source::Hook,
        why: "hooks were not loaded".to_owned(),
        costs: "the tool's name".to_owned(),
    };
    arbiter.observe(Observation::Missing(silence.clone()), 10);
    arbiter.observe(Observation::Missing(silence), 20);
    assert_eq!(arbiter.missing().len(), 1);
    arbiter.observe(hook(Says::Working), 30);
    assert!(arbiter.missing().is_empty());
    arbiter.observe(lost(Source::Hook), 40);
    assert_eq!(arbiter.missing().len(), 1);
}

#[test]
fn words_of_sources_that_the_table_does_not_trust_are_evidence_alone() {
    let mut arbiter = Arbiter::new(shell(), 0);
    arbiter.observe(own(), 100);
    arbiter.observe(program(Says::Asking), 200);
    assert_eq!(arbiter.verdict(5000).status, Status::Idle);
    let evidence = arbiter.evidence(5000);
    let report =
        evidence.iter().find(|evidence| evidence.source == Source::Program).expect("it was observed");
    assert_eq!(report.weight, Weight::Adds);
}

#[test]
fn an_activity_has_its_own_age_and_stable_words() {
    let mut arbiter = Arbiter::new(claude_332(), 0);
    arbiter.observe(program(Says::Idle), 100);
    arbiter.observe(program(Says::Working), 1000);
    arbiter.observe(tool(Source::Hook, "Running npm test"), 2000);
    arbiter.observe_dated(tool(Source::Hook, "Running npm test"), 2000, 2100);
    let activity = arbiter.verdict(50_000).activity.expect("it runs a tool");
    assert_eq!((activity.doing.words().as_str(), activity.for_ms), ("Running npm test", 48_000));
}

#[test]
fn two_changes_keep_their_distance() {
    play(
        "calm",
        gemini(),
        vec![
            (0, See(Observation::Started)),
            (500, See(title(Says::Idle))),
            (600, See(prompt())),
            (610, Is(Status::Idle)),
            (4990, See(Observation::Submitted)),
            (5000, See(title(Says::Working))),
            (5000, Is(Status::Running)),
            (5050, See(title(Says::Idle))),
            (5060, See(prompt())),
            (5060, Stays(5290, Status::Running)),
            (5300, Is(Status::Idle)),
        ],
    );
}

#[test]
fn a_mark_of_work_on_a_screen_that_stands_still_proves_nothing() {
    play(
        "leftover",
        claude_332(),
        vec![
            (0, See(Observation::Started)),
            (500, See(program(Says::Idle))),
            (510, See(Observation::Output(400))),
            (550, See(works())),
            (2000, See(Observation::Looked)),
            (4000, See(Observation::Looked)),
            (6000, See(Observation::Looked)),
            (6000, Stays(9000, Status::Idle)),
        ],
    );
}
