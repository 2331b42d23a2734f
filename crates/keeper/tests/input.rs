//! Input: bounded, whole, conditional, and terminal replies only once.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use belfry_platform::clock;
use belfry_protocol::keeper::{
    FromKeeper, INPUT_PIECE, INPUT_QUEUE, Refused, SignalTarget, ToKeeper, What, Why,
};
use common::{Daemon, Rig, wait_until};

fn taken(daemon: &mut Daemon, id: u32) -> Result<(), Why> {
    daemon.wait_for("an answer to the input", |frame| match frame {
        FromKeeper::Taken { id: found } if *found == id => Some(Ok(())),
        FromKeeper::Refused(Refused { id: found, what: What::Input, why }) if *found == id => Some(Err(*why)),
        _ => None,
    })
}

#[test]
#[ntest::timeout(60000)]
fn a_megabyte_arrives_whole_and_in_order() {
    let rig = Rig::new();
    let size = 1024 * 1024;
    let run = rig.start(&format!("stty raw -echo; echo ready; head -c {size} > got; echo done"));
    run.wait_for_output("ready");
    let text: Vec<u8> = (0..size).map(|at: usize| b' ' + (at % 93) as u8).collect();
    let mut daemon = run.connect();
    for (at, piece) in text.chunks(INPUT_PIECE).enumerate() {
        let id = at as u32 + 1;
        daemon.send(&ToKeeper::Input { id, only_if_offset: None, bytes: piece.to_vec() });
        assert_eq!(taken(&mut daemon, id), Ok(()));
    }
    run.wait_for_output("done");
    assert!(std::fs::read(rig.dir.path().join("got")).unwrap() == text);
    assert_eq!(run.recorded().input, size as u64);
}

#[test]
#[ntest::timeout(60000)]
fn input_that_nobody_reads_is_bounded_and_holds_nothing_up() {
    let rig = Rig::new();
    let run = rig.start("stty raw -echo; echo ready; while :; do echo tick; sleep 0.01; done");
    run.wait_for_output("ready");
    let mut daemon = run.connect();
    let mut refused = 0;
    let pieces = INPUT_QUEUE / INPUT_PIECE + 8;
    for at in 0..pieces {
        let id = at as u32 + 1;
        daemon.send(&ToKeeper::Input { id, only_if_offset: None, bytes: vec![b'x'; INPUT_PIECE] });
        if taken(&mut daemon, id) == Err(Why::QueueFull) {
            refused += 1;
        }
    }
    assert!((7..=8).contains(&refused), "the kernel takes less than a piece, the queue the rest: {refused}");
    let stats = daemon.stat();
    assert!(
        stats.input_queued as usize <= INPUT_QUEUE && stats.input_queued as usize > INPUT_QUEUE - INPUT_PIECE
    );
    // Output, resizes and signals go on.
    let before = stats.offset;
    wait_until("more output", || run.recorded().output.len() as u64 > before);
    daemon.send(&ToKeeper::Signal { signal: 15, target: SignalTarget::Session });
    assert_eq!(daemon.wait_for_exit().signal, Some(15));
}

#[test]
#[ntest::timeout(60000)]
fn conditional_input_is_written_only_while_nothing_has_changed() {
    let rig = Rig::new();
    let run = rig.start("stty -echo; printf 'question? '; read a; printf \"got $a\"; read b; exit 9");
    run.wait_for_output("question? ");
    let mut daemon = run.connect();
    let offset = "question? ".len() as u64;
    let answer = |id, offset| ToKeeper::Input { id, only_if_offset: Some(offset), bytes: b"yes\n".to_vec() };
    daemon.send(&answer(1, offset - 1));
    assert_eq!(taken(&mut daemon, 1), Err(Why::Changed));
    daemon.send(&answer(2, offset));
    assert_eq!(taken(&mut daemon, 2), Ok(()));
    run.wait_for_output("got yes");
    daemon.send(&answer(3, offset));
    assert_eq!(taken(&mut daemon, 3), Err(Why::Changed));
    daemon.send(&answer(4, run.recorded().output.len() as u64));
    assert_eq!(taken(&mut daemon, 4), Ok(()));
    assert_eq!(daemon.wait_for_exit().code, Some(9));
}

#[test]
#[ntest::timeout(60000)]
fn a_terminal_reply_is_given_once_even_across_daemons() {
    let rig = Rig::new();
    let run = rig.start("stty raw -echo; printf '0123456789'; exec cat");
    run.wait_for_output("0123456789");
    let reply = |query_offset, age: u64, text: &str| ToKeeper::Reply {
        query_offset,
        sent_at: clock::monotonic().saturating_sub(age),
        bytes: text.as_bytes().to_vec(),
    };
    let mut first = run.connect();
    first.send(&reply(4, 0, "<a>"));
    first.send(&reply(4, 0, "<again>"));
    assert_eq!(first.wait_for_refusal().why, Why::Repeated);
    first.send(&reply(8, 3_000_000, "<late>"));
    assert_eq!(first.wait_for_refusal().why, Why::TooOld);
    first.send(&reply(1000, 0, "<future>"));
    assert_eq!(first.wait_for_refusal().why, Why::Invalid);
    drop(first);
    let (mut second, hello) = Daemon::connect(&run.socket);
    assert_eq!(hello.replied_offset, 4);
    second.send(&reply(3, 0, "<older>"));
    assert_eq!(second.wait_for_refusal().why, Why::Repeated);
    second.send(&reply(8, 0, "<b>"));
    run.wait_for_output("<b>");
    assert_eq!(run.output(), "0123456789<a><b>");
}
