//! The arbiter's rules, one by one.

use belfry_protocol::Status;

use crate::{Arbiter, ProgramState, Prompt, Signal};

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
