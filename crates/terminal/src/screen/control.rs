//! Control characters and cursor movement.

use super::Screen;
use crate::grid::Cell;

impl Screen {
    /// LF, VT and FF.
    pub(crate) fn line_feed(&mut self) {
        let (cols, rows) = (self.cols, self.rows);
        if self.modes.newline {
            self.buf_mut().x = 0;
        }
        let buffer = self.buf_mut();
        if buffer.y == buffer.bottom {
            self.scroll(false);
        } else if buffer.y + 1 < rows {
            buffer.y += 1;
            let y = buffer.y;
            // A line break in the source: the text below is no continuation, whatever it was before.
            buffer.row_mut(y).wrapped = false;
        }
        let buffer = self.buf_mut();
        buffer.x = buffer.x.min(cols - 1);
        self.generation += 1;
    }

    pub(crate) fn carriage_return(&mut self) {
        self.buf_mut().x = 0;
        self.generation += 1;
    }

    pub(crate) fn backspace(&mut self) {
        self.restrict(self.cols - 1);
        let buffer = self.buf_mut();
        buffer.x = buffer.x.saturating_sub(1);
        self.generation += 1;
    }

    /// HT and CHT.
    pub(crate) fn tab(&mut self, count: usize) {
        let cols = self.cols;
        let buffer = self.buf_mut();
        if buffer.x < cols {
            for _ in 0..count.min(cols) {
                buffer.x = buffer.next_tab(cols);
            }
        }
        self.generation += 1;
    }

    /// CBT.
    pub(crate) fn back_tab(&mut self, count: usize) {
        let cols = self.cols;
        let buffer = self.buf_mut();
        if buffer.x < cols {
            for _ in 0..count.min(cols) {
                buffer.x = buffer.prev_tab();
            }
        }
    }

    /// HTS.
    pub(crate) fn set_tab(&mut self) {
        let buffer = self.buf_mut();
        let x = buffer.x;
        if let Some(stop) = buffer.tabs.get_mut(x) {
            *stop = true;
        }
    }

    /// TBC.
    pub(crate) fn clear_tabs(&mut self, which: usize) {
        let buffer = self.buf_mut();
        let x = buffer.x;
        match which {
            0 => {
                if let Some(stop) = buffer.tabs.get_mut(x) {
                    *stop = false;
                }
            }
            3 => buffer.tabs.fill(false),
            _ => (),
        }
    }

    /// IND and NEL.
    pub(crate) fn index(&mut self) {
        self.restrict(self.cols - 1);
        let rows = self.rows;
        let buffer = self.buf_mut();
        if buffer.y == buffer.bottom {
            self.scroll(false);
        } else {
            buffer.y = (buffer.y + 1).min(rows - 1);
        }
        self.restrict(self.cols - 1);
    }

    /// RI.
    pub(crate) fn reverse_index(&mut self) {
        self.restrict(self.cols - 1);
        let (cols, fill) = (self.cols, self.erased());
        let buffer = self.buf_mut();
        if buffer.y == buffer.top {
            buffer.rotate_down(buffer.top, buffer.bottom, cols, fill);
        } else {
            buffer.y = buffer.y.saturating_sub(1);
            self.restrict(cols - 1);
        }
    }

    /// CUU: stops at the region's top when it starts inside.
    pub(crate) fn up(&mut self, count: usize) {
        self.restrict_then(|b| {
            let limit = if b.y >= b.top { b.top } else { 0 };
            b.y = b.y.saturating_sub(count).max(limit);
        });
    }

    /// CUD: stops at the region's bottom when it starts inside.
    pub(crate) fn down(&mut self, count: usize) {
        let last = self.rows - 1;
        self.restrict_then(|b| {
            let limit = if b.y <= b.bottom { b.bottom } else { last };
            b.y = b.y.saturating_add(count).min(limit);
        });
    }

    /// VPR: down without regard to the region.
    pub(crate) fn down_anywhere(&mut self, count: usize) {
        let last = self.rows - 1;
        self.restrict_then(|b| b.y = b.y.saturating_add(count).min(last));
    }

    /// CHA and HPA.
    pub(crate) fn column(&mut self, x: usize) {
        self.restrict_then(|b| b.x = x);
    }

    pub(crate) fn forward(&mut self, count: usize) {
        self.restrict_then(|b| b.x = b.x.saturating_add(count));
    }

    pub(crate) fn backward(&mut self, count: usize) {
        self.restrict_then(|b| b.x = b.x.saturating_sub(count));
    }

    fn restrict_then(&mut self, change: impl FnOnce(&mut crate::grid::Buffer)) {
        self.restrict(self.cols - 1);
        change(self.buf_mut());
        self.restrict(self.cols - 1);
    }

    /// DECSTBM with 1-based rows; 0 for the default.
    pub(crate) fn set_region(&mut self, top: usize, bottom: usize) {
        let rows = self.rows;
        let top = top.max(1);
        let bottom = if bottom == 0 || bottom > rows { rows } else { bottom };
        if bottom > top {
            let buffer = self.buf_mut();
            (buffer.top, buffer.bottom) = (top - 1, bottom - 1);
            self.move_to(0, 0);
        }
    }

    /// DECALN: a screen full of E.
    pub(crate) fn alignment_pattern(&mut self) {
        let mut fill = Cell { ch: u32::from(b'E'), ..self.pen.cell(0, 0) };
        fill.ext = 0;
        fill.flags.set_underline(0);
        let (cols, rows) = (self.cols, self.rows);
        self.move_to(0, 0);
        let buffer = self.buf_mut();
        for y in 0..rows {
            buffer.row_mut(y).reset(cols, fill);
        }
        self.move_to(0, 0);
    }
}
