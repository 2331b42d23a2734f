//! Signals in, status out: the arbiter.
//!
//! Pure: it knows no file, socket or clock. Every observation comes with its time, in milliseconds of any steady clock,
//! and [`Arbiter::verdict`] says what follows from all of them, and when it could change by mere waiting, so that the
//! caller needs no timer while nothing can happen.
//!
//! For now the signals are the process, the rate of output, the terminal's foreground process and the look of the
//! prompt; agents' own reports come in by [`Signal::Program`]. A dead process outranks all, a fresh and specific signal an
//! older general one.

mod arbiter;
mod output;
mod signal;
#[cfg(test)]
mod tests;

pub use arbiter::{Arbiter, Verdict};
pub use signal::{ProgramState, Prompt, Signal, Source};
