//! The screen: what text and control functions do to the two buffers.
//!
//! Behaves as xterm.js does wherever programs can tell, since that is what the window shows: the bytes that views get
//! must put their terminal into the same state as this one.

mod control;
mod erase;
mod mode;
mod print;
mod resize;
mod sgr;

use crate::archive::Archive;
use crate::grid::{Buffer, Cell, Charset, Charsets, Pen, Row, Saved, Tables};
use crate::modes::{CursorShape, MouseEncoding, MouseTracking};
use crate::options::Size;

pub(crate) use mode::ModeState;
pub(crate) use sgr::{write_link, write_pen};

/// Rows above the screen that stay as cells; older ones go to the archive in steps of [`ARCHIVE_STEP`]. Enough for a
/// window to grow without unpacking.
pub(crate) const LIVE_ROWS: usize = 96;
pub(crate) const ARCHIVE_STEP: usize = 96;

/// Modes that are not part of a buffer. Those of [`Modes`](crate::Modes) that concern the keyboard protocol are kept by
/// the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScreenModes {
    pub(crate) wrap: bool,
    pub(crate) insert: bool,
    pub(crate) origin: bool,
    pub(crate) newline: bool,
    pub(crate) app_cursor: bool,
    pub(crate) app_keypad: bool,
    pub(crate) cursor_hidden: bool,
    pub(crate) cursor_shape: CursorShape,
    /// DECSCUSR's blinking; meaningless with the default shape.
    pub(crate) shape_blinks: bool,
    /// Mode 12.
    pub(crate) blink: bool,
    pub(crate) bracketed_paste: bool,
    pub(crate) focus: bool,
    pub(crate) alternate_scroll: bool,
    pub(crate) mouse: MouseTracking,
    pub(crate) mouse_encoding: MouseEncoding,
    pub(crate) synchronized: bool,
    pub(crate) scheme_updates: bool,
}

impl Default for ScreenModes {
    fn default() -> Self {
        Self {
            wrap: true,
            insert: false,
            origin: false,
            newline: false,
            app_cursor: false,
            app_keypad: false,
            cursor_hidden: false,
            cursor_shape: CursorShape::Default,
            shape_blinks: false,
            blink: false,
            bracketed_paste: false,
            focus: false,
            alternate_scroll: true,
            mouse: MouseTracking::Off,
            mouse_encoding: MouseEncoding::Default,
            synchronized: false,
            scheme_updates: false,
        }
    }
}

/// Both buffers and everything that text depends on.
#[derive(Debug)]
pub(crate) struct Screen {
    pub(crate) cols: usize,
    pub(crate) rows: usize,
    /// Primary and alternate.
    pub(crate) buffers: [Buffer; 2],
    pub(crate) on_alternate: bool,
    pub(crate) pen: Pen,
    pub(crate) charsets: Charsets,
    pub(crate) modes: ScreenModes,
    pub(crate) tables: Tables,
    pub(crate) archive: Archive,
    /// Off while rows above the screen must stay cells.
    pub(crate) archiving: bool,
    /// Width of the character that was printed just before, while a combining one may still join it (or REP repeat it).
    pub(crate) joinable: Option<u8>,
    /// Rises with everything that may change what is seen.
    pub(crate) generation: u64,
    /// Another screen is shown than when the damage was last taken.
    pub(crate) replaced: bool,
}

impl Screen {
    pub(crate) fn new(size: Size, scrollback: usize) -> Self {
        let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
        Self {
            cols,
            rows,
            buffers: [Buffer::new(cols, rows, true), Buffer::new(cols, rows, false)],
            on_alternate: false,
            pen: Pen::default(),
            charsets: Charsets::default(),
            modes: ScreenModes::default(),
            tables: Tables::default(),
            archive: Archive::new(scrollback),
            archiving: true,
            joinable: None,
            generation: 0,
            replaced: true,
        }
    }

    #[inline]
    pub(crate) fn buf(&self) -> &Buffer {
        &self.buffers[usize::from(self.on_alternate)]
    }

    #[inline]
    pub(crate) fn buf_mut(&mut self) -> &mut Buffer {
        &mut self.buffers[usize::from(self.on_alternate)]
    }

    /// What erased cells become: blank, with the background of the pen.
    pub(crate) fn erased(&self) -> Cell {
        Cell::blank(self.pen.bg)
    }

    /// Scrolls the region up by one row and moves rows that are far above the screen to the archive.
    pub(crate) fn scroll(&mut self, wrapped: bool) {
        let (cols, fill) = (self.cols, self.erased());
        let buffer = self.buf_mut();
        buffer.scroll_up(cols, fill, wrapped);
        if buffer.base >= LIVE_ROWS + ARCHIVE_STEP && self.archiving {
            self.archive_rows();
        }
    }

    /// Moves all but about [`LIVE_ROWS`] of the rows above the primary screen to the archive, whole logical lines at a time.
    pub(crate) fn archive_rows(&mut self) {
        let buffer = &self.buffers[0];
        let mut end = buffer.base.saturating_sub(LIVE_ROWS);
        while end > 0 && buffer.lines[end].wrapped {
            end -= 1;
        }
        if end == 0 && buffer.base >= 4 * (LIVE_ROWS + ARCHIVE_STEP) {
            // One line longer than all that is kept: cut it at a row's end.
            end = buffer.base - LIVE_ROWS;
        }
        self.archive_until(end);
    }

