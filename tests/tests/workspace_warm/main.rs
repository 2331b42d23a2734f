//! Workspaces that are made ahead: there at once, each once, and nothing of them left that nobody took.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

mod agent;
mod directory;
mod project;
