//! What a person asks for when starting a session.

use serde::{Deserialize, Serialize};

use crate::ids::{GroupId, ProjectId, SessionId};
use crate::session::WorkspaceKind;

/// A terminal's size in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Size {
    /// Columns, 2 to 1000.
    pub cols: u16,
    /// Rows, 1 to 1000.
    pub rows: u16,
}

impl Size {
    /// The size of a terminal that nobody looks at yet.
    pub const DEFAULT: Self = Self { cols: 120, rows: 40 };

    /// The nearest size that a terminal can have here.
    #[must_use]
    pub fn clamped(self) -> Self {
        Self { cols: self.cols.clamp(2, 1000), rows: self.rows.clamp(1, 1000) }
    }
}

/// One environment variable.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EnvVar {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl std::fmt::Debug for EnvVar {
    // Values can be secrets, and Debug output can reach a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}=…", self.name)
    }
}

/// A new session. Everything but the agent has a sensible default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default)]
pub struct NewSession {
    /// The agent's id; empty means `shell`.
    pub agent: String,
    /// Directory, absolute or starting with `~`; none means that of the project that is given, else the home directory.
    pub cwd: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// Project.
    pub project: Option<ProjectId>,
    /// Group.
    pub group: Option<GroupId>,
    /// How its directory is made.
    pub workspace: WorkspaceKind,
    /// Branch, for a worktree or a clone: one that is there, else a new one of that name. None: a new one, named after the
    /// prompt.
    pub branch: Option<String>,
    /// What a new branch starts from, such as `origin/main`; none: as the project or its remote says.
    pub base: Option<String>,
    /// Start from that pull request's branch.
    #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
    pub pull_request: Option<u64>,
    /// A workspace that was made ahead may be taken, where there is one that fits.
    pub warm: bool,
    /// Model.
    pub model: Option<String>,
    /// System prompt, added to the agent's own.
    pub system_prompt: Option<String>,
    /// First prompt, delivered when the agent is ready.
    pub prompt: Option<String>,
    /// Extra arguments; for `shell`, the command to run instead of the person's shell.
    pub args: Vec<String>,
    /// Variables to set on top.
    pub env: Vec<EnvVar>,
    /// The environment to start from: the calling CLI's own. None: the person's login shell's.
    pub base_env: Option<Vec<EnvVar>>,
    /// Size; none means [`Size::DEFAULT`] until a view opens.
    pub size: Option<Size>,
    /// Keep nothing of it on disk.
    pub private: bool,
    /// The session that started it, set by the daemon and not believed from outside.
    #[cfg_attr(feature = "ts", ts(skip))]
    #[serde(skip_deserializing)]
    pub started_by: Option<SessionId>,
}

/// What was last used in a directory, offered again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LaunchDefaults {
    /// The directory.
    pub cwd: String,
    /// The agent.
    pub agent: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The system prompt.
    pub system_prompt: Option<String>,
    /// Extra arguments.
    pub args: Vec<String>,
    /// Names of variables that were set; values are not kept.
    pub env_names: Vec<String>,
}

/// A directory that was found for what was typed so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DirectoryEntry {
    /// Absolute path.
    pub path: String,
    /// The same with the home directory written `~`.
    pub shown: String,
    /// It is a git repository.
    pub repository: bool,
    /// The branch, where it is one.
    pub branch: Option<String>,
}
