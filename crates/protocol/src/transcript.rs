//! An agent's conversations as a person reads them, whichever agent wrote them down.
//!
//! Everything here comes from files of other programs: any field can be missing, and texts are cut to the lengths that are
//! said with them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::SessionId;

/// A conversation as a list shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Conversation {
    /// The agent's id: `claude`, …
    pub agent: String,
    /// The agent's own id of the conversation. Aider has none: there it is the path of its history file.
    pub id: String,
    /// What the person or the agent called it, else its first prompt; one line, at most 200 characters.
    pub title: String,
    /// The directory that it belongs to.
    pub cwd: Option<String>,
    /// The branch that was checked out last.
    pub branch: Option<String>,
    /// The model that answered last.
    pub model: Option<String>,
    /// The first thing that was asked, at most 500 characters.
    pub first_prompt: Option<String>,
    /// The last thing that was asked, at most 500 characters.
    pub last_prompt: Option<String>,
    /// How often something was asked.
    pub prompts: u32,
    /// When it began.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub started_at: Option<Timestamp>,
    /// When it was last written to.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub updated_at: Timestamp,
    /// Size of what the agent keeps of it, in bytes; of a database, its own share as far as is known.
    pub bytes: u64,
    /// What it has used.
    pub usage: Usage,
    /// The conversation that it was made from, where the agent writes that down.
    pub forked_from: Option<String>,
    /// The file, or the database, that it is in.
    pub file: String,
    /// What of it could not be read, for the person; none where all was.
    pub unread: Option<String>,
    /// The person does not want to see it in lists.
    #[serde(default)]
    pub hidden: bool,
    /// The session that is or was last in it.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// Where it goes on just now; none where nothing is known to run it.
    #[serde(default)]
    pub live: Option<Live>,
}

/// A process that has a conversation open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Live {
    /// Its process id.
    pub pid: u32,
    /// Where it is, for the person: `tmux main:1.0`, `another terminal (pts/4)`, a session's name.
    pub place: String,
    /// The session, where it is one.
    pub session: Option<SessionId>,
}

/// What a conversation has used, in tokens, as its agent counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Usage {
    /// Sent to the model and not read from its cache.
    pub input: u64,
    /// Written by the model.
    pub output: u64,
    /// Read from the model's cache.
    pub cache_read: u64,
    /// Written to the model's cache.
    pub cache_write: u64,
    /// What the last request filled of the model's context.
    pub context: Option<u64>,
    /// How much the context holds, where the agent says so.
    pub context_size: Option<u64>,
    /// US dollars, where the agent gives prices.
    pub cost: Option<f64>,
    /// The agent guessed, or part of its records could not be read.
    pub estimated: bool,
}

/// One thing in a transcript, in the order it was written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Entry {
    /// Its place: ascending, the same at every reading as long as the agent only adds. An entry that is read again under the same
    /// number takes the place of the one before: it has grown.
    pub seq: u64,
    /// When it was written down.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub at: Option<Timestamp>,
    /// The agent's own id of it, where a fork can begin there.
    pub id: Option<String>,
    /// The subagent that it belongs to, by [`Said::Tool`]'s `call` or the agent's id of it; none for the conversation itself.
    pub subagent: Option<String>,
    /// What it is.
    pub said: Said,
}

/// What was said or done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Said {
    /// The person, or who spoke for them.
    Prompt(Text),
    /// The model's answer.
    Answer(Text),
    /// What the model thought before.
    Thought(Text),
    /// A tool was called.
    Tool(ToolCall),
    /// What the tool gave back.
    Result {
        /// [`ToolCall::call`].
        call: String,
        /// What it gave.
        output: Text,
        /// It failed, or was not allowed.
        failed: bool,
        /// What it changed, as a unified diff, where the agent writes that down only now; it knows the places, which
        /// [`ToolCall::diff`] may not.
        diff: Option<Text>,
        /// The subagent that did it, where one did.
        subagent: Option<String>,
    },
    /// The list of what is to be done, as it is from here on.
    Todos {
        /// In their order.
        items: Vec<Todo>,
    },
    /// A picture; its data stays in the agent's file.
    Image {
        /// `image/png`, …
        media_type: String,
        /// Its size in bytes; 0 where that is not known.
        bytes: u64,
    },
    /// Something that neither side said.
    Note {
        /// What kind.
        note: Note,
        /// In the agent's words.
        text: Text,
    },
}

/// A text of at most 64 KiB.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Text {
    /// Its beginning, where it was cut.
    pub text: String,
    /// Bytes that are missing at the end.
    pub cut: u64,
}

/// A tool that was called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ToolCall {
    /// The agent's own id of the call.
    pub call: String,
    /// The tool: `Bash`, `apply_patch`, …
    pub name: String,
    /// What it is about, in one line of at most 200 characters: the command, the file, the address.
    pub about: Option<String>,
    /// Its arguments, as the agent wrote them down: JSON, or plain text.
    pub arguments: Text,
    /// Files that it changes, as the agent named them.
    pub files: Vec<String>,
    /// What it changes in them, as a unified diff.
    pub diff: Option<Text>,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Todo {
    /// What.
    pub text: String,
    /// How far it is.
    pub progress: Progress,
}

/// How far something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// Not begun.
    Open,
    /// Begun.
    Begun,
    /// Done.
    Done,
    /// Given up.
    Dropped,
}

/// Kinds of [`Said::Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// What was said before was put in short.
    Compacted,
    /// The person stopped the turn.
    Interrupted,
    /// The turn failed.
    Failed,
    /// The turn ended.
    TurnOver,
    /// A record that could not be read, and was left out.
    Unread,
    /// Anything else that the agent says about itself.
    Other,
}

/// Which entries of a conversation are wanted: see [`crate::Request::ReadTranscript`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ReadTranscript {
    /// The agent's id.
    pub agent: String,
    /// The agent's own id of the conversation.
    pub id: String,
    /// What this subagent of it did, by the id that the entry with its result has.
    #[serde(default)]
    pub subagent: Option<String>,
    /// From this entry on.
    #[serde(default)]
    pub from: Option<u64>,
    /// Those before this entry, where `from` is not given.
    #[serde(default)]
    pub before: Option<u64>,
    /// At most so many; fewer where they are large.
    pub limit: u32,
}
