//! Every process of the person's own.
//!
//! Linux reads `/proc`. Plan for macOS: `proc_listallpids` and `proc_pidinfo(PROC_PIDTBSDINFO)`, which has parent, terminal
//! and start. Plan for Windows: `CreateToolhelp32Snapshot`; processes there have no terminal to go by.

use super::Identity;

/// A process, as far as one look at it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Who.
    pub identity: Identity,
    /// Parent's process id.
    pub parent: u32,
    /// The name of its terminal, as in `pts/4`; none where it has none.
    pub tty: Option<String>,
    /// Short name; what the process says it is, so hostile text.
    pub name: String,
}

/// All processes of our own user that have not ended.
#[cfg(target_os = "linux")]
pub fn own() -> Vec<Seen> {
    use std::os::unix::fs::MetadataExt as _;
    let user = rustix::process::geteuid().as_raw();
    let ours = |pid: &u32| std::fs::metadata(format!("/proc/{pid}")).is_ok_and(|meta| meta.uid() == user);
    let seen = |pid| {
        let stat = super::proc::stat(pid)?;
        let identity = Identity { pid, start: stat.start };
        let seen = Seen { identity, parent: stat.parent, tty: tty(stat.terminal), name: stat.name };
        (!stat.zombie).then_some(seen)
    };
    super::proc::pids().filter(ours).filter_map(seen).collect()
}

/// See above: nothing here yet.
#[cfg(not(target_os = "linux"))]
pub fn own() -> Vec<Seen> {
    Vec::new()
}

/// When a process started, in milliseconds since the Unix epoch; to a hundredth of a second.
#[cfg(target_os = "linux")]
pub fn started_at(process: Identity) -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/stat").ok()?;
    let boot: u64 = stat.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok())?;
    // SAFETY: a plain number in, a plain number out.
    let ticks = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100).max(1);
    Some(boot * 1000 + process.start * 1000 / ticks)
}

/// See above: nothing here yet.
#[cfg(not(target_os = "linux"))]
pub fn started_at(_: Identity) -> Option<u64> {
    None
}

/// Whether a process sees the same processes and files as we do: what runs in a container of its own does not.
#[cfg(target_os = "linux")]
pub fn is_in_our_world(pid: u32) -> bool {
    let same = |what: &str| {
        let of = |pid: &str| std::fs::read_link(format!("/proc/{pid}/{what}")).ok();
        of(&pid.to_string()).is_some_and(|theirs| of("self") == Some(theirs))
    };
    same("ns/pid") && same("root")
}

/// See above: nothing here yet.
#[cfg(not(target_os = "linux"))]
pub fn is_in_our_world(_: u32) -> bool {
    false
}

/// The name of a terminal, from its number as `/proc/PID/stat` has it.
#[cfg(target_os = "linux")]
fn tty(number: u32) -> Option<String> {
    let (major, minor) = ((number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xf_ff00));
    match major {
        0 => None,
        // Unix98 terminals have eight numbers of 256 (later of more) each.
        136..=143 => Some(format!("pts/{}", (major - 136) * 256 + minor)),
        4 if minor < 64 => Some(format!("tty{minor}")),
        4 => Some(format!("ttyS{}", minor - 64)),
        _ => Some("a terminal".to_owned()),
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn we_are_among_our_own() {
        let own = own();
        let us = own.iter().find(|seen| seen.identity.pid == std::process::id()).unwrap();
        assert_eq!(us.identity, Identity::of(us.identity.pid).unwrap());
        assert_eq!(us.parent, std::os::unix::process::parent_id());
        assert!(is_in_our_world(us.identity.pid));
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
        let started = u128::from(started_at(us.identity).unwrap());
        // The boot's second is rounded.
        assert!(started <= now + 1500 && started + 24 * 3_600_000 > now, "{started} {now}");
    }

    #[test]
    fn names_of_terminals() {
        assert_eq!(tty(0), None);
        assert_eq!(tty(136 << 8 | 4).as_deref(), Some("pts/4"));
        assert_eq!(tty(4 << 8 | 2).as_deref(), Some("tty2"));
        assert_eq!(tty(4 << 8 | 64).as_deref(), Some("ttyS0"));
        // Past 255 the number's upper part follows.
        assert_eq!(tty(136 << 8 | 1 << 20).as_deref(), Some("pts/256"));
    }
}
