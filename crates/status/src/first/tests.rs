//! The arbiter's rules, one by one.

use belfry_protocol::Status;

use super::{Arbiter, ProgramState, Prompt, Signal, Source};

fn at(arbiter: &mut Arbiter, now: u64) -> Status {
    arbiter.verdict(now).status
}

fn idle() -> Arbiter {
    let mut arbiter = Arbiter::new();
    arbiter.observe(Signal::Started, 0);
    arbiter.observe(Signal::Output(100), 10);
    arbiter.observe(Signal::Prompt(Prompt::Ready), 10);
    assert_eq!(at(&mut arbiter, 20), Status::Starting);
    assert_eq!(at(&mut arbiter, 310), Status::Idle);
    arbiter
}

#[test]
fn a_start_ends_at_the_prompt_or_in_silence() {
    idle();
    let mut mute = Arbiter::new();
    mute.observe(Signal::Started, 0);
    let verdict = mute.verdict(5);
    assert_eq!((verdict.status, verdict.again_at), (Status::Starting, Some(2000)));
    assert_eq!(at(&mut mute, 2000), Status::Idle);
}

#[test]
fn an_echo_is_no_work_and_a_spinner_is() {
    let mut arbiter = idle();
    arbiter.observe(Signal::Touched, 1000);
    arbiter.observe(Signal::Output(20), 1010);
    assert_eq!(at(&mut arbiter, 1020), Status::Idle);
    arbiter.observe(Signal::Submitted, 2000);
    for tick in 0..10 {
        arbiter.observe(Signal::Output(200), 2400 + tick * 100);
    }
    assert_eq!(at(&mut arbiter, 3300), Status::Running);
    let verdict = arbiter.verdict(3400);
    assert_eq!(verdict.again_at, Some(5300));
    assert_eq!(at(&mut arbiter, 5300), Status::Idle);
}

#[test]
fn one_redraw_is_no_work_and_a_burst_is() {
    let mut arbiter = idle();
    arbiter.observe(Signal::Output(200), 9000);
    assert_eq!(at(&mut arbiter, 9001), Status::Idle);
    arbiter.observe(Signal::Output(20_000), 20_000);
    assert_eq!(at(&mut arbiter, 20_001), Status::Running);
}

#[test]
fn the_foreground_and_the_program_itself_beat_the_output() {
    let mut arbiter = idle();
    arbiter.observe(Signal::Foreground { other: true }, 1000);
    assert_eq!(at(&mut arbiter, 60_000), Status::Running);
    arbiter.observe(Signal::Foreground { other: false }, 61_000);
    assert_eq!(at(&mut arbiter, 61_000), Status::Idle);
    arbiter.observe(Signal::Program(Some(ProgramState::Working)), 62_000);
    assert_eq!(at(&mut arbiter, 99_000), Status::Running);
    arbiter.observe(Signal::Program(Some(ProgramState::Idle)), 99_000);
    assert_eq!(at(&mut arbiter, 99_000), Status::Idle);
    arbiter.observe(Signal::Program(Some(ProgramState::Working)), 100_000);
    arbiter.observe(Signal::Program(None), 101_000);
    assert_eq!(at(&mut arbiter, 101_000), Status::Idle, "taken back");
}

#[test]
fn nothing_comes_after_the_end() {
    let mut arbiter = idle();
    arbiter.observe(Signal::Ended, 500);
    arbiter.observe(Signal::Program(Some(ProgramState::Working)), 600);
    assert_eq!(at(&mut arbiter, 700), Status::Dead);
}

#[test]
fn text_is_never_typed_into_a_dialog() {
    let mut arbiter = idle();
    assert!(arbiter.takes_text(400));
    arbiter.observe(Signal::Prompt(Prompt::Dialog), 500);
    assert!(!arbiter.takes_text(500));
}

#[test]
fn a_blocked_program_waits_and_says_why() {
    let mut arbiter = idle();
    arbiter.observe(Signal::Program(Some(ProgramState::Blocked)), 1000);
    arbiter.explain(Some("approve Bash: touch x".to_owned()));
    let verdict = arbiter.verdict(1000);
    assert_eq!((verdict.status, verdict.source), (Status::Waiting, Source::Program));
    assert_eq!(arbiter.reason(1000).as_deref(), Some("approve Bash: touch x"));
    assert!(!arbiter.takes_text(1000));
    arbiter.observe(Signal::Program(Some(ProgramState::Working)), 2000);
    assert_eq!((at(&mut arbiter, 2000), arbiter.reason(2000)), (Status::Running, None));
    arbiter.observe(Signal::Program(Some(ProgramState::Failed)), 3000);
    assert_eq!(at(&mut arbiter, 3000), Status::Idle);
    assert!(arbiter.reason(3000).is_some());
}

