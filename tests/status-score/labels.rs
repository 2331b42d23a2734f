//! What was true in a recording. `tests/corpus/status/README.md` documents the keys.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use belfry_protocol::Status;
use belfry_protocol::ask::{Approves, AskKind};
use serde::Deserialize;

/// A recording's labels.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    /// Whose rules apply.
    pub agent: String,
    /// The agent's version.
    pub version: String,
    /// Columns and rows at the start.
    pub size: String,
    /// `dark` or `light`.
    pub theme: String,
    /// What was done.
    pub done: String,
    /// It begins in the middle of a run.
    #[serde(default)]
    pub middle: bool,
    /// Until when the last screen stands, in seconds.
    pub ends_s: f64,
    /// What was true, in order.
    pub truth: Vec<Truth>,
}

/// What was true from some moment on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    from_s: f64,
    #[serde(default)]
    unclear_from_s: Option<f64>,
    /// The status.
    pub status: TrueStatus,
    /// What is as right as that.
    #[serde(default)]
    pub or: Vec<TrueStatus>,
    /// Why.
    #[serde(default)]
    pub note: Option<String>,
    /// What is asked.
    #[serde(default)]
    pub ask: Option<AskTruth>,
}

/// A status, or that none is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the protocol's words")]
pub enum TrueStatus {
    Starting,
    Running,
    Waiting,
    Blocked,
    Idle,
    Dead,
    Unknown,
    /// Nothing is counted.
    Unscored,
}

/// What is asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskTruth {
    /// Its kind; none where more than one is as good.
    #[serde(default)]
    pub kind: Option<AskKind>,
    /// What is approved.
    #[serde(default)]
    pub approves: Option<Approves>,
    /// In the question.
    pub text: String,
    /// How the answers begin; without them any will do.
    #[serde(default)]
    pub choices: Option<Vec<String>>,
    /// In the command, path, address or tool that it is about.
    #[serde(default)]
    pub about: Option<String>,
}

impl Labels {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)?;
        let labels: Self = toml::from_str(&text).with_context(|| format!("{}", path.display()))?;
        ensure!(!labels.truth.is_empty(), "{}: nothing is true", path.display());
        let mut last = 0;
        for truth in &labels.truth {
            let (unclear, from) = (truth.unclear_from(), truth.from());
            ensure!(last <= unclear && unclear <= from, "{}: {from} ms is out of order", path.display());
            last = from;
        }
        Ok(labels)
    }

    /// Until when the last screen stands, in milliseconds.
    pub fn ends(&self) -> u64 {
        milliseconds(self.ends_s)
    }
}

impl Truth {
    /// One that no file tells of. Times are in milliseconds.
    pub fn new(from: u64, unclear_from: u64, status: TrueStatus, or: Vec<TrueStatus>, note: &str) -> Self {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        let (from_s, unclear_from_s) = (seconds(from), Some(seconds(unclear_from)));
        Self { from_s, unclear_from_s, status, or, note: Some(note.to_owned()), ask: None }
    }

    /// From when on this alone is right, in milliseconds.
    pub fn from(&self) -> u64 {
        milliseconds(self.from_s)
    }

    /// From when on this may be said, in milliseconds.
    pub fn unclear_from(&self) -> u64 {
        self.unclear_from_s.map_or_else(|| self.from(), milliseconds)
    }

    /// Whether a status is right.
    pub fn accepts(&self, status: Status) -> bool {
        [self.status].iter().chain(&self.or).any(|one| one.is(status))
    }
}

impl TrueStatus {
    /// Whether that is the status.
    pub fn is(self, status: Status) -> bool {
        match self {
            Self::Starting => status == Status::Starting,
            Self::Running => status == Status::Running,
            Self::Waiting => status == Status::Waiting,
            Self::Blocked => status == Status::Blocked,
            Self::Idle => status == Status::Idle,
            Self::Dead => status == Status::Dead,
            Self::Unknown => status == Status::Unknown,
            Self::Unscored => true,
        }
    }
}

fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}
