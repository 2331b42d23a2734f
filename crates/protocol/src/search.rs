//! What a search over conversations finds.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::transcript::Conversation;

/// Hits, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Found {
    /// This page of them.
    pub hits: Vec<Hit>,
    /// How many there are, of each conversation the best few.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub total: u64,
    /// There are more, too many to be ranked: these are among the newest.
    pub more: bool,
}

/// A place where something was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hit {
    /// The conversation.
    pub conversation: Conversation,
    /// The subagent of it that said so; none for the conversation itself.
    pub subagent: Option<String>,
    /// Which entry of it; none for its title.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub seq: Option<u64>,
    /// When it was said.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub at: Timestamp,
    /// What it is.
    pub role: Role,
    /// The text around it; empty where the agent's file cannot be read any more.
    pub text: Vec<Piece>,
    /// Further hits in the same conversation that are not shown.
    pub more: u32,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Piece {
    /// It.
    pub text: String,
    /// It is what was looked for.
    pub marked: bool,
}

/// What in a conversation is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Its title.
    Title,
    /// What the person asked.
    Prompt,
    /// What the model answered.
    Answer,
    /// What it thought before.
    Thought,
    /// A tool's call.
    Tool,
    /// What the tool gave.
    Result,
}
