//! Why a session's status is what it is.

use serde::{Deserialize, Serialize};

use crate::session::Status;
use crate::signal::{Says, Source};

/// What became of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// The status rests on it.
    Decided,
    /// It says the same as what decided.
    Agrees,
    /// It says something else and was overruled.
    Overruled,
    /// It is older than its source keeps true.
    Expired,
    /// It says nothing of the status, but belongs to the picture (an activity, subagents, a background shell).
    Adds,
}

/// One observation, as it counts now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Evidence {
    /// Where it comes from.
    pub source: Source,
    /// What it says.
    pub says: Option<Says>,
    /// What was seen, in a few words: a rule's name and the text that it found, a hook's name.
    pub what: String,
    /// How long ago it was last observed, in milliseconds.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub age_ms: u64,
    /// What became of it.
    pub weight: Weight,
    /// Why, in a few words, where that does not follow from the weight.
    pub why: Option<String>,
}

/// A source that could speak and does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Missing {
    /// Which.
    pub source: Source,
    /// Why, as far as is known: hooks were not loaded, the title is switched off, this version is not known.
    pub why: String,
    /// What that costs.
    pub costs: String,
}

/// Why a session's status is what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Explanation {
    /// The session's name.
    pub name: String,
    /// Its agent.
    pub agent: String,
    /// The agent's version, where it is known, and whether its rules were made for it.
    pub version: Option<String>,
    /// The one word.
    pub status: Status,
    /// Its reason or activity.
    pub reason: Option<String>,
    /// Since when it has that status, in milliseconds.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub for_ms: u64,
    /// Since when it does what its activity says, as in the session's record.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub activity_since: Option<jiff::Timestamp>,
    /// The rule by which it was decided, in a sentence.
    pub rule: String,
    /// All observations, the deciding ones first.
    pub evidence: Vec<Evidence>,
    /// Sources that could speak and do not.
    pub missing: Vec<Missing>,
    /// The last changes, newest first.
    pub history: Vec<StatusChange>,
}

/// One change of status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StatusChange {
    /// When.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub at: jiff::Timestamp,
    /// From.
    pub from: Status,
    /// To.
    pub to: Status,
    /// The reason or activity that it came with.
    pub reason: Option<String>,
    /// The source that decided.
    pub source: String,
    /// What was seen.
    pub what: String,
}
