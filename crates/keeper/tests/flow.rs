//! Output: nothing lost or doubled, whoever comes and goes, and nothing read that nobody takes.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::io::{Read, Write};

use belfry_journal::{Follower, Position, What};
use belfry_protocol::keeper::{FromKeeper, MOST_DOORBELLS, PAUSE_PAST_ACK, ToKeeper};
use common::{Daemon, Rig, Run, wait_until};

/// What `seq 1 N` prints on a terminal.
fn numbered(last: usize) -> Vec<u8> {
    (1..=last).flat_map(|line| format!("{line}\r\n").into_bytes()).collect()
}

/// Follows the journal as the daemon does, until a doorbell brings `until` bytes or the run ends.
struct Following {
    follower: Follower,
    scratch: Vec<u8>,
    output: Vec<u8>,
}

impl Following {
    fn new(run: &Run, offset: u64) -> Self {
        let follower = Follower::open(&run.journal(), Position::offset(offset)).unwrap();
        Self { follower, scratch: Vec::new(), output: Vec::new() }
    }

    fn read(&mut self) -> u64 {
        let output = &mut self.output;
        let progress = self
            .follower
            .poll(&mut self.scratch, u64::MAX, |entry| match entry.what {
                What::Output(bytes) => output.extend_from_slice(bytes),
                What::Gap(gap) => panic!("{gap:?}"),
                _ => {}
            })
            .unwrap();
        assert!(progress.caught_up);
        self.follower.offset()
    }

    /// Answers doorbells until so much has been read; true when the run ended before.
    fn serve(&mut self, daemon: &mut Daemon, until: usize) -> bool {
        let offset = self.read();
        acknowledge(daemon, offset);
        while self.output.len() < until {
            match daemon.next() {
                Some(FromKeeper::Doorbell { .. }) => {
                    let offset = self.read();
                    acknowledge(daemon, offset);
                }
                Some(FromKeeper::Exit(info)) => {
                    assert_eq!(self.read(), info.offset);
                    return true;
                }
                Some(_) => {}
                None => panic!("the keeper closed"),
            }
        }
        false
    }
}

/// A keeper whose run has ended may have left by now; what it said before can still be read.
fn acknowledge(daemon: &mut Daemon, offset: u64) {
    let _ = daemon.stream.write_all(&ToKeeper::Ack { offset }.to_bytes());
}

#[test]
#[ntest::timeout(120_000)]
fn daemons_that_come_and_go_in_a_flood_lose_and_double_nothing() {
    let rig = Rig::new();
    let last = 1_500_000;
    let run = rig.start(&format!("seq 1 {last}"));
    let mut all = Vec::new();
    let mut ended = false;
    while !ended {
        // Each daemon knows no more than where the one before stopped.
        let connected = Daemon::try_connect(&run.socket);
        let mut following = Following::new(&run, all.len() as u64);
        if let Some(mut daemon) = connected {
            ended = following.serve(&mut daemon, 700_000);
        } else {
            // It leaves only when all is recorded.
            assert_eq!(run.exit().offset, following.read());
            ended = true;
        }
        all.append(&mut following.output);
    }
    let expected = numbered(last);
    assert!(all == expected, "what the daemons read");
    let recorded = run.recorded();
    assert!(recorded.output == expected && recorded.gaps.is_empty(), "what is in the journal");
}

#[test]
#[ntest::timeout(60000)]
fn the_terminal_is_not_read_past_what_the_daemon_takes() {
    let rig = Rig::new();
    let run = rig.start("echo ready; read line; exec cat /dev/zero");
    run.wait_for_output("ready");
    let mut daemon = run.connect();
    daemon.input(b"\n");
    let stopped = |daemon: &mut Daemon| {
        let mut stats = daemon.stat();
        wait_until("a pause", || {
            let again = daemon.stat();
            std::mem::replace(&mut stats, again.clone()) == again && again.paused
        });
        stats
    };
    let stats = stopped(&mut daemon);
    let ahead = stats.offset - stats.acked;
    assert!((PAUSE_PAST_ACK..PAUSE_PAST_ACK + 128 * 1024).contains(&ahead), "{ahead}");
    // It goes on by as much as is taken.
    daemon.send(&ToKeeper::Ack { offset: stats.offset });
    let later = stopped(&mut daemon);
    assert!(later.offset >= stats.offset + PAUSE_PAST_ACK);
    // Without a daemon it runs on, and drops only beyond the cap.
    drop(daemon);
    wait_until("it to run on", || run.recorded().output.len() as u64 > later.offset + 2 * PAUSE_PAST_ACK);
    assert_eq!(run.recorded().gaps, []);
}

