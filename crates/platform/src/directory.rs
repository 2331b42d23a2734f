//! Directories that nobody else can read or change.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{self, Mode, OFlags};
use rustix::process::geteuid;

/// Why a directory cannot be trusted or had.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// The system refused: no such parent, read-only, no room.
    #[error("cannot open the directory {path}: {source}")]
    Io {
        /// The directory.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// Its last component is a symbolic link, or no directory.
    #[error("{path} is a symbolic link or not a directory")]
    NotADirectory {
        /// The directory.
        path: PathBuf,
    },
    /// It belongs to somebody else.
    #[error("{path} belongs to user {owner}, not to user {us}")]
    NotOurs {
        /// The directory.
        path: PathBuf,
        /// Its owner.
        owner: u32,
        /// Our user.
        us: u32,
    },
    /// Others could have changed what is in it.
    #[error("others may write to {path} (mode {mode:03o}); look what is in it, then `chmod 700` it")]
    Writable {
        /// The directory.
        path: PathBuf,
        /// Its permission bits.
        mode: rustix::fs::RawMode,
    },
}

impl DirectoryError {
    /// The system's error, when that is the reason.
    pub fn io(&self) -> Option<&io::Error> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Opens a directory that must be private: no symbolic link as its last component, ours, and closed to others.
///
/// One that others may only read is tightened to 0700; one that they may write is refused, since what lies in it could
/// be anybody's. The descriptor is the directory that was checked, whatever its path means later.
pub fn open_private(path: &Path) -> Result<OwnedFd, DirectoryError> {
    let io = |source: io::Error| DirectoryError::Io { path: path.to_owned(), source };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let dir = match fs::open(path, flags, Mode::empty()) {
        Ok(dir) => dir,
        Err(rustix::io::Errno::NOTDIR | rustix::io::Errno::LOOP) => {
            return Err(DirectoryError::NotADirectory { path: path.to_owned() });
        }
        Err(errno) => return Err(io(errno.into())),
    };
    let stat = fs::fstat(&dir).map_err(|errno| io(errno.into()))?;
    let us = geteuid().as_raw();
    if stat.st_uid != us {
        return Err(DirectoryError::NotOurs { path: path.to_owned(), owner: stat.st_uid, us });
    }
    let mode = Mode::from_raw_mode(stat.st_mode);
    if mode.intersects(Mode::WGRP | Mode::WOTH) {
        return Err(DirectoryError::Writable { path: path.to_owned(), mode: mode.bits() });
    }
    if mode.intersects(Mode::RWXG | Mode::RWXO) {
        fs::fchmod(&dir, Mode::RWXU).map_err(|errno| io(errno.into()))?;
    }
    Ok(dir)
}

/// Makes a private directory, and what is missing above it, all 0700, and opens it with [`open_private`].
///
/// Parents that exist already are left as they are: they may be the system's own.
pub fn create_private(path: &Path) -> Result<OwnedFd, DirectoryError> {
    match fs::mkdir(path, Mode::RWXU) {
        Ok(()) | Err(rustix::io::Errno::EXIST) => {}
        Err(rustix::io::Errno::NOENT) if path.parent().is_some_and(|parent| parent != path) => {
            if let Some(parent) = path.parent() {
                create_missing(parent)?;
            }
            match fs::mkdir(path, Mode::RWXU) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(errno) => return Err(DirectoryError::Io { path: path.to_owned(), source: errno.into() }),
            }
        }
        Err(errno) => return Err(DirectoryError::Io { path: path.to_owned(), source: errno.into() }),
    }
    open_private(path)
}

/// Makes the missing parents of a private directory.
fn create_missing(path: &Path) -> Result<(), DirectoryError> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|source| DirectoryError::Io { path: path.to_owned(), source })
}

/// Whether what lies under this descriptor is kept in memory only: tmpfs or ramfs. Unknown counts as no.
///
/// A tmpfs page can still reach a swap device; SECURITY.md says so.
#[cfg(target_os = "linux")]
pub fn is_memory_backed(dir: &impl AsFd) -> bool {
    // Magic numbers of statfs(2): TMPFS_MAGIC, RAMFS_MAGIC.
    const TMPFS: u32 = 0x0102_1994;
    const RAMFS: u32 = 0x8584_58f6;
    // The field's width differs between architectures; the numbers have 32 bits.
    fs::fstatfs(dir).is_ok_and(|stat| matches!(stat.f_type as u32, TMPFS | RAMFS))
}

/// No file system of this system is known to be memory-backed (macOS: a RAM disk made by `hdiutil` would be).
#[cfg(not(target_os = "linux"))]
pub fn is_memory_backed(_dir: &impl AsFd) -> bool {
    false
}
