//! Control sequences.

use super::{Interpreter, MAX_TITLES};
use crate::grid::{Color, Pen};
use crate::modes::CursorShape;
use crate::scan::{Csi, Verdict};
use crate::screen::{Screen, write_link, write_pen};

impl Interpreter {
    pub(super) fn control_sequence(&mut self, csi: &Csi<'_>, offset: u64) -> Verdict {
        let params = csi.params;
        let verdict = match (csi.prefix, csi.intermediate, csi.last) {
            (0, 0, b'm') => return self.attributes(csi),
            (0, 0, _) => self.plain_sequence(csi, offset),
            (b'?', 0, b'J') => self.erase_display(params.get(0) as usize),
            (b'?', 0, b'K') => {
                self.screen.erase_line(params.get(0) as usize);
                Verdict::Keep
            }
            (b'?', 0, b'h') => self.private_modes(csi, true, offset),
            (b'?', 0, b'l') => self.private_modes(csi, false, offset),
            (b'?', 0, b'n') => self.private_status(params.get(0), offset),
            (b'?', b'$', b'p') => self.report_private_mode(params.get(0), offset),
            (0, b'$', b'p') => self.report_mode(params.get(0), offset),
            (b'>', 0, b'c') => self.report_secondary(params.get(0), offset),
            (b'>', 0, b'q') => self.report_version(params.get(0), offset),
            (b'>', 0, b'm') => self.modify_keys(csi, offset),
            (b'>' | b'<' | b'=' | b'?', 0, b'u') => self.keyboard_protocol(csi, offset),
            (0, b' ', b'@') => self.shift(csi, false, false),
            (0, b' ', b'A') => self.shift(csi, false, true),
            (0, b'\'', b'}') => self.shift(csi, true, true),
            (0, b'\'', b'~') => self.shift(csi, true, false),
            (0, b' ', b'q') => self.cursor_style(params.get(0), offset),
            (0, b'!', b'p') => {
                self.screen.soft_reset();
                self.note_modes(offset);
                Verdict::Keep
            }
            // Not known here, so not for views either.
            _ => return Verdict::Drop,
        };
        self.screen.generation += 1;
        verdict
    }

    fn plain_sequence(&mut self, csi: &Csi<'_>, offset: u64) -> Verdict {
        let params = csi.params;
        let count = params.count(0);
        let first = params.get(0) as usize;
        let (cols, rows) = (self.screen.cols, self.screen.rows);
        let screen = &mut self.screen;
        match csi.last {
            b'@' => {
                let y = screen.buf().y;
                let orphan = screen.insert_chars(count).map(|x| (y, x));
                return self.erase_orphans(orphan.as_slice());
            }
            b'A' => screen.up(count),
            b'B' => screen.down(count),
            b'C' | b'a' => screen.forward(count),
            b'D' => screen.backward(count),
            b'E' => {
                screen.down(count);
                screen.buf_mut().x = 0;
            }
            b'F' => {
                screen.up(count);
                screen.buf_mut().x = 0;
            }
            b'G' | b'`' => screen.column(count - 1),
            b'H' | b'f' => screen.move_to(params.count(1) - 1, count - 1),
            b'I' => {
                screen.tab(count);
                return bounded(csi, count, cols);
            }
            b'J' => return self.erase_display(first),
            b'K' => screen.erase_line(first),
            b'L' | b'M' => {
                screen.shift_lines(count, csi.last == b'L');
                return bounded(csi, count, rows);
            }
            b'P' => screen.delete_chars(count),
            b'S' => {
                screen.scroll_up(count);
                return bounded(csi, count, rows);
            }
            b'T' => {
                screen.scroll_down(count);
                return bounded(csi, count, rows);
            }
            b'X' => screen.erase_chars(count),
            b'Z' => {
                screen.back_tab(count);
                return bounded(csi, count, cols);
            }
            b'b' => {
                if screen.joinable.is_none() {
                    return Verdict::Drop;
                }
                screen.repeat(count);
                return bounded(csi, count, cols * rows);
            }
            b'c' => return self.report_primary(params.get(0), offset),
            b'd' => {
                let x = screen.buf().x;
                screen.move_to(x, count - 1);
            }
            b'e' => screen.down_anywhere(count),
            b'g' => screen.clear_tabs(first),
            b'h' | b'l' => return self.modes(csi, offset),
            b'n' => return self.status(params.get(0), offset),
            b'r' => screen.set_region(first, params.get(1) as usize),
            b's' => screen.save_cursor(),
            b't' => return self.window(params.get(0), params.get(1), offset),
            b'u' => return self.restore(Screen::restore_cursor),
            _ => return Verdict::Drop,
        }
        let moves = matches!(csi.last, b'A'..=b'G' | b'`' | b'a' | b'e');
        if moves && screen.modes.origin && screen.buf().top > 0 {
            // In origin mode xterm.js adds the region's first row to every relative movement.
            let mut bytes = Vec::new();
            crate::snapshot::move_to(&mut bytes, screen);
            return Verdict::Replace(bytes);
        }
        Verdict::Keep
    }

