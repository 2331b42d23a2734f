//! Who is at the other end of a unix socket: as the kernel says, at the time of `connect`.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use crate::process::Identity;

/// A peer's identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// Effective user.
    pub uid: u32,
    /// Effective group.
    pub gid: u32,
    /// Process, where the system tells (Linux, macOS). A pid can be reused: hold a [`pidfd`] before trusting it.
    pub pid: Option<u32>,
}

/// The peer's identity.
#[cfg(target_os = "linux")]
pub fn of(socket: &impl AsFd) -> io::Result<Peer> {
    let cred = rustix::net::sockopt::socket_peercred(socket)?;
    let pid = u32::try_from(cred.pid.as_raw_nonzero().get()).ok();
    Ok(Peer { uid: cred.uid.as_raw(), gid: cred.gid.as_raw(), pid })
}

/// The peer's identity. macOS would give the process with `LOCAL_PEERPID`.
#[cfg(not(target_os = "linux"))]
pub fn of(socket: &impl AsFd) -> io::Result<Peer> {
    use std::os::fd::AsRawFd;
    let (mut uid, mut gid) = (0, 0);
    // SAFETY: the descriptor is open for the duration of the borrow, and both pointers are to live integers.
    let result = unsafe { libc::getpeereid(socket.as_fd().as_raw_fd(), &raw mut uid, &raw mut gid) };
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(Peer { uid, gid, pid: None })
}

/// The peer's user.
pub fn uid(socket: &impl AsFd) -> io::Result<u32> {
    of(socket).map(|peer| peer.uid)
}

/// The peer's process, where the system tells.
pub fn pid(socket: &impl AsFd) -> io::Result<Option<u32>> {
    of(socket).map(|peer| peer.pid)
}

/// Whether the peer is our own user. Some systems ignore a socket file's mode, so this is asked as well.
pub fn is_ours(socket: &impl AsFd) -> io::Result<bool> {
    uid(socket).map(|uid| uid == rustix::process::geteuid().as_raw())
}

/// A pidfd of the very process that connected, which no reused pid can stand in for: `SO_PEERPIDFD`, Linux 6.5. `None` where
/// the kernel is older; then [`crate::process::Identity`] of the pid, taken at once, is the next best. An error where the
/// process is gone.
#[cfg(target_os = "linux")]
pub fn pidfd(socket: &impl AsFd) -> io::Result<Option<OwnedFd>> {
    use std::os::fd::{AsRawFd, FromRawFd};
    // include/uapi/asm-generic/socket.h; libc does not have it on every target yet.
    const SO_PEERPIDFD: libc::c_int = 77;
    let mut fd: libc::c_int = -1;
    let mut size = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: the descriptor is open, and value and length point to live integers of the size given.
    let result = unsafe {
        libc::getsockopt(
            socket.as_fd().as_raw_fd(),
            libc::SOL_SOCKET,
            SO_PEERPIDFD,
            (&raw mut fd).cast(),
            &raw mut size,
        )
    };
    if result != 0 {
        let error = io::Error::last_os_error();
        let unknown = matches!(error.raw_os_error(), Some(libc::ENOPROTOOPT | libc::EOPNOTSUPP));
        return if unknown { Ok(None) } else { Err(error) };
    }
    // SAFETY: on success the kernel made a new descriptor (close-on-exec) that nobody else owns.
    Ok((fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd) }))
}

/// No such thing here.
#[cfg(not(target_os = "linux"))]
pub fn pidfd(_socket: &impl AsFd) -> io::Result<Option<OwnedFd>> {
    Ok(None)
}

/// The process that connected and all that is above it, as [`crate::process::ancestry`] gives them. `None` where that cannot
/// be told for certain: whoever asks has to take the peer for a stranger then.
pub fn ancestry(socket: &impl AsFd) -> Option<Vec<Identity>> {
    let pid = pid(socket).ok()??;
    let process = pidfd(socket).ok()?;
    let chain = crate::process::ancestry(pid)?;
    // It was there all the time, so that its id is no other's.
    #[cfg(target_os = "linux")]
    if process.is_some_and(|process| crate::process::has_ended(&process)) {
        return None;
    }
    #[cfg(not(target_os = "linux"))]
    drop(process);
    Some(chain)
}
