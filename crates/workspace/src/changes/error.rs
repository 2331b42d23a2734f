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
    /// A file of Belfry's own beside it could not be written or read.
    #[error("a file could not be written: {0}")]
    Files(#[from] std::io::Error),
}

impl ChangeError {
    pub(crate) fn invalid(why: impl Into<String>) -> Self {
        Self::Invalid(why.into())
    }

    pub(crate) fn refused(why: impl Into<String>) -> Self {
        Self::Refused(why.into())
    }
}