#[test]
#[ntest::timeout(120_000)]
fn without_a_daemon_the_oldest_goes_when_the_cap_is_reached() {
    let rig = Rig::new();
    let mut spec = rig.spec("seq 1 1000000");
    spec.journal_cap = 2 * 1024 * 1024;
    let run = rig.start_spec(&spec);
    let exit = run.exit();
    let expected = numbered(1_000_000);
    assert_eq!(exit.offset, expected.len() as u64);
    let size = belfry_journal::disk_size(&run.journal()).unwrap();
    assert!(size <= spec.journal_cap, "{size}");
    let recorded = run.recorded();
    assert!(recorded.output.len() as u64 > spec.journal_cap / 2);
    assert!(expected.ends_with(&recorded.output));
    assert_eq!(recorded.exit.unwrap().code, Some(0));
    // Whoever was further back is told what it missed.
    let mut follower = Follower::open(&run.journal(), Position::offset(5)).unwrap();
    let mut gaps = Vec::new();
    let mut scratch = Vec::new();
    let gap_only = |entry: belfry_journal::Entry<'_>| {
        if let What::Gap(gap) = entry.what {
            gaps.push((gap.from, gap.to));
        }
    };
    follower.poll(&mut scratch, u64::MAX, gap_only).unwrap();
    assert_eq!(gaps, [(5, (expected.len() - recorded.output.len()) as u64)]);
}

#[test]
#[ntest::timeout(60000)]
fn few_doorbells_are_unanswered_and_the_first_comes_at_once() {
    let rig = Rig::new();
    let run = rig.start("stty raw -echo; printf ready; exec cat");
    run.wait_for_output("ready");
    let mut daemon = run.connect();
    // Whatever the start has left to ring about.
    let offset = run.recorded().output.len() as u64;
    daemon.send(&ToKeeper::Ack { offset });
    daemon.stat();
    daemon.send(&ToKeeper::Ack { offset });
    daemon.stat();
    daemon.seen.clear();
    daemon.input(b"a");
    let rung = |frame: &FromKeeper| match frame {
        FromKeeper::Doorbell { offset } => Some(*offset),
        _ => None,
    };
    assert_eq!(daemon.wait_for("a doorbell", rung), offset + 1);
    let mut typed = String::from("a");
    for _ in 0..3 * MOST_DOORBELLS {
        typed.push('b');
        daemon.input(b"b");
        run.wait_for_output(&typed);
    }
    daemon.stat();
    let unanswered = daemon.seen.iter().filter(|frame| rung(frame).is_some()).count();
    assert!(unanswered < MOST_DOORBELLS as usize, "{:?}", daemon.seen);
    daemon.seen.clear();
    daemon.send(&ToKeeper::Ack { offset: offset + 1 });
    assert_eq!(daemon.wait_for("the next doorbell", rung), offset + typed.len() as u64);
}

#[test]
#[ntest::timeout(60000)]
fn a_daemon_that_does_not_listen_slows_nothing() {
    let rig = Rig::new();
    let run = rig.start("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo $i; done; read line");
    let mut deaf = run.connect();
    deaf.stream.set_nonblocking(true).unwrap();
    // It asks and asks and never reads an answer, until nothing more goes into the socket.
    let ask = ToKeeper::Stat.to_bytes().repeat(1000);
    while deaf.stream.write(&ask).is_ok() {}
    wait_until("all output", || run.recorded().output.ends_with(b"20000\r\n"));
    // The next one takes its place.
    let mut daemon = run.connect();
    assert_eq!(daemon.stat().offset, run.recorded().output.len() as u64);
    deaf.stream.set_nonblocking(false).unwrap();
    let mut rest = Vec::new();
    let _ = deaf.stream.read_to_end(&mut rest);
}
