//! Answers to requests.

use serde::{Deserialize, Serialize};

use crate::agent::AgentInfo;
use crate::changes::{ChangedFile, Changes, FileDiff};
use crate::ids::MessageId;
use crate::launch::{DirectoryEntry, LaunchDefaults, Size};
use crate::notification::Notification;
use crate::pull_request::{PullDraft, PullRequest};
use crate::session::{Group, Project, Session};
use crate::settings::SettingsState;
use crate::workspace::{Branches, Cloning, Losses, Scripts, Workspace};

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub enum Reply {
    /// Carried out; there is nothing more to say.
    Done,
    /// Everything that the list shows.
    Overview {
        /// All sessions, trashed and archived ones too, oldest first.
        sessions: Vec<Session>,
        /// Projects.
        projects: Vec<Project>,
        /// Groups.
        groups: Vec<Group>,
        /// Not all sessions fit in this message; the others follow as events.
        #[serde(default)]
        more: bool,
    },
    /// One session.
    Session(Box<Session>),
    /// Sessions, oldest first.
    Sessions(Vec<Session>),
    /// One project.
    Project(Project),
    /// One group.
    Group(Group),
    /// A session was removed.
    Removed {
        /// It is in the trash for a day; otherwise it is gone for good.
        trashed: bool,
    },
    /// A screen.
    Screen(Box<Screen>),
    /// A message as it is now.
    Message(Message),
    /// Messages, oldest first.
    Messages(Vec<QueuedMessage>),
    /// Why a status is what it is.
    Explanation(Box<crate::explain::Explanation>),
    /// What a session was asked for at its start.
    Prompt {
        /// None where it was nothing, or nobody knows any more.
        text: Option<String>,
    },
    /// Where a file of a session is.
    Attachment(Attachment),
    /// What happened to a session, newest first.
    History(Vec<crate::history::Happened>),
    /// Conversations of the machine, what was written to last first.
    Conversations {
        /// This page of them.
        conversations: Vec<crate::transcript::Conversation>,
        /// How many there are.
        total: u64,
        /// How far reading them is.
        indexing: crate::search::Indexing,
    },
    /// What a search found.
    Hits {
        /// It.
        found: Box<crate::search::Found>,
        /// How far reading is: what has not been read yet is not found.
        indexing: crate::search::Indexing,
    },
    /// What is in a conversation.
    Transcript {
        /// Entries in their order.
        entries: Vec<crate::transcript::Entry>,
        /// There are earlier ones.
        earlier: bool,
        /// There are later ones.
        later: bool,
    },
    /// The conversations that a session has been in, newest first; the first is the one that it is in.
    Ledger(Vec<crate::session::LearntConversation>),
    /// What there is to be played again.
    Recording(Box<crate::recording::Recording>),
    /// What sessions take of the machine.
    Figures(crate::figures::Figures),
    /// What was used.
    Usage(Box<crate::usage::UsageReport>),
    /// A view was opened.
    View {
        /// The session.
        session: Box<Session>,
        /// The session's size, which the view's terminal must have.
        size: Size,
    },
    /// Agents.
    Agents(Vec<AgentInfo>),
    /// Directories.
    Directories(Vec<DirectoryEntry>),
    /// What was last used.
    LaunchDefaults(LaunchDefaults),
    /// A setting; null where there is none.
    Setting(#[cfg_attr(feature = "ts", ts(type = "unknown"))] serde_json::Value),
    /// What the person has set.
    Settings(Box<SettingsState>),
    /// The last notifications, oldest first, at most 200.
    Notifications(Vec<Notification>),
    /// Workspaces, oldest first.
    Workspaces(Vec<Workspace>),
    /// What would be lost.
    Losses(Box<Losses>),
    /// Scripts of a repository.
    Scripts(Box<Scripts>),
    /// What new branches can start from.
    Branches(Box<Branches>),
    /// A clone for a new project, as far as it is.
    Cloning(Box<Cloning>),
    /// Changes.
    Changes(Box<Changes>),
    /// Files that differ.
    ChangedFiles(Vec<ChangedFile>),
    /// One file's diff.
    Diff(Box<FileDiff>),
    /// What a pull request would begin with.
    PullDraft(Box<PullDraft>),
    /// A pull request.
    PullRequest(Box<PullRequest>),
    /// A text for the person to edit.
    Text(String),
    /// The daemon.
    Daemon(Box<DaemonInfo>),
    /// What is wrong with the database; empty where nothing is.
    Faults(Vec<String>),
}

/// A screen as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Screen {
    /// Lines joined by newlines, trailing blanks cut; escape sequences only where asked for.
    pub text: String,
    /// The terminal's size.
    pub size: Size,
    /// Cursor column, 0 at the left.
    pub cursor_col: u16,
    /// Cursor row, 0 at the top of the screen.
    pub cursor_row: u16,
    /// Whether the cursor shows.
    pub cursor_visible: bool,
    /// The alternate screen is on.
    pub alternate: bool,
    /// The terminal's title.
    pub title: Option<String>,
    /// Source bytes printed by the run so far.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub offset: u64,
}

/// A file in a session's own folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Attachment {
    /// Its absolute path.
    pub path: String,
    /// Its name there, which the next piece of it goes by.
    pub file: String,
}

/// A text queued for a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// How far it is.
    pub delivery: Delivery,
    /// Why it failed.
    pub why: Option<String>,
}

/// A text and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct QueuedMessage {
    /// Its id.
    pub id: MessageId,
    /// The text.
    pub text: String,
    /// How far it is.
    pub delivery: Delivery,
    /// Why it failed, or what it waits for.
    pub why: Option<String>,
    /// When it was queued.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub queued_at: jiff::Timestamp,
}

/// How far a message is. It is sent at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// Waits for the session to be free.
    Queued,
    /// Is being typed.
    Sending,
    /// Was typed.
    Delivered,
    /// Was not typed.
    Failed,
    /// The daemon ended while it was being typed; it is not sent again by itself.
    Unsure,
}

/// The daemon, for `daemon status` and `doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DaemonInfo {
    /// Process id.
    pub pid: u32,
    /// Version.
    pub version: String,
    /// When it was started.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub started_at: jiff::Timestamp,
    /// Path of its socket.
    pub socket: String,
    /// Where state is kept.
    pub state: String,
    /// SQLite's version.
    pub sqlite: String,
    /// Live sessions.
    pub alive: u32,
    /// All sessions.
    pub sessions: u32,
    /// Connected clients.
    pub clients: u32,
    /// Things that the person should know: a database that was set aside, a log that cannot be written.
    pub notices: Vec<String>,
}
