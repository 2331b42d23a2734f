//! Putting sessions to sleep and waking them: nothing is lost, nothing is typed twice, and what could lose something stays awake.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

mod agent;
mod refused;
mod settings;
mod wakes;
