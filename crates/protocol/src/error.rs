//! Errors with stable codes: what crosses a socket is a code that programs branch on and a sentence that people read.

use serde::{Deserialize, Serialize};

/// What went wrong, for a program. Codes are never renamed and never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The two sides speak protocols that do not fit.
    Version,
    /// The request could not be understood, or a value in it is wrong.
    BadRequest,
    /// No session answers to that id or name.
    NoSuchSession,
    /// An id prefix or name fits more than one session.
    Ambiguous,
    /// No project, group, view or message of that id.
    NotFound,
    /// The session has ended, and the request needs a live one.
    NotAlive,
    /// The session is alive, and the request would end it or lose something.
    StillAlive,
    /// The peer's authority does not reach that far: it runs inside a session and is not the person.
    Forbidden,
    /// The directory is missing, is no directory, or cannot be entered.
    BadDirectory,
    /// The program or the agent is not on this machine.
    MissingProgram,
    /// The program could not be started.
    LaunchFailed,
    /// There is no memory-backed storage for a private session.
    NoPrivateStorage,
    /// More was sent than the receiver holds.
    TooMuch,
    /// What was checked has changed in between; nothing was done.
    Changed,
    /// A dialog was answered, and it is still open.
    StillOpen,
    /// The conversation goes on somewhere already, and one conversation is never in two places.
    ConversationLive,
    /// What the agent kept of the conversation is not there, or it is not known which conversation it was.
    ConversationGone,
    /// Git refused it; the message has its words.
    Git,
    /// Work would be lost that the person has not been shown; nothing was done.
    WouldLose,
    /// A program works in the directory.
    Busy,
    /// Two changes of one place do not go together; a person or an agent has to settle it.
    Conflict,
    /// Scripts that come with the repository have not been trusted.
    Untrusted,
    /// The disk is full.
    DiskFull,
    /// The file or directory cannot be written or read.
    Storage,
    /// No keeper answers for the session.
    KeeperLost,
    /// The agent or system cannot do that.
    Unsupported,
    /// A fault of Belfry's own; the log has more.
    Internal,
}

/// An error as it crosses a socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[error("{message}")]
pub struct WireError {
    /// For a program.
    pub code: ErrorCode,
    /// What happened, in one sentence, for a person.
    pub message: String,
    /// What was kept, where that is in doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// What to do next, where there is something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl WireError {
    /// An error with a code and what happened.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), kept: None, next: None }
    }

    /// The same, saying what was kept.
    #[must_use]
    pub fn kept(mut self, kept: impl Into<String>) -> Self {
        self.kept = Some(kept.into());
        self
    }

    /// The same, saying what to do next.
    #[must_use]
    pub fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }
}
