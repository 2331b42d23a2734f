//! Many runs, and everything back where it was.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use belfry_platform::process;
use belfry_protocol::keeper::{Kill, ToKeeper};
use common::{Rig, Run, wait_until};

fn descriptors() -> usize {
    std::fs::read_dir("/dev/fd").unwrap().count()
}

#[test]
#[ntest::timeout(180_000)]
fn two_hundred_runs_leave_nothing() {
    let rig = Rig::new();
    let before = descriptors();
    for round in 0..4 {
        let runs: Vec<Run> = (0..50)
            .map(|at| rig.start(if at % 2 == 0 { "read line; exit 5" } else { "sleep 1000 & sleep 1000" }))
            .collect();
        let mut daemons: Vec<_> = runs.iter().map(Run::connect).collect();
        for (at, daemon) in daemons.iter_mut().enumerate() {
            if at % 2 == 0 {
                daemon.input(b"\n");
            } else {
                daemon.send(&ToKeeper::Kill(Kill { hup_ms: 500, term_ms: 500, everything: false }));
            }
        }
        for (at, daemon) in daemons.iter_mut().enumerate() {
            let exit = daemon.wait_for_exit();
            let expected = if at % 2 == 0 { (Some(5), None) } else { (None, Some(1)) };
            assert_eq!((exit.code, exit.signal), expected, "round {round}, run {at}");
        }
        for run in &runs {
            run.wait_gone();
            assert_eq!(process::session_members(run.program.pid), []);
        }
    }
    assert_eq!(std::fs::read_dir(rig.home.keepers_dir()).unwrap().count(), 0);
    // Other tests of this program open and close descriptors too, so it is waited for.
    wait_until("descriptors back to the start", || descriptors() <= before);
}
