//! A buffer: the rows of one screen, those above it, and where the cursor is.

use std::collections::VecDeque;

use super::cell::{Cell, Pen};
use super::row::Row;

/// A character set that can be designated (SCS).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Charset {
    #[default]
    Ascii,
    /// DEC special graphics: lines and boxes.
    Graphics,
    /// United Kingdom: `#` is a pound sign.
    British,
}

/// The four designated sets and which of them is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Charsets {
    pub(crate) sets: [Charset; 4],
    pub(crate) active: u8,
}

impl Charsets {
    pub(crate) fn current(self) -> Charset {
        self.sets[usize::from(self.active & 3)]
    }
}

/// What DECSC keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) pen: Pen,
    pub(crate) charsets: Charsets,
    /// Rows scrolled into the scrollback since: xterm.js moves a saved position along with its text, which no program
    /// expects; views are put right when it is restored.
    pub(crate) scrolled: usize,
    /// Something was saved at all.
    pub(crate) set: bool,
}

/// Rows and cursor of the primary or the alternate screen.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    /// Rows above the screen, then the screen's.
    pub(crate) lines: VecDeque<Row>,
    /// Rows above the screen.
    pub(crate) base: usize,
    /// Column of the cursor; equal to the width when the next character wraps.
    pub(crate) x: usize,
    pub(crate) y: usize,
    /// First and last row of the scroll region.
    pub(crate) top: usize,
    pub(crate) bottom: usize,
    pub(crate) saved: Saved,
    pub(crate) tabs: Vec<bool>,
    /// Whether rows that leave at the top are kept.
    pub(crate) scrollback: bool,
    /// Rows by which the whole screen has moved up since this was last taken back; see [`crate::Damage`].
    pub(crate) moved: usize,
    /// Rows that have gone above the screen since this was made; those that came back with another size are not taken off.
    pub(crate) left: u64,
    /// Rows to use again.
    spare: Vec<Row>,
}

/// Rows kept for reuse: one screen's worth of scrolling between two steps of the archive.
const SPARE_ROWS: usize = 128;

impl Buffer {
    pub(crate) fn new(cols: usize, rows: usize, scrollback: bool) -> Self {
        Self {
            lines: (0..rows).map(|_| Row::new(cols, Cell::default())).collect(),
            base: 0,
            x: 0,
            y: 0,
            top: 0,
            bottom: rows - 1,
            saved: Saved::default(),
            tabs: default_tabs(cols),
            scrollback,
            moved: 0,
            left: 0,
            spare: Vec::new(),
        }
    }

    /// Rows of the screen.
    pub(crate) fn rows(&self) -> usize {
        self.lines.len() - self.base
    }

    /// A row of the screen.
    #[inline]
    pub(crate) fn row(&self, y: usize) -> &Row {
        &self.lines[self.base + y]
    }

    /// A row of the screen, to be written to.
    #[inline]
    pub(crate) fn row_mut(&mut self, y: usize) -> &mut Row {
        let row = &mut self.lines[self.base + y];
        row.changed = true;
        row
    }

    /// These rows have another place now.
    fn displaced(&mut self, top: usize, bottom: usize) {
        let base = self.base;
        self.lines.range_mut(base + top..=base + bottom).for_each(|row| row.changed = true);
    }

    pub(crate) fn blank(&mut self, cols: usize, fill: Cell) -> Row {
        match self.spare.pop() {
            Some(mut row) => {
                row.reset(cols, fill);
                row
            }
            None => Row::new(cols, fill),
        }
    }

    pub(crate) fn recycle(&mut self, row: Row) {
        if self.spare.len() < SPARE_ROWS {
            self.spare.push(row);
        }
    }

    /// Moves the region up by a row. The one that leaves goes above the screen when the region starts at the top.
    pub(crate) fn scroll_up(&mut self, cols: usize, fill: Cell, wrapped: bool) {
        if self.top == 0 && self.scrollback {
            let mut row = self.blank(cols, fill);
            row.wrapped = wrapped;
            let at = self.base + self.bottom + 1;
            if at == self.lines.len() {
                self.lines.push_back(row);
            } else {
                self.lines.insert(at, row);
            }
            self.base += 1;
            self.left += 1;
            self.saved.scrolled += 1;
            if self.base + self.bottom + 1 == self.lines.len() {
                self.moved = self.moved.saturating_add(1);
            } else {
                self.displaced(0, self.bottom);
            }
        } else {
            self.rotate_up(self.top, self.bottom, cols, fill);
            self.row_mut(self.bottom).wrapped = wrapped;
        }
    }

    /// Removes row `top` and puts a blank one in at `bottom`.
    pub(crate) fn rotate_up(&mut self, top: usize, bottom: usize, cols: usize, fill: Cell) {
        if let Some(mut row) = self.lines.remove(self.base + top) {
            row.reset(cols, fill);
            self.lines.insert(self.base + bottom, row);
        }
        if top == 0 && bottom + 1 == self.rows() {
            self.moved = self.moved.saturating_add(1);
        } else {
            self.displaced(top, bottom);
        }
    }

    /// Removes row `bottom` and puts a blank one in at `top`.
    pub(crate) fn rotate_down(&mut self, top: usize, bottom: usize, cols: usize, fill: Cell) {
        if let Some(mut row) = self.lines.remove(self.base + bottom) {
            row.reset(cols, fill);
            self.lines.insert(self.base + top, row);
        }
        self.displaced(top, bottom);
    }

    pub(crate) fn next_tab(&self, cols: usize) -> usize {
        (self.x + 1..cols).find(|&x| self.tabs[x]).unwrap_or(cols - 1)
    }

    pub(crate) fn prev_tab(&self) -> usize {
        (0..self.x.min(self.tabs.len())).rev().find(|&x| self.tabs[x]).unwrap_or(0)
    }
}

/// A stop every 8 columns.
pub(crate) fn default_tabs(cols: usize) -> Vec<bool> {
    (0..cols).map(|x| x % 8 == 0).collect()
}
