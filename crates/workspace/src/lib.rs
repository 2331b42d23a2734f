//! The directory a session works in: which repository it is in, and the worktrees, clones and scratch repositories that are
//! made for sessions.
//!
//! What a directory *is* is read from git's own files and never by running git, because a repository's configuration can make
//! any git command run programs of the repository's choice (`core.fsmonitor`, filters, hooks), and a directory is looked at
//! before the person has said that they trust it. What changes or compares something runs git ([`Git`]) by argument lists, with
//! that switched off.

pub mod git;

mod read;
mod repository;

pub use git::{Git, GitError, GitResult, Stop};
pub use repository::Repository;
