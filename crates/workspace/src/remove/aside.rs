//! Moving a directory aside and back, by descriptors: what is moved is what was looked at.

use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags, openat, renameat, renameat_with, statat};
use rustix::io::Errno;

use super::proof::Proven;
use super::{ASIDE, Outcome, Record, RemoveError, Tried as _};

const DIRECTORY: OFlags =
    OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::RDONLY);

/// Renames it to its place under the root. A rename takes a link as a link, so nothing that was put in its place in between can
/// lead out; that it is another thing is seen afterwards, and undone.
pub(super) fn move_aside(proven: &Proven, record: &Record) -> Outcome<()> {
    let what = || format!("{} cannot be moved aside", record.path.display());
    let aside = openat(&proven.root, ASIDE, DIRECTORY, Mode::empty()).tried(what)?;
    let dir = openat(&aside, record.id.as_str(), DIRECTORY, Mode::empty()).tried(what)?;
    rename_new(&proven.parent, Path::new(&proven.name), &dir, Path::new("tree")).tried(what)?;
    let stat = statat(&dir, "tree", AtFlags::SYMLINK_NOFOLLOW).tried(what)?;
    let same = stat.st_dev == proven.device
        && stat.st_ino == proven.inode
        && FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
    if !same {
        rename_new(&dir, Path::new("tree"), &proven.parent, Path::new(&proven.name)).tried(what)?;
        return Err(RemoveError::Refused(format!(
            "{} was replaced by something else while it was looked at; that was left as it is",
            record.path.display()
        )));
    }
    sync(&proven.parent);
    sync(&dir);
    Ok(())
}

/// Renames it back to where it was. The place must be free.
pub(super) fn move_back(root: &Path, record: &Record) -> Outcome<()> {
    let what = || format!("{} cannot be moved back", record.path.display());
    let (Some(parent), Some(name)) = (record.path.parent(), record.path.file_name()) else {
        return Err(RemoveError::Refused("it was nowhere".to_owned()));
    };
    std::fs::create_dir_all(parent).tried(what)?;
    let dir = rustix::fs::open(super::dir_of(root, &record.id), DIRECTORY, Mode::empty()).tried(what)?;
    let parent = rustix::fs::open(parent, DIRECTORY, Mode::empty()).tried(what)?;
    match rename_new(&dir, Path::new("tree"), &parent, Path::new(name)) {
        Err(Errno::EXIST | Errno::NOTEMPTY) => {
            return Err(RemoveError::Refused(format!(
                "there is something else at {} by now; move that away first",
                record.path.display()
            )));
        }
        renamed => renamed.tried(what)?,
    }
    sync(&parent);
    sync(&dir);
    Ok(())
}

/// A rename that takes nobody's place.
fn rename_new(
    from: &impl std::os::fd::AsFd,
    name: &Path,
    to: &impl std::os::fd::AsFd,
    new: &Path,
) -> rustix::io::Result<()> {
    match renameat_with(from, name, to, new, RenameFlags::NOREPLACE) {
        // The file system cannot: NFS and a few others. An empty directory in the place would be replaced, nothing else.
        Err(Errno::INVAL | Errno::NOSYS) => match statat(to, new, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => renameat(from, name, to, new),
            Ok(_) => Err(Errno::EXIST),
            Err(error) => Err(error),
        },
        renamed => renamed,
    }
}

/// Has a rename outlast a loss of power. A file system that cannot do so for directories does it in its own time.
fn sync(dir: &impl std::os::fd::AsFd) {
    let _ = rustix::fs::fsync(dir);
}

#[cfg(test)]
mod tests {
    use std::fs;

    use belfry_protocol::session::WorkspaceKind;
    use jiff::Timestamp;

    use super::super::proof::prove;
    use super::*;
    use crate::Git;
    use crate::losses::{Found, Subject};

    #[test]
    #[ntest::timeout(60_000)]
    fn what_is_put_in_its_place_after_the_look_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap().join("root");
        let path = root.join("shop/work");
        let outside = root.with_file_name("outside");
        for dir in [&path, &outside] {
            fs::create_dir_all(dir).unwrap();
        }
        fs::write(outside.join("file"), "work").unwrap();
        let subject = Subject {
            id: "id".to_owned(),
            kind: WorkspaceKind::Scratch,
            path: path.clone(),
            root: root.clone(),
            main: None,
            common_dir: None,
            cache: None,
            first_commit: None,
            branch: None,
            made_branch: false,
        };
        let swaps: [&dyn Fn(); 2] = [&|| std::os::unix::fs::symlink(&outside, &path).unwrap(), &|| {
            fs::create_dir(&path).unwrap();
            fs::write(path.join("file"), "work").unwrap();
        }];
        for swap in swaps {
            let proven = prove(&Git::default(), &subject).unwrap();
            let record = Record::begin(&subject, &proven, &Found::default(), Timestamp::UNIX_EPOCH);
            record.write(&root).unwrap();
            fs::rename(&path, root.join("shop/was")).unwrap();
            swap();
            let outcome = move_aside(&proven, &record);
            assert!(matches!(outcome, Err(RemoveError::Refused(_))), "{outcome:?}");
            assert_eq!(fs::read_to_string(path.join("file")).unwrap(), "work");
            assert!(outside.join("file").exists());
            assert!(!record.tree(&root).exists());
            fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)).unwrap();
            fs::rename(root.join("shop/was"), &path).unwrap();
        }
    }
}
