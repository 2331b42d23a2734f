//! Reading a conversation, or what was added to it since.

mod file;

use std::io;

use belfry_protocol::transcript::Entry;
use thiserror::Error;

use crate::found::{Found, Place};
use crate::out::{Item, PLACES};
use crate::state::{Format, State, VERSION};
use crate::summary::Summary;

/// Why a conversation cannot be read now.
#[derive(Debug, Error)]
pub enum ReadError {
    /// It is not there any more.
    #[error("it is gone")]
    Gone,
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The database cannot be read, or has not the tables that are known.
    #[error("{0}")]
    Database(#[from] rusqlite::Error),
    /// It is no regular file, or of an agent whose conversations are not known.
    #[error("it is nothing that can be read")]
    Unreadable,
}

/// How much is read in one go. It goes somewhat beyond: a record is never divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes of the file.
    pub bytes: u64,
    /// Entries.
    pub entries: usize,
}

impl Budget {
    /// As much as there is.
    pub const ALL: Self = Self { bytes: u64::MAX, entries: usize::MAX };
}

/// How far a reading has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// There is nothing more for now; no where the budget is used up.
    pub caught_up: bool,
    /// Bytes that were read.
    pub bytes: u64,
    /// Entries that were given.
    pub entries: usize,
}

/// Reads a conversation.
#[derive(Debug)]
pub struct Reader {
    found: Found,
    state: State,
    restarted: bool,
}

impl Reader {
    /// Opens a conversation, to be read on from an earlier state. Where the file is another one by now, or was changed before that
    /// place, it is read from its beginning, and [`Reader::restarted`] says so.
    pub fn open(found: &Found, state: Option<State>) -> Result<Self, ReadError> {
        let format = Format::of(&found.agent).ok_or(ReadError::Unreadable)?;
        let kept = state.filter(|state| {
            state.version == VERSION
                && std::mem::discriminant(&state.format) == std::mem::discriminant(&format)
        });
        let fresh = State::new(format);
        let mut reader = Self { found: found.clone(), state: fresh, restarted: true };
        if let Some(kept) = kept {
            let goes_on = match &found.place {
                Place::File(path) => file::goes_on(path, &kept)?,
                Place::Rows { file, session } => crate::opencode::goes_on(file, session, &kept)?,
            };
            if goes_on {
                reader.state = kept;
                reader.restarted = false;
            }
        }
        Ok(reader)
    }

    /// Opens a conversation at an entry, or at any place between two of the same record, to show what is there. Its summary and what is
    /// told as used are of what is read from there only.
    pub fn open_at(found: &Found, seq: u64) -> Result<Self, ReadError> {
        let mut state = State::new(Format::of(&found.agent).ok_or(ReadError::Unreadable)?);
        match &mut state.format {
            Format::OpenCode(format) => format.start_at(seq),
            // A file that is one object has no places of its own.
            _ if found.file().extension().is_some_and(|end| end == "json") => {}
            _ => state.offset = file::line_around(found.file(), seq / PLACES)?,
        }
        Ok(Self { found: found.clone(), state, restarted: true })
    }

    /// Opens a file at the first record that begins at or after a place.
    pub(crate) fn open_after(found: &Found, offset: u64) -> Result<Self, ReadError> {
        let mut state = State::new(Format::of(&found.agent).ok_or(ReadError::Unreadable)?);
        if let Place::File(path) = &found.place {
            state.offset = file::next_line(path, offset)?;
        }
        Ok(Self { found: found.clone(), state, restarted: true })
    }

    /// Whether it is read from its beginning: what is known of it from before does not count any more.
    pub fn restarted(&self) -> bool {
        self.restarted
    }

    /// Reads on, and gives each thing that it finds.
    pub fn read(&mut self, budget: Budget, each: &mut dyn FnMut(Item)) -> Result<Progress, ReadError> {
        match self.found.place.clone() {
            Place::File(path) => file::read(&path, &self.found, &mut self.state, budget, each),
            Place::Rows { file, session } => {
                crate::opencode::read(&file, &session, &self.found, &mut self.state, budget, each)
            }
        }
    }

    /// What is known of it so far.
    pub fn summary(&self) -> &Summary {
        &self.state.summary
    }

    /// What it is read of.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// Where it has come to, to be given to [`Reader::open`] the next time.
    pub fn state(&self) -> &State {
        &self.state
    }
}

/// How far it is looked for an entry: some are known only when records after their first one are read.
const NEAR: Budget = Budget { bytes: 256 * 1024, entries: 64 };

/// One entry of a conversation, read again; none where there is none of that number.
pub fn entry(found: &Found, seq: u64) -> Result<Option<Entry>, ReadError> {
    let mut wanted = None;
    Reader::open_at(found, seq)?.read(NEAR, &mut |item| match item {
        Item::Entry(entry) if entry.seq == seq => wanted = Some(entry),
        _ => {}
    })?;
    Ok(wanted)
}
