//! What is changed in real repositories, and changing it, with the git of this machine.

#![allow(clippy::unwrap_used, reason = "tests, where a panic is a failed test")]

mod checkpoints;
mod commits;
mod files;
mod hostile;
mod in_the_way;
mod lines;
mod looks;
mod place;
mod stages;
mod syncs;
