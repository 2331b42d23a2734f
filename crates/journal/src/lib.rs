//! The journal: an append-only record of what one run's terminal printed, with resizes, lengths of input (never its
//! content), the exit, and times.
//!
//! A keeper has the only [`Writer`]. The daemon follows with a [`Follower`] while the run goes on; [`Reader`] gives the
//! whole history; [`compress`] shrinks segments that are complete. Nothing here has a clock: stamps are given.
//!
//! # Format, version 1
//! A journal is a directory of segments, mode 0600, each named by the offset of its first output byte:
//! `00000000000000000000.seg`, or `….seg.lz4` once compressed (an LZ4 frame of the same bytes). All integers are
//! little-endian. Offset means: output bytes since the run's start.
//!
//! Segment header, 48 bytes:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `BLFYJRNL` |
//! | 2 | version, 1 |
//! | 2 | length of this header, 48; a reader skips what it does not know |
//! | 2, 2 | columns and rows at the segment's start; 0 when not known |
//! | 8 | offset at the segment's start |
//! | 8, 8 | monotonic and wall time, µs |
//! | 4 | length from which on the writer closes the segment |
//! | 4 | CRC-32 of the bytes before |
//!
//! Record: a header of 36 bytes and a body of at most 64 KiB.
//!
//! | bytes | what |
//! |---|---|
//! | 2 | `JB` |
//! | 1 | kind: 1 output, 2 resize, 3 input, 4 exit, 5 hole, 6 end |
//! | 1 | 0 |
//! | 4 | length of the body |
//! | 8 | offset before this record |
//! | 8, 8 | monotonic and wall time, µs |
//! | 4 | CRC-32 of the 32 bytes before and the body |
//!
//! Bodies: output: the bytes. Resize: columns and rows, 2 bytes each. Input: number of bytes written to the program,
//! 4. Exit: flags (1: code is set, 2: signal is set, 4: core dumped), code, signal, 4 each. Hole: the offset from which
//! output is missing, 8 (the record's own offset is where it goes on), columns and rows behind it, 2 each. End: offset of the next segment, 8; last record
//! of a segment that was closed in good order. Unknown kinds are skipped.
//!
//! # What a crash leaves
//! A record counts only when it is whole and its checksum is right, and it is written with one call, so a reader sees a
//! prefix of what was printed, whatever the moment. A torn tail is waited for while the run goes on, cut when a writer
//! resumes, and reported as a [`Gap`] when a later segment follows it. A byte that rots in a closed segment costs the
//! rest of that segment, never a wrong byte.

mod compress;
mod follower;
mod reader;
mod record;
mod segment;
mod source;
mod trim;
mod writer;

pub use compress::{Compressed, Which, compress};
pub use follower::{Follower, Position, Progress};
pub use reader::Reader;
pub use record::{Entry, Exit, Gap, GapReason, MAX_BODY, Stamp, What};
pub use segment::{SEGMENT_SIZE, disk_size, oldest_offset};
pub use trim::trim;
pub use writer::{WriteError, Writer};

use std::io;
use std::path::{Path, PathBuf};

/// Why a journal cannot be read or made.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refused.
    #[error("journal {path}: {source}")]
    Io {
        /// The directory or segment.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A later Belfry wrote it.
    #[error("journal {path} has format version {version}, this build reads 1")]
    Version {
        /// The segment.
        path: PathBuf,
        /// Its version.
        version: u16,
    },
    /// There is no segment.
    #[error("there is no journal in {path}")]
    Missing {
        /// The directory.
        path: PathBuf,
    },
}

impl JournalError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }
}
