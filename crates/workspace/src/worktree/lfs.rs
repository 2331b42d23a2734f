//! Large files that git keeps elsewhere.

use std::path::Path;

use crate::{Git, GitError};

/// What is said where they are not there.
pub(crate) const POINTERS: &str =
    "Large files are only pointers: git-lfs is not on this machine. Install it, then run `git lfs pull`.";

/// Settings under which such a file stays a pointer, and nothing fails for it.
pub(crate) const NO_FILTER: [&str; 3] =
    ["filter.lfs.required=false", "filter.lfs.smudge=", "filter.lfs.process="];

/// Whether a checkout has failed because the program for it is not there.
pub(crate) fn is_missing(error: &GitError) -> bool {
    error.said().is_some_and(|said| {
        said.contains("git-lfs") && (said.contains("not found") || said.contains("No such file"))
            || said.contains("'lfs' is not a git command")
            || said.contains("smudge filter lfs failed")
    })
}

/// What is said where files are kept elsewhere and nothing is set up to fetch them.
pub(crate) fn unfiltered(git: &Git, path: &Path) -> Option<String> {
    let attributes = crate::read::text(&path.join(".gitattributes"), 256 << 10).ok()?;
    if !attributes.contains("filter=lfs") {
        return None;
    }
    let set = git.read(path).args(["config", "--get-regexp", "^filter\\.lfs\\.(process|smudge)$"]).text();
    set.map_or(true, |set| set.is_empty()).then(|| POINTERS.to_owned())
}
