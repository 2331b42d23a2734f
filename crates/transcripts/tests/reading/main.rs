//! Reading conversations: made-up ones with what is odd in them, in any pieces, cut anywhere, rewritten.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

mod corpus;
mod forks;
mod hostile;
mod pieces;
mod rows;
mod support;
