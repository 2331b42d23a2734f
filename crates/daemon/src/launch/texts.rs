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
    /// How far the typing of the first prompt came.
    pub(crate) prompt: FirstPrompt,
}

/// How far the typing of the first prompt came. Noted before its first byte and after its last, so that it is typed at most
/// once whenever the daemon ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FirstPrompt {
    /// It is still to be typed.
    Waiting,
    /// It is being typed. A daemon that finds this cannot know how much of it has arrived.
    Started,
    /// It was typed, or there was none.
    Done,
}

impl LaunchFile {
    pub(crate) fn new(new: &NewSession) -> Self {
        let new = NewSession { base_env: None, ..new.clone() };
        let prompt = if new.prompt.is_none() { FirstPrompt::Done } else { FirstPrompt::Waiting };
        Self { new, prompt }
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
