//! The search index: what the agents' conversations say and what terminals showed, in a database of its own that can be thrown away.
//!
//! It keeps of each conversation what a list shows, the reading's [`belfry_transcripts::State`], and the words of its entries, but
//! not the entries themselves: what a hit shows is read again from the agent's own file, at the place that the index has.
//! Everything in it can be made anew from those files; only which conversations are hidden is the person's own, and that is taken
//! over from a damaged one where it can still be read.
//!
//! Of terminals it keeps the lines themselves ([`Shown`]), of each run as many as its scrollback has: a recording has them among all
//! that was ever drawn, and reading that for each hit would take too long. Who fills it decides what is private.

mod error;
mod hidden;
mod list;
mod numbers;
mod open;
mod query;
mod rank;
mod search;
mod shown;
mod snippet;
mod update;
mod words;

pub use error::IndexError;
pub use numbers::{Hour, Per};
pub use open::{Index, Opened};
pub use shown::{Line, MOST_LINES, Run, Shown};
pub use update::{Step, Update};

/// The outcome of anything here.
pub type Result<T> = std::result::Result<T, IndexError>;
