//! Clones: a repository of its own with the remote's address, made from the remote's cache by hard links.

use std::path::{Path, PathBuf};

use crate::base::{self, Ask, Base};
use crate::branch::{self, Branch};
use crate::cache::{self, Cache};
use crate::source::commit;
use crate::worktree::{Made, lfs, submodules};
use crate::{Git, GitError, MakeError, MakeResult, Source, names};

/// What is to be made.
#[derive(Clone, Copy, Debug)]
pub struct Cloning<'a> {
    /// Where caches lie.
    pub caches: &'a Path,
    /// Which branch.
    pub branch: &'a Branch,
    /// What a new one starts from; none: the remote's default branch.
    pub base: Option<&'a str>,
    /// Where: a path that is not there yet.
    pub path: &'a Path,
    /// How the remote is asked.
    pub ask: Ask<'a>,
}

/// Decides which branch a clone is on: what is checked out elsewhere is nothing to it, and what only the repository has locally it
/// has not. `promised` are names that others are about to take.
pub fn decide(
    git: &Git,
    source: &Source,
    wanted: &branch::Wanted<'_>,
    promised: &[String],
) -> MakeResult<Branch> {
    let remote =
        base::default_remote(git, source)?.ok_or_else(|| MakeError::NoRemote(source.main.clone()))?;
    if let Some(name) = wanted.name {
        names::check(name)?;
    }
    // `origin/fix` is the remote's `fix`.
    let short = wanted.name.and_then(|name| name.strip_prefix(remote.as_str())?.strip_prefix('/'));
    let wanted =
        &branch::Wanted { name: short.filter(|name| names::check(name).is_ok()).or(wanted.name), ..*wanted };
    let there = branch::of_remote(git, source, &remote)?;
    let taken = || there.iter().chain(promised).map(String::as_str);
    Ok(match (wanted.pull, wanted.name) {
        (Some(number), name) => {
            let name = name.map_or_else(|| names::free(&format!("pr-{number}"), taken()), str::to_owned);
            Branch::Pull { name, remote, number }
        }
        (None, Some(name)) if there.iter().any(|known| known == name) => {
            Branch::Remote { name: name.to_owned(), remote }
        }
        (None, Some(name)) => Branch::New(name.to_owned()),
        (None, None) => {
            let made = wanted.text.and_then(names::from_text).unwrap_or_else(|| "work".to_owned());
            // Its commits are to be pushed some day, beside what others have pushed.
            let local = branch::local(git, source)?;
            Branch::New(names::free(&made, taken().chain(local.iter().map(String::as_str))))
        }
    })
}

/// The cache that a clone was made from, where it is there: what it has need not be the clone's own.
pub fn cache_of(git: &Git, caches: &Path, clone: &Path) -> Option<PathBuf> {
    let address = git.read(clone).args(["config", "--get", "remote.origin.url"]).text().ok()?;
    Some(cache::place(caches, &address)).filter(|cache| cache.join("HEAD").is_file())
}

/// Makes a clone. Where that fails, nothing of it is left. `step` is told what it is at.
pub fn make(
    git: &Git,
    source: &Source,
    cloning: Cloning<'_>,
    step: &mut dyn FnMut(&str),
) -> MakeResult<Made> {
    let made = clone(git, source, cloning, step);
    if made.is_err() {
        let _ = std::fs::remove_dir_all(cloning.path);
    }
    made
}

