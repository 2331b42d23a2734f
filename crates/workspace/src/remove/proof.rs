//! Proof that a directory is a workspace of ours, before anything is done to it.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use belfry_protocol::session::WorkspaceKind;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat};

use super::{ASIDE, Outcome, RemoveError, Tried as _, git_part};
use crate::losses::Subject;
use crate::read::small_text;
use crate::{Git, Repository};

/// The file in a clone's or scratch repository's git directory that holds the workspace's id.
pub const MARKER: &str = "belfry-workspace";

/// Writes that file into a repository that was just made for a workspace.
///
/// # Errors
/// Those of the file system.
pub fn mark(git_dir: &Path, id: &str) -> std::io::Result<()> {
    std::fs::write(git_dir.join(MARKER), format!("{id}\n"))
}

/// A directory that may be moved, held by its parent: what lies at its path later is another question.
pub(crate) struct Proven {
    pub(crate) root: OwnedFd,
    pub(crate) parent: OwnedFd,
    pub(crate) parent_path: PathBuf,
    pub(crate) name: OsString,
    pub(crate) device: u64,
    pub(crate) inode: u64,
    /// None where git's own part is gone, and it is files alone.
    pub(crate) git_dir: Option<PathBuf>,
    /// Of a worktree: git's own part of it.
    pub(crate) admin: Option<PathBuf>,
}

fn refuse<T>(why: impl Into<String>) -> Outcome<T> {
    Err(RemoveError::Refused(why.into()))
}

pub(crate) fn prove(git: &Git, subject: &Subject) -> Outcome<Proven> {
    let path = &subject.path;
    let cannot = || format!("{} cannot be looked at", path.display());
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return refuse(format!("{} is no workspace", path.display()));
    };
    if !path.is_absolute() || path.components().any(|part| part == Component::ParentDir) {
        return refuse(format!("{} is no plain absolute path", path.display()));
    }
    let real_root = subject.root.canonicalize().tried(cannot)?;
    let parent_path = parent.canonicalize().tried(cannot)?;
    let Ok(below) = parent_path.strip_prefix(&real_root) else {
        return refuse(format!("{} does not lie where Belfry makes workspaces", path.display()));
    };
    if below.starts_with(ASIDE) || (below.as_os_str().is_empty() && name == ASIDE) {
        return refuse("it was removed already");
    }
    // From here on by descriptors, each opened without following a link.
    let directory = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    let root = rustix::fs::open(&real_root, directory, Mode::empty()).tried(cannot)?;
    let mut held = rustix::io::dup(&root).tried(cannot)?;
    for part in below.components() {
        held = openat(&held, part.as_os_str(), directory, Mode::empty()).tried(cannot)?;
    }
    let stat = statat(&held, name, AtFlags::SYMLINK_NOFOLLOW).tried(cannot)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => {}
        FileType::Symlink => return refuse("there is a link in its place, and what it leads to is not ours"),
        _ => return refuse("it is no directory"),
    }
    let on = rustix::fs::fstat(&root).tried(cannot)?;
    if on.st_dev != stat.st_dev {
        return refuse("it lies on another file system than the other workspaces");
    }
    let mut proven = Proven {
        root,
        parent: held,
        name: name.to_owned(),
        device: stat.st_dev,
        inode: stat.st_ino,
        git_dir: None,
        admin: None,
        parent_path,
    };
    let real = proven.parent_path.join(name);
    match subject.kind {
        WorkspaceKind::Worktree => worktree(git, subject, &real, &mut proven)?,
        WorkspaceKind::Clone | WorkspaceKind::Scratch => whole(subject, &real, &mut proven)?,
        WorkspaceKind::Directory => {
            return refuse("it is the project's own directory, which Belfry never removes");
        }
    }
    Ok(proven)
}

fn worktree(git: &Git, subject: &Subject, real: &Path, proven: &mut Proven) -> Outcome<()> {
    let Some(common) = &subject.common_dir else {
        return refuse("it is not known whose worktree it is");
    };
    if real.join(".git").symlink_metadata().is_ok_and(|dot_git| dot_git.is_dir()) {
        return refuse("it is a repository's main checkout, and no worktree");
    }
    let Ok(common) = common.canonicalize() else {
        // Its repository is gone. What is left is files.
        return Ok(());
    };
    let listed = crate::listed::worktrees(git, &common)?;
    let is_it = |path: &Path| path == real || path.canonicalize().is_ok_and(|path| path == *real);
    let Some(place) = listed.iter().position(|one| is_it(&one.path)) else {
        return refuse(format!("git does not list it as a worktree of {}", common.display()));
    };
    if place == 0 {
        return refuse("it is a repository's main checkout");
    }
    let Some(repository) = Repository::at(real) else {
        return refuse("its `.git` leads nowhere; `git worktree repair` may mend it");
    };
    let admin =
        repository.git_dir.canonicalize().tried(|| "git's part of it cannot be looked at".to_owned())?;
    if admin.parent() != Some(common.join("worktrees").as_path()) {
        return refuse("it belongs to another repository than it was made from");
    }
    let leads = small_text(&admin.join("gitdir")).map(|text| admin.join(text.trim_end_matches('\n')));
    if !leads.is_some_and(|to| to.canonicalize().is_ok_and(|to| to == real.join(".git"))) {
        return refuse("git's part of it leads to another place");
    }
    if let Some(why) = small_text(&admin.join("locked"))
        && !git_part::is_our_lock(&why, &subject.id)
    {
        let why = why.trim();
        return refuse(if why.is_empty() {
            "it is locked (`git worktree unlock` unlocks it)".to_owned()
        } else {
            format!("it is locked: {why} (`git worktree unlock` unlocks it)")
        });
    }
    proven.git_dir = Some(admin.clone());
    proven.admin = Some(admin);
    Ok(())
}

fn whole(subject: &Subject, real: &Path, proven: &mut Proven) -> Outcome<()> {
    let git_dir = real.join(".git");
    match git_dir.symlink_metadata() {
        Ok(data) if data.is_dir() => {}
        Ok(_) => return refuse("its `.git` leads to another place"),
        // Its repository is gone, and what is left is files.
        Err(_) => return Ok(()),
    }
    match small_text(&git_dir.join(MARKER)) {
        Some(id) if id.trim() == subject.id => {}
        Some(_) => return refuse("the repository in it is another workspace's"),
        None => return refuse("the repository in it is not the one that Belfry made there"),
    }
    if small_text(&git_dir.join("HEAD")).is_some() {
        proven.git_dir = Some(git_dir);
    }
    Ok(())
}
