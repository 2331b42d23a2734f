//! Agents' own files about their sessions, read line by line. Pure: what is read, and when, is the daemon's business.
//!
//! Such a file is written by a program that runs hostile text: every field may be missing, of another type, or too long.

mod claude;
mod codex;
mod gemini;
pub mod places;
mod registry;

pub use claude::ClaudeTranscript;
pub use codex::CodexRollout;
pub use gemini::{GeminiHead, gemini_cleared, gemini_next, gemini_project};
pub use registry::{RegistryEntry, registry};

/// A time as these files write it, in milliseconds since the Unix epoch.
fn millis(stamp: Option<&str>) -> Option<u64> {
    let stamp: jiff::Timestamp = stamp?.parse().ok()?;
    u64::try_from(stamp.as_millisecond()).ok()
}
