//! What a new branch starts from.

use std::time::Duration;

use crate::source::commit;
use crate::{Git, GitError, MakeError, MakeResult, Source, Stop};

/// Where a new branch starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// Its name: `origin/main`.
    pub name: String,
    /// The commit's whole id.
    pub commit: String,
    /// What the person should know of it: that the remote could not be asked.
    pub notice: Option<String>,
}

/// How the remote is asked.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// For how long at the most; none: it is not asked, what is known of it counts.
    pub limit: Option<Duration>,
    /// Ends it.
    pub stop: &'a Stop,
}

/// Names that default branches have, for a remote that never said which is its own.
const USUAL: [&str; 4] = ["main", "master", "trunk", "develop"];

/// Longest name that is looked up, in bytes.
const LONGEST: usize = 300;

/// What a new branch starts from: what is wanted, else the remote's default branch, else where the directory is.
pub fn resolve(git: &Git, source: &Source, wanted: Option<&str>, ask: Ask<'_>) -> MakeResult<Base> {
    if let Some(wanted) = wanted {
        return named(git, source, wanted, ask);
    }
    if let Some(remote) = default_remote(git, source)?
        && let Some(branch) = default_branch(git, source, &remote, ask)?
        && let Some(base) = of_remote(git, source, (&remote, &branch), ask)?
    {
        return Ok(base);
    }
    let (commit, branch) = source.head(git)?.ok_or_else(|| MakeError::NoCommit(source.main.clone()))?;
    let name = branch.unwrap_or_else(|| commit.chars().take(10).collect());
    Ok(Base { name, commit, notice: None })
}

/// Whether a name can be looked up at all: git must not take it for an option.
pub fn check(name: &str) -> MakeResult<()> {
    let bad = name.is_empty()
        || name.len() > LONGEST
        || name.starts_with('-')
        || name.chars().any(|letter| letter.is_control() || letter == ' ');
    if bad { Err(MakeError::NoBase(name.chars().take(80).collect())) } else { Ok(()) }
}

fn named(git: &Git, source: &Source, wanted: &str, ask: Ask<'_>) -> MakeResult<Base> {
    check(wanted)?;
    let remotes = remotes(git, source)?;
    let of = remotes.iter().find_map(|remote| {
        let branch = wanted.strip_prefix(remote.as_str())?.strip_prefix('/')?;
        Some((remote.as_str(), branch))
    });
    if let Some((remote, branch)) = of
        && crate::names::check(branch).is_ok()
        && let Some(base) = of_remote(git, source, (remote, branch), ask)?
    {
        return Ok(base);
    }
    if let Some(commit) = commit(git, source.at(), wanted)? {
        return Ok(Base { name: wanted.to_owned(), commit, notice: None });
    }
    // A branch that only the remote has, by its own name.
    if let Some(remote) = default_remote(git, source)?
        && crate::names::check(wanted).is_ok()
        && let Some(base) = of_remote(git, source, (&remote, wanted), ask)?
    {
        return Ok(base);
    }
    Err(MakeError::NoBase(wanted.to_owned()))
}

/// A remote's branch, fetched where the remote answers, else as it was last seen. None where it is not known at all.
///
/// # Errors
/// Where git itself fails, or it was stopped; a remote that does not answer is told by the base's notice.
pub fn of_remote(
    git: &Git,
    source: &Source,
    (remote, branch): (&str, &str),
    ask: Ask<'_>,
) -> MakeResult<Option<Base>> {
    let here = format!("refs/remotes/{remote}/{branch}");
    let refused = match ask.limit {
        None => None,
        Some(limit) => {
            let refspec = format!("+refs/heads/{branch}:{here}");
            match fetch(git, source, (remote, &refspec), limit, ask.stop) {
                Ok(()) => None,
                Err(GitError::Stopped) => return Err(MakeError::Stopped),
                Err(error) => Some(error),
            }
        }
    };
    let name = format!("{remote}/{branch}");
    let Some(commit) = commit(git, source.at(), &here)? else { return Ok(None) };
    let notice = refused.map(|error| {
        let why = match &error {
            GitError::Late { .. } => "it did not answer in time".to_owned(),
            other => crate::source::last_words(other),
        };
        format!(
            "{remote} could not be asked for its newest commits ({why}); {name} is as it was fetched last"
        )
    });
    Ok(Some(Base { name, commit, notice }))
}

