//! A terminal's state on disk, so that a new daemon need not replay the whole journal.
//!
//! `checkpoint` in the run's directory is one line of JSON (format, place in the journal, archive blocks, length) and the
//! terminal's own bytes, which carry a checksum. Archive blocks never change and are files of their own in `archive/`,
//! written once. The file is replaced by renaming, so that it is always a whole one; where it is missing or damaged, the
//! journal is replayed from its oldest entry.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use belfry_journal::Position;
use belfry_platform::home::RunDir;
use belfry_terminal::{BlockId, Options, Terminal};
use serde::{Deserialize, Serialize};

const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Head {
    format: u32,
    offset: u64,
    segment: u64,
    at: u64,
    blocks: Vec<u64>,
    length: usize,
}

/// What is to be written.
pub(crate) struct Draft {
    pub(crate) live: Vec<u8>,
    pub(crate) position: Position,
    pub(crate) blocks: Vec<BlockId>,
    /// Blocks that are not on the disk yet.
    pub(crate) fresh: Vec<(BlockId, Vec<u8>)>,
    /// Blocks that are no longer needed.
    pub(crate) gone: Vec<BlockId>,
}

/// A terminal as it was saved.
pub(crate) struct Saved {
    pub(crate) terminal: Terminal,
    pub(crate) position: Position,
    /// Blocks that are on the disk.
    pub(crate) blocks: HashSet<BlockId>,
}

fn archive(dir: &RunDir) -> PathBuf {
    dir.path().join("archive")
}

fn block_path(dir: &RunDir, block: BlockId) -> PathBuf {
    archive(dir).join(format!("{:020}", block.0))
}

/// Writes a checkpoint. Blocks.
pub(crate) fn write(dir: &RunDir, draft: &Draft) -> io::Result<()> {
    if !draft.fresh.is_empty() {
        let archive = archive(dir);
        if !archive.is_dir() {
            std::os::unix::fs::DirBuilderExt::mode(&mut fs::DirBuilder::new(), 0o700).create(&archive)?;
        }
        for (block, bytes) in &draft.fresh {
            replace(&block_path(dir, *block), &[bytes])?;
        }
    }
    let head = Head {
        format: FORMAT,
        offset: draft.position.offset,
        segment: draft.position.segment,
        at: draft.position.at,
        blocks: draft.blocks.iter().map(|block| block.0).collect(),
        length: draft.live.len(),
    };
    let mut line = serde_json::to_vec(&head)?;
    line.push(b'\n');
    replace(&dir.checkpoint(), &[&line, &draft.live])?;
    // Only now does nothing refer to them any more.
    for block in &draft.gone {
        let _ = fs::remove_file(block_path(dir, *block));
    }
    Ok(())
}

/// Puts a file in place in one step, mode 0600. Not synced: after a power cut the journal is replayed from further back.
pub(crate) fn replace(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let fresh = path.with_extension("new");
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
    let written = parts.iter().try_for_each(|part| file.write_all(part));
    drop(file);
    let placed = written.and_then(|()| fs::rename(&fresh, path));
    if placed.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    placed
}

/// Reads the checkpoint of a run; none where there is none that can be used.
pub(crate) fn read(dir: &RunDir, options: &Options) -> Option<Saved> {
    let bytes = fs::read(dir.checkpoint()).ok()?;
    let line = bytes.iter().position(|byte| *byte == b'\n')?;
    let head: Head = serde_json::from_slice(&bytes[..line]).ok()?;
    let live = &bytes[line + 1..];
    if head.format != FORMAT || live.len() != head.length {
        return None;
    }
    let terminal = Terminal::restore(live, options.clone(), |block| fs::read(block_path(dir, block)).ok());
    let terminal = match terminal {
        Ok(terminal) if terminal.offset() == head.offset => terminal,
        Ok(_) => return None,
        Err(error) => {
            tracing::warn!(%error, "a checkpoint cannot be used; the journal is replayed");
            return None;
        }
    };
    Some(Saved {
        terminal,
        position: Position { offset: head.offset, segment: head.segment, at: head.at },
        blocks: head.blocks.into_iter().map(BlockId).collect(),
    })
}
