//! A session as clients see it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ask::Ask;
use crate::changes::ChangeCounts;
use crate::ids::{GroupId, ProjectId, RunId, SessionId, WorkspaceId};
use crate::pull_request::PullRequest;
use crate::workspace::{Preparing, RunsFor, WorkspaceRules};

/// The one word shown for a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The program runs and has not reached its prompt.
    Starting,
    /// The agent works; or a program has the terminal that stands at no prompt.
    Running,
    /// It shows a question that only the person can answer.
    Waiting,
    /// It cannot go on, and answering a dialog would not help.
    Blocked,
    /// At its prompt, turn over: it takes a message. Shown as *done* while `unseen`.
    Idle,
    /// The process is gone.
    Dead,
    /// No trustworthy signal is left.
    Unknown,
}

impl Status {
    /// The word, as it is written everywhere.
    pub fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Blocked => "blocked",
            Self::Idle => "idle",
            Self::Dead => "dead",
            Self::Unknown => "unknown",
        }
    }
}

/// What `--status` and `--until` take: a status, or `done`, which is idle and unseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StatusFilter {
    /// Idle and not looked at since the turn ended.
    Done,
    /// Exactly that status.
    #[serde(untagged)]
    Is(Status),
}

impl StatusFilter {
    /// Whether the session is in that status.
    pub fn fits(self, session: &Session) -> bool {
        match self {
            Self::Done => session.status == Status::Idle && session.unseen,
            Self::Is(status) => session.status == status,
        }
    }
}

impl std::str::FromStr for StatusFilter {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        serde_json::from_value(serde_json::Value::String(word.to_owned())).map_err(|_| {
            format!("`{word}` is no status (starting, running, waiting, blocked, idle, done, dead, unknown)")
        })
    }
}

/// Whether Belfry started the session or found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Started by Belfry.
    Managed,
    /// Found on the machine.
    Local,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Exit {
    /// It left by itself.
    Code {
        /// Its exit code.
        code: i32,
    },
    /// A signal ended it.
    Signal {
        /// The signal's number.
        signal: i32,
        /// Its name, such as `SIGKILL`.
        name: String,
    },
    /// The machine was restarted while it ran.
    MachineRestarted,
    /// Its keeper was killed, so nobody saw how it ended.
    KeeperLost,
    /// It never started.
    LaunchFailed {
        /// Why.
        reason: String,
    },
}

/// The directory a session works in, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceKind {
    /// The directory as it is.
    #[default]
    Directory,
    /// A git worktree on a branch of its own.
    Worktree,
    /// A local clone on a branch of its own.
    Clone,
    /// A fresh repository.
    Scratch,
}

/// One life of a session's program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// When it was started.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub started_at: Timestamp,
    /// When it ended.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub ended_at: Option<Timestamp>,
    /// How it ended.
    pub exit: Option<Exit>,
    /// The program's process id.
    pub pid: Option<u32>,
    /// The keeper's process id.
    pub keeper_pid: Option<u32>,
}

/// The reason of a session that is `idle` because its program was put to sleep.
pub const HIBERNATED: &str = "hibernated";

