//! What processes cost, as the kernel counts it.

use std::fs;
use std::time::Duration;

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
