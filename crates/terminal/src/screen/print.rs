//! Printing text.

use super::Screen;
use crate::grid::{CLUSTER, Cell, Charset, Flags, MAX_CLUSTER, width};

/// DEC special graphics for `` ` `` to `~`.
const GRAPHICS: [char; 31] = [
    '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺', '⎻', '─', '⎼', '⎽', '├',
    '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
];

/// What a charset makes of an ASCII byte.
pub(crate) fn translate(charset: Charset, byte: u8) -> u32 {
    match charset {
        Charset::Graphics if (b'`'..=b'~').contains(&byte) => u32::from(GRAPHICS[usize::from(byte - b'`')]),
        Charset::British if byte == b'#' => u32::from('£'),
        _ => u32::from(byte),
    }
}

impl Screen {
    /// Prints bytes from 0x20 to 0x7e.
    pub(crate) fn print_ascii(&mut self, mut run: &[u8]) {
        if self.modes.insert || self.charsets.current() != Charset::Ascii {
            let charset = self.charsets.current();
            for &byte in run {
                self.print_char(translate(charset, byte));
            }
            return;
        }
        let (cols, pen) = (self.cols, self.pen);
        let mut first = true;
        while !run.is_empty() {
            if self.buf().x >= cols {
                if self.modes.wrap {
                    self.wrap_line();
                } else {
                    // All that does not fit lands on the last cell, so only the last character stays.
                    run = &run[run.len() - 1..];
                    self.buf_mut().x = cols - 1;
                    first = true;
                }
            }
            let buffer = self.buf_mut();
            let (x, y) = (buffer.x, buffer.y);
            let count = run.len().min(cols - x);
            let row = buffer.row_mut(y);
            let cells = row.cells_to(x + count);
            if first && x > 0 && cells[x - 1].is_wide() {
                cells[x - 1] = pen.cell(0, 0);
            }
            first = false;
            let template = pen.cell(0, 0);
            for (cell, &byte) in cells[x..x + count].iter_mut().zip(run) {
                *cell = Cell { ch: u32::from(byte), ..template };
            }
            if x + count < cols && row.cells()[x + count].is_spacer() {
                row.set(x + count, template);
            }
            buffer.x = x + count;
            run = &run[count..];
        }
        self.joinable = Some(1);
        self.generation += 1;
    }

    /// Prints one character. `false` when it was dropped, which views must then do as well: a combining character
    /// with nothing to combine with or one too many, or a wide one that fits nowhere.
    pub(crate) fn print_char(&mut self, ch: u32) -> bool {
        let cells_wide = width(ch);
        self.generation += 1;
        if cells_wide == 0 {
            return self.join(ch);
        }
        let (cols, pen) = (self.cols, self.pen);
        let wide = usize::from(cells_wide);
        if wide == 2 && !self.modes.wrap && self.buf().x + wide > cols {
            // It fits nowhere.
            self.joinable = None;
            return false;
        }
        if !self.modes.wrap {
            self.buf_mut().x = self.buf().x.min(cols - 1);
        }
        {
            let buffer = self.buf_mut();
            let (x, y) = (buffer.x, buffer.y);
            if x > 0 && buffer.row(y).cells()[x - 1].is_wide() {
                buffer.row_mut(y).set(x - 1, pen.cell(0, 0));
            }
        }
        if self.buf().x + wide > cols {
            let (x, y) = (self.buf().x, self.buf().y);
            // A wide character that does not fit leaves the last column blank.
            self.buf_mut().row_mut(y).cells_to(cols)[x..].fill(pen.cell(0, 0));
            self.wrap_line();
        }
        let insert = self.modes.insert;
        let buffer = self.buf_mut();
        let (x, y) = (buffer.x, buffer.y);
        let row = buffer.row_mut(y);
        let mut orphan = false;
        if insert {
            orphan = row.cells()[x].is_spacer();
            row.insert(x, wide, pen.cell(0, 0));
        }
        if wide == 2 {
            row.set(x, pen.cell(ch, Flags::WIDE));
            row.set(x + 1, pen.cell(0, Flags::SPACER));
        } else {
            row.set(x, pen.cell(ch, 0));
        }
        let next = x + wide;
        if next < cols && (orphan || row.cells()[next].is_spacer()) {
            row.set(next, pen.cell(0, 0));
        }
        buffer.x = next;
        self.joinable = Some(cells_wide);
        true
    }

    /// Goes to the start of the next row, which continues this one.
    fn wrap_line(&mut self) {
        let rows = self.rows;
        let buffer = self.buf_mut();
        buffer.x = 0;
        if buffer.y == buffer.bottom {
            self.scroll(true);
        } else {
            buffer.y = (buffer.y + 1).min(rows - 1);
            let y = buffer.y;
            buffer.row_mut(y).wrapped = true;
        }
    }

    /// Adds a combining character to the cell printed just before.
    fn join(&mut self, ch: u32) -> bool {
        let (Some(_), Some(c)) = (self.joinable, char::from_u32(ch)) else { return false };
        let buffer = self.buf();
        let (x, y) = (buffer.x, buffer.y);
        let mut at = x.saturating_sub(1);
        if buffer.row(y).cells()[at].is_spacer() {
            at = at.saturating_sub(1);
        }
        let cell = buffer.row(y).cells()[at];
        let mut text = String::new();
        self.tables.push_text(&cell, &mut text);
        if text.chars().count() >= MAX_CLUSTER {
            return false;
        }
        text.push(c);
        let Some(index) = self.tables.cluster(&text) else { return false };
        debug_assert!(index & CLUSTER != 0, "clusters are marked");
        self.buf_mut().row_mut(y).set(at, Cell { ch: index, ..cell });
        true
    }

    /// REP: prints the character before the cursor again.
    pub(crate) fn repeat(&mut self, count: usize) {
        let Some(cells_wide) = self.joinable else { return };
        let buffer = self.buf();
        let Some(x) = buffer.x.checked_sub(usize::from(cells_wide)) else { return };
        let mut text = String::new();
        let Some(cell) = buffer.row(buffer.y).cells().get(x).filter(|c| c.ch != 0) else { return };
        self.tables.push_text(cell, &mut text);
        // More than a screenful changes nothing that is visible but takes time.
        for _ in 0..count.min(self.cols * self.rows) {
            for c in text.chars() {
                self.print_char(u32::from(c));
            }
        }
    }
}
