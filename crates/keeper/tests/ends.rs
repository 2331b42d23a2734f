//! How runs end: codes and signals exact, ladders, leftovers.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use belfry_journal::Exit;
use belfry_platform::process;
use belfry_protocol::keeper::{EndReason, FromKeeper, Kill, Leftovers, ToKeeper};
use common::{Rig, pid_in, wait_until};
use rustix::process::Signal;

/// A ladder that a test can wait for.
const QUICK: Kill = Kill { hup_ms: 100, term_ms: 100, everything: false };

#[test]
#[ntest::timeout(60000)]
fn codes_and_signals_are_exact() {
    let rig = Rig::new();
    let cases = [
        ("exit 0", Some(0), None),
        ("exit 3", Some(3), None),
        ("exit 255", Some(255), None),
        ("kill -TERM $$", None, Some(15)),
        ("kill -KILL $$", None, Some(9)),
        ("kill -HUP $$", None, Some(1)),
        ("ulimit -c 0; kill -SEGV $$", None, Some(11)),
    ];
    for (script, code, signal) in cases {
        let run = rig.start(&format!("printf 'last words'; {script}"));
        let exit = run.exit();
        assert_eq!((exit.code, exit.signal), (code, signal), "{script}");
        assert_eq!(exit.reason, EndReason::Program);
        let recorded = run.recorded();
        assert_eq!(recorded.output, b"last words", "{script}");
        assert_eq!(exit.offset, 10);
        assert_eq!(recorded.exit, Some(Exit { code, signal, core: false }), "{script}");
        assert_eq!(exit.left, [], "{script}");
    }
}

#[test]
#[ntest::timeout(60000)]
fn a_keeper_whose_directory_was_removed_leaves_all_the_same() {
    let rig = Rig::new();
    let run = rig.start("read line; exit 7");
    let mut daemon = run.connect();
    std::fs::remove_dir_all(&run.run_dir).unwrap();
    daemon.input(b"go\n");
    assert_eq!(daemon.wait_for_exit().code, Some(7));
    drop(daemon);
    run.wait_gone();
}

#[test]
#[ntest::timeout(60000)]
fn a_connected_daemon_is_told_before_the_keeper_leaves() {
    let rig = Rig::new();
    let run = rig.start("read line; exit 7");
    let mut daemon = run.connect();
    daemon.input(b"go\n");
    let told = daemon.wait_for_exit();
    assert_eq!(told.code, Some(7));
    assert!(run.run_dir.join("exit.json").exists(), "recorded before it is told");
    assert_eq!(daemon.wait_for("the report", ladder), (vec![], 0));
    assert!(daemon.is_closed());
    assert_eq!(run.exit().code, Some(7));
}

fn ladder(frame: &FromKeeper) -> Option<(Vec<i32>, usize)> {
    match frame {
        FromKeeper::Ladder(report) => {
            Some((report.steps.iter().map(|step| step.signal).collect(), report.left.len()))
        }
        _ => None,
    }
}

#[test]
#[ntest::timeout(60000)]
fn the_ladder_stops_where_it_helps() {
    let rig = Rig::new();
    for (script, steps, signal) in [
        ("echo ready; sleep 1000", vec![1], 1),
        ("trap '' HUP; echo ready; while :; do sleep 1000; done", vec![1, 15], 15),
        ("trap '' HUP TERM; echo ready; while :; do sleep 1000; done", vec![1, 15, 9], 9),
    ] {
        let run = rig.start(script);
        run.wait_for_output("ready");
        let mut daemon = run.connect();
        daemon.send(&ToKeeper::Kill(QUICK));
        let exit = daemon.wait_for_exit();
        assert_eq!((exit.signal, exit.reason), (Some(signal), EndReason::Killed), "{script}");
        assert_eq!(daemon.wait_for("the report", ladder), (steps.clone(), 0), "{script}");
        let recorded: Vec<i32> = run.exit().steps.iter().map(|step| step.signal).collect();
        assert_eq!(recorded, steps, "{script}");
        assert_eq!(process::session_members(run.program.pid), [], "{script}");
    }
}

#[test]
#[ntest::timeout(60000)]
fn job_control_groups_and_double_forks_are_ended_too() {
    let rig = Rig::new();
    // `set -m` gives each background job a process group of its own; the second one's parent is gone at once.
    let run = rig.start(
        "set -m; trap '' HUP; sleep 1000 & echo $! > job; \
         (sh -c 'echo $$ > orphan; exec sleep 1000' &) ; echo ready; wait",
    );
    let dir = rig.dir.path();
    let (job, orphan) = (pid_in(&dir.join("job")), pid_in(&dir.join("orphan")));
    run.wait_for_output("ready");
    let mut daemon = run.connect();
    daemon.send(&ToKeeper::Kill(QUICK));
    daemon.wait_for_exit();
    run.wait_gone();
    assert!(!job.is_alive() && !orphan.is_alive());
}