/// Fetches one ref. Nothing else is written: no tags, no `FETCH_HEAD`, no submodules.
pub(crate) fn fetch(
    git: &Git,
    source: &Source,
    (remote, refspec): (&str, &str),
    limit: Duration,
    stop: &Stop,
) -> Result<(), GitError> {
    git.network(source.at())
        .args(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"])
        .args(["--no-auto-maintenance", "--end-of-options", remote, refspec])
        .limit(limit)
        .stop(stop)
        .run()
}

pub(crate) fn remotes(git: &Git, source: &Source) -> MakeResult<Vec<String>> {
    let listed = git.read(source.at()).arg("remote").text()?;
    Ok(listed.lines().filter(|name| !name.starts_with('-')).map(str::to_owned).collect())
}

/// The remote that is meant where none is named: `origin`, else the first.
pub fn default_remote(git: &Git, source: &Source) -> MakeResult<Option<String>> {
    let remotes = remotes(git, source)?;
    Ok(remotes.iter().find(|name| *name == "origin").or(remotes.first()).cloned())
}

/// A remote's address as git uses it, its credentials with it. None where it has none.
pub fn address(git: &Git, source: &Source, remote: &str) -> Option<String> {
    let asked = git.read(source.at()).args(["remote", "get-url", "--end-of-options", remote]).text();
    let asked = asked.ok().filter(|address| !address.is_empty())?;
    // A path that is relative counts from the directory that git ran in.
    let relative = asked.starts_with("./") || asked.starts_with("../");
    Some(if relative { source.main.join(&asked).display().to_string() } else { asked })
}

/// The branch that is a remote's default, by what is known of it, else by asking it.
fn default_branch(git: &Git, source: &Source, remote: &str, ask: Ask<'_>) -> MakeResult<Option<String>> {
    let prefix = format!("refs/remotes/{remote}/");
    let head = git.read(source.at()).args(["symbolic-ref", "--quiet"]).arg(format!("{prefix}HEAD")).text();
    if let Some(branch) = head.ok().and_then(|head| head.strip_prefix(&prefix).map(str::to_owned)) {
        return Ok(Some(branch));
    }
    if let Some(limit) = ask.limit {
        match said_default(git, source, remote, limit, ask.stop) {
            Ok(Some(branch)) => return Ok(Some(branch)),
            Err(GitError::Stopped) => return Err(MakeError::Stopped),
            Ok(None) | Err(_) => {}
        }
    }
    for branch in USUAL {
        if commit(git, source.at(), &format!("{prefix}{branch}"))?.is_some() {
            return Ok(Some(branch.to_owned()));
        }
    }
    Ok(None)
}

/// What the remote itself says.
pub(crate) fn said_default(
    git: &Git,
    source: &Source,
    remote: &str,
    limit: Duration,
    stop: &Stop,
) -> Result<Option<String>, GitError> {
    let said = git
        .network(source.at())
        .args(["ls-remote", "--quiet", "--symref", "--end-of-options", remote, "HEAD"])
        .limit(limit)
        .stop(stop)
        .text()?;
    Ok(symref(&said))
}

/// The branch that `ls-remote --symref` names.
pub(crate) fn symref(said: &str) -> Option<String> {
    let branch =
        said.lines().find_map(|line| line.strip_prefix("ref: refs/heads/")?.strip_suffix("\tHEAD"))?;
    crate::names::check(branch).is_ok().then(|| branch.to_owned())
}
