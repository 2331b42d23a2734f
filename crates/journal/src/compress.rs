//! Compressing segments that are complete. The daemon does this; the keeper goes on meanwhile.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

use crate::JournalError;
use crate::segment::{self, Segment};

/// Which segments are complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// All but the newest: the run goes on.
    Closed,
    /// All: the run is over and its keeper gone.
    All,
}

/// What a [`compress`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Compressed {
    /// Segments compressed.
    pub segments: usize,
    /// Their bytes before.
    pub before: u64,
    /// Their bytes after.
    pub after: u64,
}

/// Compresses what is complete and not yet compressed. Safe to be killed at any moment, and beside a keeper that drops
/// segments: for each segment the compressed form appears whole, and then the plain one goes.
pub fn compress(dir: &Path, which: Which) -> Result<Compressed, JournalError> {
    let segments = segment::list(dir)?;
    let newest = segments.last().map(|segment| segment.first);
    let mut done = Compressed::default();
    for segment in segments.iter().filter(|segment| !segment.compressed) {
        if which == Which::Closed && Some(segment.first) == newest {
            continue;
        }
        if let Some(after) = compress_one(dir, segment).map_err(JournalError::io(&segment.path))? {
            done.segments += 1;
            done.before += segment.bytes;
            done.after += after;
        }
    }
    Ok(done)
}

/// The size after; `None` when the segment was dropped meanwhile.
fn compress_one(dir: &Path, segment: &Segment) -> io::Result<Option<u64>> {
    let mut plain = match File::open(&segment.path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let temporary = Temporary::new(dir.join(format!(".{:020}.lz4.tmp", segment.first)))?;
    // Records have checksums of their own.
    let info = FrameInfo::new().block_size(BlockSize::Max1MB).block_mode(BlockMode::Linked);
    let mut encoder = FrameEncoder::with_frame_info(info, &temporary.file);
    io::copy(&mut plain, &mut encoder)?;
    encoder.finish().map_err(io::Error::other)?.flush()?;
    temporary.file.sync_all()?;
    let after = temporary.file.metadata()?.len();
    let compressed = segment::compressed_path(dir, segment.first);
    temporary.rename(&compressed)?;
    match std::fs::remove_file(&segment.path) {
        Ok(()) => Ok(Some(after)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // The keeper dropped it to stay under the cap; the copy must not come back as history with a hole after it.
            match std::fs::remove_file(&compressed) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(None),
            }
        }
        Err(error) => Err(error),
    }
}

/// A file that is removed unless it gets its name.
struct Temporary {
    path: PathBuf,
    file: File,
    named: bool,
}

impl Temporary {
    fn new(path: PathBuf) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        Ok(Self { path, file, named: false })
    }

    fn rename(mut self, to: &Path) -> io::Result<()> {
        std::fs::rename(&self.path, to)?;
        self.named = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.named {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
