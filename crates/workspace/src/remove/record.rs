//! What is known of a workspace that was removed: one file beside it, so that it can be brought back whatever else is lost.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use belfry_protocol::session::WorkspaceKind;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::proof::Proven;
use super::{ASIDE, KEPT, Outcome, RemoveError, Tried as _, UNDO, dir_of};
use crate::losses::{Found, Subject};

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// On its way aside.
    Moving,
    /// Aside, with all that was in it.
    Aside,
    /// What git has is being deleted.
    Thinning,
    /// What git does not have is still there.
    Thinned,
    /// On its way back.
    Restoring,
    /// Being deleted for good.
    Deleting,
}

/// The file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The workspace's id.
    pub id: String,
    /// How it was made.
    pub kind: WorkspaceKind,
    /// Where it was.
    pub path: PathBuf,
    /// How far it is.
    pub step: Step,
    /// When it was moved aside.
    pub removed_at: Timestamp,
    /// Until when something of it can be had back.
    pub until: Timestamp,
    /// The commit under `refs/belfry/removed/<id>`.
    pub saved: Option<String>,
    /// What the person should know.
    pub notice: Option<String>,
    /// The project's own directory.
    pub main: Option<PathBuf>,
    /// Of a worktree: the git directory that it shares.
    pub common_dir: Option<PathBuf>,
    /// The bare repository that a clone was made from.
    pub cache: Option<PathBuf>,
    /// The first commit of a scratch repository.
    pub(crate) first_commit: Option<String>,
    /// The branch that it was made with.
    pub branch: Option<String>,
    /// That branch was made for it.
    pub made_branch: bool,
    /// Of a worktree: git's own part of it.
    pub(crate) admin: Option<PathBuf>,
    /// What `HEAD` and `gitdir` of that said.
    pub(crate) head: Option<String>,
    pub(crate) gitdir: Option<String>,
    /// The commit that was checked out.
    pub(crate) head_commit: Option<String>,
    /// The directory's device and inode: what is aside must be what was looked at.
    pub(crate) device: u64,
    pub(crate) inode: u64,
}

impl Record {
    pub(crate) fn begin(subject: &Subject, proven: &Proven, found: &Found, now: Timestamp) -> Self {
        let admin = proven.admin.clone();
        let text =
            |name: &str| admin.as_ref().and_then(|admin| std::fs::read_to_string(admin.join(name)).ok());
        Self {
            id: subject.id.clone(),
            kind: subject.kind,
            path: proven.parent_path.join(&proven.name),
            step: Step::Moving,
            removed_at: now,
            until: later(now, UNDO),
            saved: None,
            notice: None,
            main: subject.main.clone(),
            common_dir: subject.common_dir.clone(),
            cache: subject.cache.clone(),
            first_commit: subject.first_commit.clone(),
            branch: found.kept.branch.clone().or_else(|| subject.branch.clone()),
            made_branch: subject.made_branch && found.kept.branch == subject.branch,
            head: text("HEAD"),
            gitdir: text("gitdir"),
            head_commit: found.kept.head.clone(),
            admin,
            device: proven.device,
            inode: proven.inode,
        }
    }

    /// Of one that is aside, and of which no more is known than what it was.
    pub(crate) fn of_nothing(subject: &Subject, now: Timestamp) -> Self {
        Self {
            id: subject.id.clone(),
            kind: subject.kind,
            path: subject.path.clone(),
            step: Step::Aside,
            removed_at: now,
            until: later(now, UNDO),
            saved: None,
            notice: None,
            main: subject.main.clone(),
            common_dir: subject.common_dir.clone(),
            cache: subject.cache.clone(),
            first_commit: subject.first_commit.clone(),
            branch: subject.branch.clone(),
            made_branch: subject.made_branch,
            admin: None,
            head: None,
            gitdir: None,
            head_commit: None,
            device: 0,
            inode: 0,
        }
    }

    /// Where its directory lies.
    pub fn tree(&self, root: &Path) -> PathBuf {
        dir_of(root, &self.id).join("tree")
    }

