//! Changes that git was told not to look for: `assume-unchanged`, and `skip-worktree` as sparse checkouts leave it.

use std::path::{Path, PathBuf};

use super::status::Status;
use crate::remove::quoted;
use crate::{Git, GitResult, Stop};

/// The files among those that are there and not as the index has them.
pub(super) fn changed(git: &Git, at: &Path, status: &Status, stop: &Stop) -> GitResult<Vec<PathBuf>> {
    let there: Vec<&(PathBuf, String)> = status
        .hidden
        .iter()
        .filter(|(path, _)| at.join(path).symlink_metadata().is_ok_and(|file| file.is_file()))
        .collect();
    if there.is_empty() {
        return Ok(Vec::new());
    }
    let input = there.iter().flat_map(|(path, _)| quoted(path)).collect();
    let out = git.read(at).args(["hash-object", "--stdin-paths"]).input(input).stop(stop).text()?;
    let hashes = out.lines();
    let changed = there.iter().zip(hashes).filter(|((_, blob), hash)| blob != hash);
    Ok(changed.map(|((path, _), _)| path.clone()).collect())
}
