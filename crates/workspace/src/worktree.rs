//! Worktrees: a working tree of its own on a branch of its own, with the repository's objects and settings shared.
//!
//! The shared configuration is never written: a branch starts from a commit's id and follows nothing, no extension is switched
//! on, and submodules are given their addresses for one command only.

pub(crate) mod lfs;
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
    add(git, source, making, step).map_err(|failed| match failed {
        Failed::Before(error) => error,
        Failed::Within(error) => {
            undo(git, source, making);
            error
        }
    })
}

/// When it failed.
enum Failed {
    /// Nothing had been made yet.
    Before(MakeError),
    /// Something may be there.
    Within(MakeError),
}

impl<E: Into<MakeError>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self::Within(error.into())
    }
}

fn add(git: &Git, source: &Source, making: Making<'_>, step: &mut dyn FnMut(&str)) -> Result<Made, Failed> {
    let Making { branch, path, ask, .. } = making;
    step("fetching");
    let start = start(git, source, making)?;
    step("checking out");
    let mut notices: Vec<String> = start.base.iter().filter_map(|base| base.notice.clone()).collect();
    let there = format!("refs/heads/{}", branch.name());
    if branch.is_made() && commit(git, source.at(), &there)?.is_some() {
        // Somebody else has made it meanwhile; theirs is not to be taken away as ours.
        return Err(Failed::Before(MakeError::InTheWay {
            branch: branch.name().to_owned(),
            there: branch.name().to_owned(),
            why: "it is there already",
        }));
    }
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
        Err(error) => return Err(Failed::Within(error.into())),
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
    let branch = branch.is_made().then(|| branch.name());
    take_away(git, &source.common_dir, path, branch);
}

/// Takes away a worktree in which nobody has worked, and the branch that was made for it.
pub fn take_away(git: &Git, common_dir: &Path, path: &Path, branch: Option<&str>) {
    // Twice: a worktree that is just being made is locked. Also where its directory is gone: git knows of it all the same, and
    // would let no other one be made there.
    let forced = ["worktree", "remove", "--force", "--force", "--end-of-options"];
    if git.write(common_dir).args(forced).arg(path).run().is_err() {
        let _ = std::fs::remove_dir_all(path);
    }
    if let Some(branch) = branch {
        let _ = forget_branch(git, common_dir, branch);
    }
}

/// Deletes a branch, unless it is checked out or has a commit that nothing else has.
fn forget_branch(git: &Git, common_dir: &Path, name: &str) -> MakeResult<()> {
    let full = format!("refs/heads/{name}");
    let trees = crate::source::trees(git, common_dir)?;
    let checked_out = trees.iter().any(|tree| tree.branch.as_deref() == Some(name));
    let Some(tip) = commit(git, common_dir, &full)?.filter(|_| !checked_out) else { return Ok(()) };
    let own = git
        .read(common_dir)
        .args(["rev-list", "--max-count=1", &tip, "--not"])
        .arg(format!("--exclude={full}"))
        .args(["--all", "--"])
        .text()?;
    if own.is_empty() {
        // Only while it is still there.
        git.write(common_dir).args(["update-ref", "-d", &full, &tip]).run()?;
    }
    Ok(())
}
