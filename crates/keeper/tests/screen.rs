//! Size and repaint.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use belfry_protocol::keeper::{SignalTarget, ToKeeper};
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
