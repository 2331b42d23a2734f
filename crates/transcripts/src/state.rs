//! Where a reading has come to.

use serde::{Deserialize, Serialize};

use crate::aider::Aider;
use crate::claude::Claude;
use crate::codex::Codex;
use crate::found::Stamp;
use crate::gemini::Gemini;
use crate::opencode::OpenCode;
use crate::summary::Summary;

/// Raised with every change to what is made of a record, so that conversations are read anew after an update.
pub(crate) const VERSION: u32 = 2;

/// Where a reading has come to: what the next one needs so as to go on. A few KB; can be kept as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub(crate) version: u32,
    /// How the file was when it was read last.
    pub(crate) stamp: Stamp,
    /// Of its first bytes.
    pub(crate) first: Print,
    /// Of the bytes before `offset`.
    pub(crate) last: Print,
    /// Where to read on.
    pub(crate) offset: u64,
    pub(crate) format: Format,
    pub(crate) summary: Summary,
}

/// A fingerprint of some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Print {
    pub(crate) length: u64,
    pub(crate) hash: u64,
}

impl Print {
    /// FNV-1a, which is short, and good enough against anything but intent; against that there is nothing to gain.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { length: bytes.len() as u64, hash }
    }
}

/// What a format's reader remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Format {
    Claude(Claude),
    Codex(Codex),
    Gemini(Gemini),
    Aider(Aider),
    OpenCode(OpenCode),
}

impl Format {
    /// None for an agent whose conversations cannot be read.
    pub(crate) fn of(agent: &str) -> Option<Self> {
        match agent {
            "claude" => Some(Self::Claude(Claude::default())),
            "codex" => Some(Self::Codex(Codex::default())),
            "gemini" => Some(Self::Gemini(Gemini::default())),
            "aider" => Some(Self::Aider(Aider::default())),
            "opencode" => Some(Self::OpenCode(OpenCode::default())),
            _ => None,
        }
    }
}

impl State {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            version: VERSION,
            stamp: Stamp::default(),
            first: Print::default(),
            last: Print::default(),
            offset: 0,
            format,
            summary: Summary::default(),
        }
    }

    /// What is known of the conversation so far.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// How the file was when it was read last.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }
}