    fn erase_display(&mut self, which: usize) -> Verdict {
        let (x, y) = (self.screen.buf().x, self.screen.buf().y);
        self.screen.erase_display(which);
        if which != 1 || x + 1 < self.screen.cols {
            return Verdict::Keep;
        }
        // Up to the last column xterm.js also takes the mark of a wrap from some other row: the same in two steps.
        let mut bytes = b"\x1b[2K".to_vec();
        if y > 0 {
            let (before, after) = if self.screen.modes.origin { ("\x1b[?6l", "\x1b[?6h") } else { ("", "") };
            bytes.extend(format!("{before}\x1b[{y};1H\x1b[2K\x1b[1J{after}").into_bytes());
        }
        crate::snapshot::move_to(&mut bytes, &self.screen);
        Verdict::Replace(bytes)
    }

    fn attributes(&mut self, csi: &Csi<'_>) -> Verdict {
        self.screen.generation += 1;
        if self.screen.set_attributes(csi.params) {
            Verdict::Replace(self.spell_pen())
        } else {
            Verdict::Keep
        }
    }

    /// The present pen as a whole, whatever a view's was. Links stay as they are.
    pub(super) fn spell_pen(&mut self) -> Vec<u8> {
        let pen = self.screen.pen;
        let link = self.screen.tables.get_extra(pen.ext).link;
        let base = self.screen.tables.extra(crate::grid::Extra { underline: Color::DEFAULT, link });
        let mut bytes = b"\x1b[m".to_vec();
        write_pen(&mut bytes, Pen { ext: base, ..Pen::default() }, pen, &self.screen.tables);
        bytes
    }

    fn modes(&mut self, csi: &Csi<'_>, offset: u64) -> Verdict {
        let on = csi.last == b'h';
        let mut known = Vec::new();
        for at in 0..csi.params.len() {
            let mode = csi.params.get(at);
            if self.screen.set_mode(mode, on) {
                known.push(mode);
            }
        }
        self.note_modes(offset);
        only_known(csi, &known)
    }

    fn private_modes(&mut self, csi: &Csi<'_>, on: bool, offset: u64) -> Verdict {
        let mut known = Vec::new();
        let mut fixes = Vec::new();
        for at in 0..csi.params.len() {
            let mode = csi.params.get(at);
            let switches = matches!(mode, 47 | 1047 | 1049);
            if !on && matches!(mode, 1048 | 1049) {
                if let Verdict::KeepAnd(fix) = self.restore(|s| {
                    s.set_private_mode(mode, on);
                }) {
                    fixes = fix;
                }
                known.push(mode);
            } else if switches && self.screen.modes.origin {
                // The two screens may have different scroll regions, and the cursor must be inside.
                self.screen.set_private_mode(mode, on);
                fixes.clear();
                crate::snapshot::move_to(&mut fixes, &self.screen);
                known.push(mode);
            } else if self.screen.set_private_mode(mode, on) {
                known.push(mode);
            }
        }
        if !self.screen.on_alternate {
            // Each visit to the alternate screen starts with an empty stack: a program that died there leaves nothing behind.
            self.keyboard.stacks[1].clear();
        }
        self.note_modes(offset);
        match only_known(csi, &known) {
            verdict if fixes.is_empty() => verdict,
            Verdict::Keep => Verdict::KeepAnd(fixes),
            Verdict::Replace(mut bytes) => {
                bytes.extend(fixes);
                Verdict::Replace(bytes)
            }
            verdict => verdict,
        }
    }

    /// Does something that restores the cursor, and tells views outright what was restored where xterm.js would do
    /// something else: it moves saved positions with the text, and saves neither all charsets nor the style of underlines.
    pub(super) fn restore(&mut self, restore: impl FnOnce(&mut Screen)) -> Verdict {
        let charsets = self.screen.charsets;
        let pen = self.screen.pen;
        let before = [self.screen.buffers[0].saved, self.screen.buffers[1].saved];
        restore(&mut self.screen);
        let saved = before[usize::from(self.screen.on_alternate)];
        let rare = |p: Pen| p.flags.underline() != 0 || p.ext != 0;
        let differs = saved.scrolled > 0
            || !saved.set
            || charsets != self.screen.charsets
            || rare(pen)
            || rare(self.screen.pen)
            || self.screen.modes.origin;
        if !differs {
            return Verdict::Keep;
        }
        let mut bytes = crate::snapshot::charsets(self.screen.charsets);
        let link = self.screen.tables.get_link(self.screen.tables.get_extra(self.screen.pen.ext).link);
        write_link(&mut bytes, link);
        bytes.extend(self.spell_pen());
        crate::snapshot::move_to(&mut bytes, &self.screen);
        Verdict::KeepAnd(bytes)
    }