fn clone(git: &Git, source: &Source, cloning: Cloning<'_>, step: &mut dyn FnMut(&str)) -> MakeResult<Made> {
    let Cloning { branch, path, ask, .. } = cloning;
    let remote =
        base::default_remote(git, source)?.ok_or_else(|| MakeError::NoRemote(source.main.clone()))?;
    let address =
        base::address(git, source, &remote).ok_or_else(|| MakeError::NoRemote(source.main.clone()))?;
    step("fetching");
    let cache = cache::fresh(git, cloning.caches, source, (&remote, &address), ask)?;
    let base = based(git, &cache, &remote, cloning.base)?;
    step("cloning");
    git.write(cloning.caches)
        // A cache that is told to be somebody else's would be refused: it is ours.
        .args(["clone", "--quiet", "--local", "--no-checkout", "--origin", "origin", "--end-of-options"])
        .arg(&cache.dir)
        .arg(path)
        .stop(ask.stop)
        .run()?;
    let mut notices: Vec<String> = cache.notice.clone().into_iter().collect();
    let pushed =
        git.read(source.at()).args(["config", "--get"]).arg(format!("remote.{remote}.pushurl")).text().ok();
    let push = pushed.as_deref().filter(|push| !push.is_empty());
    cache::readdress(&path.join(".git/config"), &cache.dir, &address, push)
        .map_err(MakeError::io("the clone's remote cannot be set"))?;
    drop(cache);
    identity(git, source, path)?;
    let start = match branch {
        Branch::Pull { number, .. } => {
            step("fetching");
            let clone = Source::of(git, path)?;
            crate::worktree::pull(git, &clone, "origin", *number, ask.stop)?
        }
        Branch::Remote { name, .. } => format!("refs/remotes/origin/{name}"),
        Branch::New(_) | Branch::There(_) => base.commit.clone(),
    };
    step("checking out");
    notices.extend(check_out(git, path, branch, &start, ask)?);
    let head = commit(git, path, "HEAD")?.ok_or_else(|| MakeError::NoCommit(path.to_owned()))?;
    if path.join(".gitmodules").exists() {
        step("submodules");
        notices.extend(submodules::check_out(git, path, &source.common_dir.join("modules"), ask.stop)?);
    }
    Ok(Made { base: Some(base), head, notices })
}

/// What the branch starts from, by what the cache has: the remote's branches are its own.
fn based(git: &Git, cache: &Cache, remote: &str, wanted: Option<&str>) -> MakeResult<Base> {
    let of_branch = |name: &str| -> MakeResult<Option<Base>> {
        let found = commit(git, &cache.dir, &format!("refs/heads/{name}"))?;
        Ok(found.map(|commit| Base { name: format!("origin/{name}"), commit, notice: None }))
    };
    let Some(wanted) = wanted else {
        let head = git.read(&cache.dir).args(["symbolic-ref", "--quiet", "--short", "HEAD"]).text().ok();
        let found = match head {
            Some(head) => of_branch(&head)?,
            None => None,
        };
        return found.ok_or_else(|| MakeError::NoCommit(cache.dir.clone()));
    };
    base::check(wanted)?;
    let own = wanted.strip_prefix(remote).and_then(|rest| rest.strip_prefix('/')).unwrap_or(wanted);
    if let Some(base) = of_branch(own)? {
        return Ok(base);
    }
    let found = commit(git, &cache.dir, wanted)?;
    let found = found.map(|commit| Base { name: wanted.to_owned(), commit, notice: None });
    found.ok_or_else(|| MakeError::NoBase(wanted.to_owned()))
}

fn check_out(
    git: &Git,
    path: &Path,
    branch: &Branch,
    start: &str,
    ask: Ask<'_>,
) -> MakeResult<Option<String>> {
    let checked_out = |settings: &[&str]| {
        let mut command = git.write(path);
        for setting in settings {
            command = command.args(["-c", setting]);
        }
        let follows = if matches!(branch, Branch::Remote { .. }) { "--track" } else { "--no-track" };
        // `-B`: the clone has the default branch already, which may be the one that is meant.
        command.args(["checkout", "--quiet", follows, "-B", branch.name(), start, "--"]).stop(ask.stop).run()
    };
    let workers = "checkout.workers=0";
    match checked_out(&[workers]) {
        Err(error) if lfs::is_missing(&error) => {
            checked_out(&[workers, lfs::NO_FILTER[0], lfs::NO_FILTER[1], lfs::NO_FILTER[2]])?;
            Ok(Some(lfs::POINTERS.to_owned()))
        }
        Err(error) => Err(error.into()),
        Ok(()) => Ok(lfs::unfiltered(git, path)),
    }
}

/// Who the person is in that repository, where it says so itself.
fn identity(git: &Git, source: &Source, path: &Path) -> Result<(), GitError> {
    let asked = git.read(source.at()).args(["config", "--local", "-z", "--get-regexp", r"^user\."]).text();
    let Ok(said) = asked else { return Ok(()) };
    for (name, value) in said.split('\0').filter_map(|entry| entry.split_once('\n')) {
        git.write(path).args(["config", "--local", name, value]).run()?;
    }
    Ok(())
}