    /// Moves the oldest `count` rows to the archive.
    pub(crate) fn archive_until(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        let buffer = &mut self.buffers[0];
        let kept = buffer.base - count;
        self.archive.push_rows(&buffer.lines, count, &self.tables);
        for _ in 0..count {
            if let Some(row) = buffer.lines.pop_front() {
                buffer.recycle(row);
            }
        }
        buffer.base = kept;
        self.archive.trim(self.cols, kept);
        if self.tables.is_crowded() {
            self.sweep_tables();
        }
    }

    /// Forgets links, clusters and underline colours that no cell uses.
    pub(crate) fn sweep_tables(&mut self) {
        let (buffers, pen) = (&mut self.buffers, &mut self.pen);
        self.tables.sweep(|each| {
            let mut none = 0;
            for buffer in buffers {
                for cell in buffer.lines.iter_mut().flat_map(Row::used_mut) {
                    each(&mut cell.ch, &mut cell.ext);
                }
                each(&mut none, &mut buffer.saved.pen.ext);
            }
            each(&mut none, &mut pen.ext);
        });
    }

    /// Keeps the cursor on the screen: inside the scroll region when positions count from it. `max` is the last
    /// column, or the width where a pending wrap may stay.
    pub(crate) fn restrict(&mut self, max: usize) {
        let (origin, rows) = (self.modes.origin, self.rows);
        let buffer = self.buf_mut();
        buffer.x = buffer.x.min(max);
        buffer.y = if origin { buffer.y.clamp(buffer.top, buffer.bottom) } else { buffer.y.min(rows - 1) };
    }

    /// Puts the cursor at a position that counts from the scroll region in origin mode.
    pub(crate) fn move_to(&mut self, x: usize, y: usize) {
        let origin = self.modes.origin;
        let buffer = self.buf_mut();
        buffer.x = x;
        buffer.y = if origin { buffer.top.saturating_add(y) } else { y };
        self.restrict(self.cols - 1);
    }

    /// DECSC.
    pub(crate) fn save_cursor(&mut self) {
        let (pen, charsets) = (self.pen, self.charsets);
        let buffer = self.buf_mut();
        buffer.saved = Saved { x: buffer.x, y: buffer.y, pen, charsets, scrolled: 0, set: true };
    }

    /// DECRC. The open link is not part of what is saved.
    pub(crate) fn restore_cursor(&mut self) {
        let saved = self.buf().saved;
        let buffer = self.buf_mut();
        buffer.x = saved.x;
        buffer.y = saved.y;
        let link = self.tables.get_extra(self.pen.ext).link;
        self.pen = saved.pen;
        let mut extra = self.tables.get_extra(saved.pen.ext);
        extra.link = link;
        self.pen.ext = self.tables.extra(extra);
        self.charsets = saved.charsets;
        self.restrict(self.cols - 1);
    }

    /// Shows the alternate screen, empty.
    pub(crate) fn enter_alternate(&mut self) {
        if self.on_alternate {
            return;
        }
        let (cols, fill) = (self.cols, self.erased());
        let (x, y) = (self.buffers[0].x, self.buffers[0].y);
        let alternate = &mut self.buffers[1];
        for row in &mut alternate.lines {
            row.reset(cols, fill);
        }
        (alternate.x, alternate.y) = (x, y);
        self.on_alternate = true;
        self.replaced = true;
    }

    /// Shows the primary screen again and forgets the alternate one.
    pub(crate) fn leave_alternate(&mut self) {
        if !self.on_alternate {
            return;
        }
        let (x, y) = (self.buffers[1].x, self.buffers[1].y);
        self.buffers[1] = Buffer::new(self.cols, self.rows, false);
        (self.buffers[0].x, self.buffers[0].y) = (x, y);
        self.on_alternate = false;
        self.replaced = true;
    }

    /// RIS. The archive goes too.
    pub(crate) fn reset(&mut self) {
        self.buffers = [Buffer::new(self.cols, self.rows, true), Buffer::new(self.cols, self.rows, false)];
        self.on_alternate = false;
        self.replaced = true;
        self.pen = Pen::default();
        self.charsets = Charsets::default();
        self.modes = ScreenModes::default();
        self.tables = Tables::default();
        self.archive.clear();
        self.joinable = None;
    }

    /// DECSTR.
    pub(crate) fn soft_reset(&mut self) {
        let kept = self.modes;
        self.modes = ScreenModes {
            mouse: kept.mouse,
            mouse_encoding: kept.mouse_encoding,
            newline: kept.newline,
            blink: kept.blink,
            alternate_scroll: kept.alternate_scroll,
            scheme_updates: kept.scheme_updates,
            ..ScreenModes::default()
        };
        self.pen = Pen::default();
        self.charsets = Charsets::default();
        let bottom = self.rows - 1;
        let buffer = self.buf_mut();
        (buffer.top, buffer.bottom) = (0, bottom);
        buffer.saved = Saved { set: true, ..Saved::default() };
    }

    /// Whether plain text goes to the screen as it comes: nothing but the pen matters.
    pub(crate) fn is_plain(&self) -> bool {
        let buffer = self.buf();
        !self.modes.insert
            && self.modes.wrap
            && self.charsets.current() == Charset::Ascii
            && buffer.top == 0
            && buffer.bottom == self.rows - 1
    }
}
