//! The directory a session works in: which repository it is in, and the worktrees, clones and scratch repositories that are
//! made for sessions.
//!
//! What a directory *is* is read from git's own files and never by running git, because a repository's configuration can make
//! any git command run programs of the repository's choice (`core.fsmonitor`, filters, hooks), and a directory is looked at
//! before the person has said that they trust it. What changes or compares something runs git ([`Git`]) by argument lists, with
//! that switched off.

pub mod base;
pub mod branch;
pub mod changes;
pub mod clone;
pub mod fetch_project;
pub mod forge;
pub mod git;
pub mod include;
pub mod listed;
pub mod losses;
pub mod names;
pub mod remove;
pub mod rules;
pub mod scratch;
pub mod sync;
pub mod warm;
pub mod worktree;

mod cache;
mod checkpoint;
mod commit;
mod diff;
mod make_error;
mod read;
mod repository;
mod source;
mod stage;

pub use changes::{ChangeError, ChangeResult, Checkout, Ends, Look};
pub use git::{Git, GitError, GitResult, Stop, without_credentials};
pub use make_error::{MakeError, MakeResult};
pub use repository::Repository;
pub use source::Source;
