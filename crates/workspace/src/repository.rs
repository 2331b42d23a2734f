//! Which repository a directory is in.

use std::path::{Path, PathBuf};

use crate::read::small_text;

/// A git repository's working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The top of the working tree.
    pub root: PathBuf,
    /// This working tree's own git directory: `.git`, or one inside another repository's for a worktree or submodule.
    pub git_dir: PathBuf,
}

impl Repository {
    /// The repository whose working tree holds the directory, which must be absolute. A `.git` counts where it leads to a
    /// directory with a `HEAD`.
    pub fn containing(directory: &Path) -> Option<Self> {
        directory.ancestors().find_map(Self::at)
    }

    /// The repository whose working tree's top is the directory.
    pub fn at(directory: &Path) -> Option<Self> {
        let dot_git = directory.join(".git");
        let git_dir = if dot_git.is_dir() {
            dot_git
        } else {
            let text = small_text(&dot_git)?;
            let path = text.strip_prefix("gitdir:")?.trim_end_matches(['\n', '\r']).trim_start();
            directory.join(path)
        };
        small_text(&git_dir.join("HEAD"))?;
        Some(Self { root: directory.to_owned(), git_dir })
    }

    /// The branch, or the first ten digits of the commit where none is checked out. Control characters, which git allows in
    /// no name but a hostile file can hold, make it none.
    pub fn branch(&self) -> Option<String> {
        let head = small_text(&self.git_dir.join("HEAD"))?;
        let head = head.trim_end_matches(['\n', '\r']);
        let name = match head.strip_prefix("ref:") {
            Some(name) => name.trim_start().strip_prefix("refs/heads/")?,
            None => head.get(..10).filter(|_| head.bytes().all(|b| b.is_ascii_hexdigit()))?,
        };
        // With the reftable format HEAD holds a stub, and the truth is in a file that only git reads.
        let plain = !name.is_empty() && name != ".invalid" && !name.chars().any(char::is_control);
        plain.then(|| name.chars().take(250).collect())
    }

    /// It is a linked worktree, or a submodule: its git directory lies in another repository's.
    pub fn linked(&self) -> bool {
        self.git_dir != self.root.join(".git")
    }
}
