//! Skipping ahead in a flood: lines of text that will scroll far out of sight go to the archive as they are, without
//! being drawn first, and those beyond the scrollback go nowhere. The end state is the same.

use std::ops::Range;

use crate::grid::{Cell, Color, Pen, Row, width};
use crate::scan::Params;
use crate::screen::{LIVE_ROWS, Screen, write_pen};

/// Shorter input is not worth looking at.
pub(crate) const MIN_BYTES: usize = 16 * 1024;
/// Fewer lines to skip are not worth it.
const MIN_LINES: usize = 64;

/// A line of text with nothing in it but text, tabs and attributes.
struct PlainLine {
    /// Without the line break.
    bytes: Range<usize>,
    /// The pen at its start.
    pen: Pen,
    cells: usize,
    /// Only printable ASCII: its bytes are its encoding.
    ascii: bool,
}

impl Screen {
    /// Looks at `bytes[from..]` and moves lines at their start to the archive. Returns where to go on, and up to where
    /// the text must be fed before [`end_skip`](Self::end_skip).
    pub(crate) fn begin_skip(&mut self, bytes: &[u8], from: usize) -> Option<(usize, usize)> {
        if bytes.len() - from < MIN_BYTES || !self.can_skip() {
            return None;
        }
        let pen = self.pen;
        let (lines, end) = self.plain_lines(bytes, from);
        // These stay cells, however few columns each of them fills.
        let kept = self.rows + LIVE_ROWS;
        let skipped = lines.len().saturating_sub(kept);
        if skipped < MIN_LINES {
            self.pen = pen;
            return None;
        }
        self.archive_all();
        let first = skipped - skipped.min(self.archive.limit());
        for line in &lines[first..skipped] {
            self.archive_line(line, bytes);
        }
        self.archive.trim(self.cols, 0);
        self.pen = lines[skipped].pen;
        self.archiving = false;
        self.joinable = None;
        self.buffers[0].saved.scrolled += skipped;
        self.generation += 1;
        Some((lines[skipped].bytes.start, end))
    }

    /// After the lines that stay have been fed: removes the blank rows that stood for what had scrolled away before them.
    pub(crate) fn end_skip(&mut self) {
        let blank = self.rows - 1;
        let buffer = &mut self.buffers[0];
        buffer.lines.drain(..blank);
        buffer.base -= blank;
        self.archiving = true;
        self.archive_rows();
    }

    /// The cursor is at the start of the last row, with nothing set up that text would care about.
    fn can_skip(&self) -> bool {
        let buffer = self.buf();
        !self.on_alternate
            && self.is_plain()
            && self.pen.bg == Color::DEFAULT
            && buffer.y == self.rows - 1
            && buffer.x == 0
            && !buffer.row(buffer.y).wrapped
            && buffer.row(buffer.y).is_blank()
    }

    /// Moves everything above the cursor's row to the archive and leaves blank rows.
    fn archive_all(&mut self) {
        let (cols, rows) = (self.cols, self.rows);
        let buffer = &mut self.buffers[0];
        let count = buffer.base + rows - 1;
        self.archive.push_rows(&buffer.lines, count, &self.tables);
        buffer.lines.drain(..count);
        for _ in 1..rows {
            buffer.lines.push_front(Row::new(cols, Cell::default()));
        }
        buffer.base = 0;
    }

    /// The plain lines at the start, and where they end. Leaves the pen as it is after them.
    fn plain_lines(&mut self, bytes: &[u8], from: usize) -> (Vec<PlainLine>, usize) {
        let mut lines = Vec::with_capacity(bytes.len() / 64);
        let mut at = from;
        while let Some(length) = memchr::memchr(b'\n', &bytes[at..]) {
            if length == 0 || bytes[at + length - 1] != b'\r' {
                break;
            }
            let range = at..at + length - 1;
            let pen = self.pen;
            let line = &bytes[range.clone()];
            let ascii = is_ascii(line);
            let cells = if ascii { Some(line.len()) } else { self.measure(line) };
            let Some(cells) = cells.filter(|_| self.pen.bg == Color::DEFAULT) else {
                self.pen = pen;
                break;
            };
            lines.push(PlainLine { bytes: range, pen, cells, ascii });
            at += length + 1;
        }
        (lines, at)
    }

