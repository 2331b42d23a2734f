//! What was used: tokens and cost as the agents counted them, and time at work and waiting as Belfry saw it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{ProjectId, SessionId};
use crate::search::Indexing;
use crate::transcript::Usage;

/// What is wanted of what was used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct ReadUsage {
    /// How it is added up.
    pub by: UsageBy,
    /// At or after this; to the hour for tokens. None: from the beginning.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub since: Option<Timestamp>,
    /// Before this; none: up to now.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub before: Option<Timestamp>,
}

/// By what it is added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum UsageBy {
    /// By session; conversations that belong to none are added up by agent.
    #[default]
    Session,
    /// By project; what is in none is added up in a row of its own.
    Project,
    /// By day, as days begin where the daemon runs.
    Day,
}

/// What was used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct UsageReport {
    /// Days in their order; sessions and projects with those first that have used most.
    pub rows: Vec<UsageRow>,
    /// How far reading the agents' records is: what has not been read yet is not counted.
    pub indexing: Indexing,
}

/// What was used by one of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct UsageRow {
    /// The day (`2026-11-30`), the session's or the project's name, or the agent's id.
    pub name: String,
    /// The session, where it is one.
    pub session: Option<SessionId>,
    /// The project, where it is one, or the session is in one.
    pub project: Option<ProjectId>,
    /// The agent, where there is one.
    pub agent: Option<String>,
    /// Tokens, and cost where the agent gives prices; `estimated` where an agent guessed.
    pub usage: Usage,
    /// Milliseconds in which it worked, of what is kept of its changes of status. Sessions that work at once add up.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub working_ms: u64,
    /// Milliseconds in which it waited for the person.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub waiting_ms: u64,
}
