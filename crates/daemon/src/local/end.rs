//! Ending the process of a session that Belfry did not start.

use std::sync::Arc;
use std::time::Duration;

use belfry_platform::process::{self, Identity};
use belfry_protocol::session::Kind;
use belfry_protocol::{ErrorCode, Reply, WireError};

use crate::Daemon;
use crate::daemon::no_such;

/// How long it may take to end. Agents write their last words to their files, which takes them a second or two.
const PATIENCE: Duration = Duration::from_secs(8);

/// Asks the process to end, which must be the one that the person saw, still be that session's, and the person's own.
pub(crate) async fn session(daemon: &Arc<Daemon>, wanted: &str, pid: u32) -> Result<Reply, WireError> {
    daemon.locals.fresh().await;
    let session = daemon.locals.find(wanted).ok_or_else(|| no_such(wanted))?;
    let changed = || WireError::new(ErrorCode::Changed, "another process is there now; nothing was ended");
    if session.kind != Kind::Local || session.pid != Some(pid) {
        return Err(changed());
    }
    // It was looked at a moment ago, and found to be an agent: its start tells it from whoever might have its id now.
    let process = Identity::of(pid).ok_or_else(changed)?;
    if super::known::Known::id_of(&daemon.boot_id, process) != Some(session.id) {
        return Err(changed());
    }
    if !process::signal(process, rustix::process::Signal::TERM) {
        return Err(WireError::new(ErrorCode::Unsupported, "its process may not be ended from here"));
    }
    tracing::info!(pid, "a session that is not ours was asked to end");
    let ended = tokio::task::spawn_blocking(move || wait(process)).await.unwrap_or(false);
    daemon.locals.fresh().await;
    if !ended {
        let error = WireError::new(ErrorCode::StillAlive, "it was asked to end and has not, so far");
        return Err(error.next("look at it in its own terminal: it may ask something"));
    }
    Ok(Reply::Session(Box::new(daemon.locals.get(session.id).unwrap_or(session))))
}

#[cfg(target_os = "linux")]
fn wait(process: Identity) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let Ok(fd) = process::pidfd_open(process.pid) else { return !process.is_alive() };
    if !process.is_alive() {
        return true;
    }
    let patience = Timespec::try_from(PATIENCE).ok();
    let mut fds = [PollFd::new(&fd, PollFlags::IN)];
    poll(&mut fds, patience.as_ref()).is_ok_and(|ready| ready > 0)
}

/// See above: nothing here yet.
#[cfg(not(target_os = "linux"))]
fn wait(process: Identity) -> bool {
    std::thread::sleep(PATIENCE);
    !process.is_alive()
}
