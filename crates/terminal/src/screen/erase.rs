//! Erasing, inserting, deleting and scrolling on request.

use super::Screen;

impl Screen {
    /// ED. Erasing the whole screen leaves the scrollback alone.
    pub(crate) fn erase_display(&mut self, which: usize) {
        let (cols, rows, fill) = (self.cols, self.rows, self.erased());
        self.restrict(cols);
        let on_alternate = self.on_alternate;
        let buffer = self.buf_mut();
        let (x, y) = (buffer.x, buffer.y);
        match which {
            0 => {
                let row = buffer.row_mut(y);
                row.erase(x, cols, fill);
                row.wrapped &= x != 0;
                for y in y + 1..rows {
                    buffer.row_mut(y).reset(cols, fill);
                }
            }
            1 => {
                let row = buffer.row_mut(y);
                row.erase(0, x + 1, fill);
                row.wrapped = false;
                buffer.x = x.min(cols - 1);
                for y in 0..y {
                    buffer.row_mut(y).reset(cols, fill);
                }
            }
            2 => (0..rows).for_each(|y| buffer.row_mut(y).reset(cols, fill)),
            3 if !on_alternate => {
                buffer.lines.drain(..buffer.base);
                buffer.base = 0;
                // xterm.js then has the saved position too far down.
                buffer.saved.scrolled += 1;
                self.archive.clear();
            }
            _ => (),
        }
    }

    /// EL.
    pub(crate) fn erase_line(&mut self, which: usize) {
        let (cols, fill) = (self.cols, self.erased());
        self.restrict(cols);
        let buffer = self.buf_mut();
        let (x, y) = (buffer.x, buffer.y);
        let row = buffer.row_mut(y);
        match which {
            0 => {
                row.erase(x, cols, fill);
                row.wrapped &= x != 0;
            }
            1 => row.erase(0, x + 1, fill),
            2 => {
                row.erase(0, cols, fill);
                row.wrapped = false;
            }
            _ => (),
        }
    }

    /// ECH.
    pub(crate) fn erase_chars(&mut self, count: usize) {
        let fill = self.erased();
        self.edit_row(|row, x| row.erase(x, x.saturating_add(count), fill));
    }

    /// ICH. Returns where half of a wide character was left, if so.
    pub(crate) fn insert_chars(&mut self, count: usize) -> Option<usize> {
        let fill = self.erased();
        self.edit_row(|row, x| row.insert(x, count, fill))
    }

    /// DCH.
    pub(crate) fn delete_chars(&mut self, count: usize) {
        let fill = self.erased();
        self.edit_row(|row, x| row.delete(x, count, fill));
    }

    fn edit_row<T>(&mut self, edit: impl FnOnce(&mut crate::grid::Row, usize) -> T) -> T {
        self.restrict(self.cols - 1);
        let buffer = self.buf_mut();
        let (x, y) = (buffer.x, buffer.y);
        edit(buffer.row_mut(y), x)
    }

    /// IL and DL, inside the region only.
    pub(crate) fn shift_lines(&mut self, count: usize, insert: bool) {
        self.restrict(self.cols - 1);
        let (cols, fill) = (self.cols, self.erased());
        let buffer = self.buf_mut();
        let (y, bottom) = (buffer.y, buffer.bottom);
        if y < buffer.top || y > bottom {
            return;
        }
        for _ in 0..count.min(bottom - y + 1) {
            if insert {
                buffer.rotate_down(y, bottom, cols, fill);
            } else {
                buffer.rotate_up(y, bottom, cols, fill);
            }
        }
        buffer.x = 0;
    }

    /// SU: rows are dropped, not kept above the screen.
    pub(crate) fn scroll_up(&mut self, count: usize) {
        let (cols, fill) = (self.cols, self.erased());
        let buffer = self.buf_mut();
        let (top, bottom) = (buffer.top, buffer.bottom);
        for _ in 0..count.min(bottom - top + 1) {
            buffer.rotate_up(top, bottom, cols, fill);
        }
    }

    /// SD: new rows have the default background.
    pub(crate) fn scroll_down(&mut self, count: usize) {
        let cols = self.cols;
        let buffer = self.buf_mut();
        let (top, bottom) = (buffer.top, buffer.bottom);
        for _ in 0..count.min(bottom - top + 1) {
            buffer.rotate_down(top, bottom, cols, crate::grid::Cell::default());
        }
    }

    /// SL, SR, DECIC and DECDC: columns of every row of the region move. Returns the rows and columns where half of a wide
    /// character was left.
    pub(crate) fn shift_columns(
        &mut self,
        from_cursor: bool,
        count: usize,
        insert: bool,
    ) -> Vec<(usize, usize)> {
        let fill = self.erased();
        let cols = self.cols;
        let buffer = self.buf_mut();
        let mut orphans = Vec::new();
        if buffer.y < buffer.top || buffer.y > buffer.bottom {
            return orphans;
        }
        let x = if from_cursor { buffer.x % cols } else { 0 };
        for y in buffer.top..=buffer.bottom {
            let row = buffer.row_mut(y);
            if insert {
                orphans.extend(row.insert(x, count, fill).map(|x| (y, x)));
            } else {
                row.delete(x, count, fill);
            }
            row.wrapped = false;
        }
        if !orphans.is_empty() {
            // Views go there to erase them, and cannot come back to a pending wrap.
            buffer.x = buffer.x.min(cols - 1);
        }
        orphans
    }
}
