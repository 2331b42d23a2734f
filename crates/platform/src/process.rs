//! What a process is: its start, its ancestors, the members of its process session.
//!
//! Linux reads `/proc`. Elsewhere these answer "unknown" for now. Plan for macOS: `proc_pidinfo(PROC_PIDTBSDINFO)` gives
//! parent, start time, session and name, `proc_listallpids` the list, `kqueue(EVFILT_PROC)` the end, and there is no
//! subreaper: a double fork then leaves the keeper's reach and is found by its session id. Plan for Windows: a job
//! object for each run holds all that it starts, `CreateToolhelp32Snapshot` gives parents.

use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;

#[cfg(target_os = "linux")]
use rustix::process::PidfdFlags;
use rustix::process::{Pid, Signal};

#[cfg(target_os = "linux")]
mod proc;
#[cfg(target_os = "linux")]
pub use proc::{boot_id, children, descendants, is_zombie, name, parent, session_members, start_time};

#[cfg(not(target_os = "linux"))]
mod unknown;
#[cfg(not(target_os = "linux"))]
pub use unknown::{boot_id, children, descendants, is_zombie, name, parent, session_members, start_time};

/// A process that cannot be taken for a later one with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Process id.
    pub pid: u32,
    /// As [`start_time`] gives it.
    pub start: u64,
}

impl Identity {
    /// Of a process that is alive now.
    pub fn of(pid: u32) -> Option<Self> {
        Some(Self { pid, start: start_time(pid)? })
    }

    /// Whether it still runs. A zombie does not: it has ended, and whoever should reap it has not.
    pub fn is_alive(self) -> bool {
        start_time(self.pid) == Some(self.start) && is_zombie(self.pid) == Some(false)
    }
}

/// A process found by [`session_members`] or [`children`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who.
    pub identity: Identity,
    /// Parent's process id.
    pub parent: u32,
    /// Process group.
    pub group: u32,
    /// Process session.
    pub session: u32,
    /// Short name; what the process says it is, so hostile text.
    pub name: String,
    /// It has ended and waits to be reaped.
    pub zombie: bool,
}

/// The process, its parent, and so on up; empty when it is not there. At most 256 long.
///
/// The chain is read step by step while processes come and go, so each step checks that the parent did not start after
/// its child, as a reused id would.
pub fn ancestry(pid: u32) -> Vec<Identity> {
    let mut chain: Vec<Identity> = Vec::new();
    let mut next = pid;
    while next != 0 && chain.len() < 256 {
        let Some(identity) = Identity::of(next) else { break };
        if chain.last().is_some_and(|child| identity.start > child.start) {
            break;
        }
        chain.push(identity);
        match parent(next) {
            Some(parent) => next = parent,
            None => break,
        }
    }
    chain
}

/// A descriptor of the process that becomes readable when it ends. Linux 5.3.
#[cfg(target_os = "linux")]
pub fn pidfd_open(pid: u32) -> io::Result<OwnedFd> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::pidfd_open(pid, PidfdFlags::empty())?)
}

/// Sends a signal to this very process: through a pidfd where there is one, so that a reused id is never hit. False when
/// it is gone, or may not be signalled.
pub fn signal(target: Identity, signal: Signal) -> bool {
    #[cfg(target_os = "linux")]
    if let Ok(pidfd) = pidfd_open(target.pid) {
        return target.is_alive() && rustix::process::pidfd_send_signal(&pidfd, signal).is_ok();
    }
    let pid = i32::try_from(target.pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| target.is_alive() && rustix::process::kill_process(pid, signal).is_ok())
}

/// Orphans among our descendants become our children instead of init's, so that nothing that the program starts gets out
/// of sight. Not inherited by our own children. Does nothing where the system has no such thing.
pub fn become_subreaper() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}
