//! The words for what is observed of a session: who says something, and what.

use serde::{Deserialize, Serialize};

/// Where an observation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The process itself.
    Process,
    /// The program's own report on its terminal (OSC 7501).
    Program,
    /// The agent's own files about its live sessions.
    Registry,
    /// The agent's own interface for other programs.
    Api,
    /// A command that the agent runs when something happens.
    Hook,
    /// The agent's own file of the conversation.
    Transcript,
    /// The terminal's title.
    Title,
    /// The progress that a program reports (OSC 9;4).
    Progress,
    /// A notification that a program sends (OSC 9, 99, 777), or the bell.
    Notification,
    /// The terminal's modes.
    Modes,
    /// What is on the screen.
    Screen,
    /// Which process has the terminal, and what it does.
    Foreground,
    /// Shell integration (OSC 133).
    Shell,
    /// The rate of output.
    Output,
    /// What a worker says of itself.
    Report,
}

impl Source {
    /// All of them, in the order of the declaration.
    pub const ALL: [Self; 15] = [
        Self::Process,
        Self::Program,
        Self::Registry,
        Self::Api,
        Self::Hook,
        Self::Transcript,
        Self::Title,
        Self::Progress,
        Self::Notification,
        Self::Modes,
        Self::Screen,
        Self::Foreground,
        Self::Shell,
        Self::Output,
        Self::Report,
    ];

    /// The word, as it is written everywhere.
    pub fn word(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Program => "program",
            Self::Registry => "registry",
            Self::Api => "api",
            Self::Hook => "hook",
            Self::Transcript => "transcript",
            Self::Title => "title",
            Self::Progress => "progress",
            Self::Notification => "notification",
            Self::Modes => "modes",
            Self::Screen => "screen",
            Self::Foreground => "foreground",
            Self::Shell => "shell",
            Self::Output => "output",
            Self::Report => "report",
        }
    }

    /// The source of that word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.word() == word)
    }
}

/// What an observation says of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Says {
    /// It has not reached its prompt.
    Starting,
    /// It works.
    Working,
    /// A question to the person is open.
    Asking,
    /// It is at its prompt.
    Idle,
    /// A turn has just ended; it is at its prompt.
    Done,
    /// A turn has ended with an error; it is at its prompt.
    Failed,
    /// It cannot go on, and answering a dialog would not help.
    Blocked,
    /// The program is gone.
    Gone,
}

impl Says {
    /// The word, as it is written everywhere.
    pub fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Working => "working",
            Self::Asking => "asking",
            Self::Idle => "idle",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Blocked => "blocked",
            Self::Gone => "gone",
        }
    }

    /// What a rule's word means.
    pub fn of(word: &str) -> Option<Self> {
        [
            Self::Starting,
            Self::Working,
            Self::Asking,
            Self::Idle,
            Self::Done,
            Self::Failed,
            Self::Blocked,
            Self::Gone,
        ]
        .into_iter()
        .find(|says| says.word() == word)
    }
}
