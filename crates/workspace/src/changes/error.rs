//! What can go wrong with a change.

use crate::git::GitError;

/// What a change comes to.
pub type ChangeResult<T> = Result<T, ChangeError>;

/// Why a change was not made.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// Git refused it, or could not be run.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A path, an id or the like is none.
    #[error("{0}")]
    Invalid(String),
    /// It does not go in the state that the repository is in.
    #[error("{0}")]
    Refused(String),
    /// Two changes of one place do not go together, and it stands in the middle.
    #[error("{0}")]
    Conflict(String),
    /// It would delete what no checkpoint holds: the first paths, and what each is where it is no plain file. Nothing was changed.
    #[error("this would delete what no checkpoint holds: {}", named(.0))]
    WouldLose(Vec<String>),
    /// A file of Belfry's own beside it could not be written or read.
    #[error("a file could not be written: {0}")]
    Files(#[from] std::io::Error),
}

/// How many paths are told by name.
const NAMED: usize = 5;

fn named(paths: &[String]) -> String {
    let first = paths.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if paths.len() > NAMED { format!("{first} and more") } else { first }
}

impl ChangeError {
    pub(crate) fn invalid(why: impl Into<String>) -> Self {
        Self::Invalid(why.into())
    }

    pub(crate) fn refused(why: impl Into<String>) -> Self {
        Self::Refused(why.into())
    }
}
