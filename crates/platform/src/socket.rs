//! Unix sockets under paths of any length.
//!
//! `sockaddr_un` holds 108 bytes (104 on macOS), and a home can be deeper than that. On Linux the directory is opened
//! (and checked: [`crate::directory::open_private`]) and the socket is addressed as `/proc/self/fd/N/name`, which also
//! makes sure that it lies in the very directory that was checked.
//!
//! Elsewhere the path is used as it is, and a longer one is an error that says so. Plan for macOS: a symbolic link
//! in a fresh 0700 directory under `$TMPDIR`, which is short. Plan for Windows: a named pipe whose name is a hash of the
//! home, its security descriptor granting only the current user, and `GetNamedPipeClientProcessId` for the peer.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, fchmod, renameat, unlinkat};
use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind as bind_fd, listen, socket_with,
};

use crate::directory::open_private;

/// Connections that may wait to be accepted. The kernel caps it (`net.core.somaxconn`).
const BACKLOG: i32 = 128;

/// Binds and listens. The directory must exist, be ours and be 0700; the socket gets mode 0600 from its first moment.
/// A file of that name is an error ([`io::ErrorKind::AddrInUse`]).
pub fn bind(path: &Path) -> io::Result<UnixListener> {
    let (dir, name) = split(path)?;
    bind_in(&dir, name, path)
}

/// As [`bind`], but takes the place of whatever had the name, in one step: nobody finds the name missing. Only for a
/// caller that knows that no living process listens there, such as the holder of the home's lock.
pub fn bind_replacing(path: &Path) -> io::Result<UnixListener> {
    let (dir, name) = split(path)?;
    let mut fresh = OsStr::new(".").to_owned();
    fresh.push(name);
    match unlinkat(&dir, &fresh, AtFlags::empty()) {
        Ok(()) | Err(rustix::io::Errno::NOENT) => {}
        Err(errno) => return Err(errno.into()),
    }
    let listener = bind_in(&dir, &fresh, &path.with_file_name(&fresh))?;
    renameat(&dir, &fresh, &dir, name)?;
    Ok(listener)
}

/// Connects. The directory must be ours and private, so that what answers is our own user's.
///
/// [`io::ErrorKind::NotFound`]: no socket; [`io::ErrorKind::ConnectionRefused`]: a stale one.
pub fn connect(path: &Path) -> io::Result<UnixStream> {
    let (dir, name) = split(path)?;
    let socket = open()?;
    rustix::net::connect(&socket, &address(&dir, name, path)?)?;
    Ok(UnixStream::from(socket))
}

/// Removes a socket's name, if it is there.
pub fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn bind_in(dir: &OwnedFd, name: &OsStr, path: &Path) -> io::Result<UnixListener> {
    let socket = open()?;
    // On Linux bind() gives the file the mode of the socket's own inode, so there is no moment at which it is wider.
    // Elsewhere this may fail or do nothing: the directory's mode and the peer check stand.
    let narrowed = fchmod(&socket, Mode::RUSR | Mode::WUSR);
    if cfg!(target_os = "linux") {
        narrowed?;
    }
    bind_fd(&socket, &address(dir, name, path)?)?;
    listen(&socket, BACKLOG)?;
    Ok(UnixListener::from(socket))
}

#[cfg(target_os = "linux")]
fn open() -> io::Result<OwnedFd> {
    Ok(socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?)
}

#[cfg(not(target_os = "linux"))]
fn open() -> io::Result<OwnedFd> {
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::empty(), None)?;
    rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::CLOEXEC)?;
    Ok(socket)
}

/// Opens and checks the directory of a socket, and gives its name in it.
fn split(path: &Path) -> io::Result<(OwnedFd, &OsStr)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let dir = open_private(parent).map_err(|error| {
        let kind = error.io().map_or(io::ErrorKind::PermissionDenied, io::Error::kind);
        io::Error::new(kind, error)
    })?;
    Ok((dir, name))
}

/// The address of `name` in the open directory, or the path itself where that fits and nothing better is to be had.
fn address(dir: &impl AsFd, name: &OsStr, path: &Path) -> io::Result<SocketAddrUnix> {
    if let Some(prefix) = descriptor_path(dir) {
        return Ok(SocketAddrUnix::new(prefix.join(name))?);
    }
    SocketAddrUnix::new(path).map_err(|errno| {
        let text = format!("the path {} is too long for a socket on this system", path.display());
        if errno == rustix::io::Errno::NAMETOOLONG {
            io::Error::new(io::ErrorKind::InvalidFilename, text)
        } else {
            errno.into()
        }
    })
}

/// A short path that means the open directory; `None` where /proc is not mounted.
#[cfg(target_os = "linux")]
fn descriptor_path(dir: &impl AsFd) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    let path = PathBuf::from(format!("/proc/self/fd/{}", dir.as_fd().as_raw_fd()));
    path.is_dir().then_some(path)
}

#[cfg(not(target_os = "linux"))]
fn descriptor_path(_dir: &impl AsFd) -> Option<PathBuf> {
    None
}
