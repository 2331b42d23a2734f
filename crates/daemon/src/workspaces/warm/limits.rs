//! Whether the machine has room for something that nobody may ever use.

use std::path::Path;

/// Bytes that stay free on the disk.
const DISK: u64 = 5 << 30;
/// Share of the memory that stays free, in percent.
const MEMORY: u64 = 10;
/// The same for an agent, which takes some hundred MB.
const MEMORY_FOR_AGENT: u64 = 20;
/// Share of the last ten seconds in which something waited for memory, in percent.
const PRESSURE: f64 = 5.0;

/// Why there is none; blocks. What cannot be told is no reason.
pub(super) fn refused(dir: &Path, agent: bool) -> Option<&'static str> {
    let free = rustix::fs::statvfs(dir).map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    if free.is_ok_and(|free| free < DISK) {
        return Some("the disk is nearly full");
    }
    memory_refused(
        &std::fs::read_to_string("/proc/meminfo").unwrap_or_default(),
        &std::fs::read_to_string("/proc/pressure/memory").unwrap_or_default(),
        agent,
    )
}

/// By what the kernel says of its memory. Plan for macOS: `host_statistics64` and `kern.memorystatus_vm_pressure_level`. Plan for
/// Windows: `GlobalMemoryStatusEx`.
fn memory_refused(meminfo: &str, pressure: &str, agent: bool) -> Option<&'static str> {
    let of = |name: &str| -> Option<u64> {
        let line = meminfo.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok()
    };
    let least = if agent { MEMORY_FOR_AGENT } else { MEMORY };
    if let Some((all, free)) = of("MemTotal").zip(of("MemAvailable"))
        && free * 100 < all * least
    {
        return Some("memory is short");
    }
    let some = pressure.lines().find_map(|line| line.strip_prefix("some "));
    let waited = some.and_then(|some| {
        some.split_whitespace().find_map(|word| word.strip_prefix("avg10="))?.parse::<f64>().ok()
    });
    waited.filter(|share| *share > PRESSURE).map(|_| "programs wait for memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_says_decides() {
        let plenty = "MemTotal:       16000000 kB\nMemFree: 1 kB\nMemAvailable:    8000000 kB\n";
        let short = "MemTotal:       16000000 kB\nMemAvailable:    1500000 kB\n";
        let between = "MemTotal:       16000000 kB\nMemAvailable:    2400000 kB\n";
        let calm = "some avg10=0.00 avg60=1.00 avg300=0.00 total=1\nfull avg10=9.00 avg60=0.00 avg300=0.00 total=1\n";
        let busy = "some avg10=12.50 avg60=1.00 avg300=0.00 total=1\n";
        assert_eq!(memory_refused(plenty, calm, true), None);
        assert_eq!(memory_refused(plenty, busy, false), Some("programs wait for memory"));
        assert_eq!(memory_refused(short, calm, false), Some("memory is short"));
        assert_eq!(memory_refused(between, calm, false), None);
        assert_eq!(memory_refused(between, calm, true), Some("memory is short"));
        assert_eq!(memory_refused("", "", true), None);
    }
}
