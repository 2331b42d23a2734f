//! The directory that a session has for itself: a worktree, a clone or a scratch repository, how it was made and what it holds.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{ProjectId, SessionId, WorkspaceId};
use crate::session::WorkspaceKind;

/// A directory that sessions work in, as clients see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Workspace {
    /// Its id; none where it is a worktree of a project's repository that Belfry did not make.
    pub id: Option<WorkspaceId>,
    /// How it was made.
    pub kind: WorkspaceKind,
    /// Where it is, absolute.
    pub path: String,
    /// The repository that it was made from: its main checkout, or a clone's address.
    pub repository: Option<String>,
    /// The project that it belongs to.
    pub project: Option<ProjectId>,
    /// The branch that it is on; none where its head is detached.
    pub branch: Option<String>,
    /// What its branch started from, as it was asked for: `origin/main`.
    pub base: Option<String>,
    /// How far it is.
    pub state: WorkspaceState,
    /// Sessions that work in it, trashed ones too. None: an orphan.
    pub sessions: Vec<SessionId>,
    /// The ports that are its own.
    pub ports: Option<PortRange>,
    /// Bytes on disk that removing it would free, links and shared blocks counted as if they were its own. None where it was not
    /// asked for.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub disk: Option<u64>,
    /// When it was made.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub created_at: Option<Timestamp>,
    /// What the person should know of it, in one sentence.
    pub notice: Option<String>,
}

/// How far a workspace is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum WorkspaceState {
    /// It is being made.
    Making {
        /// At what: `fetching`, `checking out`, `copying`.
        step: String,
    },
    /// Its setup script runs.
    SettingUp {
        /// The session that shows the script's output.
        session: Option<SessionId>,
    },
    /// Ready to work in.
    Ready,
    /// Its setup script failed; it can be worked in all the same.
    SetupFailed {
        /// In one sentence.
        why: String,
    },
    /// Its repository brings scripts that the person has not trusted yet.
    Untrusted,
    /// Made ahead, and nobody's yet.
    Warm,
    /// It was moved aside and is kept until then.
    Removed {
        /// When it is deleted for good.
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        until: Timestamp,
    },
    /// Its directory is not there.
    Missing,
}

/// Ports that no other workspace was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PortRange {
    /// The first; `BELFRY_PORT` in the environment.
    pub first: u16,
    /// How many; `BELFRY_PORT_COUNT`.
    pub count: u16,
}

/// What a session waits for before its first prompt is typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Preparing {
    /// How far its workspace is.
    pub state: WorkspaceState,
    /// The last line that the setup script printed, without control characters.
    pub line: Option<String>,
    /// The first prompt waits for it.
    pub prompt_waits: bool,
}

/// A session that runs a command of a workspace, such as a dev server, beside the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RunsFor {
    /// The session in whose workspace it runs.
    pub session: SessionId,
    /// The command's name: `dev`; `setup` and `teardown` for those scripts.
    pub name: String,
}

/// What would be lost if a workspace were deleted with nothing saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Losses {
    /// The workspace's path.
    pub path: String,
    /// Changed and not committed, staged or not.
    pub uncommitted: LostFiles,
    /// Not known to git and not ignored.
    pub untracked: LostFiles,
    /// Ignored, and no copies of what the project's own directory has.
    pub ignored: LostFiles,
    /// Commits that no remote and no other branch has, newest first: short id and subject; at most 50.
    pub unpushed: Vec<String>,
    /// How many there are.
    pub unpushed_count: u32,
    /// Stashes that were made on its branch.
    pub stashes: Vec<String>,
    /// A rebase, merge or such that stands in the middle.
    pub operation: Option<String>,
    /// Repositories inside it that are nobody's submodule, and submodules with work of their own.
    pub repositories: Vec<String>,
    /// Programs that work in it, each `name (pid)`. While there is one, it is not removed.
    pub processes: Vec<String>,
    /// Why it cannot be removed at all, such as a lock or that Belfry did not make it.
    pub refused: Option<String>,
    /// Changes whenever one of these does: what is removed must be what was shown.
    pub fingerprint: String,
}