    /// Cells of a line, applying its attributes; `None` when there is more in it than text, tabs and attributes.
    fn measure(&mut self, line: &[u8]) -> Option<usize> {
        let mut cells = 0;
        let cols = self.cols;
        let mut colored = false;
        let mut walk = Walk::new(line);
        while let Some(step) = walk.next(self)? {
            colored |= self.pen.bg != Color::DEFAULT;
            match step {
                Step::Ascii(run) => cells += run.len(),
                Step::Char(_, wide) => {
                    // Whether a wide character leaves a gap at a row's end depends on the width.
                    if wide == 2 && cells % cols + 2 > cols {
                        return None;
                    }
                    cells += usize::from(wide);
                }
                Step::Tab => cells = self.tab_stop(cells)?,
            }
        }
        // A row that a wrap adds starts with the background of that moment.
        (!colored || cells <= cols).then_some(cells)
    }

    /// Column after a tab, when it is simple.
    fn tab_stop(&self, cells: usize) -> Option<usize> {
        let tabs = &self.buf().tabs;
        (cells + 1..self.cols).find(|&x| tabs[x]).filter(|&x| x < self.cols - 1)
    }

    /// Encodes a line that [`measure`](Self::measure) has been through.
    fn archive_line(&mut self, line: &PlainLine, bytes: &[u8]) {
        let text = &bytes[line.bytes.clone()];
        if line.ascii && line.pen == Pen::default() {
            self.archive.push_encoded(text, line.cells);
            return;
        }
        let mut out = Vec::with_capacity(text.len() + 16);
        let mut written = Pen::default();
        let mut cells = 0;
        // Tabs leave cells as they were, blank; they count only when something follows.
        let mut gap = 0;
        self.pen = line.pen;
        let mut walk = Walk::new(text);
        while let Some(Some(step)) = walk.next(self) {
            if let Step::Tab = step {
                let next = self.tab_stop(cells).unwrap_or(cells);
                gap += next - cells;
                cells = next;
                continue;
            }
            if gap > 0 {
                write_pen(&mut out, written, Pen::default(), &self.tables);
                written = Pen::default();
                out.resize(out.len() + gap, b' ');
                gap = 0;
            }
            write_pen(&mut out, written, self.pen, &self.tables);
            written = self.pen;
            match step {
                Step::Ascii(run) => {
                    out.extend_from_slice(run);
                    cells += run.len();
                }
                Step::Char(text, wide) => {
                    out.extend_from_slice(text);
                    cells += usize::from(wide);
                }
                Step::Tab => (),
            }
        }
        write_pen(&mut out, written, Pen::default(), &self.tables);
        self.archive.push_encoded(&out, cells - gap);
    }
}

enum Step<'a> {
    Ascii(&'a [u8]),
    Char(&'a [u8], u8),
    Tab,
}

/// Goes through a line, applying SGR to the screen's pen.
struct Walk<'a> {
    line: &'a [u8],
    at: usize,
    params: Params,
}

impl<'a> Walk<'a> {
    fn new(line: &'a [u8]) -> Self {
        Self { line, at: 0, params: Params::default() }
    }

    /// The next step; `Some(None)` at the end, `None` at something else.
    fn next(&mut self, screen: &mut Screen) -> Option<Option<Step<'a>>> {
        while let Some(&byte) = self.line.get(self.at) {
            let start = self.at;
            match byte {
                0x20..=0x7e => {
                    let rest = &self.line[start..];
                    let run = rest.iter().position(|b| !(0x20..=0x7e).contains(b)).unwrap_or(rest.len());
                    self.at += run;
                    return Some(Some(Step::Ascii(&rest[..run])));
                }
                b'\t' => {
                    self.at += 1;
                    return Some(Some(Step::Tab));
                }
                0x1b => self.attributes(screen)?,
                0x80.. => {
                    let c = crate::scan::character(&self.line[start..])?;
                    let wide = width(u32::from(c));
                    if wide == 0 {
                        return None;
                    }
                    self.at += c.len_utf8();
                    return Some(Some(Step::Char(&self.line[start..self.at], wide)));
                }
                _ => return None,
            }
        }
        Some(None)
    }

    /// An SGR sequence.
    fn attributes(&mut self, screen: &mut Screen) -> Option<()> {
        if self.line.get(self.at + 1) != Some(&b'[') {
            return None;
        }
        self.params.clear();
        self.at += 2;
        loop {
            let byte = *self.line.get(self.at)?;
            self.at += 1;
            match byte {
                b'0'..=b'9' => self.params.digit(byte),
                b';' | b':' => self.params.separator(byte == b':'),
                b'm' => break,
                _ => return None,
            }
        }
        (!screen.set_attributes(&self.params)).then_some(())
    }
}

fn is_ascii(line: &[u8]) -> bool {
    line.iter().fold(true, |all, b| all & (b.wrapping_sub(0x20) < 0x5f))
}
