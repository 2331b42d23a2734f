//! Worktrees: a working tree of its own on a branch of its own, with the repository's objects and settings shared.
//!
//! The shared configuration is never written: a branch starts from a commit's id and follows nothing, no extension is switched
//! on, and submodules are given their addresses for one command only.

mod lfs;
pub(crate) mod submodules;

use std::path::Path;
use std::time::Duration;

use crate::base::{self, Ask, Base};
use crate::branch::Branch;
use crate::source::commit;
use crate::{Git, GitError, MakeError, MakeResult, Source, Stop};

/// How long a pull request or a branch that somebody else made may take to come: it can be of any size.
const FETCH: Duration = Duration::from_mins(5);

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// What the branch started from; none of a branch that was there.
    pub base: Option<Base>,
    /// The commit that it is on.
    pub head: String,
    /// What the person should know, in sentences.
    pub notices: Vec<String>,
}

/// What is to be made.
#[derive(Clone, Copy, Debug)]
pub struct Making<'a> {
    /// Which branch.
    pub branch: &'a Branch,
    /// What a new one starts from; none: as the remote says.
    pub base: Option<&'a str>,
    /// Where: a path that is not there yet.
    pub path: &'a Path,
    /// How the remote is asked.
    pub ask: Ask<'a>,
}

/// Makes a worktree. Where that fails, nothing of it is left: no directory, no branch. `step` is told what it is at.
pub fn make(git: &Git, source: &Source, making: Making<'_>, step: &mut dyn FnMut(&str)) -> MakeResult<Made> {
    let made = add(git, source, making, step);
    if made.is_err() {
        undo(git, source, making);
    }
    made
}

fn add(git: &Git, source: &Source, making: Making<'_>, step: &mut dyn FnMut(&str)) -> MakeResult<Made> {
    let Making { branch, path, ask, .. } = making;
    step("fetching");
    let start = start(git, source, making)?;
    step("checking out");
    let mut notices: Vec<String> = start.base.iter().filter_map(|base| base.notice.clone()).collect();
    let added = |git: &Git, settings: &[&str]| {
        let mut command = git.write(source.at());
        for setting in settings {
            command = command.args(["-c", setting]);
        }
        let command = command.args(["worktree", "add", "--quiet", "--no-guess-remote"]);
        let command = match branch {
            Branch::There(_) => command,
            made => command.args(["--no-track", "-b", made.name()]),
        };
        let end = if branch.is_made() { start.commit.as_str() } else { branch.name() };
        command.arg("--end-of-options").arg(path).arg(end).stop(ask.stop).run()
    };
    // As many as there are cores: git's own default is one, also for tens of thousands of files.
    let workers = "checkout.workers=0";
    match added(git, &[workers]) {
        Err(error) if lfs::is_missing(&error) => {
            undo(git, source, making);
            added(git, &[workers, lfs::NO_FILTER[0], lfs::NO_FILTER[1], lfs::NO_FILTER[2]])?;
            notices.push(lfs::POINTERS.to_owned());
        }
        Err(error) => return Err(error.into()),
        Ok(()) => notices.extend(lfs::unfiltered(git, path)),
    }
    let head = commit(git, path, "HEAD")?.ok_or_else(|| MakeError::NoCommit(path.to_owned()))?;
    if path.join(".gitmodules").exists() {
        step("submodules");
        let modules = source.common_dir.join("modules");
        notices.extend(submodules::check_out(git, path, &modules, ask.stop)?);
    }
    Ok(Made { base: start.base, head, notices })
}

/// Where the branch starts.
struct Begin {
    base: Option<Base>,
    commit: String,
}

fn start(git: &Git, source: &Source, Making { branch, base, ask, .. }: Making<'_>) -> MakeResult<Begin> {
    let of_remote = |name: &str, remote: &str| {
        let found = base::of_remote(git, source, (remote, name), ask)?;
        let found = found.ok_or_else(|| MakeError::NoBase(format!("{remote}/{name}")))?;
        Ok::<_, MakeError>(found)
    };
    match branch {
        Branch::New(_) => {
            let base = base::resolve(git, source, base, ask)?;
            Ok(Begin { commit: base.commit.clone(), base: Some(base) })
        }
        Branch::There(name) => {
            let commit = commit(git, source.at(), &format!("refs/heads/{name}"))?;
            let commit = commit.ok_or_else(|| MakeError::NoBase(name.clone()))?;
            // What it is compared with; it started from wherever it did.
            let known = Ask { limit: None, stop: ask.stop };
            let base = base::resolve(git, source, base, known).ok();
            Ok(Begin { base, commit })
        }
        Branch::Remote { name, remote } => {
            let found = of_remote(name, remote)?;
            let base = base::resolve(git, source, base, Ask { limit: None, stop: ask.stop }).ok();
            let base = base.map(|base| Base { notice: found.notice.clone(), ..base });
            Ok(Begin { base, commit: found.commit })
        }
        Branch::Pull { remote, number, .. } => {
            let commit = pull(git, source, remote, *number, ask.stop)?;
            let base = base::resolve(git, source, base, ask).ok();
            Ok(Begin { base, commit })
        }
    }
}

/// Fetches a pull request, by GitHub's (and Gitea's) name for it and else by GitLab's. Gives its commit.
pub(crate) fn pull(git: &Git, source: &Source, remote: &str, number: u64, stop: &Stop) -> MakeResult<String> {
    let here = format!("refs/belfry/pull/{number}");
    let mut refused = None;
    for there in [format!("refs/pull/{number}/head"), format!("refs/merge-requests/{number}/head")] {
        match base::fetch(git, source, (remote, &format!("+{there}:{here}")), FETCH, stop) {
            Ok(()) => {
                let found = commit(git, source.at(), &here)?;
                return found.ok_or_else(|| MakeError::NoPull { remote: remote.to_owned(), number });
            }
            Err(GitError::Stopped) => return Err(MakeError::Stopped),
            Err(error) => refused = Some(error),
        }
    }
    let no_such =
        |error: &GitError| error.said().is_some_and(|said| said.contains("couldn't find remote ref"));
    match refused {
        Some(error) if !no_such(&error) => {
            Err(MakeError::Unreachable { remote: remote.to_owned(), why: crate::source::last_words(&error) })
        }
        _ => Err(MakeError::NoPull { remote: remote.to_owned(), number }),
    }
}

/// Takes away what is there of one that could not be made. Nobody has worked in it.
fn undo(git: &Git, source: &Source, Making { branch, path, .. }: Making<'_>) {
    if std::fs::symlink_metadata(path).is_ok() {
        let removed = git
            .write(&source.main)
            .args(["worktree", "remove", "--force", "--end-of-options"])
            .arg(path)
            .run();
        if removed.is_err() {
            let _ = std::fs::remove_dir_all(path);
        }
    }
    if branch.is_made() {
        forget_branch(git, source, branch.name());
    }
}

/// Deletes a branch that was just made, unless it is checked out or somebody has gone on with it.
fn forget_branch(git: &Git, source: &Source, name: &str) {
    let checked_out = crate::source::trees(git, &source.main)
        .map_or(true, |trees| trees.iter().any(|tree| tree.branch.as_deref() == Some(name)));
    if !checked_out {
        let _ = git.write(&source.main).args(["update-ref", "-d"]).arg(format!("refs/heads/{name}")).run();
    }
}
