//! Making workspaces, from repositories of every kind that there is.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

mod clones;
mod ignored;
mod kinds;
mod place;
mod worktrees;
