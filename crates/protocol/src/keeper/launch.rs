//! The launch specification that a keeper reads from its stdin, and the one line that it answers on its stdout.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Text of the operating system (an argument, a variable, a path), which need not be UTF-8.
///
/// In JSON it is a string where it can be, and an array of byte values otherwise.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OsText {
    /// Valid UTF-8.
    Text(String),
    /// Any other bytes, as the system gave them.
    Bytes(Vec<u8>),
    /// Nothing at all; only a default, never written.
    #[default]
    #[serde(skip)]
    Empty,
}

impl OsText {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
            Self::Empty => &[],
        }
    }
}

impl From<&str> for OsText {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for OsText {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<OsString> for OsText {
    fn from(text: OsString) -> Self {
        match text.into_string() {
            Ok(text) => Self::Text(text),
            Err(other) => Self::Bytes(other.into_encoded_bytes()),
        }
    }
}

impl From<PathBuf> for OsText {
    fn from(path: PathBuf) -> Self {
        path.into_os_string().into()
    }
}

#[cfg(unix)]
impl From<OsText> for OsString {
    fn from(text: OsText) -> Self {
        use std::os::unix::ffi::OsStringExt;
        match text {
            OsText::Text(text) => text.into(),
            OsText::Bytes(bytes) => OsString::from_vec(bytes),
            OsText::Empty => OsString::new(),
        }
    }
}

#[cfg(unix)]
impl From<OsText> for PathBuf {
    fn from(text: OsText) -> Self {
        OsString::from(text).into()
    }
}

/// What a keeper does with processes of the program's process session that outlive the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leftovers {
    /// As a closing terminal does: SIGHUP, and what ignores it (`nohup`) lives on and is reported.
    #[default]
    Hangup,
    /// The whole ladder: SIGHUP, SIGTERM, SIGKILL.
    Kill,
}

/// Everything that a keeper needs; JSON on its stdin, ended by end-of-file.
///
/// The run's directory and the keepers' directory exist before the keeper starts; it makes `journal/` in the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// The session.
    pub session: Uuid,
    /// The run: names the socket.
    pub run: Uuid,
    /// Program and arguments; the program is looked up in the `PATH` of `env` unless it has a slash.
    pub argv: Vec<OsText>,
    /// Directory to start in. It must exist: no other is tried.
    pub cwd: OsText,
    /// The whole environment. The keeper adds nothing and takes nothing away.
    pub env: Vec<(OsText, OsText)>,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// The run's directory: `exit.json` and `journal/` are written here (memory-backed for a private session).
    pub run_dir: OsText,
    /// Where the socket `<run>.sock` goes.
    pub keepers_dir: OsText,
    /// Most bytes of journal on disk; the oldest segments go first.
    #[serde(default = "default_journal_cap")]
    pub journal_cap: u64,
    /// The run directory is memory-backed and nothing may reach a disk.
    #[serde(default)]
    pub private: bool,
    /// The file-creation mask for the program; without it, the one that the keeper was started with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub umask: Option<u32>,
    /// What happens to processes that outlive the program.
    #[serde(default)]
    pub leftovers: Leftovers,
}

/// 64 MB: the journal's cap for a run where nothing else is said.
const fn default_journal_cap() -> u64 {
    64 * 1024 * 1024
}

/// The keeper's one line of JSON on stdout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaunchReply {
    /// The program runs and the socket listens.
    Started(Started),
    /// Nothing runs, and nothing is left behind.
    Failed(LaunchError),
}

/// A started run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The keeper's process id (not that of the process that was spawned, which has ended by now).
    pub keeper_pid: u32,
    /// The program's process id; also the id of its process session.
    pub program_pid: u32,
    /// The keeper's start time as `belfry_platform::process::start_time` gives it; tells a reused pid apart.
    pub keeper_start: u64,
    /// The program's start time, likewise.
    pub program_start: u64,
    /// The keeper's protocol version.
    pub version: u32,
}

/// Why nothing runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct LaunchError {
    /// For a caller that branches.
    pub kind: LaunchErrorKind,
    /// For a person: one sentence.
    pub message: String,
    /// The system's error number, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errno: Option<i32>,
}

/// The kinds of [`LaunchError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LaunchErrorKind {
    /// The specification could not be read.
    Spec,
    /// The directory does not exist or cannot be entered.
    Cwd,
    /// The program is not found in the given `PATH`, or its file does not exist.
    ProgramNotFound,
    /// The program was found and cannot be executed.
    ProgramNotExecutable,
    /// No terminal could be opened.
    Pty,
    /// The socket could not be bound.
    Socket,
    /// The journal could not be created.
    Journal,
    /// Anything else of the system: no memory, too many processes.
    System,
}
