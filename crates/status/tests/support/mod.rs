//! What the tests of the arbiter share: the agents' tables, and short words for observations.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test uses its part")]

pub mod play;
pub mod tables;
pub mod words;

/// How many cases a property is tried with; `PROPTEST_CASES` asks for more.
pub fn cases(least: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(least)
}
