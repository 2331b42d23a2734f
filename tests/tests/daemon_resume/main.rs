//! Resuming: in the right conversation, never twice, and never without saying what is in the way. The agents are scripts with
//! an agent's name and an agent's files.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

mod claude;
mod crash;
mod elsewhere;
mod session;
