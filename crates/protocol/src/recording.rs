//! What a session's terminal printed, to be played again.
//!
//! A recording has a clock of its own, in milliseconds: it begins with the first output that is kept, and the runs follow each
//! other with [`BETWEEN_RUNS`] between them, however long the session was dead.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RunId;

/// Pause that stands for the time between two runs, in milliseconds.
pub const BETWEEN_RUNS: u64 = 1000;

/// Parts that [`Recording::activity`] divides the whole into.
pub const PARTS: usize = 200;

/// A session's recording, without what was printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Recording {
    /// How long it takes, in milliseconds.
    pub length: u64,
    /// Bytes of output that are kept.
    pub bytes: u64,
    /// The largest terminal in it: columns.
    pub cols: u16,
    /// And rows.
    pub rows: u16,
    /// The runs that are kept, oldest first.
    pub runs: Vec<RecordedRun>,
    /// Bytes printed in each of [`PARTS`] equal parts; empty where there is nothing.
    pub activity: Vec<u64>,
    /// What can be gone to, in order.
    pub marks: Vec<Mark>,
    /// Output is missing in it: the journal's limit was reached, or the disk was full.
    pub gaps: bool,
    /// Where, in order; of very many the first.
    #[serde(default)]
    pub holes: Vec<Hole>,
    /// The terminal's sizes, in order: the first, and each later one that lasted; of very many the first.
    #[serde(default)]
    pub sizes: Vec<RecordedSize>,
    /// What the clock on the wall showed where: at each run's beginning, and where it jumped since, as it does when the
    /// machine has slept or somebody sets it. In between both clocks go alike.
    #[serde(default)]
    pub clocks: Vec<WallClock>,
}

/// A place in a recording where output is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hole {
    /// Where, in milliseconds.
    pub at: u64,
    /// How much was printed that is not there, in bytes.
    pub bytes: u64,
    /// Why.
    pub why: HoleReason,
}

/// Why output is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum HoleReason {
    /// The oldest part was dropped, to stay under the journal's limit.
    Dropped,
    /// The disk was full.
    DiskFull,
    /// The journal is damaged there.
    Damaged,
}

/// A size of a recording's terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RecordedSize {
    /// From where on, in milliseconds.
    pub at: u64,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

/// What the clock on the wall showed at a place of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WallClock {
    /// Where, in milliseconds.
    pub at: u64,
    /// Milliseconds since 1970.
    pub wall: u64,
}

/// One run in a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RecordedRun {
    /// Its id.
    pub run: RunId,
    /// Where it begins, in milliseconds.
    pub from: u64,
    /// Where it ends.
    pub to: u64,
    /// When that beginning was.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub began: Timestamp,
}

/// A moment in a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Mark {
    /// Where, in milliseconds.
    pub at: u64,
    /// What kind.
    pub kind: MarkKind,
    /// What is to be said of it, in one line.
    pub text: String,
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// A run began.
    Run,
    /// The agent began to work on something.
    Turn,
    /// It asked.
    Ask,
    /// It could not go on.
    Blocked,
}

/// One line of what [`crate::Request::ReadRecording`] sends. Lines end with a line feed; the first is a `picture`, the last an
/// `end`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum RecordingLine {
    /// The screen as it was: what brings a fresh terminal of that size into exactly that state.
    Picture {
        /// In milliseconds.
        at: u64,
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
        /// To be fed.
        text: String,
    },
    /// Output, without what only a real terminal may be asked.
    Output {
        /// In milliseconds.
        at: u64,
        /// To be fed.
        text: String,
    },
    /// The terminal got another size.
    Resize {
        /// In milliseconds.
        at: u64,
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// So much was asked for.
    End {
        /// Where to read on, in milliseconds; none at the recording's end.
        next: Option<u64>,
    },
}
