//! What processes cost, as the kernel counts it.

use std::fs;
use std::time::{Duration, Instant};

/// One look at how much CPU time processes take.
const LOOK: Duration = Duration::from_millis(250);

/// Looks in a row that have to be alike: as long as the slowest timer of what is measured.
const ALIKE: usize = 9;

/// What looks may differ in, of one core, in percent, and of what they show.
const DIFFER: (f64, f64) = (0.5, 0.2);

/// After so long it goes on regardless: on a machine that has other things to do nothing is ever steady.
const PATIENCE: Duration = Duration::from_mins(1);

/// CPU time of all threads of these processes so far, from `schedstat`: exact, where `stat` counts in 10 ms.
pub(crate) fn cpu(pids: &[u32]) -> Duration {
    let nanos = pids.iter().map(|pid| {
        let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        let times = tasks.filter_map(|task| {
            let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        });
        times.sum::<u64>()
    });
    Duration::from_nanos(nanos.sum())
}

/// Waits until these processes take a steady amount of CPU time, which may be none: what they started is over.
pub(crate) fn settle(pids: &[u32]) {
    let began = Instant::now();
    let mut looks: Vec<f64> = Vec::new();
    let mut before = (Instant::now(), cpu(pids));
    while began.elapsed() < PATIENCE {
        std::thread::sleep(LOOK);
        let now = (Instant::now(), cpu(pids));
        let took = now.0.duration_since(before.0).as_secs_f64();
        looks.push(now.1.saturating_sub(before.1).as_secs_f64() / took * 100.0);
        before = now;
        let Some(last) = looks.len().checked_sub(ALIKE).map(|from| &looks[from..]) else { continue };
        let (low, high) =
            last.iter().fold((f64::MAX, 0f64), |(low, high), look| (low.min(*look), high.max(*look)));
        if high - low <= DIFFER.0.max(high * DIFFER.1) {
            return;
        }
    }
    eprintln!("the processes did not settle within {PATIENCE:?}: {looks:.1?} % of a core");
}

/// How often these processes were woken so far.
pub(crate) fn wakes(pids: &[u32]) -> u64 {
    let of_task = |path: std::path::PathBuf| {
        let text = fs::read_to_string(path.join("status")).ok()?;
        text.lines()
            .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")?.trim().parse::<u64>().ok())
    };
    pids.iter()
        .flat_map(|pid| fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten())
        .filter_map(|task| of_task(task.path()))
        .sum()
}

/// Memory of a process in KB.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    /// Its own, and its share of what it shares.
    pub proportional: u64,
    /// Its own.
    pub private: u64,
}

/// Nothing where the process is gone.
pub(crate) fn memory(pid: u32) -> Memory {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let field = |name: &str| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
    };
    Memory { proportional: field("Pss:"), private: field("Private_Clean:") + field("Private_Dirty:") }
}