#[test]
#[ntest::timeout(60000)]
fn what_left_the_session_is_reported_and_ended_only_on_demand() {
    let rig = Rig::new();
    for everything in [false, true] {
        let file = format!("daemon-{everything}");
        let run = rig.start(&format!("setsid sh -c 'echo $$ > {file}; exec sleep 1000' & sleep 1000"));
        let stranger = pid_in(&rig.dir.path().join(&file));
        let mut daemon = run.connect();
        daemon.send(&ToKeeper::Kill(Kill { everything, ..QUICK }));
        let exit = run.exit();
        assert_eq!(stranger.is_alive(), !everything);
        if !everything {
            assert_eq!(exit.left.len(), 1);
            assert_eq!(exit.left[0].pid, stranger.pid);
            assert!(exit.left[0].own_session);
            process::signal(stranger, Signal::KILL);
        }
    }
}

#[test]
#[ntest::timeout(60000)]
fn a_background_process_holding_the_terminal_does_not_hide_the_end() {
    let rig = Rig::new();
    // In a process group of its own, which the kernel does not signal when the leader ends.
    let run = rig.start("set -m; sleep 1000 & echo $! > holder; exit 4");
    let holder = pid_in(&rig.dir.path().join("holder"));
    let exit = run.exit();
    assert_eq!(exit.code, Some(4));
    assert!(!holder.is_alive(), "SIGHUP, as from a closing terminal");
    assert_eq!(exit.steps.iter().map(|step| step.signal).collect::<Vec<_>>(), [1]);
}

#[test]
#[ntest::timeout(60000)]
fn what_ignores_the_hangup_lives_on_unless_the_launch_says_otherwise() {
    let rig = Rig::new();
    for leftovers in [Leftovers::Hangup, Leftovers::Kill] {
        let file = format!("nohup-{leftovers:?}");
        let script = format!(
            "(trap '' HUP; : > {file}-deaf; exec sleep 1000) & echo $! > {file}; \
             while ! [ -e {file}-deaf ]; do :; done; exit 0"
        );
        let run = rig.start_spec(&belfry_protocol::keeper::LaunchSpec { leftovers, ..rig.spec(&script) });
        let stubborn = pid_in(&rig.dir.path().join(&file));
        let exit = run.exit();
        assert_eq!(exit.code, Some(0));
        assert_eq!(stubborn.is_alive(), leftovers == Leftovers::Hangup);
        let left: Vec<u32> = exit.left.iter().map(|process| process.pid).collect();
        assert_eq!(left, if stubborn.is_alive() { vec![stubborn.pid] } else { vec![] });
    }
}

#[test]
#[ntest::timeout(60000)]
fn a_keeper_told_to_end_ends_its_run_and_records_it() {
    let rig = Rig::new();
    let run = rig.start("echo ready; sleep 1000");
    run.wait_for_output("ready");
    process::signal(run.keeper, Signal::HUP);
    process::signal(run.keeper, Signal::TERM);
    let exit = run.exit();
    assert_eq!((exit.signal, exit.reason), (Some(1), EndReason::Shutdown));
}

#[test]
#[ntest::timeout(60000)]
fn a_killed_keeper_hangs_up_and_leaves_a_readable_journal() {
    let rig = Rig::new();
    let run = rig.start("i=0; while :; do i=$((i+1)); echo line $i; done");
    run.wait_for_output("line 1000");
    process::signal(run.keeper, Signal::KILL);
    wait_until("the program's end", || !run.program.is_alive());
    wait_until("the keeper's end", || !run.keeper.is_alive());
    let recorded = run.recorded();
    assert_eq!((recorded.gaps, recorded.exit), (vec![], None));
    assert!(!run.run_dir.join("exit.json").exists());
    let text = String::from_utf8(recorded.output).unwrap();
    let lines: Vec<&str> = text.split("\r\n").collect();
    let (last, whole) = lines.split_last().unwrap();
    for (at, line) in whole.iter().enumerate() {
        assert_eq!(*line, format!("line {}", at + 1));
    }
    assert!(format!("line {}", lines.len()).starts_with(last.trim_end()));
}
