//! Copying files from one tree to another, by directory descriptors: neither tree can lead a copy out of it by a link.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Timespec, Timestamps};

/// The tops of two trees.
pub(super) struct Copier {
    from: OwnedFd,
    to: OwnedFd,
}

/// What has become of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is there now.
    Copied,
    /// Something was there, and stays.
    There,
}

const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Copier {
    pub(super) fn between(from: &Path, to: &Path) -> io::Result<Self> {
        let open =
            |path: &Path| fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
        Ok(Self { from: open(from)?, to: open(to)? })
    }

    /// Copies a file or a link, with its mode and times. What is no file (a socket, a device) is passed over.
    pub(super) fn copy(&self, path: &Path) -> io::Result<Outcome> {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { return Ok(Outcome::There) };
        let Some(from) = walk(&self.from, above, false)? else { return Ok(Outcome::There) };
        let Some(to) = walk(&self.to, above, true)? else { return Ok(Outcome::There) };
        let stat = fs::statat(&from, name, AtFlags::SYMLINK_NOFOLLOW)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Symlink => {
                let leads = fs::readlinkat(&from, name, Vec::new())?;
                placed(fs::symlinkat(leads.as_c_str(), &to, name))
            }
            FileType::RegularFile => file(&from, &to, name),
            _ => Ok(Outcome::There),
        }
    }

    /// Makes a link in the new tree.
    pub(super) fn link(&self, path: &Path, leads: &Path) -> io::Result<Outcome> {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { return Ok(Outcome::There) };
        let Some(to) = walk(&self.to, above, true)? else { return Ok(Outcome::There) };
        placed(fs::symlinkat(leads, &to, name))
    }
}

fn placed(made: rustix::io::Result<()>) -> io::Result<Outcome> {
    match made {
        Ok(()) => Ok(Outcome::Copied),
        Err(rustix::io::Errno::EXIST) => Ok(Outcome::There),
        Err(error) => Err(error.into()),
    }
}

/// The directory below `top`, no link on the way to it; none where there is something else in its place.
fn walk(top: &OwnedFd, path: &Path, make: bool) -> io::Result<Option<OwnedFd>> {
    let mut at = top.try_clone()?;
    for part in path.components() {
        let Component::Normal(name) = part else { return Ok(None) };
        if make {
            match fs::mkdirat(&at, name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        at = match fs::openat(&at, name, DIRECTORY, Mode::empty()) {
            Ok(next) => next,
            Err(rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR | rustix::io::Errno::NOENT) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
    }
    Ok(Some(at))
}

fn file(from: &OwnedFd, to: &OwnedFd, name: &OsStr) -> io::Result<Outcome> {
    // Without NONBLOCK a FIFO that has taken its place would hold us.
    let reads = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut source = File::from(fs::openat(from, name, reads, Mode::empty())?);
    let stat = fs::fstat(&source)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Ok(Outcome::There);
    }
    let mode = Mode::from_raw_mode(stat.st_mode & 0o777);
    let writes = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut target = match fs::openat(to, name, writes, mode) {
        Ok(target) => File::from(target),
        Err(rustix::io::Errno::EXIST) => return Ok(Outcome::There),
        Err(error) => return Err(error.into()),
    };
    let copied = shared(&target, &source).or_else(|_| io::copy(&mut source, &mut target).map(drop));
    let kept = copied.and_then(|()| {
        // The umask has its part in what was asked for.
        fs::fchmod(&target, mode)?;
        // What builds by times would build anew. A part of a second has a type of its own on every system, and always fits.
        let times = Timestamps {
            last_access: Timespec {
                tv_sec: stat.st_atime,
                tv_nsec: i64::try_from(stat.st_atime_nsec).unwrap_or(0),
            },
            last_modification: Timespec {
                tv_sec: stat.st_mtime,
                tv_nsec: i64::try_from(stat.st_mtime_nsec).unwrap_or(0),
            },
        };
        fs::futimens(&target, &times)?;
        Ok(())
    });
    if kept.is_err() {
        let _ = fs::unlinkat(to, name, AtFlags::empty());
    }
    kept.map(|()| Outcome::Copied)
}

/// One copy of the bytes for both files until one of them is written to, where the file system can (btrfs, XFS, bcachefs).
#[cfg(target_os = "linux")]
fn shared(target: &File, source: &File) -> io::Result<()> {
    fs::ioctl_ficlone(target.as_fd(), source.as_fd()).map_err(Into::into)
}

/// macOS: `fclonefileat` makes the file as well, which has to replace the open above. Windows: `FSCTL_DUPLICATE_EXTENTS_TO_FILE`.
#[cfg(not(target_os = "linux"))]
fn shared(_target: &File, _source: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
