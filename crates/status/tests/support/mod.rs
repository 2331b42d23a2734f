//! What the tests of the arbiter share: the agents' tables, and short words for observations.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test uses its part")]

pub mod play;
pub mod tables;
pub mod words;
