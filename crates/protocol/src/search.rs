//! Which conversations are wanted; what is looked for in them and in what terminals showed, and what is found.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{RunId, SessionId};
use crate::transcript::Conversation;

/// Which conversations are listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct List {
    /// Of these agents; of all where there are none.
    pub agents: Vec<String>,
    /// Only the one with this id.
    pub id: Option<String>,
    /// In this directory or below it.
    pub directory: Option<String>,
    /// With these words in the title, the prompts, or the directory.
    pub text: Option<String>,
    /// Also those that are hidden.
    pub hidden: bool,
    /// Written to at or after this.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub since: Option<Timestamp>,
    /// Written to before this.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub before: Option<Timestamp>,
    /// So many of the first are left out.
    pub skip: u32,
    /// At most so many.
    pub limit: u32,
}

impl Default for List {
    fn default() -> Self {
        Self {
            agents: Vec::new(),
            id: None,
            directory: None,
            text: None,
            hidden: false,
            since: None,
            before: None,
            skip: 0,
            limit: 100,
        }
    }
}

/// What is looked for in conversations and in what terminals showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Search {
    /// What was typed. Every word has to be there; the last one is a beginning, and what is in quotation marks is looked for as it is.
    pub text: String,
    /// Of these agents; of all where there are none.
    pub agents: Vec<String>,
    /// In this directory or below it.
    pub directory: Option<String>,
    /// Only in these kinds of entries; in all where there are none.
    pub roles: Vec<Role>,
    /// Also in what the sessions' terminals showed, alive or dead: [`HitPlace::Line`] is understood. Private ones are in no index.
    pub scrollback: bool,
    /// In conversations that changed a file with this in its path.
    pub file: Option<String>,
    /// Also those that are hidden.
    pub hidden: bool,
    /// Said at or after this.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub since: Option<Timestamp>,
    /// Said before this.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub before: Option<Timestamp>,
    /// So many of the first are left out.
    pub skip: u32,
    /// At most so many.
    pub limit: u32,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            text: String::new(),
            agents: Vec::new(),
            directory: None,
            roles: Vec::new(),
            scrollback: false,
            file: None,
            hidden: false,
            since: None,
            before: None,
            skip: 0,
            limit: 20,
        }
    }
}

/// How far the index has come with what there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Indexing {
    /// Conversations and runs that it has read.
    pub done: u32,
    /// Those that it has to read; what has not changed is not among them.
    pub total: u32,
    /// It looks for what there is, or reads it.
    pub busy: bool,
}

/// Hits, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Found {
    /// This page of them.
    pub hits: Vec<Hit>,
    /// How many there are, of each conversation and each session the best few.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub total: u64,
    /// There are more, too many to be ranked: these are among the newest.
    pub more: bool,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hit {
    /// Where.
    #[serde(flatten)]
    pub place: HitPlace,
    /// When it was said or shown.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub at: Timestamp,
    /// What it is.
    pub role: Role,
    /// The text around it; empty where the agent's file cannot be read any more.
    pub text: Vec<Piece>,
    /// Further hits in the same conversation, or of the same session, that are not shown.
    pub more: u32,
}

/// Where something was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum HitPlace {
    /// In a conversation.
    Entry {
        /// Which.
        conversation: Box<Conversation>,
        /// The subagent of it that said so; none for the conversation itself.
        subagent: Option<String>,
        /// Which entry of it; none for its title.
        #[cfg_attr(feature = "ts", ts(type = "number | null"))]
        seq: Option<u64>,
    },
    /// In what a terminal showed; only where [`Search::scrollback`] is set.
    Line {
        /// Which line.
        line: ShownLine,
    },
}

/// A line that a session's terminal showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ShownLine {
    /// The session.
    pub session: SessionId,
    /// Its name.
    pub name: String,
    /// Its agent.
    pub agent: String,
    /// Its directory.
    pub cwd: String,
    /// Its program goes on.
    pub alive: bool,
    /// The run that showed it.
    pub run: RunId,
    /// Bytes that the run's program had printed when it was there; [`Hit::at`] is when that was, so that the recording can be
    /// played from there.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub offset: u64,
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

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A conversation's title.
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
    /// What a session's terminal showed.
    Scrollback,
}
