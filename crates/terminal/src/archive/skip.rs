//! Skipping ahead in a flood: lines of text that will scroll far out of sight go to the archive as they are, without
//! being drawn first, and those beyond the scrollback go nowhere. The end state is the same.

use std::ops::Range;

use crate::grid::{Cell, Color, Pen, width};
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
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Printable ASCII alone.
    Ascii,
    /// Attributes and other characters.
    Text,
    /// As `Text`, with a background somewhere.
    Colored,
    /// Tabs as well.
    Tabs,
}

impl Screen {
    /// Looks at `bytes[from..]` and moves lines at their start to the archive. Returns where to go on, and up to where
    /// the text must be fed before [`end_skip`](Self::end_skip); or from where on it may be worth trying again.
    pub(crate) fn begin_skip(&mut self, bytes: &[u8], from: usize) -> Result<(usize, usize), usize> {
        if !self.can_skip() {
            return Err(from);
        }
        // These stay cells, however few columns each of them fills.
        let kept = self.rows + LIVE_ROWS;
        if memchr::memchr_iter(b'\n', &bytes[from..]).nth(kept + MIN_LINES).is_none() {
            return Err(bytes.len());
        }
        let pen = self.pen;
        let (lines, end) = self.plain_lines(bytes, from);
        let skipped = lines.len().saturating_sub(kept);
        if skipped < MIN_LINES {
            self.pen = pen;
            return Err(end + 1);
        }
        self.archive_all();
        let first = skipped - skipped.min(self.archive.limit());
        for at in first..skipped {
            self.pen = lines[at].pen;
            self.archive_line(&lines[at], lines[at + 1].pen, bytes);
        }
        self.archive.trim(self.cols, 0);
        self.pen = lines[skipped].pen;
        self.archiving = false;
        self.joinable = None;
        self.buffers[0].saved.scrolled += skipped;
        let rows = |line: &PlainLine| line.cells.div_ceil(self.cols).max(1) as u64;
        self.buffers[0].left += lines[..skipped].iter().map(rows).sum::<u64>();
        self.generation += 1;
        self.replaced = true;
        Ok((lines[skipped].bytes.start, end))
    }

    /// After the lines that stay have been fed: removes the blank rows that stood for what had scrolled away before them.
    pub(crate) fn end_skip(&mut self) {
        let blank = self.rows - 1;
        let buffer = &mut self.buffers[0];
        for _ in 0..blank {
            if let Some(row) = buffer.lines.pop_front() {
                buffer.recycle(row);
            }
        }
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
        for _ in 0..count {
            if let Some(row) = buffer.lines.pop_front() {
                buffer.recycle(row);
            }
        }
        for _ in 1..rows {
            let row = buffer.blank(cols, Cell::default());
            buffer.lines.push_front(row);
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
            let measured = if is_ascii(line) { Some((line.len(), Kind::Ascii)) } else { self.measure(line) };
            let Some((cells, kind)) = measured.filter(|_| self.pen.bg == Color::DEFAULT) else {
                self.pen = pen;
                break;
            };
            lines.push(PlainLine { bytes: range, pen, cells, kind });
            at += length + 1;
        }
        (lines, at)
    }

    /// Cells of a line, applying its attributes; `None` when there is more in it than text, tabs and attributes.
    fn measure(&mut self, line: &[u8]) -> Option<(usize, Kind)> {
        let mut cells = 0;
        let cols = self.cols;
        let (mut colored, mut tabs) = (false, false);
        let mut walk = Walk::new(line);
        loop {
            let step = walk.next(self)?;
            colored |= self.pen.bg != Color::DEFAULT;
            match step {
                Step::End => break,
                Step::Ascii(run) => cells += run,
                Step::Char(wide) => {
                    // Whether a wide character leaves a gap at a row's end depends on the width.
                    if wide == 2 && cells % cols + 2 > cols {
                        return None;
                    }
                    cells += usize::from(wide);
                }
                Step::Tab => {
                    tabs = true;
                    cells = self.tab_stop(cells)?;
                }
            }
        }
        let kind = match (tabs, colored) {
            (true, true) => return None,
            (true, false) => Kind::Tabs,
            (false, true) => Kind::Colored,
            (false, false) => Kind::Text,
        };
        // A row that a wrap adds starts with the background of that moment.
        (!colored || cells <= cols).then_some((cells, kind))
    }

