//! `launch.json` in a session's directory, 0600: what a restart needs and the record does not hold, since it may be secret.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use belfry_protocol::launch::NewSession;
use serde::{Deserialize, Serialize};

use crate::session::replace_file;

/// What is written.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct LaunchFile {
    /// What the person asked for, without the base environment.
    pub(crate) new: NewSession,
    /// The first prompt was typed, or there was none.
    pub(crate) prompt_done: bool,
}

impl LaunchFile {
    pub(crate) fn new(new: &NewSession) -> Self {
        let new = NewSession { base_env: None, ..new.clone() };
        Self { prompt_done: new.prompt.is_none(), new }
    }

    pub(crate) fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        replace_file(path, &[&serde_json::to_vec(self)?])
    }

    /// Where it is, given the directory of any run of the session.
    pub(crate) fn beside(run: &Path) -> Option<PathBuf> {
        Some(run.parent()?.parent()?.join("launch.json"))
    }
}
