//! The directory a session works in.
//!
//! For now: which repository a directory is in, and on which branch. That is read from git's own files and never by
//! running git, because a repository's configuration can make any git command run programs of the repository's choice
//! (`core.fsmonitor`, filters, hooks), and a directory is looked at before the person has said that they trust it.
//! Worktrees, clones and all that changes a repository come later, and will run git by argument lists with that switched off.

mod read;
mod repository;

pub use repository::Repository;
