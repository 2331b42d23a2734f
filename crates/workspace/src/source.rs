//! The repository that a workspace is made from.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use crate::{Git, GitError, MakeError, MakeResult};

/// A repository, seen from one of its directories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its main checkout; of a bare repository, itself.
    pub main: PathBuf,
    /// The git directory that all of its worktrees share.
    pub common_dir: PathBuf,
    /// The top of the working tree that the directory lies in.
    pub top: Option<PathBuf>,
    /// Where in it the directory lies, relative.
    pub inside: PathBuf,
    /// It has no main checkout.
    pub bare: bool,
}

/// A working tree of a repository, as git lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) path: PathBuf,
    /// The branch that is checked out, without `refs/heads/`.
    pub(crate) branch: Option<String>,
    pub(crate) bare: bool,
}

impl Source {
    /// The repository around an absolute directory. Runs git, which reads the repository's configuration.
    pub fn of(git: &Git, directory: &Path) -> MakeResult<Self> {
        let asked = git
            .read(directory)
            .args(["rev-parse", "--path-format=absolute", "--git-common-dir"])
            .args(["--is-bare-repository", "--is-inside-work-tree"])
            .output()
            .map_err(|error| refused(error, directory))?;
        let (common, words) = three(&asked).ok_or_else(|| MakeError::NoRepository(directory.to_owned()))?;
        let common_dir = utf8(common)?;
        let (top, inside) = if words[1] == b"true" {
            let top = git.read(directory).args(["rev-parse", "--show-toplevel"]).output()?;
            let inside = git.read(directory).args(["rev-parse", "--show-prefix"]).output()?;
            (Some(utf8(line(&top))?), utf8(line(&inside))?)
        } else {
            (None, PathBuf::new())
        };
        let trees = trees(git, directory)?;
        let (main, bare) = match trees.first() {
            // Of a submodule or a repository whose git directory lies elsewhere git lists that directory.
            Some(first) if !first.bare && first.path == common_dir => {
                (worktree_of(git, &common_dir).or_else(|| top.clone()).unwrap_or(first.path.clone()), false)
            }
            Some(first) => (first.path.clone(), first.bare),
            None => (top.clone().unwrap_or_else(|| common_dir.clone()), false),
        };
        Ok(Self { main, common_dir, top, inside, bare })
    }

    /// Where git is run for it: in the working tree that was meant, whose sparse checkout a new one follows.
    pub fn at(&self) -> &Path {
        self.top.as_deref().unwrap_or(&self.main)
    }

    /// Its name, for people and directories.
    pub fn name(&self) -> String {
        let name = self.main.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.strip_suffix(".git").unwrap_or(&name).to_owned()
    }

    /// The commit that its head is on, and the branch where it is on one. None where there is no commit yet.
    pub fn head(&self, git: &Git) -> MakeResult<Option<(String, Option<String>)>> {
        let Some(commit) = commit(git, self.at(), "HEAD")? else { return Ok(None) };
        let branch = git.read(self.at()).args(["symbolic-ref", "--quiet", "--short", "HEAD"]).text();
        Ok(Some((commit, branch.ok().filter(|branch| !branch.is_empty()))))
    }
}

/// The commit that a name stands for, its whole id; none where nothing has that name.
pub(crate) fn commit(git: &Git, at: &Path, name: &str) -> MakeResult<Option<String>> {
    let asked = git
        .read(at)
        .args(["rev-parse", "--verify", "--quiet", "--end-of-options"])
        .arg(format!("{name}^{{commit}}"))
        .text();
    match asked {
        Ok(id) => Ok(Some(id).filter(|id| !id.is_empty())),
        Err(GitError::Failed { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// All working trees of the repository around a directory, the main one first.
pub(crate) fn trees(git: &Git, at: &Path) -> MakeResult<Vec<Tree>> {
    let listed = git.read(at).args(["worktree", "list", "--porcelain", "-z"]).output()?;
    let mut trees: Vec<Tree> = Vec::new();
    for field in listed.split(|byte| *byte == 0) {
        if let Some(path) = field.strip_prefix(b"worktree ") {
            let path = PathBuf::from(OsString::from_vec(path.to_vec()));
            trees.push(Tree { path, branch: None, bare: false });
        } else if let Some(tree) = trees.last_mut() {
            if let Some(branch) = field.strip_prefix(b"branch refs/heads/") {
                tree.branch = Some(String::from_utf8_lossy(branch).into_owned());
            }
            tree.bare |= field == b"bare";
        }
    }
    Ok(trees)
}

/// The working tree that a git directory lying elsewhere names as its own.
fn worktree_of(git: &Git, git_dir: &Path) -> Option<PathBuf> {
    let named = git.read(git_dir).args(["config", "--get", "core.worktree"]).text().ok()?;
    let path = git_dir.join(named);
    std::fs::canonicalize(path).ok()
}

fn refused(error: GitError, directory: &Path) -> MakeError {
    match error.said() {
        Some(said) if said.contains("dubious ownership") => {
            // Git names the repository, which may lie above.
            let named = said.split('\'').nth(1).map(PathBuf::from);
            MakeError::NotOwned(named.unwrap_or_else(|| directory.to_owned()))
        }
        Some(said) if said.contains("not a git repository") => MakeError::NoRepository(directory.to_owned()),
        _ => error.into(),
    }
}

/// A path and two words, each on a line; the path may have lines of its own.
fn three(said: &[u8]) -> Option<(&[u8], [&[u8]; 2])> {
    let said = said.strip_suffix(b"\n")?;
    let second = said.iter().rposition(|byte| *byte == b'\n')?;
    let first = said[..second].iter().rposition(|byte| *byte == b'\n')?;
    Some((&said[..first], [&said[first + 1..second], &said[second + 1..]]))
}

fn line(said: &[u8]) -> &[u8] {
    said.strip_suffix(b"\n").unwrap_or(said)
}

/// The path as text, which everything that tells of it needs.
fn utf8(path: &[u8]) -> MakeResult<PathBuf> {
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(path));
    if path.to_str().is_some() { Ok(path) } else { Err(MakeError::NotUtf8(path)) }
}

/// The line of git's words that says what was wrong, which is the last.
pub(crate) fn last_words(error: &GitError) -> String {
    let said = error.said().map_or_else(|| error.to_string(), str::to_owned);
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    // What ssh and git say at the end is advice.
    let told = lines()
        .find(|line| line.starts_with("fatal:") || line.starts_with("error:") || line.starts_with("ssh:"));
    let told = told.or_else(|| lines().next_back()).unwrap_or("it failed").to_owned();
    told.strip_prefix("fatal: ").or_else(|| told.strip_prefix("error: ")).unwrap_or(&told).to_owned()
}
