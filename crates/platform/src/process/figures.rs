//! What processes take of the machine: memory and processor time of a whole tree.
//!
//! Linux reads `/proc`: memory by proportional share (PSS, `smaps_rollup`), because the processes of one agent share most of
//! their program, and a sum of resident sizes (RSS) would count it once for each; where that is not ours to read, RSS. Plan for
//! macOS: `proc_pid_rusage(RUSAGE_INFO_V4)`, whose `ri_phys_footprint` leaves shared pages out, and `ri_user_time` +
//! `ri_system_time`; the tree from `proc_listallpids` and parents. Plan for Windows: the run's job object tells both at once
//! (`JobObjectBasicAccountingInformation` for time, ended processes included; `PrivateUsage` of each member for memory).

use super::Identity;

/// What some processes take together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Processes.
    pub processes: u32,
    /// Bytes of memory; shared pages by their share.
    pub memory: u64,
    /// Of some process all resident memory is counted, as its shares cannot be read.
    pub estimated: bool,
    /// Processor time so far, in milliseconds: of these, and of those that they have started and waited for.
    pub cpu_ms: u64,
}

/// Of these processes and all that they have started, but for `others` and what those have started. One that ends while it is
/// looked at is left out. Takes about a millisecond for each gigabyte of memory: not for a thread that others wait for.
#[cfg(target_os = "linux")]
pub fn of_trees(roots: &[Identity], others: &[u32]) -> Figures {
    let mut known: Vec<Identity> = Vec::new();
    let mut next: Vec<Identity> = roots.iter().copied().filter(|root| root.is_alive()).collect();
    while let Some(identity) = next.pop() {
        if known.contains(&identity) || others.contains(&identity.pid) {
            continue;
        }
        known.push(identity);
        let children = super::children(identity.pid).into_iter().filter(|child| !child.zombie);
        next.extend(children.map(|child| child.identity));
    }
    let mut all = Figures::default();
    for process in known {
        let Some((cpu_ms, (memory, estimated))) = cpu(process).zip(memory(process.pid)) else { continue };
        all.processes += 1;
        all.memory += memory;
        all.estimated |= estimated;
        all.cpu_ms += cpu_ms;
    }
    all
}

/// See above: nothing here yet.
#[cfg(not(target_os = "linux"))]
pub fn of_trees(_: &[Identity], _: &[u32]) -> Figures {
    Figures::default()
}

/// Its time and that of its children that it has waited for.
#[cfg(target_os = "linux")]
fn cpu(process: Identity) -> Option<u64> {
    let line = std::fs::read(format!("/proc/{}/stat", process.pid)).ok()?;
    let (start, ticks) = times(&line)?;
    // Another process may have its number by now.
    (start == process.start).then(|| ticks.saturating_mul(1000) / ticks_a_second())
}

/// The start, and the clock ticks in fields 14 to 17 of `/proc/PID/stat`; the name may hold anything, so the last `)` ends it.
#[cfg(target_os = "linux")]
fn times(line: &[u8]) -> Option<(u64, u64)> {
    let close = line.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(line.get(close + 1..)?).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    // The children's are signed in the kernel's own documentation, and never negative.
    let ticks = [14, 15, 16, 17].into_iter().filter_map(field).sum();
    Some((field(22)?, ticks))
}

#[cfg(target_os = "linux")]
fn ticks_a_second() -> u64 {
    // SAFETY: a plain number in, a plain number out.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100).max(1)
}

/// Bytes, and whether they are estimated.
#[cfg(target_os = "linux")]
fn memory(pid: u32) -> Option<(u64, bool)> {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok();
    if let Some(kilobytes) = rollup.as_deref().and_then(|text| kilobytes(text, "Pss:")) {
        return Some((kilobytes * 1024, false));
    }
    // Another user's, or one that does not let itself be looked into.
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    Some((kilobytes(&status, "VmRSS:").unwrap_or(0) * 1024, true))
}

#[cfg(target_os = "linux")]
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix("kB")?.trim().parse().ok())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn fields_are_told_apart_whatever_the_name() {
        let line = b"42 (a) b) S 7 8 9 0 -1 4194560 1 2 3 4 50 60 7 8 20 0 1 0 12345 999 1\n";
        assert_eq!(times(line), Some((12345, 125)));
        assert_eq!(times(b"42 (cut"), None);
        assert_eq!(kilobytes("Rss:  12 kB\nPss:      34 kB\nPss_Dirty: 1 kB\n", "Pss:"), Some(34));
        assert_eq!(kilobytes("Pss: many\n", "Pss:"), None);
    }

    #[test]
    fn all_that_a_process_started_counts() {
        let mut child = Command::new("/bin/sh")
            .args(["-c", "sleep 60 & sleep 60 & echo $!; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = [0];
        child.stdout.as_mut().unwrap().read_exact(&mut said).unwrap();
        let root = Identity::of(child.id()).unwrap();
        let figures = of_trees(&[root, root], &[]);
        let alone = of_trees(&[Identity { start: root.start + 1, ..root }], &[]);
        let below: Vec<u32> = super::super::children(child.id()).iter().map(|one| one.identity.pid).collect();
        let without = of_trees(&[root], &below[..1]);
        for member in super::super::descendants(child.id()) {
            super::super::signal(member.identity, rustix::process::Signal::KILL);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(figures.processes, 3, "the same root twice is one");
        assert!(figures.memory > 100 * 1024, "{figures:?}");
        assert_eq!(without.processes, 2, "what is another's is left out");
        assert_eq!(alone, Figures::default(), "another process of that number is none of it");
        assert_eq!(of_trees(&[root], &[]), Figures::default());
    }

    #[test]
    fn time_that_ended_children_took_stays() {
        let mut child = Command::new("/bin/sh")
            .args([
                "-c",
                "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; echo done; exec sleep 60",
            ])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = [0];
        child.stdout.as_mut().unwrap().read_exact(&mut said).unwrap();
        let figures = of_trees(&[Identity::of(child.id()).unwrap()], &[]);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(figures.cpu_ms > 0 && figures.processes == 1, "{figures:?}");
    }
}
