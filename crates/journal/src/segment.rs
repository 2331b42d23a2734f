//! Segments: their names, headers and listing.

use std::path::{Path, PathBuf};

use crate::JournalError;
use crate::record::{Stamp, checksum, u16_at, u32_at, u64_at};

/// Size in bytes at which a segment is closed. A smaller cap makes smaller segments.
pub const SEGMENT_SIZE: u64 = 4 * 1024 * 1024;

/// Bytes of a segment's header.
pub(crate) const HEADER: usize = 48;

const MAGIC: [u8; 8] = *b"BLFYJRNL";
const VERSION: u16 = 1;

/// A segment's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) first: u64,
    pub(crate) size: (u16, u16),
    pub(crate) stamp: Stamp,
    /// Length from which on the writer closes it.
    pub(crate) closes_at: u32,
    /// Where the first record starts.
    pub(crate) length: usize,
}

impl Header {
    pub(crate) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&(HEADER as u16).to_le_bytes());
        bytes[12..14].copy_from_slice(&self.size.0.to_le_bytes());
        bytes[14..16].copy_from_slice(&self.size.1.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.first.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.stamp.mono.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.stamp.wall.to_le_bytes());
        bytes[40..44].copy_from_slice(&self.closes_at.to_le_bytes());
        let crc = checksum(&bytes[..44], &[]);
        bytes[44..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// `Ok(None)` when these bytes are no whole, intact header.
    pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Option<Self>, JournalError> {
        let Some(bytes) = bytes.first_chunk::<HEADER>() else { return Ok(None) };
        if bytes[..8] != MAGIC || u32_at(bytes, 44) != Some(checksum(&bytes[..44], &[])) {
            return Ok(None);
        }
        let version = u16_at(bytes, 8).unwrap_or(0);
        if version != VERSION {
            return Err(JournalError::Version { path: path.to_owned(), version });
        }
        let header = (|| {
            let stamp = Stamp { mono: u64_at(bytes, 24)?, wall: u64_at(bytes, 32)? };
            let size = (u16_at(bytes, 12)?, u16_at(bytes, 14)?);
            let length = usize::from(u16_at(bytes, 10)?);
            let (first, closes_at) = (u64_at(bytes, 16)?, u32_at(bytes, 40)?);
            (length >= HEADER).then_some(Self { first, size, stamp, closes_at, length })
        })();
        Ok(header)
    }
}

/// A segment on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) first: u64,
    pub(crate) path: PathBuf,
    pub(crate) compressed: bool,
    pub(crate) bytes: u64,
}

pub(crate) fn plain_path(dir: &Path, first: u64) -> PathBuf {
    dir.join(format!("{first:020}.seg"))
}

pub(crate) fn compressed_path(dir: &Path, first: u64) -> PathBuf {
    dir.join(format!("{first:020}.seg.lz4"))
}

/// `(first offset, compressed)` of a file name.
fn parse_name(name: &str) -> Option<(u64, bool)> {
    let (digits, rest) = name.split_at_checked(20)?;
    let compressed = match rest {
        ".seg" => false,
        ".seg.lz4" => true,
        _ => return None,
    };
    digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
    Some((digits.parse().ok()?, compressed))
}

/// All segments, oldest first. Where both forms exist (a crash, or a compression just now), both are listed, the plain
/// one first.
pub(crate) fn list(dir: &Path) -> Result<Vec<Segment>, JournalError> {
    let mut segments = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(JournalError::io(dir))? {
        let entry = entry.map_err(JournalError::io(dir))?;
        let Some((first, compressed)) = entry.file_name().to_str().and_then(parse_name) else { continue };
        // It may be dropped between the listing and this look.
        let Ok(meta) = entry.metadata() else { continue };
        segments.push(Segment { first, path: entry.path(), compressed, bytes: meta.len() });
    }
    segments.sort_unstable_by_key(|segment| (segment.first, segment.compressed));
    Ok(segments)
}

/// The first offset that is still there; `None` for an empty journal.
pub fn oldest_offset(dir: &Path) -> Result<Option<u64>, JournalError> {
    Ok(list(dir)?.first().map(|segment| segment.first))
}

/// Bytes on disk.
pub fn disk_size(dir: &Path) -> Result<u64, JournalError> {
    Ok(list(dir)?.iter().map(|segment| segment.bytes).sum())
}