impl Losses {
    /// Whether deleting it would lose nothing at all.
    pub fn nothing(&self) -> bool {
        let none = |files: &LostFiles| files.count == 0;
        none(&self.uncommitted)
            && none(&self.untracked)
            && none(&self.ignored)
            && self.unpushed_count == 0
            && self.stashes.is_empty()
            && self.operation.is_none()
            && self.repositories.is_empty()
    }
}

/// Files that would be lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LostFiles {
    /// How many.
    pub count: u32,
    /// Their bytes.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub bytes: u64,
    /// The first 50, relative to the workspace; a directory that is lost whole ends in `/`.
    pub first: Vec<String>,
}

/// What a workspace is made with, from `.belfry.toml` and the project's own settings, which come first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default)]
pub struct WorkspaceRules {
    /// Run by `sh` in a new workspace before the first prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// Run by `sh` before it is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teardown: Option<String>,
    /// Commands that can be run beside the agent.
    pub run: Vec<RunCommand>,
    /// Patterns as in `.gitignore` of ignored files that are copied from the project's directory, beside those of
    /// `.worktreeinclude`.
    pub copy: Vec<String>,
    /// Ignored directories that are linked to the project's own: shared.
    pub link: Vec<String>,
    /// What new branches start from; none: the remote's default branch, else the branch that the project is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Keep one workspace made ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm: Option<Warm>,
}

/// What is made ahead of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Warm {
    /// Nothing.
    Off,
    /// The directory, set up.
    Directory,
    /// The directory, and the project's agent at its prompt in it.
    Agent,
}

/// A command that can be run beside the agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RunCommand {
    /// Its name: `dev`.
    pub name: String,
    /// Run by `sh`.
    pub command: String,
}

/// The scripts that come with a repository, for the person to read before they run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Scripts {
    /// The repository's main checkout, which trust is given to together with the content.
    pub repository: String,
    /// What `.belfry.toml` says; scripts of the project's own settings are not in it, they are the person's.
    pub rules: WorkspaceRules,
    /// Hash of exactly this content. Another content asks again.
    pub hash: String,
    /// The person has trusted this content.
    pub trusted: bool,
    /// The content that was trusted before, where it was another.
    pub before: Option<WorkspaceRules>,
    /// What is wrong with the file, where it cannot be read.
    pub error: Option<String>,
}

/// What a new branch in a directory's repository can start from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Branches {
    /// The repository's main checkout; none where the directory is in none, and only scratch can be made.
    pub repository: Option<String>,
    /// The branch that the directory is on.
    pub current: Option<String>,
    /// What a new branch starts from where nothing is said.
    pub base: Option<String>,
    /// Local branches, then those of remotes (`origin/…`), each newest first; at most 500.
    pub names: Vec<String>,
    /// Local branches that are checked out somewhere, and cannot be so a second time.
    pub taken: Vec<String>,
    /// Files that are changed in the directory now: a worktree does not have those changes.
    pub changed: u32,
    /// Its remote's address, without credentials; a clone needs one.
    pub remote: Option<String>,
    /// A workspace is made ahead and can be had at once.
    pub warm: bool,
    /// Why neither worktree nor clone can be made of it, where that is so: no commit yet, somebody else's repository.
    pub refused: Option<String>,
}

/// A repository that is being fetched for a new project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Cloning {
    /// Which; the project's id once it is there.
    pub id: ProjectId,
    /// From where, without credentials.
    pub url: String,
    /// Into which directory.
    pub path: String,
    /// What git is at: `Receiving objects`.
    pub step: String,
    /// How much of that is done, in percent, where git says so.
    pub percent: Option<u8>,
    /// How it ended.
    pub end: Option<CloneEnd>,
}

