//! Homes full of conversations that nobody had: as many and as large as wanted, in each agent's own format, the same for the same seed.
//!
//! Words come as often as in a language (a few make up most of a text), so that an index of them is as large as one of real texts.
//! What they say is nothing.

mod aider;
mod claude;
mod codex;
mod gemini;
mod opencode;
mod words;

use std::path::{Path, PathBuf};

use anyhow::Result;
use belfry_transcripts::Homes;

pub use words::Words;

/// How many, and how large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// Conversations of this agent.
    pub conversations: usize,
    /// Bytes of all of them, about.
    pub bytes: u64,
    /// Which ones.
    pub seed: u64,
}

/// Agents that there is a format of.
pub const AGENTS: [&str; 5] = ["claude", "codex", "opencode", "gemini", "aider"];

/// When the first conversation began, in milliseconds since the Unix epoch: 1 January 2026. Each begins some minutes after the one
/// before.
const BEGIN: i64 = 1_767_225_600_000;

/// Writes conversations of an agent into a home. Aider's are in directories of their own below it.
pub fn write(home: &Path, agent: &str, amount: Amount) -> Result<()> {
    match agent {
        "claude" => claude::write(home, amount),
        "codex" => codex::write(home, amount),
        "opencode" => opencode::write(home, amount),
        "gemini" => gemini::write(home, amount),
        "aider" => aider::write(home, amount),
        other => anyhow::bail!("there is no format of {other}"),
    }
}

/// Where the agents' files are in a home that was written so.
pub fn homes(home: &Path) -> Homes {
    let path = home.to_string_lossy().into_owned();
    let directories = std::fs::read_dir(home.join("aider")).into_iter().flatten().flatten();
    Homes::of(|name| (name == "HOME").then(|| path.clone())).with_aider(directories.map(|entry| entry.path()))
}

/// A conversation to be: its number, size and words.
struct Plan {
    number: usize,
    bytes: u64,
    words: Words,
    /// Milliseconds since the Unix epoch.
    now: i64,
}

impl Plan {
    /// Sizes are as they are found: most are small, a few have most of the bytes.
    fn all(amount: Amount) -> impl Iterator<Item = Self> {
        let mut dice = Words::new(amount.seed);
        let shares: Vec<f64> = (0..amount.conversations)
            .map(|_| {
                let spread = (dice.below(1000) + dice.below(1000) + dice.below(1000)) as f64 / 3000.0;
                (spread * 7.0).exp()
            })
            .collect();
        let all: f64 = shares.iter().sum();
        shares.into_iter().enumerate().map(move |(number, share)| Self {
            number,
            bytes: (amount.bytes as f64 * share / all) as u64,
            words: Words::new(Words::new(amount.seed.wrapping_add(number as u64)).number()),
            now: BEGIN + (number as u64).cast_signed() * 45 * 60_000,
        })
    }

    /// An id of the usual form.
    fn id(&mut self) -> String {
        let (a, b) = (self.words.number(), self.words.number());
        format!(
            "{:08x}-{:04x}-7{:03x}-8{:03x}-{:012x}",
            a >> 32,
            a & 0xffff,
            b >> 52,
            b & 0xfff,
            a ^ b & 0xffff_ffff_ffff
        )
        .chars()
        .take(36)
        .collect()
    }

    /// The directory that it is about: some are used often.
    fn directory(&mut self) -> String {
        let most = 1 + self.words.below(40);
        format!("/home/someone/projects/{}", Words::name(self.words.below(most)))
    }

    /// Some time later.
    fn stamp(&mut self) -> String {
        self.now += 500 + self.words.below(20_000).cast_signed();
        jiff::Timestamp::from_millisecond(self.now).unwrap_or_default().to_string()
    }
}

fn make(file: &Path) -> Result<std::io::BufWriter<std::fs::File>> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(std::io::BufWriter::new(std::fs::File::create(file)?))
}

/// As Claude Code makes a folder's name of a directory's.
fn folder_of(directory: &str) -> PathBuf {
    directory.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect::<String>().into()
}
