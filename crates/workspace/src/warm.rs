//! Bringing a workspace that was made ahead to where a new session wants it: at once, or not at all.

use std::path::Path;
use std::time::Duration;

use crate::{Git, GitError, GitResult, Repository, names};

/// Most files that are brought to a newer base while somebody waits.
const MOST: usize = 500;
/// How long that may take.
const LIMIT: Duration = Duration::from_secs(2);

/// Files of which a setup script makes something, by the ends of their names: where one of them is another, what was set up
/// before may be out of date.
const SET_UP_FROM: [&str; 20] = [
    ".belfry.toml",
    ".worktreeinclude",
    ".tool-versions",
    ".nvmrc",
    "package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
    "Cargo.lock",
    "requirements.txt",
    "pyproject.toml",
    "poetry.lock",
    "uv.lock",
    "Gemfile.lock",
    "composer.lock",
    "go.sum",
    "flake.lock",
    "Makefile",
];

/// A workspace as it was made ahead.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    /// Its directory.
    pub path: &'a Path,
    /// The branch that it was made with.
    pub branch: &'a str,
    /// What that started from, by name: `origin/main`.
    pub base: Option<&'a str>,
    /// The commit that this was.
    pub commit: &'a str,
    /// A setup script has run in it.
    pub set_up: bool,
}

/// Why it cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// Its directory is gone, or somebody has worked in it.
    #[error("it is not as it was made")]
    Changed,
    /// Its base has moved too far to be followed at once.
    #[error("its base has moved too far")]
    Stale,
    /// The branch that is wanted is there already, or cannot be.
    #[error("the branch that is wanted is there, or has no name that can be")]
    Branch,
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Brings it to the newest commit of its base, as far as this machine knows it. Gives that commit.
pub fn freshen(git: &Git, ahead: &Ahead<'_>) -> Result<String, Unfit> {
    let repository = Repository::at(ahead.path).ok_or(Unfit::Changed)?;
    if repository.branch().as_deref() != Some(ahead.branch) {
        return Err(Unfit::Changed);
    }
    let names = format!("HEAD\n{}\n", ahead.base.unwrap_or("HEAD"));
    let told = git
        .read(ahead.path)
        .args(["cat-file", "--batch-check=%(objecttype) %(objectname)"])
        .input(names.into_bytes())
        .text()?;
    let mut commits = told.lines().map(|line| line.strip_prefix("commit ").map(str::to_owned));
    let (Some(Some(head)), Some(base)) = (commits.next(), commits.next()) else {
        return Err(Unfit::Changed);
    };
    if head != ahead.commit {
        return Err(Unfit::Changed);
    }
    // A base that is gone is none that could have moved.
    let Some(base) = base.filter(|base| *base != head) else { return Ok(head) };
    let changed = git
        .read(ahead.path)
        .args(["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--end-of-options"])
        .args([&head, &base])
        .output()?;
    let changed: Vec<&[u8]> = changed.split(|byte| *byte == 0).filter(|path| !path.is_empty()).collect();
    let sets_up = |path: &&[u8]| SET_UP_FROM.iter().any(|end| path.ends_with(end.as_bytes()));
    if changed.len() > MOST || (ahead.set_up && changed.iter().any(sets_up)) {
        return Err(Unfit::Stale);
    }
    // Refuses by itself where it is no fast-forward, and where it would go over something that is not committed.
    let followed = git
        .write(ahead.path)
        .args(["merge", "--quiet", "--ff-only", "--no-stat", "--end-of-options", &base])
        .limit(LIMIT)
        .run();
    match followed {
        Ok(()) => Ok(base),
        Err(GitError::Failed { .. } | GitError::Late { .. }) => Err(Unfit::Stale),
        Err(error) => Err(error.into()),
    }
}

/// Puts a workspace on a new branch of another name, at the same commit: one that is given and free, else one made of a text.
/// Gives its name; the old branch is still there.
pub fn rename(git: &Git, ahead: &Ahead<'_>, given: Option<&str>, text: &str) -> Result<String, Unfit> {
    let listed = git
        .read(ahead.path)
        .args(["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"])
        .text()?;
    let there = listed.lines().filter_map(|name| {
        let remote = || Some(name.strip_prefix("refs/remotes/")?.split_once('/')?.1);
        name.strip_prefix("refs/heads/").or_else(remote)
    });
    let made;
    let name = if let Some(name) = given {
        names::check(name).map_err(|_| Unfit::Branch)?;
        if names::free(name, there) != name {
            return Err(Unfit::Branch);
        }
        name
    } else {
        let words = names::from_text(text).unwrap_or_else(|| "work".to_owned());
        // Its own name is free for itself.
        made = names::free(&words, there.filter(|name| *name != ahead.branch));
        made.as_str()
    };
    if name == ahead.branch {
        return Ok(name.to_owned());
    }
    let full = format!("refs/heads/{name}");
    // Not `branch --move`, which writes the repository's configuration anew. Refused where it has come meanwhile.
    let none = "0".repeat(ahead.commit.len());
    git.write(ahead.path).args(["update-ref", "--end-of-options", &full, "HEAD", &none]).run()?;
    if let Err(error) = git.write(ahead.path).args(["symbolic-ref", "HEAD", &full]).run() {
        let _ = forget_branch(git, ahead.path, name, None);
        return Err(error.into());
    }
    Ok(name.to_owned())
}

/// Takes away the branch that a workspace was made with, where it is still at that commit.
pub fn forget_branch(git: &Git, at: &Path, branch: &str, commit: Option<&str>) -> GitResult<()> {
    let command =
        git.write(at).args(["update-ref", "-d", "--end-of-options"]).arg(format!("refs/heads/{branch}"));
    match commit {
        Some(commit) => command.arg(commit).run(),
        None => command.run(),
    }
}
