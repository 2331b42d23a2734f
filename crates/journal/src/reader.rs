//! Reading a journal from one end to the other: search, replay, export.

use std::ops::ControlFlow;
use std::path::Path;

use crate::{Entry, Follower, JournalError, Position};

/// The history of a run as far as it is kept, with its times.
#[derive(Debug)]
pub struct Reader {
    follower: Follower,
    scratch: Vec<u8>,
}

impl Reader {
    /// From the oldest entry. The first entry tells the terminal's size there.
    pub fn open(dir: &Path) -> Result<Self, JournalError> {
        Ok(Self { follower: Follower::open_oldest(dir)?, scratch: Vec::new() })
    }

    /// From an offset; see [`Follower::open`].
    pub fn open_at(dir: &Path, offset: u64) -> Result<Self, JournalError> {
        Ok(Self { follower: Follower::open(dir, Position::offset(offset))?, scratch: Vec::new() })
    }

    /// Gives every entry up to the present end, until `sink` breaks.
    pub fn for_each(
        &mut self,
        mut sink: impl FnMut(Entry<'_>) -> ControlFlow<()>,
    ) -> Result<(), JournalError> {
        self.follower.poll_until(&mut self.scratch, u64::MAX, &mut sink).map(drop)
    }

    /// The offset reached.
    pub fn offset(&self) -> u64 {
        self.follower.offset()
    }
}