#[test]
fn a_dialog_on_the_screen_waits_until_it_is_answered() {
    let mut arbiter = idle();
    arbiter.observe(Signal::Prompt(Prompt::Dialog), 1000);
    assert_eq!(at(&mut arbiter, 1000), Status::Waiting);
    arbiter.observe(Signal::Output(20_000), 1500);
    assert_eq!(at(&mut arbiter, 1500), Status::Waiting, "nobody has answered");
    arbiter.observe(Signal::Typed, 2000);
    arbiter.observe(Signal::Output(20_000), 2400);
    assert_eq!(at(&mut arbiter, 2400), Status::Running, "before the next look");
    arbiter.observe(Signal::Prompt(Prompt::Ready), 2700);
    assert_eq!(at(&mut arbiter, 4400), Status::Idle);
    // A program that says that its turn is over may show a plan to be approved.
    arbiter.observe(Signal::Program(Some(ProgramState::Working)), 5000);
    arbiter.observe(Signal::Program(Some(ProgramState::Idle)), 6000);
    arbiter.observe(Signal::Prompt(Prompt::Dialog), 6300);
    assert_eq!(at(&mut arbiter, 6300), Status::Waiting);
}

#[test]
fn a_dialog_of_the_turn_before_is_forgotten_by_the_next() {
    let mut arbiter = idle();
    arbiter.observe(Signal::Prompt(Prompt::Dialog), 1000);
    arbiter.observe(Signal::Program(Some(ProgramState::Working)), 1100);
    arbiter.observe(Signal::Program(Some(ProgramState::Idle)), 1200);
    assert_eq!(at(&mut arbiter, 1200), Status::Idle);
    assert!(arbiter.takes_text(1200));
}

#[test]
fn what_ran_before_a_reconnection_goes_on_and_its_unseen_end_is_no_news() {
    let mut arbiter = Arbiter::resumed(Status::Running, "output", 1000);
    assert_eq!(at(&mut arbiter, 2999), Status::Running);
    assert_eq!(at(&mut arbiter, 3000), Status::Idle);
    assert!(!arbiter.turn_over(Status::Running, Status::Idle), "nobody saw it work");
    let mut arbiter = Arbiter::resumed(Status::Running, "output", 1000);
    arbiter.observe(Signal::CaughtUp, 1001);
    arbiter.observe(Signal::Output(10), 2500);
    assert_eq!(at(&mut arbiter, 4499), Status::Running);
    assert_eq!(at(&mut arbiter, 4500), Status::Idle);
    assert!(arbiter.turn_over(Status::Running, Status::Idle));
}

#[test]
fn what_is_read_again_after_a_reconnection_is_no_work() {
    let mut arbiter = Arbiter::resumed(Status::Idle, "output", 1000);
    arbiter.observe(Signal::Output(60_000), 1001);
    arbiter.observe(Signal::CaughtUp, 1002);
    assert_eq!(at(&mut arbiter, 1002), Status::Idle);
    let mut waiting = Arbiter::resumed(Status::Waiting, "program", 1000);
    assert_eq!(at(&mut waiting, 1000), Status::Waiting);
    waiting.observe(Signal::Program(Some(ProgramState::Idle)), 1001);
    assert_eq!(at(&mut waiting, 1001), Status::Idle);
    let mut waiting = Arbiter::resumed(Status::Waiting, "screen", 1000);
    assert_eq!(at(&mut waiting, 1000), Status::Waiting);
    waiting.observe(Signal::Prompt(Prompt::Ready), 1100);
    assert_eq!(at(&mut waiting, 1100), Status::Idle);
}

#[test]
fn a_program_that_prints_without_pause_is_not_starting_for_ever() {
    let mut arbiter = Arbiter::new();
    arbiter.observe(Signal::Started, 0);
    for tick in 0..=10 {
        arbiter.observe(Signal::Output(30), 10 + tick * 200);
        let expected = if tick < 10 { Status::Starting } else { Status::Running };
        assert_eq!(at(&mut arbiter, 10 + tick * 200), expected);
    }
}

#[test]
fn work_ends_in_two_seconds_of_silence_alone() {
    let mut arbiter = idle();
    arbiter.observe(Signal::Output(20_000), 1000);
    // A spinner on a loaded machine, and the person types.
    for tick in 1..20 {
        let now = 1000 + tick * 1700;
        arbiter.observe(Signal::Typed, now - 150);
        arbiter.observe(Signal::Output(30), now);
        assert_eq!(at(&mut arbiter, now + 1699), Status::Running);
    }
    // Echoes keep nothing at work.
    for tick in 0..25 {
        arbiter.observe(Signal::Typed, 33_400 + tick * 100);
        arbiter.observe(Signal::Output(30), 33_440 + tick * 100);
    }
    assert_eq!(at(&mut arbiter, 35_900), Status::Idle);
}

#[test]
fn only_what_was_asked_for_is_done() {
    let mut arbiter = Arbiter::new();
    arbiter.observe(Signal::Started, 0);
    arbiter.observe(Signal::Output(100), 10);
    arbiter.observe(Signal::Prompt(Prompt::Dialog), 400);
    assert_eq!(at(&mut arbiter, 400), Status::Waiting, "whether to trust the folder");
    arbiter.observe(Signal::Submitted, 1000);
    arbiter.observe(Signal::Output(20_000), 1500);
    arbiter.observe(Signal::Prompt(Prompt::Ready), 1800);
    assert_eq!(at(&mut arbiter, 1800), Status::Idle);
    arbiter.observe(Signal::Output(20_000), 2000);
    assert!(!arbiter.turn_over(Status::Running, Status::Idle), "it was asked nothing");
    arbiter.observe(Signal::Submitted, 5000);
    assert!(arbiter.turn_over(Status::Running, Status::Idle));
    assert!(!arbiter.turn_over(Status::Starting, Status::Idle));
}
