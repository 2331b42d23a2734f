//! Refs, read from git's own files: a look at them costs no process.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::Checkout;
use crate::git::{GitError, GitResult};
use crate::read::small_text;

/// Largest `packed-refs` that is read, in bytes: some 150,000 refs.
const LARGEST: u64 = 16 << 20;
/// Refs that point to refs.
const DEEPEST: usize = 5;

/// Where a working tree's head is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The branch; none where the head is detached.
    pub branch: Option<String>,
    /// Its commit; none where there is none yet.
    pub commit: Option<String>,
}

/// What a branch is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// By its name: `origin/main`.
    pub name: String,
    /// By its whole name, where it is a branch: `refs/remotes/origin/main`.
    pub full: Option<String>,
    /// Its commit.
    pub commit: String,
}

/// The directory that all working trees of a repository share.
pub(super) fn common(git_dir: &Path) -> PathBuf {
    let other = small_text(&git_dir.join("commondir"));
    let common = match other.as_deref().map(str::trim_end) {
        Some(path) if !path.is_empty() => git_dir.join(path),
        _ => git_dir.to_owned(),
    };
    common.canonicalize().unwrap_or(common)
}

/// Whether it is a whole or shortened commit id.
pub(crate) fn is_id(text: &str) -> bool {
    (4..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_whole_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && is_id(text)
}

impl Checkout {
    /// The commit that a ref of that whole name points to, as far as files tell.
    pub(crate) fn resolve(&self, name: &str) -> Option<String> {
        let mut name = name.to_owned();
        for _ in 0..DEEPEST {
            if name.split('/').any(|part| part == ".." || part.is_empty()) {
                return None;
            }
            let own = !name.starts_with("refs/") || name.starts_with("refs/worktree/");
            let dir = if own { self.git_dir() } else { self.common_dir() };
            let Some(text) = small_text(&dir.join(&name)) else { return self.packed(&name) };
            let text = text.trim_end();
            match text.strip_prefix("ref:") {
                Some(next) => next.trim_start().clone_into(&mut name),
                None => return is_whole_id(text).then(|| text.to_owned()),
            }
        }
        None
    }

    fn packed(&self, name: &str) -> Option<String> {
        let mut text = Vec::new();
        File::open(self.common_dir().join("packed-refs")).ok()?.take(LARGEST).read_to_end(&mut text).ok()?;
        text.split(|byte| *byte == b'\n').find_map(|line| {
            let line = std::str::from_utf8(line).ok()?;
            let (id, of) = line.split_once(' ')?;
            (of == name && is_whole_id(id)).then(|| id.to_owned())
        })
    }

    /// The head's commit, as far as files tell.
    pub(crate) fn head_commit(&self) -> Option<String> {
        self.resolve("HEAD")
    }

    /// The newest commit, or what stands for nothing where there is none yet.
    pub(crate) fn head_or_empty(&self, head: &Head) -> String {
        head.commit.clone().unwrap_or_else(|| self.empty_tree())
    }

    /// The id of a tree with nothing in it, which git knows without having it.
    pub(crate) fn empty_tree(&self) -> String {
        let config = small_text(&self.common_dir().join("config")).unwrap_or_default().to_lowercase();
        let sha256 = config
            .lines()
            .any(|line| line.trim_start().starts_with("objectformat") && line.contains("sha256"));
        if sha256 {
            "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321".to_owned()
        } else {
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904".to_owned()
        }
    }

    /// What the branch is compared with: what was asked for, else the remote's default branch, else the upstream; none: the newest
    /// commit. A name that leads nowhere any more counts as none.
    pub fn base(&self, wanted: Option<&str>) -> GitResult<Option<Base>> {
        if let Some(name) = wanted
            && let Some(base) = self.named(name)?
        {
            return Ok(Some(base));
        }
        let remotes = self.remotes_with_refs();
        let first = remotes.iter().find(|remote| *remote == "origin").or(remotes.first());
        let Some(remote) = first else { return Ok(None) };
        let head = self.common_dir().join("refs/remotes").join(remote).join("HEAD");
        let default = small_text(&head)
            .and_then(|text| Some(text.trim_end().strip_prefix("ref:")?.trim_start().to_owned()));
        let tried = default
            .into_iter()
            .chain(["main", "master"].iter().map(|name| format!("refs/remotes/{remote}/{name}")));
        for full in tried {
            if let (Some(commit), Some(name)) = (self.resolve(&full), full.strip_prefix("refs/remotes/")) {
                return Ok(Some(Base { name: name.to_owned(), commit, full: Some(full) }));
            }
        }
        let upstream = self.read().args(["rev-parse", "--verify", "--quiet", "--symbolic-full-name"]);
        match upstream.arg("@{upstream}").text() {
            Ok(full) => {
                let name = full.strip_prefix("refs/remotes/").or(full.strip_prefix("refs/heads/"));
                match name {
                    Some(name) => self.named(name),
                    None => Ok(None),
                }
            }
            Err(GitError::Failed { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn named(&self, name: &str) -> GitResult<Option<Base>> {
        if name.starts_with('-') || name.is_empty() || name.chars().any(char::is_control) {
            return Ok(None);
        }
        for place in ["refs/remotes/", "refs/heads/"] {
            let full = format!("{place}{name}");
            if let Some(commit) = self.resolve(&full) {
                return Ok(Some(Base { name: name.to_owned(), commit, full: Some(full) }));
            }
        }
        let commit = self.commit_of(name)?;
        Ok(commit.map(|commit| Base { name: name.to_owned(), commit, full: None }))
    }

    /// The commit that any way to name one leads to.
    pub(crate) fn commit_of(&self, name: &str) -> GitResult<Option<String>> {
        let command = self.read().args(["rev-parse", "--verify", "--quiet", "--end-of-options"]);
        match command.arg(format!("{name}^{{commit}}")).text() {
            Ok(commit) => Ok(Some(commit).filter(|commit| is_whole_id(commit))),
            Err(GitError::Failed { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Remotes whose branches were fetched.
    pub(crate) fn remotes_with_refs(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let loose = std::fs::read_dir(self.common_dir().join("refs/remotes"));
        for entry in loose.into_iter().flatten().flatten() {
            names.extend(entry.file_name().into_string());
        }
        if names.is_empty() {
            let mut text = String::new();
            let packed = File::open(self.common_dir().join("packed-refs"));
            let _ = packed.map(|file| file.take(LARGEST).read_to_string(&mut text));
            let of = |line: &str| Some(line.split_once(" refs/remotes/")?.1.split_once('/')?.0.to_owned());
            names.extend(text.lines().filter_map(of));
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}
