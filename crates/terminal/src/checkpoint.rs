//! Saving a terminal and bringing it back.

/// Name of an archive block; unique within one terminal's life, rising with time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u64);

/// A terminal's state in a form that can be stored.
///
/// `live` is everything but the archive of older lines. Archive blocks never change once they are listed here: store each
/// id once (read it with [`Terminal::archive_block`](crate::Terminal::archive_block)), and delete those no longer listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Source offset of the state: feed the source from exactly here after a restore.
    pub offset: u64,
    /// The live part; versioned and checked.
    pub live: Vec<u8>,
    /// Archive blocks that belong to it, oldest first.
    pub blocks: Vec<BlockId>,
}

/// Why a stored state cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// Written by another version of the format.
    #[error("terminal checkpoint has format {0}, this build reads {expected}", expected = crate::checkpoint::FORMAT)]
    Format(u32),
    /// Too short, or its checksum is wrong.
    #[error("terminal checkpoint is damaged")]
    Damaged,
}

/// Version of [`Checkpoint::live`].
pub(crate) const FORMAT: u32 = 1;
