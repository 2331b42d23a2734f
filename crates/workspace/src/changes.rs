//! What a working tree has that its base has not: counts, files and commits.
//!
//! A look takes two git processes: `status` for what git does not know yet and what is staged, and one `diff` against the merge
//! base for the lines. Where the branch or its base has moved since the last look a third counts the commits between them.

mod ends;
mod error;
mod listing;
mod log;
mod operation;
mod refs;
mod status;
mod untracked;

use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use belfry_protocol::changes::{ChangeCounts, ChangeKind, ChangedFile, Staged};

use crate::git::{Git, GitCommand, GitResult};
use crate::repository::Repository;

pub use ends::Ends;
pub use error::{ChangeError, ChangeResult};
pub use refs::{Base, Head};

pub(crate) use listing::{Listed, list};
pub(crate) use refs::is_id;
pub(crate) use status::{Standing, Status};

/// Files that are told one by one; more are only counted.
pub const MOST_FILES: usize = 5000;

/// Settings under which git's answers have one form, whatever the person has set.
pub(crate) const PLAIN: [&str; 12] = [
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--inter-hunk-context=0",
    "--submodule=short",
    "--find-renames",
    "-l1000",
    "--no-abbrev",
    "--full-index",
];

/// A working tree of a repository, and the git to look at it and to change it with.
#[derive(Clone, Debug)]
pub struct Checkout {
    pub(crate) git: Git,
    repository: Repository,
    common: PathBuf,
}

/// What a look has found.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// In all.
    pub counts: ChangeCounts,
    /// Where the head is.
    pub head: Head,
    /// What was compared with; none: the newest commit.
    pub base: Option<Base>,
    /// The files, in the order of their paths; at most [`MOST_FILES`].
    pub files: Vec<ChangedFile>,
    /// There are more.
    pub more: bool,
    /// For the next look.
    pub ends: Option<Ends>,
}

impl Checkout {
    /// The working tree that holds a directory, which must be absolute.
    pub fn containing(directory: &Path, git: Git) -> Option<Self> {
        Repository::containing(directory).map(|repository| Self::of(repository, git))
    }

    /// That working tree.
    pub fn of(repository: Repository, git: Git) -> Self {
        let common = refs::common(&repository.git_dir);
        Self { git, repository, common }
    }

    /// The same with another git: the person's environment, where their hooks, keys and credentials are needed.
    #[must_use]
    pub fn with(&self, git: Git) -> Self {
        Self { git, ..self.clone() }
    }

    /// The top of the working tree.
    pub fn root(&self) -> &Path {
        &self.repository.root
    }

    /// This working tree's own git directory.
    pub fn git_dir(&self) -> &Path {
        &self.repository.git_dir
    }

    /// The git directory that all working trees of the repository share: the same one means the same repository.
    pub fn common_dir(&self) -> &Path {
        &self.common
    }

    pub(crate) fn read(&self) -> GitCommand {
        self.git.read(self.root()).arg("--literal-pathspecs")
    }

    pub(crate) fn write(&self) -> GitCommand {
        self.git.write(self.root()).arg("--literal-pathspecs")
    }

    /// Looks at everything. `base` is the name of what to compare with, where it is known.
    pub fn look(&self, base: Option<&str>, known: Option<&Ends>) -> GitResult<Look> {
        let base = self.base(base)?;
        let ends = base.as_ref().map(|base| self.ends(base, known)).transpose()?;
        let status = self.status(&[])?;
        let from = match &ends {
            Some(ends) => ends.from.clone(),
            None => self.head_or_empty(&status.head),
        };
        let listed = list(self.read(), &[from.as_str(), "--"])?;
        let mut look = self.gathered(&listed, &status, true);
        if let Some(ends) = &ends {
            (look.counts.ahead, look.counts.behind) = (ends.ahead, ends.behind);
        }
        Ok(Look { head: status.head, base, ends, ..look })
    }

