//! Who may speak to a keeper: the daemon, and nobody that a session's program started.

use std::os::fd::AsFd;
use std::path::Path;

use belfry_platform::process::{self, Identity};
use belfry_platform::{lock, peer};

/// Whether the peer may speak. It must be our own user's, and it must not descend from a keeper, since a program in one
/// session could otherwise type into another. Two exceptions: a keeper that is above ourselves as well (Belfry under
/// test inside a session of Belfry), and the process that holds the daemon's lock (a daemon that a session's program
/// happened to start). A peer of which it cannot be told what it descends from is refused.
pub(crate) fn may_speak(socket: &impl AsFd, runtime_dir: Option<&Path>) -> bool {
    let Ok(peer) = peer::of(socket) else { return false };
    if peer.uid != rustix::process::geteuid().as_raw() {
        return false;
    }
    // Systems that do not tell which process it is.
    let Some(pid) = peer.pid else { return true };
    let own = std::process::id();
    let Some(name) = process::name(own) else { return false };
    let Some(chain) = peer::ancestry(socket) else { return false };
    let above_us: Vec<Identity> = process::ancestry(own).unwrap_or_default().into_iter().skip(1).collect();
    let descends = chain
        .iter()
        .any(|ancestor| !above_us.contains(ancestor) && process::name(ancestor.pid).as_ref() == Some(&name));
    !descends || runtime_dir.is_some_and(|dir| lock::holder(&dir.join("daemon.lock")) == Some(pid))
}