/// How a clone for a new project ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum CloneEnd {
    /// The project is there.
    Done,
    /// The person stopped it; what had come is deleted.
    Cancelled,
    /// It failed; what had come is deleted.
    Failed {
        /// Why, in git's words or better ones.
        error: crate::WireError,
    },
}

/// Requests about workspaces. `session` is as in [`crate::Request`]; `workspace` is an id, a path, or a session that works in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum WorkspaceRequest {
    /// All that Belfry made, removed ones that can still be had back, and other worktrees of the projects' repositories.
    /// Answered by [`crate::Reply::Workspaces`].
    List {
        /// Measure what each takes on disk, which can take a while.
        #[serde(default)]
        disk: bool,
    },
    /// What would be lost with it. Answered by [`crate::Reply::Losses`].
    Losses {
        /// Which.
        workspace: String,
    },
    /// Removes it: what would be lost is saved under a ref and in an archive, the directory is moved aside, and a day later
    /// deleted. Its sessions must have ended. With something to lose and without the fingerprint of what the person saw it is
    /// refused with [`crate::ErrorCode::WouldLose`], while a program works in it with [`crate::ErrorCode::Busy`]. Answered by
    /// [`crate::Reply::Workspaces`] with that one.
    Remove {
        /// Which.
        workspace: String,
        /// [`Losses::fingerprint`] of what the person saw.
        #[serde(default)]
        seen: Option<String>,
    },
    /// Brings a removed one back to where it was, with all that was in it. Answered by [`crate::Reply::Workspaces`].
    Restore {
        /// Which.
        workspace: String,
    },
    /// Removes all orphans that nothing would be lost with, and finishes what was begun before. Answered by
    /// [`crate::Reply::Workspaces`] with what was removed.
    Clean,
    /// Types the first prompt now, while the setup script goes on. Answered by [`crate::Reply::Session`].
    SkipSetup {
        /// Which.
        session: String,
    },
    /// Runs the setup script again. Answered by [`crate::Reply::Session`].
    RunSetup {
        /// Which.
        session: String,
    },
    /// The scripts that a directory's repository brings. Answered by [`crate::Reply::Scripts`].
    Scripts {
        /// Any directory in it, absolute or starting with `~`.
        directory: String,
    },
    /// The person has read and trusts exactly that content; sessions that wait for it go on. Answered by
    /// [`crate::Reply::Done`], and by [`crate::ErrorCode::Changed`] where the content is another by now.
    Trust {
        /// Any directory in it.
        directory: String,
        /// [`Scripts::hash`] of what the person read.
        hash: String,
    },
    /// Starts a command of the workspace's rules as a session beside; one that runs already is answered with that. Answered by
    /// [`crate::Reply::Session`].
    Run {
        /// The session in whose directory.
        session: String,
        /// The command's name.
        name: String,
    },
    /// What new branches can start from. Answered by [`crate::Reply::Branches`].
    Branches {
        /// A directory, absolute or starting with `~`.
        directory: String,
    },
    /// Gives a session that was made ahead back, where nothing was said to it. Answered by [`crate::Reply::Done`] either way.
    Leave {
        /// Which.
        session: SessionId,
    },
    /// Fetches a repository and makes a project of it. Answered by [`crate::Reply::Cloning`] at once; how it goes on is told by
    /// [`crate::Event::Cloning`].
    CloneProject {
        /// As `git clone` takes it.
        url: String,
        /// The new directory; none: one of the repository's name, in the directory that holds most projects.
        #[serde(default)]
        path: Option<String>,
        /// The project's name; none: the repository's.
        #[serde(default)]
        name: Option<String>,
        /// As in [`crate::launch::NewSession::base_env`]: git's and ssh's own credentials come with it.
        #[serde(default)]
        base_env: Option<Vec<crate::launch::EnvVar>>,
    },
    /// Stops that. Answered by [`crate::Reply::Done`].
    CancelClone {
        /// Which.
        id: ProjectId,
    },
}
