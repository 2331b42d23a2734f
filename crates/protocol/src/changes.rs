//! What a session's directory has that its base has not: counts, files, diffs, commits and checkpoints.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::StreamId;

/// What is different from the base in all, committed or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ChangeCounts {
    /// Files, untracked ones too.
    pub files: u32,
    /// Lines that came.
    pub added: u32,
    /// Lines that went.
    pub removed: u32,
    /// Files that a merge left for a person to settle.
    pub conflicted: u32,
    /// Commits that the base has not.
    pub ahead: u32,
    /// Commits of the base that the branch has not.
    pub behind: u32,
}

/// All that [`ChangesRequest::Show`] tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Changes {
    /// In all.
    pub counts: ChangeCounts,
    /// The branch; none where the head is detached.
    pub branch: Option<String>,
    /// What is compared with, by its name; none: the newest commit.
    pub base: Option<String>,
    /// The branch that is pushed to, such as `origin/fix`.
    pub upstream: Option<String>,
    /// Commits that the upstream has not; none where there is no upstream.
    pub unpushed: Option<u32>,
    /// The remote that a push would go to, its address without credentials.
    pub remote: Option<String>,
    /// Files against the base, in the order of their paths; at most 5,000.
    pub files: Vec<ChangedFile>,
    /// There are more files than these.
    pub more: bool,
    /// Commits that the base has not, newest first; at most 200.
    pub commits: Vec<Commit>,
    /// Newest first; at most 200.
    pub checkpoints: Vec<Checkpoint>,
    /// A `merge`, `rebase`, `cherry-pick`, `revert` or `bisect` that stands in the middle.
    pub operation: Option<String>,
}

/// A file that is different.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ChangedFile {
    /// Relative to the repository's top, `/` between the parts. Bytes that are no UTF-8 are shown as U+FFFD, and such a file
    /// cannot be acted on by itself.
    pub path: String,
    /// Its path in the base, where it was moved.
    pub old_path: Option<String>,
    /// What happened to it.
    pub kind: ChangeKind,
    /// Lines that came; none of a binary file.
    pub added: Option<u32>,
    /// Lines that went.
    pub removed: Option<u32>,
    /// How much of what is not committed is staged.
    pub staged: Staged,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It is new and known to git.
    Added,
    /// Its content or mode is another.
    Modified,
    /// It is gone.
    Deleted,
    /// It has another path.
    Renamed,
    /// It is a file in place of a link, or the like.
    Retyped,
    /// A merge left it for a person to settle.
    Conflicted,
    /// It is new and git does not know it.
    Untracked,
}

/// How much of a file's uncommitted change is staged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Staged {
    /// All of it is committed.
    Committed,
    /// Nothing.
    None,
    /// Some.
    Part,
    /// All.
    All,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Commit {
    /// Its whole id.
    pub id: String,
    /// First line of its message.
    pub subject: String,
    /// Who wrote it.
    pub author: String,
    /// When.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub at: Timestamp,
    /// Some remote has it.
    pub pushed: bool,
}

/// The state of a session's files at one moment, kept under a ref of Belfry's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Checkpoint {
    /// Its commit's whole id.
    pub id: String,
    /// Before what: the first line of the prompt, or what was about to be done.
    pub label: String,
    /// When.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub at: Timestamp,
    /// What it has not, though git does not ignore it: new files over 64 MiB with their size, and repositories inside, whose
    /// paths end with `/`. At most 5, and how many more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// What two states a diff lies between.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum Between {
    /// The base and the files as they are.
    #[default]
    Base,
    /// The newest commit and the files as they are.
    Uncommitted,
    /// The newest commit and what is staged.
    Staged,
    /// What is staged and the files as they are.
    Unstaged,
    /// A commit and the one before it.
    Commit {
        /// Its id.
        id: String,
    },
    /// Two checkpoints or commits.
    Points {
        /// The older.
        from: String,
        /// The newer; none: the files as they are.
        to: Option<String>,
    },
}

/// One file's diff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FileDiff {
    /// The file.
    pub file: ChangedFile,
    /// It is not text.
    pub binary: bool,
    /// Bytes before; none where it was not there.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub old_bytes: Option<u64>,
    /// Bytes now.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub new_bytes: Option<u64>,
    /// What changed. Empty for binary files and changes of mode alone.
    pub hunks: Vec<Hunk>,
    /// Lines that were left out because there are too many; ask with `whole`.
    pub left_out: u32,
    /// A change of the file's mode, or of a submodule's commit, in words.
    pub note: Option<String>,
}