    /// Until when everything is there.
    pub fn undo_until(&self) -> Timestamp {
        later(self.removed_at, UNDO)
    }

    /// Until when what would have been lost is there.
    pub fn kept_until(&self) -> Timestamp {
        later(self.removed_at, KEPT)
    }

    /// The ref that holds what git could save.
    pub fn ref_name(&self) -> String {
        format!("refs/belfry/removed/{}", self.id)
    }

    /// As it was before, where it is now.
    pub(crate) fn subject(&self, root: &Path) -> Subject {
        Subject {
            id: self.id.clone(),
            kind: self.kind,
            path: self.path.clone(),
            root: root.to_owned(),
            main: self.main.clone(),
            common_dir: self.common_dir.clone(),
            cache: self.cache.clone(),
            first_commit: self.first_commit.clone(),
            branch: self.branch.clone(),
            made_branch: self.made_branch,
        }
    }

    /// Writes it so that a crash leaves the old one or the new one.
    pub(crate) fn write(&self, root: &Path) -> Outcome<()> {
        let dir = dir_of(root, &self.id);
        private_dir(&root.join(ASIDE))?;
        private_dir(&dir)?;
        let text = serde_json::to_vec_pretty(self)
            .map_err(|error| RemoveError::Refused(format!("it cannot be recorded: {error}")))?;
        write_whole(&dir.join("record.json"), &text)
    }
}

/// Replaces a small file at once and for good.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Outcome<()> {
    let what = || format!("{} cannot be written", path.display());
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let mut file = File::create(&beside).tried(what)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).tried(what)?;
    std::fs::rename(&beside, path).tried(what)?;
    if let Some(dir) = path.parent().and_then(|dir| File::open(dir).ok()) {
        let _ = dir.sync_all();
    }
    Ok(())
}

/// A directory of ours alone, that is no link.
fn private_dir(dir: &Path) -> Outcome<()> {
    let what = || format!("{} cannot be made", dir.display());
    let mut builder = std::fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        made => made.tried(what)?,
    }
    let is_dir = dir.symlink_metadata().tried(what)?.is_dir();
    if is_dir { Ok(()) } else { Err(RemoveError::Refused(format!("{} is no directory", dir.display()))) }
}

fn later(then: Timestamp, by: jiff::SignedDuration) -> Timestamp {
    then.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// An id becomes a name of a directory and of a ref.
pub(crate) fn check_id(id: &str) -> Outcome<()> {
    let fits = !id.is_empty()
        && id.len() <= 64
        && !id.starts_with('-')
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if fits { Ok(()) } else { Err(RemoveError::Refused("that is no workspace's id".to_owned())) }
}

/// The record of one that was removed.
pub(crate) fn read(root: &Path, id: &str) -> Outcome<Option<Record>> {
    check_id(id)?;
    let path = dir_of(root, id).join("record.json");
    let text = match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read.tried(|| format!("{} cannot be read", path.display()))?,
    };
    let record: Record = serde_json::from_slice(&text)
        .map_err(|error| RemoveError::Refused(format!("{} cannot be read: {error}", path.display())))?;
    if record.id == id {
        Ok(Some(record))
    } else {
        Err(RemoveError::Refused(format!("{} is another one's record", path.display())))
    }
}

/// All that were removed and are still there, and the ids of those whose record cannot be read.
pub fn records(root: &Path) -> (Vec<Record>, Vec<String>) {
    let (mut found, mut broken) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(root.join(ASIDE)).into_iter().flatten().flatten() {
        let Ok(id) = entry.file_name().into_string() else { continue };
        match read(root, &id) {
            Ok(Some(record)) => found.push(record),
            // Cut off before the record was there, or after it was deleted: it holds nothing.
            Ok(None) => {
                let _ = std::fs::remove_dir(entry.path());
            }
            Err(_) => broken.push(id),
        }
    }
    found.sort_by(|one, other| one.removed_at.cmp(&other.removed_at).then(one.id.cmp(&other.id)));
    (found, broken)
}
