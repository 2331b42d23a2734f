//! One row of cells, and the edits that keep wide characters whole: half of one never stays behind.

use super::cell::{Cell, Flags};

/// A row as wide as its screen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    cells: Vec<Cell>,
    /// Cells from here on are blank for certain: most rows are mostly blank, and scrolling touches every row.
    used: usize,
    /// Goes on from the row above without a line break.
    pub(crate) wrapped: bool,
    /// Something was written to it since this was last taken back; see [`crate::Damage`].
    pub(crate) changed: bool,
}

impl Row {
    pub(crate) fn new(cols: usize, fill: Cell) -> Self {
        Self {
            cells: vec![fill; cols],
            used: if fill.is_default() { 0 } else { cols },
            wrapped: false,
            changed: true,
        }
    }

    /// Makes this a blank row again, keeping its memory.
    pub(crate) fn reset(&mut self, cols: usize, fill: Cell) {
        self.wrapped = false;
        self.changed = true;
        if fill.is_default() && self.cells.len() == cols {
            self.cells[..self.used].fill(fill);
            self.used = 0;
            return;
        }
        self.cells.clear();
        self.cells.resize(cols, fill);
        self.used = if fill.is_default() { 0 } else { cols };
    }

    /// All cells.
    #[inline]
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// All cells up to `end`, to be changed.
    #[inline]
    pub(crate) fn cells_to(&mut self, end: usize) -> &mut [Cell] {
        self.used = self.used.max(end);
        &mut self.cells[..end]
    }

    /// The cells that may be other than blank, to be changed.
    pub(crate) fn used_mut(&mut self) -> &mut [Cell] {
        &mut self.cells[..self.used]
    }

    #[inline]
    pub(crate) fn set(&mut self, at: usize, cell: Cell) {
        self.used = self.used.max(at + 1);
        self.cells[at] = cell;
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.cells[..self.used].iter().all(Cell::is_default)
    }

    /// Cells up to the last one that something was printed to or that shows.
    pub(crate) fn content(&self) -> &[Cell] {
        let end = self.cells[..self.used].iter().rposition(|c| !c.is_default()).map_or(0, |i| i + 1);
        &self.cells[..end]
    }

    /// The cells of a row that goes on in `next`: all but the one that a wide character left blank because it did not fit.
    pub(crate) fn going_on(&self, next: Option<&Self>) -> &[Cell] {
        let blank = self.cells.last().is_some_and(|c| c.ch == 0 && !c.is_spacer());
        let early = blank && next.is_some_and(|row| row.cells.first().is_some_and(Cell::is_wide));
        &self.cells[..self.cells.len() - usize::from(early)]
    }

    /// A cell that lost its other half.
    fn tear(&mut self, at: usize, fill: Cell) {
        self.set(at, Cell { ch: 0, ..fill });
    }

    /// Shifts cells right from `at`, dropping what leaves the row. Returns where a wide character's second half has lost
    /// its first one, which is blank then.
    pub(crate) fn insert(&mut self, at: usize, count: usize, fill: Cell) -> Option<usize> {
        let len = self.cells.len();
        self.used = len;
        if at > 0 && self.cells[at - 1].is_wide() {
            self.tear(at - 1, fill);
        }
        let count = count.min(len - at);
        self.cells.copy_within(at..len - count, at + count);
        self.cells[at..at + count].fill(fill);
        let orphan = (at + count < len && self.cells[at + count].is_spacer()).then_some(at + count);
        if let Some(orphan) = orphan {
            self.tear(orphan, fill);
        }
        if self.cells[len - 1].is_wide() {
            self.tear(len - 1, fill);
        }
        orphan
    }

    /// Shifts cells left to `at`, filling from the right.
    pub(crate) fn delete(&mut self, at: usize, count: usize, fill: Cell) {
        let len = self.cells.len();
        self.used = len;
        let count = count.min(len - at);
        self.cells.copy_within(at + count.., at);
        self.cells[len - count..].fill(fill);
        if at > 0 && self.cells[at - 1].is_wide() {
            self.tear(at - 1, fill);
        }
        if self.cells[at].is_spacer() {
            self.tear(at, fill);
        }
    }

    /// Overwrites `from..to`.
    pub(crate) fn erase(&mut self, from: usize, to: usize, fill: Cell) {
        let to = to.min(self.cells.len());
        if from >= to {
            return;
        }
        if from > 0 && self.cells[from - 1].is_wide() {
            self.tear(from - 1, fill);
        }
        if to < self.cells.len() && self.cells[to - 1].is_wide() {
            self.tear(to, fill);
        }
        if !fill.is_default() {
            self.used = self.used.max(to);
        } else if to >= self.used {
            let end = self.used.max(from);
            self.cells[from..end].fill(fill);
            self.used = self.used.min(from);
            return;
        }
        self.cells[from..to].fill(fill);
    }

    /// Sets the width without flowing text anew, as on the alternate screen.
    pub(crate) fn set_width(&mut self, cols: usize) {
        self.cells.resize(cols, Cell::default());
        self.used = self.used.min(cols);
        if let Some(last) = self.cells.last_mut()
            && last.flags.has(Flags::WIDE)
        {
            *last = Cell { ch: 0, ..*last };
            last.flags.set(Flags::WIDE, false);
        }
    }
}
