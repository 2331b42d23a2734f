//! Which worktrees a repository has, what lies where workspaces are made, and what it takes on disk.

mod disk;

use std::path::{Path, PathBuf};

use crate::losses::path_of;
use crate::{Git, GitResult};

pub use disk::disk_use;

/// A worktree as git lists it. The first of a list is the main checkout, or the bare repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedWorktree {
    /// Where it is.
    pub path: PathBuf,
    /// The branch that it is on; none where its head is detached.
    pub branch: Option<String>,
    /// The commit that is checked out.
    pub head: Option<String>,
    /// It is a bare repository.
    pub bare: bool,
    /// Why it is locked; empty where nobody said why.
    pub locked: Option<String>,
    /// Why `git worktree prune` would forget it.
    pub prunable: Option<String>,
}

/// A repository's worktrees, by one git process. `at` is any directory of it.
pub fn worktrees(git: &Git, at: &Path) -> GitResult<Vec<ListedWorktree>> {
    let out = git.read(at).args(["worktree", "list", "--porcelain", "-z"]).output()?;
    let mut listed: Vec<ListedWorktree> = Vec::new();
    for line in out.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let (word, value) = match line.iter().position(|byte| *byte == b' ') {
            Some(space) => (&line[..space], &line[space + 1..]),
            None => (line, &[][..]),
        };
        let text = || String::from_utf8_lossy(value).into_owned();
        if word == b"worktree" {
            listed.push(ListedWorktree { path: path_of(value), ..ListedWorktree::default() });
            continue;
        }
        let Some(last) = listed.last_mut() else { continue };
        match word {
            b"HEAD" => last.head = Some(text()),
            b"branch" => last.branch = Some(text().trim_start_matches("refs/heads/").to_owned()),
            b"bare" => last.bare = true,
            b"locked" => last.locked = Some(text()),
            b"prunable" => last.prunable = Some(text()),
            _ => {}
        }
    }
    Ok(listed)
}

/// Directories that lie where workspaces are made, `<root>/<repository>/<name>`, and are none of the known ones: what a crash or
/// a lost database left.
pub fn strays(root: &Path, known: &[PathBuf]) -> Vec<PathBuf> {
    let dirs = |at: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(at).into_iter().flatten().flatten();
        let plain = entries.filter(|entry| {
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            !hidden && entry.file_type().is_ok_and(|kind| kind.is_dir())
        });
        plain.map(|entry| entry.path()).collect()
    };
    let mut found: Vec<PathBuf> = dirs(root).iter().flat_map(|dir| dirs(dir)).collect();
    let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let known: Vec<PathBuf> = known.iter().map(real).collect();
    found.retain(|path| !known.contains(&real(path)));
    found.sort();
    found
}
