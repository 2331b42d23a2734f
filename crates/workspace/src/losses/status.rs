//! What git says of a directory's files.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::{Git, GitResult, Stop};

/// Settings under which a look writes nothing, believes no index that leaves things out, and trusts no date alone.
pub(crate) const EXACT: [&str; 14] = [
    "-c",
    "core.untrackedCache=false",
    "-c",
    "core.splitIndex=false",
    "-c",
    "index.sparse=false",
    "-c",
    "core.trustctime=true",
    "-c",
    "core.checkStat=default",
    "-c",
    "status.showUntrackedFiles=all",
    "-c",
    "status.submoduleSummary=false",
];

/// A file that is not as its commit has it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    pub(crate) submodule: bool,
    /// `XY`: how the index and how the file differ.
    how: [u8; 2],
    /// `S<c><m><u>` for a submodule.
    sub: [u8; 4],
}

impl Entry {
    /// The index is not as the commit.
    pub(crate) fn staged(&self) -> bool {
        self.how[0] != b'.'
    }

    /// A submodule whose commit or files are its own.
    pub(crate) fn dirty_submodule(&self) -> bool {
        self.submodule && self.sub[1..].iter().any(|flag| *flag != b'.')
    }
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Status {
    /// As git printed it, ignored files left out.
    pub(crate) raw: Vec<u8>,
    pub(crate) changed: Vec<Entry>,
    /// A repository inside ends in `/`.
    pub(crate) untracked: Vec<PathBuf>,
    /// A directory that is ignored whole ends in `/`.
    pub(crate) ignored: Vec<PathBuf>,
    /// From the index.
    pub(crate) submodules: Vec<PathBuf>,
    /// Paths whose changes git was told not to look for, and what the index has of them.
    pub(crate) hidden: Vec<(PathBuf, String)>,
    /// The conflicting versions of files: stage, mode, blob and path.
    pub(crate) unmerged: Vec<(u8, String, String, PathBuf)>,
}

pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

pub(super) fn status(git: &Git, at: &Path, stop: &Stop) -> GitResult<Status> {
    let out = git
        .read(at)
        .args(EXACT)
        .args(["status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignored=matching"])
        .args(["--ignore-submodules=none", "--no-renames"])
        .stop(stop)
        .output()?;
    let mut status = Status::default();
    for record in out.split(|byte| *byte == 0).filter(|record| !record.is_empty()) {
        let (kind, rest) = (record[0], record.get(2..).unwrap_or_default());
        if kind != b'!' {
            status.raw.extend_from_slice(record);
            status.raw.push(0);
        }
        match kind {
            b'?' => status.untracked.push(path_of(rest)),
            b'!' => status.ignored.push(path_of(rest)),
            // Fields before the path: 7 of a changed file, 9 of one that is in conflict.
            b'1' | b'u' => {
                let fields: Vec<&[u8]> =
                    rest.splitn(if kind == b'1' { 8 } else { 10 }, |b| *b == b' ').collect();
                if let [how, sub, .., path] = fields[..] {
                    status.changed.push(Entry {
                        path: path_of(path),
                        submodule: sub.first() == Some(&b'S'),
                        how: how.try_into().unwrap_or(*b"??"),
                        sub: sub.try_into().unwrap_or(*b"N..."),
                    });
                }
            }
            _ => {}
        }
    }
    index(git, at, &mut status, stop)?;
    Ok(status)
}

/// What only the index tells.
fn index(git: &Git, at: &Path, status: &mut Status, stop: &Stop) -> GitResult<()> {
    let out = git.read(at).args(EXACT).args(["ls-files", "-v", "-s", "-z"]).stop(stop).output()?;
    for record in out.split(|byte| *byte == 0) {
        // `H 100644 <blob> 0\t<path>`
        let Some(tab) = record.iter().position(|byte| *byte == b'\t') else { continue };
        let (head, path) = (String::from_utf8_lossy(&record[..tab]), path_of(&record[tab + 1..]));
        let fields: Vec<&str> = head.split(' ').collect();
        let [tag, mode, blob, stage] = fields[..] else { continue };
        if mode == "160000" {
            status.submodules.push(path.clone());
        } else if tag.starts_with(|tag: char| tag == 'S' || tag.is_ascii_lowercase()) {
            status.hidden.push((path.clone(), blob.to_owned()));
        }
        if let Ok(stage @ 1..=3) = stage.parse() {
            status.unmerged.push((stage, mode.to_owned(), blob.to_owned(), path));
        }
    }
    status.submodules.dedup();
    Ok(())
}
