//! The arbiter as it was first: signals without sources. It goes as soon as the daemon uses the one beside it.

mod arbiter;
mod output;
mod signal;
#[cfg(test)]
mod tests;

pub use arbiter::{Arbiter, Verdict};
pub use signal::{ProgramState, Prompt, Signal, Source};
