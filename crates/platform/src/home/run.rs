//! The files of one run.

use std::path::{Path, PathBuf};

/// The directory of one run, on disk or memory-backed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunDir {
    path: PathBuf,
}

impl RunDir {
    /// The run whose directory this is.
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Written by the daemon before the keeper starts: enough to rebuild the session's record.
    pub fn meta(&self) -> PathBuf {
        self.path.join("meta.json")
    }

    /// Written by the keeper before it leaves: how the program ended.
    pub fn exit(&self) -> PathBuf {
        self.path.join("exit.json")
    }

    /// The journal's directory.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal")
    }

    /// The daemon's last terminal state and offset.
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint")
    }
}
