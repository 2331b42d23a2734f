//! Deleting a directory for good: each directory is opened by its parent without following a link, and none of another file
//! system is gone into.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, RenameFlags, openat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use crate::Stop;

/// Each level holds a descriptor. What lies deeper is moved up to the top first.
const DEEPEST: u32 = 64;

const DIRECTORY: OFlags =
    OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::RDONLY);

/// Deletes what has that name in a directory; a link as a link. Where there is nothing of that name, that is what was wanted. It
/// can be stopped, and gone on with at any time.
pub(crate) fn delete(parent: impl AsFd, name: &OsStr, stop: &Stop) -> io::Result<()> {
    let stat = match statat(&parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => return Ok(()),
        stat => stat?,
    };
    if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
        return Ok(unlinkat(&parent, name, AtFlags::empty())?);
    }
    let top = opened(&parent, name)?;
    let mut deleting = Deleting { top: &top, device: stat.st_dev, moved: 0, stop };
    // Again for what was moved up.
    while deleting.empty(&top, 0)? {}
    Ok(unlinkat(&parent, name, AtFlags::REMOVEDIR)?)
}

struct Deleting<'a> {
    top: &'a OwnedFd,
    device: u64,
    moved: u64,
    stop: &'a Stop,
}

impl Deleting<'_> {
    /// Empties a directory, and says whether there was anything in it.
    fn empty(&mut self, dir: &OwnedFd, depth: u32) -> io::Result<bool> {
        let names = names(dir)?;
        for name in &names {
            if self.stop.stopped() {
                return Err(io::Error::new(io::ErrorKind::Interrupted, "it was stopped"));
            }
            let stat = match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => continue,
                stat => stat?,
            };
            if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
                gone(unlinkat(dir, name, AtFlags::empty()))?;
                continue;
            }
            if stat.st_dev != self.device {
                return Err(io::Error::other("another file system is mounted in it"));
            }
            if depth >= DEEPEST {
                self.move_up(dir, name)?;
                continue;
            }
            let inner = opened(dir, OsStr::from_bytes(name.to_bytes()))?;
            self.empty(&inner, depth + 1)?;
            gone(unlinkat(dir, name, AtFlags::REMOVEDIR))?;
        }
        Ok(!names.is_empty())
    }

    fn move_up(&mut self, dir: &OwnedFd, name: &CString) -> io::Result<()> {
        loop {
            self.moved += 1;
            let new = format!("deep-{}", self.moved);
            match renameat_with(dir, name, self.top, new, RenameFlags::NOREPLACE) {
                Err(Errno::EXIST) => {}
                renamed => return Ok(renamed?),
            }
        }
    }
}

fn gone(result: rustix::io::Result<()>) -> io::Result<()> {
    match result {
        Err(Errno::NOENT) => Ok(()),
        result => Ok(result?),
    }
}

fn names(dir: &OwnedFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// A directory, made writable for its owner where it is not: nothing can be deleted in it otherwise.
fn opened(parent: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let dir = match openat(&parent, name, DIRECTORY, Mode::empty()) {
        Err(Errno::ACCESS) => {
            make_readable(&parent, name)?;
            openat(&parent, name, DIRECTORY, Mode::empty())?
        }
        opened => opened?,
    };
    let mode = Mode::from_raw_mode(rustix::fs::fstat(&dir)?.st_mode);
    if !mode.contains(Mode::RWXU) {
        rustix::fs::fchmod(&dir, mode | Mode::RWXU)?;
    }
    Ok(dir)
}

#[cfg(target_os = "linux")]
fn make_readable(parent: impl AsFd, name: &OsStr) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;
    // Linux changes no mode without following links, but a descriptor of the directory itself has a name of its own.
    let path = OFlags::PATH | OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let held = openat(&parent, name, path, Mode::empty())?;
    Ok(rustix::fs::chmod(format!("/proc/self/fd/{}", held.as_raw_fd()), Mode::RWXU)?)
}

#[cfg(not(target_os = "linux"))]
fn make_readable(parent: impl AsFd, name: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::chmodat(&parent, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    #[test]
    #[ntest::timeout(60_000)]
    fn a_link_is_deleted_and_what_it_leads_to_is_not() {
        let place = tempfile::tempdir().unwrap();
        let outside = place.path().join("outside");
        fs::create_dir_all(outside.join("deep")).unwrap();
        fs::write(outside.join("deep/file"), "work").unwrap();
        let tree = place.path().join("tree");
        fs::create_dir_all(tree.join("a/b")).unwrap();
        std::os::unix::fs::symlink(&outside, tree.join("a/b/out")).unwrap();
        std::os::unix::fs::symlink("/nowhere", tree.join("broken")).unwrap();
        let dir = fs::File::open(place.path()).unwrap();
        delete(&dir, OsStr::new("tree"), &Stop::default()).unwrap();
        assert!(!tree.exists());
        assert_eq!(fs::read_to_string(outside.join("deep/file")).unwrap(), "work");
        // The name of the tree itself is a link.
        std::os::unix::fs::symlink(&outside, &tree).unwrap();
        delete(&dir, OsStr::new("tree"), &Stop::default()).unwrap();
        assert_eq!(fs::read_to_string(outside.join("deep/file")).unwrap(), "work");
        delete(&dir, OsStr::new("tree"), &Stop::default()).unwrap();
    }

    #[test]
    #[ntest::timeout(60_000)]
    fn what_is_deep_or_shut_is_deleted_too() {
        let place = tempfile::tempdir().unwrap();
        let mut deep = OwnedFd::from(fs::File::open(place.path()).unwrap());
        // Deeper than a path can be long, and than descriptors would do.
        for level in 0..1500 {
            let name = if level == 0 { "tree" } else { "a-directory" };
            rustix::fs::mkdirat(&deep, name, Mode::RWXU).unwrap();
            deep = openat(&deep, name, DIRECTORY, Mode::empty()).unwrap();
        }
        let tree: PathBuf = place.path().join("tree");
        fs::create_dir(tree.join("deep-1")).unwrap();
        fs::create_dir(tree.join("shut")).unwrap();
        fs::write(tree.join("shut/file"), "").unwrap();
        fs::set_permissions(tree.join("shut"), std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
        delete(fs::File::open(place.path()).unwrap(), OsStr::new("tree"), &Stop::default()).unwrap();
        assert!(!tree.exists());
    }
}
