//! Keeping several journals within one bound.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::{JournalError, segment};

/// Drops the oldest segments of journals that nobody writes any more, beginning with the first of the journals, until they
/// take at most that many bytes together. Gives what they take then.
pub fn trim(journals: &[PathBuf], most: u64) -> Result<u64, JournalError> {
    let mut segments = Vec::new();
    for journal in journals {
        match segment::list(journal) {
            Ok(listed) => segments.extend(listed),
            // A run whose recording is gone.
            Err(JournalError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    let mut total: u64 = segments.iter().map(|segment| segment.bytes).sum();
    for segment in segments {
        if total <= most {
            break;
        }
        match std::fs::remove_file(&segment.path) {
            Ok(()) => total -= segment.bytes,
            // It was compressed or dropped meanwhile.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(JournalError::io(&segment.path)(error)),
        }
    }
    Ok(total)
}
