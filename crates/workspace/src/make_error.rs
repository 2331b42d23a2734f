//! Why a workspace cannot be made, in words that help.

use std::path::PathBuf;

use belfry_protocol::{ErrorCode, WireError};

use crate::names::BadName;
use crate::{GitError, without_credentials};

/// What making comes to.
pub type MakeResult<T> = Result<T, MakeError>;

/// Why a workspace cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// The directory lies in no repository.
    #[error("{} is in no git repository", .0.display())]
    NoRepository(PathBuf),
    /// There is no commit that anything could start from.
    #[error("{} has no commit yet, and a branch starts from one", .0.display())]
    NoCommit(PathBuf),
    /// Git does not trust a repository of somebody else.
    #[error("{} belongs to another user, and git does not touch it", .0.display())]
    NotOwned(PathBuf),
    /// The path is one that cannot be told to anybody.
    #[error("{} has a name that is not UTF-8", .0.display())]
    NotUtf8(PathBuf),
    /// The name can be no branch's.
    #[error(transparent)]
    Name(#[from] BadName),
    /// The branch is checked out somewhere, and git allows that once.
    #[error("the branch `{branch}` is checked out in {}", path.display())]
    Taken {
        /// The branch.
        branch: String,
        /// Where.
        path: PathBuf,
    },
    /// Another session is about to have that branch, or has had it.
    #[error("another session's workspace is on the branch `{0}`, or is just being made on it")]
    Promised(String),
    /// There is a branch beside which it cannot be.
    #[error("there can be no branch `{branch}` beside `{there}`: {why}")]
    InTheWay {
        /// The wanted one.
        branch: String,
        /// The one that is there.
        there: String,
        /// Why not both.
        why: &'static str,
    },
    /// Nothing has that name.
    #[error("there is no branch, tag or commit `{}` to start from", .0.escape_debug())]
    NoBase(String),
    /// The repository has no remote.
    #[error("{} has no remote", .0.display())]
    NoRemote(PathBuf),
    /// The remote has no such pull request.
    #[error("{remote} has no pull request {number}")]
    NoPull {
        /// The remote.
        remote: String,
        /// Its number.
        number: u64,
    },
    /// The remote cannot be reached, and nothing is known of it.
    #[error("{remote} cannot be reached, and nothing was ever fetched from it: {why}")]
    Unreachable {
        /// The remote, its address without credentials.
        remote: String,
        /// Git's words.
        why: String,
    },
    /// A file of ours or of the workspace.
    #[error("{what}: {error}")]
    Io {
        /// What was to be done.
        what: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// Git refused.
    #[error(transparent)]
    Git(GitError),
    /// The person stopped it.
    #[error("it was stopped")]
    Stopped,
}

impl From<GitError> for MakeError {
    fn from(error: GitError) -> Self {
        if matches!(error, GitError::Stopped) { Self::Stopped } else { Self::Git(error) }
    }
}

impl MakeError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, error }
    }

    /// The same for a client: a code, the sentence, and what to do about it.
    pub fn wire(&self) -> WireError {
        let said = |code| WireError::new(code, without_credentials(&self.to_string()));
        match self {
            Self::NoRepository(_) => {
                said(ErrorCode::BadDirectory).next("choose one that is, the directory as it is, or scratch")
            }
            Self::NoCommit(_) => said(ErrorCode::Git)
                .next("commit something first (`git commit --allow-empty -m Start`), or work in the directory as it is"),
            Self::NotOwned(path) => said(ErrorCode::Git).next(format!(
                "if you trust it: `git config --global --add safe.directory {}`",
                path.display()
            )),
            Self::NotUtf8(_) => said(ErrorCode::BadDirectory),
            Self::Name(_) | Self::NoBase(_) => said(ErrorCode::BadRequest),
            Self::Taken { .. } => said(ErrorCode::BadRequest)
                .next("start a session in that directory, or choose another branch"),
            Self::Promised(_) | Self::InTheWay { .. } => said(ErrorCode::BadRequest).next("choose another name"),
            Self::NoRemote(_) => said(ErrorCode::BadRequest).next("a worktree needs none"),
            Self::NoPull { .. } => said(ErrorCode::NotFound),
            Self::Unreachable { .. } => said(ErrorCode::Git).next("look at the network and the remote's address"),
            Self::Io { error, .. } if error.kind() == std::io::ErrorKind::StorageFull => said(ErrorCode::DiskFull),
            Self::Io { .. } => said(ErrorCode::Storage),
            Self::Git(error) => match error.said() {
                Some(text) if text.contains("No space left on device") => said(ErrorCode::DiskFull),
                _ if matches!(error, GitError::NotStarted { .. }) => said(ErrorCode::MissingProgram),
                _ => said(ErrorCode::Git),
            },
            Self::Stopped => said(ErrorCode::NotAlive),
        }
    }
}