/// A session as clients see it; fields are added, never taken away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Given, else from the first prompt, else from the program and directory.
    pub name: String,
    /// The kind of program: `claude`, `codex`, …, `shell`.
    pub agent: String,
    /// Started by Belfry or found.
    pub kind: Kind,
    /// The one word.
    pub status: Status,
    /// Why, where the status has reasons: `machine restarted`, `exit 1`, `usage limit`.
    pub reason: Option<String>,
    /// What it does just now.
    pub activity: Option<String>,
    /// When it began to do that, where it does something.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub activity_since: Option<Timestamp>,
    /// Which source the status comes from: `process`, `output`, …
    pub source: String,
    /// When it entered this status.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub since: Timestamp,
    /// Something happened that was not looked at.
    pub unseen: bool,
    /// The open question.
    pub ask: Option<Box<Ask>>,
    /// The directory it was started in.
    pub cwd: String,
    /// Its project.
    pub project: Option<ProjectId>,
    /// Its group.
    pub group: Option<GroupId>,
    /// Place among its siblings, ascending.
    pub position: f64,
    /// The branch its directory is on, where that is a repository.
    pub branch: Option<String>,
    /// How its directory was made.
    pub workspace: WorkspaceKind,
    /// Its workspace, where its directory was made for it.
    #[serde(default)]
    pub workspace_id: Option<WorkspaceId>,
    /// What its first prompt waits for, and why its workspace is not ready.
    #[serde(default)]
    pub preparing: Option<Box<Preparing>>,
    /// Taken from what was made ahead, and nothing was said to it yet: it is in no list until then.
    #[serde(default)]
    pub unspoken: bool,
    /// What its directory has that its base has not; none where it is in no repository or nothing is known yet.
    #[serde(default)]
    pub changes: Option<ChangeCounts>,
    /// Its pull request.
    #[serde(default)]
    pub pull_request: Option<Box<PullRequest>>,
    /// The session beside which it runs a command of the workspace.
    #[serde(default)]
    pub runs_for: Option<RunsFor>,
    /// Ports on which its processes listen, where it runs a command of a workspace.
    #[serde(default)]
    pub listening: Vec<u16>,
    /// The agent's own id of the newest conversation.
    pub conversation_id: Option<String>,
    /// The session that started it.
    pub started_by: Option<SessionId>,
    /// The session whose conversation it began with a copy or a handover of.
    #[serde(default)]
    pub forked_from: Option<SessionId>,
    /// Open views, of all clients.
    pub views: u32,
    /// The program's process id while it lives.
    pub pid: Option<u32>,
    /// How the newest run ended.
    pub exit: Option<Exit>,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// The terminal's title, without control characters.
    pub title: Option<String>,
    /// The program and its arguments, as they were started. Prompts and secrets are never in it.
    pub command: Vec<String>,
    /// The model asked for.
    pub model: Option<String>,
    /// Names of the environment variables given for it; values are not kept here.
    pub env_names: Vec<String>,
    /// Where it is, where Belfry did not start it.
    #[serde(default)]
    pub local: Option<Box<crate::local::Local>>,
    /// The agent that was started by hand in it and has its terminal.
    #[serde(default)]
    pub guest: Option<String>,
    /// Nothing of it is written to disk.
    pub private: bool,
    /// Its runs, newest first, at most the last ten.
    pub runs: Vec<Run>,
    /// Messages that wait to be delivered.
    pub queued: u32,
    /// Something the person should know: the disk was full, output was skipped while no daemon ran.
    pub notice: Option<String>,
    /// When it was made.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub created_at: Timestamp,
    /// Last output or input, to a second or so.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub last_activity_at: Timestamp,
    /// When it was last looked at.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub last_seen_at: Option<Timestamp>,
    /// When it was archived.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub archived_at: Option<Timestamp>,
    /// The person keeps it at the top.
    #[serde(default)]
    pub pinned: bool,
    /// It calls nobody: no notification, no sound.
    #[serde(default)]
    pub muted: bool,
    /// It calls nobody before then.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub snoozed_until: Option<Timestamp>,
    /// When it was put in the trash; removed a day later.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub trashed_at: Option<Timestamp>,
}

impl Session {
    /// Whether its program runs, as far as is known.
    pub fn alive(&self) -> bool {
        self.status != Status::Dead && !self.hibernated()
    }

    /// Whether its program was put to sleep: its process has ended, its conversation goes on where it was as soon as the
    /// session is woken.
    pub fn hibernated(&self) -> bool {
        self.status == Status::Idle && self.pid.is_none() && self.reason.as_deref() == Some(HIBERNATED)
    }
}

/// A conversation that a session has been in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LearntConversation {
    /// The agent's own id.
    pub id: String,
    /// When it was learnt that the session is in it.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub learnt_at: Timestamp,
    /// How: `launch`, `resume`, `fork`, `hook`, `registry`, `transcript`.
    pub how: String,
}

/// A directory with defaults for new sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// Shown name.
    pub name: String,
    /// Its directory.
    pub path: String,
    /// Place in the list, ascending.
    pub position: f64,
    /// What a new session here begins with.
    #[serde(default)]
    pub defaults: ProjectDefaults,
}

/// What a new session in a project begins with, where the person does not say otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default)]
pub struct ProjectDefaults {
    /// The agent's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The first prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// How its directory is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<WorkspaceKind>,
    /// What a workspace is made with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Box<WorkspaceRules>>,
}

/// A folder of sessions inside a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Group {
    /// Its id.
    pub id: GroupId,
    /// The project it is in.
    pub project: ProjectId,
    /// The group it is in, where nested.
    pub parent: Option<GroupId>,
    /// Shown name.
    pub name: String,
    /// Place among its siblings, ascending.
    pub position: f64,
    /// The colour that the person gave it.
    #[serde(default)]
    pub color: Option<GroupColor>,
}

/// Colours that a group can have; the window has a tone of each for dark and for light.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GroupColor {
    /// Red.
    Red,
    /// Orange.
    Orange,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Teal.
    Teal,
    /// Blue.
    Blue,
    /// Purple.
    Purple,
    /// Pink.
    Pink,
}