    /// Column after a tab, when it is simple.
    fn tab_stop(&self, cells: usize) -> Option<usize> {
        let tabs = &self.buf().tabs;
        (cells + 1..self.cols).find(|&x| tabs[x]).filter(|&x| x < self.cols - 1)
    }

    /// Puts a line that [`measure`](Self::measure) has been through into the archive: as it is, between what sets the pen
    /// that it starts with and what resets the one it ends with.
    fn archive_line(&mut self, line: &PlainLine, end: Pen, bytes: &[u8]) {
        let text = &bytes[line.bytes.clone()];
        if line.kind == Kind::Ascii && line.pen == Pen::default() && end == Pen::default() {
            self.archive.push_encoded(text, line.cells);
            return;
        }
        let mut out = Vec::with_capacity(text.len() + 64);
        write_pen(&mut out, Pen::default(), line.pen, &self.tables);
        if line.kind == Kind::Tabs {
            let printed = self.expand_tabs(&mut out, text);
            write_pen(&mut out, end, Pen::default(), &self.tables);
            self.archive.push_encoded(&out, printed);
            return;
        }
        out.extend_from_slice(text);
        write_pen(&mut out, end, Pen::default(), &self.tables);
        if line.kind == Kind::Colored {
            out.extend_from_slice(b"\x1b[K");
        }
        self.archive.push_encoded(&out, line.cells);
    }

    /// Writes a line with spaces for tabs. Cells that a tab passes over stay blank, so these come with the default pen,
    /// and only when something follows. Returns the cells up to there.
    fn expand_tabs(&mut self, out: &mut Vec<u8>, text: &[u8]) -> usize {
        let (mut cells, mut gap) = (0, 0);
        let mut walk = Walk::new(text);
        let mut from = 0;
        while let Some(step) = walk.next(self) {
            match step {
                Step::End => break,
                Step::Tab => {
                    out.extend_from_slice(&text[from..walk.at - 1]);
                    from = walk.at;
                    let next = self.tab_stop(cells).unwrap_or(cells);
                    gap += next - cells;
                    cells = next;
                }
                Step::Ascii(_) | Step::Char(..) => {
                    let run = walk.printed;
                    if gap > 0 {
                        out.extend_from_slice(&text[from..run]);
                        from = run;
                        write_pen(out, self.pen, Pen::default(), &self.tables);
                        out.resize(out.len() + gap, b' ');
                        write_pen(out, Pen::default(), self.pen, &self.tables);
                        gap = 0;
                    }
                    cells += match step {
                        Step::Ascii(length) => length,
                        Step::Char(wide) => usize::from(wide),
                        Step::Tab | Step::End => 0,
                    };
                }
            }
        }
        out.extend_from_slice(&text[from..]);
        cells - gap
    }
}

#[derive(Clone, Copy)]
enum Step {
    /// A run of printable ASCII of this length.
    Ascii(usize),
    /// Another character, this many cells wide.
    Char(u8),
    Tab,
    End,
}

/// Goes through a line, applying SGR to the screen's pen.
struct Walk<'a> {
    line: &'a [u8],
    at: usize,
    /// Where the text of the last step starts.
    printed: usize,
    params: Params,
}

impl<'a> Walk<'a> {
    fn new(line: &'a [u8]) -> Self {
        Self { line, at: 0, printed: 0, params: Params::default() }
    }

    /// The next step; `None` at something else than these.
    fn next(&mut self, screen: &mut Screen) -> Option<Step> {
        while let Some(&byte) = self.line.get(self.at) {
            let start = self.at;
            self.printed = start;
            match byte {
                0x20..=0x7e => {
                    let rest = &self.line[start..];
                    let run = rest.iter().position(|b| !(0x20..=0x7e).contains(b)).unwrap_or(rest.len());
                    self.at += run;
                    return Some(Step::Ascii(run));
                }
                b'\t' => {
                    self.at += 1;
                    return Some(Step::Tab);
                }
                0x1b => self.attributes(screen)?,
                0x80.. => {
                    let c = crate::scan::character(&self.line[start..])?;
                    let wide = width(u32::from(c));
                    if wide == 0 {
                        return None;
                    }
                    self.at += c.len_utf8();
                    return Some(Step::Char(wide));
                }
                _ => return None,
            }
        }
        Some(Step::End)
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