    /// Looks only at how far the branch and its base are apart, where nothing else has changed since `counts` were found. None
    /// where that changes more.
    pub fn look_at_ends(
        &self,
        base: Option<&str>,
        known: &Ends,
        counts: ChangeCounts,
    ) -> GitResult<Option<Look>> {
        let Some(base) = self.base(base)? else { return Ok(None) };
        let ends = self.ends(&base, Some(known))?;
        if ends.from != known.from || ends.head != known.head {
            return Ok(None);
        }
        let counts = ChangeCounts { ahead: ends.ahead, behind: ends.behind, ..counts };
        Ok(Some(Look { counts, base: Some(base), ends: Some(ends), ..Look::default() }))
    }

    /// The directories that the newest commit has, relative to the top; none where there is no commit.
    pub fn directories(&self) -> GitResult<Vec<PathBuf>> {
        let Some(head) = self.head_commit().map_or_else(|| self.commit_of("HEAD"), |head| Ok(Some(head)))?
        else {
            return Ok(Vec::new());
        };
        let names =
            self.read().args(["ls-tree", "-r", "-d", "-z", "--name-only", "--full-tree", &head]).output()?;
        let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| PathBuf::from(std::ffi::OsStr::from_bytes(name))).collect())
    }

    /// The commit of a ref of that whole name, as far as git's files tell: no process is started.
    pub fn commit_by_files(&self, name: &str) -> Option<String> {
        self.resolve(name)
    }

    /// One list of what is committed or known to git and of what it does not know.
    pub(crate) fn gathered(&self, listed: &[Listed], status: &Status, with_files: bool) -> Look {
        let mut look = Look::default();
        let mut seen: HashSet<&[u8]> = HashSet::new();
        let mut files: Vec<(&[u8], ChangedFile)> = Vec::new();
        let mut as_base = 0;
        for one in listed {
            // What is not settled is listed a second time, as it lies there.
            if !seen.insert(&one.path) {
                continue;
            }
            files.push((&one.path, one.file(status.of(&one.path))));
        }
        let moved: HashSet<&[u8]> = listed.iter().filter_map(|one| one.old_path.as_deref()).collect();
        if with_files {
            let mut counter = untracked::Counter::default();
            for (path, standing) in status.entries() {
                // Where a file was moved from there is nothing, or a new one.
                let left = moved.contains(path) && standing != Standing::Untracked;
                if left || !seen.insert(path) {
                    continue;
                }
                let (kind, added) = match standing {
                    Standing::Untracked => (ChangeKind::Untracked, counter.lines(self.root(), path)),
                    Standing::Conflicted => (ChangeKind::Conflicted, Some(0)),
                    // It is as the base has it, but not as the newest commit has it: to be committed, and no difference.
                    Standing::Known { .. } => {
                        as_base += 1;
                        let there =
                            self.root().join(std::ffi::OsStr::from_bytes(path)).symlink_metadata().is_ok();
                        (if there { ChangeKind::Modified } else { ChangeKind::Deleted }, Some(0))
                    }
                };
                let (path_text, staged) = (shown(path), standing.staged());
                files.push((
                    path,
                    ChangedFile { path: path_text, old_path: None, kind, added, removed: Some(0), staged },
                ));
            }
        }
        files.sort_unstable_by(|a, b| a.0.cmp(b.0));
        for (_, file) in &files {
            look.counts.files += 1;
            look.counts.added = look.counts.added.saturating_add(file.added.unwrap_or(0));
            look.counts.removed = look.counts.removed.saturating_add(file.removed.unwrap_or(0));
            look.counts.conflicted += u32::from(file.kind == ChangeKind::Conflicted);
        }
        look.counts.files -= as_base;
        look.more = files.len() > MOST_FILES;
        look.files = files.into_iter().take(MOST_FILES).map(|(_, file)| file).collect();
        look
    }
}

/// A path as it is shown.
pub(crate) fn shown(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}

impl Standing {
    pub(crate) fn staged(self) -> Staged {
        match self {
            Self::Known { index: true, files: true } => Staged::Part,
            Self::Known { index: true, files: false } => Staged::All,
            Self::Known { .. } | Self::Untracked | Self::Conflicted => Staged::None,
        }
    }
}
