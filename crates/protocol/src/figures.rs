//! What sessions take of the machine.

use serde::{Deserialize, Serialize};

use crate::ids::SessionId;

/// One look at what sessions take. How busy one is follows from two looks: of [`SessionFigures::cpu_ms`] and
/// [`Figures::at_ms`] the later less the earlier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Figures {
    /// When, in milliseconds of a steady clock that begins anywhere.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub at_ms: u64,
    /// Of each session that lives and could be looked at.
    pub sessions: Vec<SessionFigures>,
}

/// What a session takes, with its keeper and all that was started in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SessionFigures {
    /// Which.
    pub id: SessionId,
    /// Processes.
    pub processes: u32,
    /// Bytes of memory. Pages that several processes share count for each by its share (PSS), so that the sum of all sessions
    /// is what they take together.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub memory: u64,
    /// The shares of some process are not ours to read: all that it has in memory is counted (RSS), and the sum is too large.
    pub estimated: bool,
    /// Processor time that was used so far, in milliseconds, of processes that have ended too.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub cpu_ms: u64,
}
