//! Size and repaint.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use belfry_protocol::keeper::{SignalTarget, ToKeeper, Waits};
use common::{Daemon, Rig, wait_until};

#[test]
#[ntest::timeout(60000)]
fn a_resize_reaches_the_program_and_stands_in_the_journal_where_it_happened() {
    let rig = Rig::new();
    let run = rig.start("trap 'stty size' WINCH; echo ready; while :; do read line; done");
    run.wait_for_output("ready");
    let mut daemon = run.connect();
    daemon.send(&ToKeeper::Resize { cols: 132, rows: 50 });
    run.wait_for_output("50 132");
    let recorded = run.recorded();
    assert_eq!(recorded.sizes, [(0, (80, 24)), (7, (132, 50))]);
    // The same size again is nothing new.
    daemon.send(&ToKeeper::Resize { cols: 132, rows: 50 });
    daemon.stat();
    assert_eq!(run.recorded().sizes.len(), 2);
    drop(daemon);
    let (_, hello) = Daemon::connect(&run.socket);
    assert_eq!((hello.cols, hello.rows), (132, 50));
}

#[test]
#[ntest::timeout(60000)]
fn a_repaint_takes_a_row_and_gives_it_back() {
    let rig = Rig::new();
    let run = rig.start("trap 'stty size' WINCH; echo ready; while :; do read line; done");
    run.wait_for_output("ready");
    let mut daemon = run.connect();
    daemon.send(&ToKeeper::Repaint);
    wait_until("both sizes", || {
        let text = run.output();
        text.contains("23 80") && text.ends_with("24 80\r\n")
    });
    let sizes: Vec<_> = run.recorded().sizes.into_iter().map(|(_, size)| size).collect();
    assert_eq!(sizes, [(80, 24), (80, 23), (80, 24)]);
    // A resize in the middle of one has the last word.
    daemon.send(&ToKeeper::Repaint);
    daemon.send(&ToKeeper::Resize { cols: 90, rows: 30 });
    run.wait_for_output("30 90");
    daemon.send(&ToKeeper::Repaint);
    wait_until("the row to come back", || {
        run.output().ends_with("30 90\r\n") && run.output().contains("29 90")
    });
}

#[test]
#[ntest::timeout(60000)]
fn a_signal_goes_to_the_foreground_group() {
    let rig = Rig::new();
    let run = rig.start("set -m; trap 'echo got it' INT; echo ready; sleep 1000; echo after; read line");
    run.wait_for_output("ready");
    let mut daemon = run.connect();
    wait_until("the sleep in the foreground", || {
        let foreground = daemon.stat().foreground;
        foreground != 0 && foreground != run.program.pid
    });
    daemon.send(&ToKeeper::Signal { signal: 2, target: SignalTarget::Foreground });
    run.wait_for_output("after");
}

#[test]
#[ntest::timeout(60000)]
fn what_has_the_terminal_and_waits_for_it_is_told() {
    let rig = Rig::new();
    // A script's child that asks for a password, as git's helper does.
    let asks =
        "set -m; sh -c 'sh -c \"stty -echo; printf Password:; read -r word; stty echo; sleep 1000\"; :'";
    let run = rig.start(asks);
    run.wait_for_output("Password:");
    let mut daemon = run.connect();
    let mut last = None;
    wait_until("a reader without echo", || {
        let stats = daemon.stat();
        let found = stats.echo == Some(false)
            && stats.front.as_ref().is_some_and(|front| front.waits == Waits::Reads);
        last = Some(stats);
        found
    });
    let stats = last.unwrap();
    assert_eq!(stats.lines, Some(true));
    assert!(stats.front.unwrap().command.contains("printf Password"));
    daemon.send(&ToKeeper::Input { id: 0, only_if_offset: None, bytes: b"secret\r".to_vec() });
    wait_until("it works", || {
        let stats = daemon.stat();
        stats.echo == Some(true) && stats.front.is_some_and(|front| front.waits == Waits::No)
    });
}