    fn shift(&mut self, csi: &Csi<'_>, from_cursor: bool, insert: bool) -> Verdict {
        let orphans = self.screen.shift_columns(from_cursor, csi.params.count(0), insert);
        self.erase_orphans(&orphans)
    }

    /// Half of a wide character that stands alone is blank here; in xterm.js it is a cell without a width.
    fn erase_orphans(&self, orphans: &[(usize, usize)]) -> Verdict {
        if orphans.is_empty() {
            return Verdict::Keep;
        }
        let mut bytes = Vec::new();
        let top = if self.screen.modes.origin { self.screen.buf().top } else { 0 };
        for (y, x) in orphans {
            bytes.extend(format!("\x1b[{};{}H\x1b[X", y.saturating_sub(top) + 1, x + 1).into_bytes());
        }
        crate::snapshot::move_to(&mut bytes, &self.screen);
        Verdict::KeepAnd(bytes)
    }

    /// DECSCUSR.
    fn cursor_style(&mut self, style: u32, offset: u64) -> Verdict {
        let shape = match style {
            0 => CursorShape::Default,
            1 | 2 => CursorShape::Block,
            3 | 4 => CursorShape::Underline,
            5 | 6 => CursorShape::Bar,
            _ => return Verdict::Drop,
        };
        self.screen.modes.cursor_shape = shape;
        self.screen.modes.shape_blinks = style % 2 == 1;
        self.note_modes(offset);
        Verdict::Keep
    }

    /// XTWINOPS: size reports and the stack of titles; everything else is refused.
    fn window(&mut self, what: u32, which: u32, offset: u64) -> Verdict {
        match what {
            14 | 16 | 18 => self.report_size(what, which, offset),
            22 if which != 1 => {
                if self.titles.len() >= MAX_TITLES {
                    self.titles.remove(0);
                }
                self.titles.push(self.title.clone());
            }
            23 if which != 1 => {
                if let Some(title) = self.titles.pop() {
                    self.set_title(&title, offset);
                    return Verdict::Replace(format!("\x1b]2;{}\x1b\\", self.title).into_bytes());
                }
            }
            _ => (),
        }
        Verdict::Drop
    }

    /// XTMODKEYS.
    fn modify_keys(&mut self, csi: &Csi<'_>, offset: u64) -> Verdict {
        match csi.params.get(0) {
            4 => self.keyboard.modify_other = csi.params.get(1).min(2) as u8,
            0 if csi.params.len() == 1 => self.keyboard.modify_other = 0,
            _ => (),
        }
        self.note_modes(offset);
        Verdict::Drop
    }

    fn keyboard_protocol(&mut self, csi: &Csi<'_>, offset: u64) -> Verdict {
        let alternate = self.screen.on_alternate;
        match csi.prefix {
            b'>' => self.keyboard.push(alternate, csi.params.get(0)),
            b'<' => self.keyboard.pop(alternate, csi.params.count(0)),
            b'=' => self.keyboard.set(alternate, csi.params.get(0), csi.params.get(1)),
            _ => {
                let flags = self.keyboard.flags(alternate);
                self.reply(offset, format!("\x1b[?{flags}u"));
            }
        }
        self.note_modes(offset);
        Verdict::Drop
    }
}

/// Views get no larger count than makes a difference: xterm.js works through it one by one.
fn bounded(csi: &Csi<'_>, count: usize, limit: usize) -> Verdict {
    if count <= limit {
        return Verdict::Keep;
    }
    Verdict::Replace(format!("\x1b[{limit}{}", char::from(csi.last)).into_bytes())
}

/// A mode sequence without the modes that were not understood.
fn only_known(csi: &Csi<'_>, known: &[u32]) -> Verdict {
    if known.len() == csi.params.len() && !csi.params.has_subs() {
        return Verdict::Keep;
    }
    if known.is_empty() {
        return Verdict::Drop;
    }
    let modes = known.iter().map(u32::to_string).collect::<Vec<_>>().join(";");
    let prefix = if csi.prefix == 0 { "" } else { "?" };
    Verdict::Replace(format!("\x1b[{prefix}{modes}{}", char::from(csi.last)).into_bytes())
}
