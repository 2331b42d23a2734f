//! What conversations there are.

mod aider;
mod claude;
mod codex;
mod gemini;
mod opencode;

use std::fs::{self, DirEntry, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::{Homes, clean};

/// A conversation, or one of its subagents', that lies somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Whose: `claude`, …
    pub agent: String,
    /// The conversation; of Aider the path of its file.
    pub id: String,
    /// The subagent's own id, where this is what a subagent of that conversation did.
    pub subagent: Option<String>,
    /// Where it lies.
    pub place: Place,
    /// How it was when it was found.
    pub stamp: Stamp,
    /// The directory that it belongs to, where that stands elsewhere than in it.
    pub cwd: Option<String>,
    /// What the person called it, where that stands elsewhere.
    pub named: Option<String>,
    /// What the agent called it, where that stands elsewhere.
    pub titled: Option<String>,
}

/// Where a conversation lies.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A file of its own.
    File(PathBuf),
    /// Rows of a database.
    Rows {
        /// The database.
        file: PathBuf,
        /// Its id there.
        session: String,
    },
}

/// What tells a file from how it was before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Its size; 0 of rows.
    pub bytes: u64,
    /// When it was last written to, in nanoseconds since the Unix epoch.
    pub modified: i64,
    /// Which file it is; 0 where the system has no such number.
    pub inode: u64,
}

impl Found {
    /// The file, or the database, that it is in.
    pub fn file(&self) -> &Path {
        match &self.place {
            Place::File(file) | Place::Rows { file, .. } => file,
        }
    }

    fn file_of(agent: &str, id: String, path: PathBuf, meta: &Metadata) -> Self {
        Self {
            agent: agent.to_owned(),
            id,
            subagent: None,
            place: Place::File(path),
            stamp: Stamp::of(meta),
            cwd: None,
            named: None,
            titled: None,
        }
    }
}

impl Stamp {
    /// Of a file.
    pub fn of(meta: &Metadata) -> Self {
        let modified = meta.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        Self {
            bytes: meta.len(),
            modified: modified.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0),
            inode: inode(meta),
        }
    }
}

#[cfg(unix)]
fn inode(meta: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    meta.ino()
}

/// Windows has file ids, by a handle only; there the size and the fingerprints have to do.
#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}

/// Every conversation in these homes, in no order. Of the files only the names and what the system says of them are looked at,
/// and of a few kinds the first line, which has the id. What cannot be listed is left out.
pub fn found(homes: &Homes) -> Vec<Found> {
    let mut all = Vec::new();
    if let Some(home) = &homes.claude {
        claude::find(home, &mut all);
    }
    if let Some(home) = &homes.codex {
        codex::find(home, &mut all);
    }
    if let Some(database) = &homes.opencode {
        opencode::find(database, &mut all);
    }
    if let Some(home) = &homes.gemini {
        gemini::find(home, &mut all);
    }
    aider::find(&homes.aider, &mut all);
    all
}

/// One conversation, by its agent and id. Where it lies twice (Codex's archive, say), the one that was written to last.
pub fn find(agent: &str, id: &str, homes: &Homes) -> Option<Found> {
    let mut all = Vec::new();
    match agent {
        "claude" => claude::find(homes.claude.as_deref()?, &mut all),
        "codex" => codex::find(homes.codex.as_deref()?, &mut all),
        "opencode" => opencode::find(homes.opencode.as_deref()?, &mut all),
        "gemini" => gemini::find(homes.gemini.as_deref()?, &mut all),
        "aider" => aider::find(&homes.aider, &mut all),
        _ => {}
    }
    let its = all.into_iter().filter(|one| one.subagent.is_none() && one.id == id);
    its.max_by_key(|one| one.stamp.modified)
}

/// Entries of a directory; none where it cannot be read.
fn entries(directory: &Path) -> impl Iterator<Item = DirEntry> {
    fs::read_dir(directory).into_iter().flatten().flatten()
}

/// A regular file, also behind a link, with what the system says of it.
fn regular(path: &Path) -> Option<Metadata> {
    fs::metadata(path).ok().filter(Metadata::is_file)
}

/// The name without that end, if it is an id that an agent may have made.
fn id_before<'a>(name: &'a str, end: &str) -> Option<&'a str> {
    let id = name.strip_suffix(end)?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (!id.is_empty() && id.len() <= clean::ID && id.bytes().all(plain)).then_some(id)
}

/// The first line of a file as JSON, if it is no longer than 16 KiB.
fn first_line(path: &Path) -> Option<serde_json::Value> {
    use std::io::Read as _;
    let mut head = Vec::new();
    fs::File::open(path).ok()?.take(16 * 1024).read_to_end(&mut head).ok()?;
    let end = memchr::memchr(b'\n', &head).unwrap_or(head.len());
    crate::json::parse(&head[..end])
}
