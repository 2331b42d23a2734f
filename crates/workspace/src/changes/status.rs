//! What git says of the working tree and of what is staged.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;

use super::{Checkout, Head};
use crate::git::GitResult;

/// How a file stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Git does not know it.
    Untracked,
    /// It is to be settled.
    Conflicted,
    /// Git knows it.
    Known {
        /// What is staged differs from the newest commit.
        index: bool,
        /// The file differs from what is staged.
        files: bool,
    },
}

/// All that is not committed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Status {
    pub(crate) head: Head,
    entries: BTreeMap<Vec<u8>, Standing>,
}

impl Status {
    /// How a file stands; none where all of it is committed.
    pub(crate) fn of(&self, path: &[u8]) -> Option<Standing> {
        self.entries.get(path).copied()
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (&[u8], Standing)> {
        self.entries.iter().map(|(path, standing)| (path.as_slice(), *standing))
    }

    pub(crate) fn conflicted(&self) -> bool {
        self.entries.values().any(|standing| *standing == Standing::Conflicted)
    }
}

impl Checkout {
    /// Asks git; of these paths, or of all. Submodules count by their commit alone: what is in them is theirs, and git would
    /// start a process in each.
    pub(crate) fn status(&self, paths: &[&[u8]]) -> GitResult<Status> {
        let command = self.read().args([
            "status",
            "--porcelain=v2",
            "-z",
            "--branch",
            "--no-ahead-behind",
            "--no-renames",
            "--untracked-files=all",
            "--ignore-submodules=dirty",
            "--",
        ]);
        let paths = paths.iter().map(|path| std::ffi::OsStr::from_bytes(path));
        Ok(parse(&command.args(paths).output()?))
    }
}

fn parse(bytes: &[u8]) -> Status {
    let mut status = Status::default();
    let mut records = bytes.split(|byte| *byte == 0);
    while let Some(record) = records.next() {
        match record.first() {
            Some(b'#') => header(record, &mut status.head),
            Some(b'?') => {
                if let Some(path) = record.get(2..) {
                    // Also one that was taken out of the index and has a record for that, which came before.
                    status.entries.insert(path.to_vec(), Standing::Untracked);
                }
            }
            Some(b'u') => {
                if let Some(path) = field(record, 10) {
                    status.entries.insert(path.to_vec(), Standing::Conflicted);
                }
            }
            Some(kind @ (b'1' | b'2')) => {
                let last = if *kind == b'1' { 8 } else { 9 };
                if *kind == b'2' {
                    records.next();
                }
                if let (Some(path), Some([index, files])) = (field(record, last), record.get(2..4)) {
                    let standing = Standing::Known { index: *index != b'.', files: *files != b'.' };
                    status.entries.insert(path.to_vec(), standing);
                }
            }
            _ => {}
        }
    }
    status
}

fn header(record: &[u8], head: &mut Head) {
    let text = String::from_utf8_lossy(record);
    if let Some(commit) = text.strip_prefix("# branch.oid ") {
        head.commit = (commit != "(initial)").then(|| commit.to_owned());
    } else if let Some(branch) = text.strip_prefix("# branch.head ") {
        head.branch = (branch != "(detached)").then(|| branch.to_owned());
    }
}

/// The rest of a record after so many spaces.
fn field(record: &[u8], spaces: usize) -> Option<&[u8]> {
    let mut parts = record.splitn(spaces + 1, |byte| *byte == b' ');
    parts.nth(spaces)
}
