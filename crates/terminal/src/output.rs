//! What feeding a piece of output gives back.

use std::borrow::Cow;
use std::ops::Deref;

use crate::event::TermEvent;

/// Result of [`Terminal::feed`](crate::Terminal::feed).
#[derive(Debug, Default)]
pub struct Fed<'a> {
    /// Answers to the program's queries, in order. Each is given once.
    pub replies: Vec<Reply>,
    /// What was said besides text, in order.
    pub events: Vec<TermEvent>,
    /// What an open view may be sent now.
    pub view: ViewBytes<'a>,
}

/// An answer to a query in the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Source offset of the query's last byte: names the query, so that nobody answers it twice.
    pub query_offset: u64,
    /// What the program's input gets. Built here from numbers and fixed text, never from what the program printed.
    pub bytes: Vec<u8>,
}

/// Output for views: the source without queries, without private sequences and without malformed ones.
///
/// A sequence that is not complete at the end of a piece is held back and comes whole with a later one.
#[derive(Debug, Default)]
pub struct ViewBytes<'a> {
    /// Source offset after these bytes: all source before it has been passed on or taken out.
    /// Less than the terminal's own offset while a sequence is held back.
    pub offset: u64,
    /// The bytes; borrowed from the input when nothing was taken out.
    pub bytes: Cow<'a, [u8]>,
}

impl Deref for ViewBytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// How much of the terminal's content is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The screen alone.
    Screen,
    /// The screen and this many rows above it.
    Recent(usize),
    /// The screen and the whole scrollback.
    All,
}

/// A row as it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRow {
    /// Its text, without trailing blanks where it is the last of its line.
    pub text: String,
    /// The terminal wrapped its line here: it goes on in the next row.
    pub goes_on: bool,
}

/// A string of bytes that puts a fresh terminal of the same size into the same state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Source offset of the state: continue with [`ViewBytes`] or source bytes from exactly here. A sequence that had
    /// begun but was not complete is not part of the state, so this can be less than the terminal's own offset.
    pub offset: u64,
    /// Size of the screen that the bytes are made for.
    pub size: crate::Size,
    /// The bytes. They hold no query and no bell.
    pub bytes: Vec<u8>,
    /// Rows above the screen that the snapshot carries.
    pub scrollback_rows: usize,
    /// Rows above the screen that exist but are left out by the scope.
    pub omitted_rows: usize,
}

/// Where the cursor is, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Row from the top of the screen.
    pub row: u16,
    /// Column.
    pub col: u16,
    /// The last column was written and the next character will wrap.
    pub pending_wrap: bool,
    /// DECTCEM.
    pub visible: bool,
}
