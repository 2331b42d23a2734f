//! What a process is: its start, its ancestors, the members of its process session.
//!
//! Linux reads `/proc`. Elsewhere these answer "unknown" for now. Plan for macOS: `proc_pidinfo(PROC_PIDTBSDINFO)` gives
//! parent, start time, session and name, `proc_listallpids` the list, `kqueue(EVFILT_PROC)` the end, and there is no
//! subreaper: a double fork then leaves the keeper's reach and is found by its session id. Plan for Windows: a job
//! object for each run holds all that it starts, `CreateToolhelp32Snapshot` gives parents.

use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::{AsFd, OwnedFd};

#[cfg(target_os = "linux")]
use rustix::event::{PollFd, PollFlags, Timespec};
#[cfg(target_os = "linux")]
use rustix::process::PidfdFlags;
use rustix::process::{Pid, Signal};

mod figures;
mod list;
mod listening;
#[cfg(target_os = "linux")]
mod proc;
#[cfg(target_os = "linux")]
mod waits;
#[cfg(target_os = "linux")]
pub use proc::{
    boot_id, children, descendants, directory, is_zombie, name, parent, session_members, start_time,
    terminal_group,
};
#[cfg(target_os = "linux")]
pub use waits::{command_line, waits};

pub use figures::{Figures, of_trees};
pub use list::{Seen, arguments, is_in_our_world, own, started_at, system_program};
pub use listening::listening;

#[cfg(not(target_os = "linux"))]
mod unknown;
#[cfg(not(target_os = "linux"))]
pub use unknown::{
    boot_id, children, command_line, descendants, directory, is_zombie, name, parent, session_members,
    start_time, terminal_group, waits,
};

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

/// How a process sleeps, as far as its terminal is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// It runs, or sleeps over something else.
    No,
    /// In a read of the terminal: it goes on when something is typed.
    Reads,
    /// In a wait for one of several things, of which the terminal may be one.
    Polls,
    /// The system does not tell.
    Unknown,
}

/// Attempts to read a chain of ancestors while processes on it come and go.
const ATTEMPTS: u32 = 16;

/// The process, its parent, and so on up to the first process, whose parent is none. `None` where that cannot be read: the
/// process is gone, the chain is longer than 256, or it changed each time that it was looked at. Whoever judges by
/// ancestors must not take a chain that was cut for a whole one.
///
/// Under `hidepid` the processes of other users cannot be seen; the first of them ends the chain, as what is above it is
/// not ours.
pub fn ancestry(pid: u32) -> Option<Vec<Identity>> {
    (0..ATTEMPTS).find_map(|_| chain(pid))
}

/// The chain is read step by step while processes come and go, so each step checks that the parent did not start after
/// its child, as a reused id would.
fn chain(pid: u32) -> Option<Vec<Identity>> {
    let mut chain: Vec<Identity> = Vec::new();
    let mut next = pid;
    while next != 0 {
        let Some(identity) = Identity::of(next) else {
            return (!chain.is_empty() && is_another_user_s(next)).then_some(chain);
        };
        if chain.len() == 256 || chain.last().is_some_and(|child| identity.start > child.start) {
            return None;
        }
        chain.push(identity);
        next = parent(next)?;
    }
    // Where it is still the same, nothing that was read came from a process that has ended meanwhile.
    chain.first().is_some_and(|first| first.is_alive()).then_some(chain)
}

/// It is there and not ours to signal.
fn is_another_user_s(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| {
        rustix::process::test_kill_process(pid).is_err_and(|error| error == rustix::io::Errno::PERM)
    })
}

/// Whether that very process runs. A zombie does not.
pub fn runs(identity: Identity) -> bool {
    #[cfg(target_os = "linux")]
    {
        // Its id cannot be reused as long as this descriptor is of it.
        let Ok(process) = pidfd_open(identity.pid) else { return false };
        identity.is_alive() && !has_ended(&process)
    }
    #[cfg(not(target_os = "linux"))]
    identity.is_alive()
}

/// Whether the process of a [`pidfd_open`] has ended, reaped or not: that makes its descriptor readable.
#[cfg(target_os = "linux")]
pub fn has_ended(process: &impl AsFd) -> bool {
    let mut fds = [PollFd::new(process, PollFlags::IN)];
    rustix::event::poll(&mut fds, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
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
