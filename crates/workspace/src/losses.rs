//! What would be lost if a workspace were deleted with nothing saved.
//!
//! Git is asked for what it knows; a walk finds what git does not tell: repositories inside, other file systems, files behind
//! `assume-unchanged`. Where git cannot read the directory at all, everything in it counts as work.

mod commits;
mod hidden;
mod ignored;
mod inside;
mod processes;
pub(crate) mod status;

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::workspace::{Losses, LostFiles};
use sha2::{Digest as _, Sha256};

use crate::{Git, GitError, GitResult, Repository, Stop};

pub(crate) use commits::Kept;
use inside::Around;
pub use processes::{Working, working};
pub(crate) use status::path_of;
use status::{Entry, Status};

/// How many of what is lost are told by name.
const TOLD: usize = 50;

/// A workspace as its record has it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its id, which becomes part of a ref and of a directory's name.
    pub id: String,
    /// How it was made.
    pub kind: WorkspaceKind,
    /// Where it is.
    pub path: PathBuf,
    /// Where workspaces are made. Nothing outside is ever removed.
    pub root: PathBuf,
    /// The project's own directory, which ignored files were copied from.
    pub main: Option<PathBuf>,
    /// Of a worktree: the git directory that it shares with its repository.
    pub common_dir: Option<PathBuf>,
    /// The bare repository that a clone was made from.
    pub cache: Option<PathBuf>,
    /// The first commit of a scratch repository, which Belfry made.
    pub first_commit: Option<String>,
    /// The branch that it was made with.
    pub branch: Option<String>,
    /// That branch was made for it.
    pub made_branch: bool,
}

impl Subject {
    /// Everything that git knows of it lies inside, and goes with it.
    pub(crate) fn whole_repository(&self) -> bool {
        self.kind != WorkspaceKind::Worktree
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// For the person.
    pub losses: Losses,
    /// Ignored directories that tools make anew, such as `node_modules`; they are counted in the losses too.
    pub caches: Vec<PathBuf>,
    /// Programs that work in it.
    pub working: Vec<Working>,
    /// Why git cannot read it, where that is so.
    pub unreadable: Option<String>,
    pub(crate) status: Status,
    pub(crate) kept: Kept,
    pub(crate) uncommitted: Vec<PathBuf>,
    /// Whether git's own part of it, apart from files, has something that nobody else has.
    pub(crate) in_git: bool,
    /// Repositories inside, which are never taken apart.
    pub(crate) nested: Vec<PathBuf>,
    only_caches: bool,
}

impl Found {
    /// Whether nothing but what tools make anew would be lost.
    pub fn nothing_but_caches(&self) -> bool {
        self.losses.nothing() || (self.only_caches && self.losses_besides_ignored() == 0)
    }

