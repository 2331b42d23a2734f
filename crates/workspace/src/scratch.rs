//! Scratch repositories: empty, on a branch, with a first commit that everything else can be compared with.

use std::path::Path;

use crate::source::commit;
use crate::worktree::Made;
use crate::{Git, GitError, MakeError, MakeResult, names};

/// What is said where git does not know whose commits they are.
const NOBODY: &str =
    "There is no first commit, because git does not know who you are: set `user.name` and `user.email`.";

/// Makes one at a path that is not there yet. Where that fails, nothing of it is left. The branch's name comes back.
pub fn make(git: &Git, path: &Path) -> MakeResult<(String, Made)> {
    let made = begin(git, path);
    if made.is_err() {
        let _ = std::fs::remove_dir_all(path);
    }
    made
}

fn begin(git: &Git, path: &Path) -> MakeResult<(String, Made)> {
    std::fs::create_dir(path).map_err(MakeError::io("the directory cannot be made"))?;
    let wanted = git.read(path).args(["config", "--get", "init.defaultBranch"]).text().ok();
    let branch = wanted.filter(|name| names::check(name).is_ok()).unwrap_or_else(|| "main".to_owned());
    git.write(path).args(["init", "--quiet"]).arg(format!("--initial-branch={branch}")).run()?;
    // A key that has to be unlocked would wait for somebody.
    let first = git
        .write(path)
        .args(["-c", "commit.gpgSign=false", "commit", "--quiet", "--allow-empty", "--message", "Start"])
        .run();
    let notices = match first {
        Ok(()) => Vec::new(),
        Err(GitError::Failed { .. }) => vec![NOBODY.to_owned()],
        Err(error) => return Err(error.into()),
    };
    let head = commit(git, path, "HEAD")?.unwrap_or_default();
    Ok((branch, Made { base: None, head, notices }))
}
