//! Answers to queries. Only what is listed here is answered, and only with numbers and text made here: a program's own
//! bytes never come back to it as input. Views do not see queries.

use super::Interpreter;
use crate::options::{Colors, Rgb};
use crate::scan::Verdict;
use crate::screen::ModeState;

/// Modes beyond three digits that do not exist here but are asked for by programs that take an answer to heart.
const UNSUPPORTED: [u32; 4] = [2027, 2048, 5522, 9001];

impl Interpreter {
    /// DA1: a VT220 with colour.
    pub(super) fn report_primary(&mut self, which: u32, offset: u64) -> Verdict {
        if which == 0 {
            self.reply(offset, *b"\x1b[?62;22c");
        }
        Verdict::Drop
    }

    /// DA2: the version that xterm.js gives; programs derive the mouse encoding from it.
    pub(super) fn report_secondary(&mut self, which: u32, offset: u64) -> Verdict {
        if which == 0 {
            self.reply(offset, *b"\x1b[>0;276;0c");
        }
        Verdict::Drop
    }

    /// XTVERSION.
    pub(super) fn report_version(&mut self, which: u32, offset: u64) -> Verdict {
        if which == 0 {
            self.reply(offset, format!("\x1bP>|Belfry({})\x1b\\", self.options.version));
        }
        Verdict::Drop
    }

    /// DSR: ready, and where the cursor is.
    pub(super) fn status(&mut self, what: u32, offset: u64) -> Verdict {
        match what {
            5 => self.reply(offset, *b"\x1b[0n"),
            6 => self.report_cursor("", offset),
            _ => (),
        }
        Verdict::Drop
    }

    /// Private DSR: where the cursor is, and whether the theme is dark.
    pub(super) fn private_status(&mut self, what: u32, offset: u64) -> Verdict {
        match what {
            6 => self.report_cursor("?", offset),
            996 => {
                let report = scheme_report(&self.options.colors);
                self.reply(offset, report);
            }
            _ => (),
        }
        Verdict::Drop
    }

    fn report_cursor(&mut self, prefix: &str, offset: u64) {
        let screen = &self.screen;
        let buffer = screen.buf();
        let top = if screen.modes.origin { buffer.top } else { 0 };
        let (row, col) = (buffer.y.saturating_sub(top) + 1, buffer.x.min(screen.cols - 1) + 1);
        self.reply(offset, format!("\x1b[{prefix}{row};{col}R"));
    }

    /// DECRQM for private modes.
    pub(super) fn report_private_mode(&mut self, mode: u32, offset: u64) -> Verdict {
        let state = self.screen.private_mode_state(mode);
        if state != ModeState::Unknown || mode < 1000 || UNSUPPORTED.contains(&mode) {
            self.reply(offset, format!("\x1b[?{mode};{}$y", state as u8));
        }
        Verdict::Drop
    }

    /// DECRQM for ANSI modes.
    pub(super) fn report_mode(&mut self, mode: u32, offset: u64) -> Verdict {
        if mode < 1000 {
            let state = self.screen.mode_state(mode) as u8;
            self.reply(offset, format!("\x1b[{mode};{state}$y"));
        }
        Verdict::Drop
    }

    /// XTWINOPS 14, 16 and 18: sizes. Never the title.
    pub(super) fn report_size(&mut self, what: u32, which: u32, offset: u64) {
        let (cols, rows) = (self.screen.cols, self.screen.rows);
        match (what, self.options.cell_pixels) {
            (18, _) => self.reply(offset, format!("\x1b[8;{rows};{cols}t")),
            (14, Some((w, h))) if which == 0 => {
                self.reply(offset, format!("\x1b[4;{};{}t", usize::from(h) * rows, usize::from(w) * cols));
            }
            (16, Some((w, h))) => self.reply(offset, format!("\x1b[6;{h};{w}t")),
            _ => (),
        }
    }

    /// OSC 4, 10, 11 and 12 with `?`: the theme's colours, also where a program has set others since.
    pub(super) fn report_color(&mut self, command: &str, index: u16, bell: bool, offset: u64) {
        let color = theme_color(&self.options.colors, index);
        let end = if bell { "\x07" } else { "\x1b\\" };
        let Rgb { r, g, b } = color;
        self.reply(offset, format!("\x1b]{command};rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}{end}"));
    }
}

/// `CSI ? 997 ; n n`.
pub(crate) fn scheme_report(colors: &Colors) -> Vec<u8> {
    format!("\x1b[?997;{}n", if colors.dark { 1 } else { 2 }).into_bytes()
}

/// A colour of the theme: the palette's 256, then text, background and cursor.
fn theme_color(colors: &Colors, index: u16) -> Rgb {
    match index {
        0..=15 => colors.ansi[usize::from(index)],
        16..=231 => {
            let level = |n: u16| if n == 0 { 0 } else { (55 + 40 * n) as u8 };
            let n = index - 16;
            Rgb { r: level(n / 36), g: level(n / 6 % 6), b: level(n % 6) }
        }
        232..=255 => {
            let grey = (8 + 10 * (index - 232)) as u8;
            Rgb { r: grey, g: grey, b: grey }
        }
        256 => colors.foreground,
        257 => colors.background,
        _ => colors.cursor,
    }
}