/// Lines of a file that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hunk {
    /// First line of it before, from 1.
    pub old_start: u32,
    /// First line of it now, from 1.
    pub new_start: u32,
    /// What git says that it is in: a function's head.
    pub heading: String,
    /// Its lines.
    pub lines: Vec<DiffLine>,
}

/// A line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DiffLine {
    /// What it is.
    pub kind: LineKind,
    /// Its text without the line's end.
    pub text: String,
    /// The words that differ from its counterpart, as pairs of first and one past the last UTF-16 unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<(u32, u32)>,
    /// The file ends with it, without a newline.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_newline: bool,
}

/// What a line of a diff is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// In both.
    Context,
    /// Only now.
    Added,
    /// Only before.
    Removed,
}

/// How the base's new commits are brought into a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Onto {
    /// The branch's commits are made anew on top.
    Rebase,
    /// By a merge commit.
    Merge,
}

/// Requests about a session's changes. What changes files or refs is refused with [`crate::ErrorCode::Git`] in git's own words
/// where git refuses it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum ChangesRequest {
    /// Answered by [`crate::Reply::Changes`].
    Show {
        /// Which.
        session: String,
    },
    /// One file's diff. Answered by [`crate::Reply::Diff`].
    Diff {
        /// Which.
        session: String,
        /// The file's path now.
        path: String,
        /// Between what.
        #[serde(default)]
        between: Between,
        /// Lines around each change; none: 3.
        #[serde(default)]
        context: Option<u32>,
        /// All of it, however long; else at most 2,000 lines.
        #[serde(default)]
        whole: bool,
    },
    /// The files that differ between two states. Answered by [`crate::Reply::ChangedFiles`].
    Files {
        /// Which.
        session: String,
        /// Between what.
        between: Between,
    },
    /// The whole patch as git writes it, untracked files with it, in blob frames. Answered by [`crate::Reply::Done`] before the
    /// first piece.
    Patch {
        /// Which.
        session: String,
        /// Between what.
        #[serde(default)]
        between: Between,
        /// Chosen by the client.
        stream: StreamId,
    },
    /// Stages files, or one hunk of one. Answered by [`crate::Reply::Changes`], as are the following ones.
    Stage {
        /// Which.
        session: String,
        /// Their paths.
        paths: Vec<String>,
        /// Only the hunk whose first line now is this one, in the diff between what is staged and the files.
        #[serde(default)]
        hunk: Option<u32>,
    },
    /// Takes files, or one hunk of one, out of what is staged.
    Unstage {
        /// Which.
        session: String,
        /// Their paths.
        paths: Vec<String>,
        /// Only the hunk whose first line now is this one, in the diff between the newest commit and what is staged.
        #[serde(default)]
        hunk: Option<u32>,
    },
    /// Puts files back to the newest commit; untracked ones go. A checkpoint is made first, which brings them back.
    Discard {
        /// Which.
        session: String,
        /// Their paths.
        paths: Vec<String>,
    },
    /// Commits what is staged.
    Commit {
        /// Which.
        session: String,
        /// Its message.
        message: String,
        /// Everything that is changed, untracked files too, instead of what is staged.
        #[serde(default)]
        all: bool,
        /// In place of the newest commit, which must not be pushed yet.
        #[serde(default)]
        amend: bool,
    },
    /// A message for a commit, from what was said in the conversation. Answered by [`crate::Reply::Text`].
    SuggestMessage {
        /// Which.
        session: String,
    },
    /// Pushes the branch, and makes it follow what it was pushed to.
    Push {
        /// Which.
        session: String,
        /// Also where the remote's branch would lose commits, as long as those are the ones that were fetched last.
        #[serde(default)]
        force: bool,
    },
    /// Fetches the base and brings its new commits into the branch. Where that conflicts: [`crate::ErrorCode::Conflict`], and it
    /// stands in the middle. What is not committed is kept by a checkpoint first.
    Pull {
        /// Which.
        session: String,
        /// How.
        onto: Onto,
    },
    /// Takes a merge, rebase or such that stands in the middle back.
    Abort {
        /// Which.
        session: String,
    },
    /// Keeps the files as they are now.
    MakeCheckpoint {
        /// Which.
        session: String,
        /// What to call it.
        label: String,
    },
    /// Puts the files back to a checkpoint; the branch stays. A checkpoint of what is there is made first.
    GoTo {
        /// Which.
        session: String,
        /// The checkpoint's id.
        checkpoint: String,
    },
}
