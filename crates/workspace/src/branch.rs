//! Which branch a new workspace is on.

use crate::source::{commit, trees};
use crate::{Git, MakeError, MakeResult, Source, base, names};

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted<'a> {
    /// The branch's name: one that is there, else a new one.
    pub name: Option<&'a str>,
    /// What a new one is called after, where no name is given.
    pub text: Option<&'a str>,
    /// The pull request whose branch it is to be.
    pub pull: Option<u64>,
}

/// What was decided. Nothing has changed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Branch {
    /// A new one, which starts from the base.
    New(String),
    /// One that is there.
    There(String),
    /// A new one of the same name as a remote's, which starts where that is.
    Remote {
        /// Its name.
        name: String,
        /// The remote.
        remote: String,
    },
    /// A new one, which starts where a pull request is.
    Pull {
        /// Its name.
        name: String,
        /// The remote.
        remote: String,
        /// The pull request.
        number: u64,
    },
}

impl Branch {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::New(name) | Self::There(name) | Self::Remote { name, .. } | Self::Pull { name, .. } => name,
        }
    }

    /// It is made with the workspace.
    pub fn is_made(&self) -> bool {
        !matches!(self, Self::There(_))
    }
}

/// Decides which branch it is. `promised` are names that others are about to take. Asks nobody but git on this machine.
pub fn decide(git: &Git, source: &Source, wanted: &Wanted<'_>, promised: &[String]) -> MakeResult<Branch> {
    let there = Refs::read(git, source)?;
    if let Some(number) = wanted.pull {
        let remote =
            base::default_remote(git, source)?.ok_or_else(|| MakeError::NoRemote(source.main.clone()))?;
        let name = match wanted.name {
            Some(name) => {
                names::check(name)?;
                if let Some(known) = there.local.iter().find(|known| *known == name) {
                    return Err(in_the_way(name, known));
                }
                there.fits(name)?;
                name.to_owned()
            }
            None => {
                names::free(&format!("pr-{number}"), there.local.iter().chain(promised).map(String::as_str))
            }
        };
        return Ok(Branch::Pull { name, remote, number });
    }
    let Some(name) = wanted.name else {
        let made = wanted.text.and_then(names::from_text).unwrap_or_else(|| "work".to_owned());
        let taken = there.local.iter().chain(&there.remote).chain(promised);
        return Ok(Branch::New(names::free(&made, taken.map(String::as_str))));
    };
    names::check(name)?;
    let remote = base::default_remote(git, source)?;
    // `origin/fix` is the remote's `fix`, and not a branch of that long name.
    let name = remote
        .as_deref()
        .and_then(|remote| name.strip_prefix(remote)?.strip_prefix('/'))
        .filter(|short| names::check(short).is_ok() && !there.local.iter().any(|known| known == name))
        .unwrap_or(name);
    if there.local.iter().any(|known| known == name) {
        let trees = trees(git, source.at())?;
        if let Some(tree) = trees.into_iter().find(|tree| tree.branch.as_deref() == Some(name)) {
            return Err(MakeError::Taken { branch: name.to_owned(), path: tree.path });
        }
        return Ok(Branch::There(name.to_owned()));
    }
    there.fits(name)?;
    if promised.iter().any(|known| known == name) {
        return Err(MakeError::Promised(name.to_owned()));
    }
    if let Some(remote) = remote
        && commit(git, source.at(), &format!("refs/remotes/{remote}/{name}"))?.is_some()
    {
        return Ok(Branch::Remote { name: name.to_owned(), remote });
    }
    Ok(Branch::New(name.to_owned()))
}

/// Names of branches that are there.
struct Refs {
    local: Vec<String>,
    /// Without the remote's own name.
    remote: Vec<String>,
}

impl Refs {
    fn read(git: &Git, source: &Source) -> MakeResult<Self> {
        let listed = git
            .read(source.at())
            .args(["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"])
            .text()?;
        let local = listed.lines().filter_map(|name| name.strip_prefix("refs/heads/"));
        let remote = listed.lines().filter_map(|name| name.strip_prefix("refs/remotes/")?.split_once('/'));
        // A branch that is checked out before its first commit has no ref yet, and its name is taken all the same.
        let unborn = trees(git, source.at())?.into_iter().filter_map(|tree| tree.branch);
        let mut local: Vec<String> = local.map(str::to_owned).chain(unborn).collect();
        local.sort_unstable();
        local.dedup();
        Ok(Self { local, remote: remote.map(|(_, name)| name.to_owned()).collect() })
    }

    /// Whether a branch of that name can be made.
    fn fits(&self, name: &str) -> MakeResult<()> {
        let lower: Vec<String> = self.local.iter().map(|name| name.to_lowercase()).collect();
        match names::in_the_way(name, &lower) {
            None => Ok(()),
            Some(found) => {
                let known = lower.iter().position(|name| name == found).and_then(|at| self.local.get(at));
                Err(in_the_way(name, known.unwrap_or(found)))
            }
        }
    }
}

fn in_the_way(name: &str, there: &str) -> MakeError {
    let why = if name == there {
        "it is there already"
    } else if name.to_lowercase() == there.to_lowercase() {
        "they differ by upper and lower case alone, which many file systems do not tell apart"
    } else {
        "one would have to be a file where the other has a folder"
    };
    MakeError::InTheWay { branch: name.to_owned(), there: there.to_owned(), why }
}

/// Names of branches, to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Local ones, then those of remotes (`origin/…`), each newest first.
    pub names: Vec<String>,
    /// Local ones that are checked out somewhere.
    pub taken: Vec<String>,
}

impl Names {
    /// Reads them; at most so many.
    pub fn read(git: &Git, source: &Source, most: usize) -> MakeResult<Self> {
        let listed = |of: &str| {
            git.read(source.at())
                .args(["for-each-ref", "--sort=-committerdate", "--format=%(refname)"])
                .arg(format!("--count={most}"))
                .arg(of)
                .text()
        };
        let (local, remote) = (listed("refs/heads")?, listed("refs/remotes")?);
        let local = local.lines().filter_map(|name| name.strip_prefix("refs/heads/"));
        let remote = remote.lines().filter_map(|name| name.strip_prefix("refs/remotes/"));
        let remote = remote.filter(|name| !name.ends_with("/HEAD"));
        let taken = trees(git, source.at())?.into_iter().filter_map(|tree| tree.branch).collect();
        Ok(Self { names: local.chain(remote).take(most).map(str::to_owned).collect(), taken })
    }
}

/// How many files are changed in the working tree, untracked ones too.
pub fn changed(git: &Git, source: &Source) -> MakeResult<u32> {
    let listed = git
        .read(source.at())
        .args([
            "status",
            "--porcelain",
            "-z",
            "--no-renames",
            "--untracked-files=normal",
            "--ignore-submodules=dirty",
        ])
        .output()?;
    Ok(listed.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()).count() as u32)
}

/// Names of a remote's branches as they were fetched last, without its own name.
pub(crate) fn of_remote(git: &Git, source: &Source, remote: &str) -> MakeResult<Vec<String>> {
    let prefix = format!("refs/remotes/{remote}/");
    let listed = git.read(source.at()).args(["for-each-ref", "--format=%(refname)", &prefix]).text()?;
    let names = listed.lines().filter_map(|name| name.strip_prefix(&prefix));
    Ok(names.filter(|name| *name != "HEAD").map(str::to_owned).collect())
}

/// Names of local branches.
pub(crate) fn local(git: &Git, source: &Source) -> MakeResult<Vec<String>> {
    Ok(Refs::read(git, source)?.local)
}