    fn losses_besides_ignored(&self) -> usize {
        let losses = &self.losses;
        let files = losses.uncommitted.count + losses.untracked.count + losses.unpushed_count;
        files as usize
            + losses.stashes.len()
            + losses.repositories.len()
            + usize::from(losses.operation.is_some())
    }
}

/// Looks at a workspace where it is.
///
/// # Errors
/// Where it was stopped. A repository that git cannot read is no error: see [`Found::unreadable`].
pub fn losses(git: &Git, subject: &Subject, stop: &Stop) -> GitResult<Found> {
    let mut found = losses_at(git, subject, &subject.path, stop)?;
    found.working = working(&subject.path);
    found.losses.processes = found.working.iter().map(ToString::to_string).collect();
    Ok(found)
}

/// The same of one that was moved aside, without looking for programs.
pub(crate) fn losses_at(git: &Git, subject: &Subject, at: &Path, stop: &Stop) -> GitResult<Found> {
    let around = inside::around(at, stop)?;
    let mut found = match in_git(git, subject, at, &around, stop) {
        Ok(found) => found,
        Err(GitError::Stopped) => return Err(GitError::Stopped),
        Err(error) => unreadable(&around, &error.to_string()),
    };
    found.losses.path = subject.path.to_string_lossy().into_owned();
    found.losses.refused.clone_from(&around.refused);
    Ok(found)
}

fn in_git(git: &Git, subject: &Subject, at: &Path, around: &Around, stop: &Stop) -> GitResult<Found> {
    let repository = Repository::at(at).ok_or_else(|| no_repository(at))?;
    let status = status::status(git, at, stop)?;
    let hidden = hidden::changed(git, at, &status, stop)?;
    let kept = commits::kept(git, subject, at, &repository, stop)?;
    let mut found = Found::default();
    let mut print = Print::new(at);
    print.add(b"status", &status.raw);
    print.add(b"head", kept.head.as_deref().unwrap_or("none").as_bytes());
    print.add(b"branch", kept.branch.as_deref().unwrap_or("none").as_bytes());

    for entry in &status.changed {
        if entry.dirty_submodule() {
            found.losses.repositories.push(format!("{} (submodule)", entry.path.display()));
        }
        if entry.staged() || !entry.submodule {
            found.uncommitted.push(entry.path.clone());
        }
    }
    found.uncommitted.extend(hidden);
    for path in &found.uncommitted {
        count(&mut found.losses.uncommitted, at, path);
        print.file(path);
    }
    for path in &status.untracked {
        let whole = path.as_os_str().to_string_lossy().ends_with('/');
        if !whole {
            count(&mut found.losses.untracked, at, path);
            print.file(path);
        }
    }
    for path in &around.unreadable {
        tell(&mut found.losses.untracked, 1, 0, format!("{} (cannot be read)", path.display()));
    }
    if around.cut {
        let said = format!("more than {} files, not all of which were looked at", around.files);
        tell(&mut found.losses.untracked, 1, 0, said);
    }
    let mut ignored = ignored::lost(subject, at, &status, stop)?;
    for (path, (files, bytes, newest)) in &ignored.lost {
        tell(&mut found.losses.ignored, *files, *bytes, path.display().to_string());
        print.add(path.as_os_str().as_encoded_bytes(), format!("{files} {bytes} {newest:?}").as_bytes());
    }
    if around.cut {
        // A repository may lie in one, and was not seen.
        ignored.caches.clear();
    }
    found.only_caches = ignored.lost.iter().all(|(path, _)| ignored.caches.contains(path));
    found.caches = ignored.caches;

    if subject.whole_repository() {
        for (path, bytes) in inside::own_hooks(&repository.git_dir, subject.cache.as_deref()) {
            found.only_caches = false;
            tell(&mut found.losses.ignored, 1, bytes, path.clone());
            print.add(path.as_bytes(), &bytes.to_le_bytes());
        }
    }
    for nested in &around.repositories {
        found.losses.repositories.push(nested.path.display().to_string());
        found.nested.push(nested.path.clone());
        print.add(nested.path.as_os_str().as_encoded_bytes(), nested.sum.as_bytes());
    }
    for path in &status.submodules {
        if at.join(path).join(".git").exists() {
            let work = commits::submodule_work(git, &at.join(path), stop);
            let known = found.losses.repositories.iter().any(|one| one.starts_with(&*path.to_string_lossy()));
            if work && !known {
                found.losses.repositories.push(format!("{} (submodule)", path.display()));
            }
            if work || known {
                found.nested.push(path.clone());
                print.add(path.as_os_str().as_encoded_bytes(), inside::sum(&at.join(path), stop)?.as_bytes());
            }
        }
    }
    found.losses.unpushed.clone_from(&kept.unpushed);
    found.losses.unpushed_count = kept.unpushed_count;
    found.losses.stashes = kept.stashes.iter().map(|(_, said)| said.clone()).collect();
    found.losses.operation = operation(&repository.git_dir);
    found.in_git = kept.unpushed_count > 0
        || !kept.stashes.is_empty()
        || found.losses.operation.is_some()
        || status.changed.iter().any(Entry::staged);
    for oid in kept.tips.iter().chain(kept.stashes.iter().map(|(oid, _)| oid)) {
        print.add(b"commit", oid.as_bytes());
    }
    print.add(b"operation", found.losses.operation.as_deref().unwrap_or("none").as_bytes());
    found.losses.fingerprint = print.end();
    found.status = status;
    found.kept = kept;
    Ok(found)
}

fn no_repository(at: &Path) -> GitError {
    let said = format!("{} is no git repository any more", at.display());
    GitError::Failed { what: "git".to_owned(), code: None, said }
}

/// Everything counts where git says nothing.
fn unreadable(around: &Around, why: &str) -> Found {
    let mut found = Found { unreadable: Some(why.to_owned()), ..Found::default() };
    found.losses.untracked.count = u32::try_from(around.files).unwrap_or(u32::MAX).max(1);
    found.losses.untracked.bytes = around.bytes;
    found.losses.untracked.first = vec!["everything in it".to_owned()];
    for nested in &around.repositories {
        found.losses.repositories.push(nested.path.display().to_string());
    }
    let mut print = Sha256::new();
    print.update(format!("{} {} {:?}", around.files, around.bytes, around.newest));
    found.losses.fingerprint = hex(&print.finalize());
    found
}

/// A rebase, merge or such that stands in the middle.
fn operation(git_dir: &Path) -> Option<String> {
    let has = |name: &str| git_dir.join(name).symlink_metadata().is_ok();
    let said = if has("rebase-merge") || has("rebase-apply/rebasing") {
        "a rebase"
    } else if has("rebase-apply") {
        "patches being applied"
    } else if has("MERGE_HEAD") {
        "a merge"
    } else if has("CHERRY_PICK_HEAD") {
        "a cherry-pick"
    } else if has("REVERT_HEAD") {
        "a revert"
    } else if has("sequencer") {
        "a series of commits being picked"
    } else if has("BISECT_LOG") {
        "a bisect"
    } else {
        return None;
    };
    Some(format!("{said} in the middle"))
}

fn tell(files: &mut LostFiles, count: u32, bytes: u64, said: String) {
    files.count = files.count.saturating_add(count);
    files.bytes = files.bytes.saturating_add(bytes);
    if files.first.len() < TOLD {
        files.first.push(said);
    }
}

fn count(files: &mut LostFiles, at: &Path, path: &Path) {
    let bytes = at.join(path).symlink_metadata().map_or(0, |file| file.len());
    tell(files, 1, bytes, path.display().to_string());
}

/// A hash over all that was found.
struct Print<'a> {
    at: &'a Path,
    hash: Sha256,
}

impl<'a> Print<'a> {
    fn new(at: &'a Path) -> Self {
        Self { at, hash: Sha256::new() }
    }

    fn add(&mut self, name: &[u8], value: &[u8]) {
        for part in [name, value] {
            self.hash.update((part.len() as u64).to_le_bytes());
            self.hash.update(part);
        }
    }

    /// A file by its dates: reading gigabytes to show a number would take too long. A change sets the inode's own time, which
    /// no program can set back.
    fn file(&mut self, path: &Path) {
        let stamp = self.at.join(path).symlink_metadata().map(|file| {
            format!("{} {} {} {}.{}", file.len(), file.mode(), file.ino(), file.ctime(), file.ctime_nsec())
        });
        self.add(path.as_os_str().as_encoded_bytes(), stamp.unwrap_or_default().as_bytes());
    }

    fn end(self) -> String {
        hex(&self.hash.finalize())
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
