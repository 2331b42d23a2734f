//! Archived lines as rows of cells again.

use crate::interpret::Interpreter;
use crate::options::{Options, Size};
use crate::scan::{Scanner, ViewWriter};
use crate::screen::Screen;

impl Screen {
    /// Makes sure that at least `rows` rows above the primary screen are cells, as far as the archive has them.
    pub(crate) fn unarchive(&mut self, rows: usize) {
        let missing = rows.saturating_sub(self.buffers[0].base);
        if missing == 0 || self.archive.is_empty() {
            return;
        }
        let pieces = self.archive.pop_tail(missing, self.cols);
        let mut text = Vec::new();
        for piece in &pieces {
            text.extend_from_slice(&piece.text);
        }
        // The last line break would only add an empty row.
        if text.ends_with(b"\r\n") {
            text.truncate(text.len() - 2);
        }
        let size = Size::new(self.cols as u16, 1);
        let mut scratch =
            Interpreter::new(size, Options { scrollback_lines: usize::MAX, ..Options::default() });
        scratch.screen.archiving = false;
        std::mem::swap(&mut scratch.screen.tables, &mut self.tables);
        Scanner::default().feed(&text, 0, 0, &mut scratch, &mut ViewWriter::new(&text));
        std::mem::swap(&mut scratch.screen.tables, &mut self.tables);
        let mut rows = std::mem::take(&mut scratch.screen.buffers[0].lines);
        let buffer = &mut self.buffers[0];
        buffer.base += rows.len();
        while let Some(row) = rows.pop_back() {
            buffer.lines.push_front(row);
        }
    }
}
