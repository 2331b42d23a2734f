//! What stands where files are to be put and would go for good.
//!
//! Git deletes ignored files that are in its way, and whole directories with the repositories inside them. So before it writes,
//! every path that it would write is looked at, by what lies there and not by the rules of what is ignored.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::{ErrorKind, Result};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::LARGEST;
use crate::changes::{Listed, shown};

/// Paths that are told; the walk ends with them, however many more there are.
const MOST: usize = 100;
/// Git's mode of a submodule. Git leaves a directory alone where one is to be.
const SUBMODULE: u32 = 0o160_000;

/// What stands in the way.
#[derive(Debug, Default)]
pub(super) struct Way {
    /// Files that a checkpoint can hold.
    pub(super) files: BTreeSet<Vec<u8>>,
    /// What none can, for people.
    pub(super) lost: BTreeSet<String>,
}

impl Way {
    /// Looks for the paths that come anew or as another kind. `held` are those of the tree that is kept.
    pub(super) fn of(root: &Path, coming: &[Listed], held: &HashSet<Vec<u8>>) -> Self {
        let mut way = Self::default();
        for listed in coming {
            if way.lost.len() >= MOST {
                break;
            }
            way.look(root, listed, held);
        }
        way
    }

    fn look(&mut self, root: &Path, listed: &Listed, held: &HashSet<Vec<u8>>) {
        let path = listed.path.as_slice();
        let above = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| &path[..end]);
        for part in above {
            match about(root, part) {
                Ok(Some(found)) if found.is_dir() => {
                    if !matches!(about(root, &[part, b"/.git"].concat()), Ok(None)) {
                        self.repository(part);
                        return;
                    }
                }
                Ok(Some(found)) => return self.file(part, &found, held),
                Ok(None) => return,
                Err(_) => return self.unreadable(part),
            }
        }
        match about(root, path) {
            Ok(Some(found)) if !found.is_dir() => self.file(path, &found, held),
            Ok(Some(_)) if listed.modes.1 == SUBMODULE => {}
            Ok(Some(_)) => self.directory(root, path, held),
            Ok(None) => {}
            Err(_) => self.unreadable(path),
        }
    }

    fn file(&mut self, path: &[u8], found: &Metadata, held: &HashSet<Vec<u8>>) {
        if held.contains(path) {
            return;
        }
        let name = shown(path);
        if !found.is_file() && !found.is_symlink() {
            self.lost.insert(format!("{name} (no file)"));
        } else if found.len() > LARGEST {
            self.lost.insert(format!("{name} ({})", size(found.len())));
        } else {
            self.files.insert(path.to_vec());
        }
    }

    /// Everything below goes, and a checkpoint holds only what it has by that path.
    fn directory(&mut self, root: &Path, path: &[u8], held: &HashSet<Vec<u8>>) {
        let mut open = vec![path.to_vec()];
        while let Some(dir) = open.pop() {
            let Ok(entries) = root.join(OsStr::from_bytes(&dir)).read_dir() else {
                self.unreadable(&dir);
                continue;
            };
            let entries: Result<Vec<_>> = entries.collect();
            let Ok(entries) = entries else {
                self.unreadable(&dir);
                continue;
            };
            if entries.iter().any(|entry| entry.file_name() == ".git") {
                self.repository(&dir);
                continue;
            }
            for entry in entries {
                if self.lost.len() >= MOST {
                    return;
                }
                let below = [dir.as_slice(), b"/", entry.file_name().as_bytes()].concat();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push(below),
                    Ok(_) if held.contains(&below) => {}
                    _ => {
                        self.lost.insert(shown(&below));
                    }
                }
            }
        }
    }

    fn repository(&mut self, path: &[u8]) {
        self.lost.insert(format!("{}/ (a repository)", shown(path)));
    }

    fn unreadable(&mut self, path: &[u8]) {
        self.lost.insert(format!("{} (cannot be read)", shown(path)));
    }
}

/// What lies there, no link followed at the end; the caller has looked at the way to it.
fn about(root: &Path, path: &[u8]) -> Result<Option<Metadata>> {
    match root.join(OsStr::from_bytes(path)).symlink_metadata() {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A large file's size, in units of 1000.
pub(super) fn size(bytes: u64) -> String {
    let (whole, name) = if bytes >= 10_000_000_000 { (1_000_000_000, "GB") } else { (1_000_000, "MB") };
    format!("{} {name}", bytes.div_ceil(whole))
}
