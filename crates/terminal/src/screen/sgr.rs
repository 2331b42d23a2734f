//! Attributes: from SGR to a pen, and back to the shortest SGR that gives it.

use std::io::Write;

use super::Screen;
use crate::grid::{Color, ColorKind, Extra, Flags, Link, Pen, Tables};
use crate::scan::Params;

impl Screen {
    /// SGR. `true` when a colour was given in a notation that xterm.js reads otherwise: views then get the pen spelled out.
    pub(crate) fn set_attributes(&mut self, params: &Params) -> bool {
        let mut odd = false;
        let mut pen = self.pen;
        let mut at = 0;
        while at < params.len() {
            let value = params.get(at);
            match value {
                0 => pen = reset(pen, &mut self.tables),
                1 => pen.flags.set(Flags::BOLD, true),
                2 => pen.flags.set(Flags::DIM, true),
                3 => pen.flags.set(Flags::ITALIC, true),
                4 => pen.flags.set_underline(match params.sub(at, 0) {
                    Some(style) if style <= 5 => style as u8,
                    _ => 1,
                }),
                5 => pen.flags.set(Flags::BLINK, true),
                7 => pen.flags.set(Flags::INVERSE, true),
                8 => pen.flags.set(Flags::HIDDEN, true),
                9 => pen.flags.set(Flags::STRIKE, true),
                21 => pen.flags.set_underline(2),
                22 => pen.flags.set(Flags::BOLD | Flags::DIM, false),
                23 => pen.flags.set(Flags::ITALIC, false),
                24 => pen.flags.set_underline(0),
                25 => pen.flags.set(Flags::BLINK, false),
                27 => pen.flags.set(Flags::INVERSE, false),
                28 => pen.flags.set(Flags::HIDDEN, false),
                29 => pen.flags.set(Flags::STRIKE, false),
                30..=37 => pen.fg = Color::named((value - 30) as u8),
                39 => pen.fg = Color::DEFAULT,
                40..=47 => pen.bg = Color::named((value - 40) as u8),
                49 => pen.bg = Color::DEFAULT,
                53 => pen.flags.set(Flags::OVERLINE, true),
                55 => pen.flags.set(Flags::OVERLINE, false),
                59 => {
                    // xterm.js 6 takes this for white.
                    odd = true;
                    pen.ext = with_underline(pen.ext, Color::DEFAULT, &mut self.tables);
                }
                90..=97 => pen.fg = Color::named((value - 90 + 8) as u8),
                100..=107 => pen.bg = Color::named((value - 100 + 8) as u8),
                38 | 48 | 58 => {
                    let (color, used) = extended_color(params, at);
                    odd |= color.is_none() || used < 2;
                    at += used;
                    match (value, color) {
                        (38, Some(color)) => pen.fg = color,
                        (48, Some(color)) => pen.bg = color,
                        (58, Some(color)) => pen.ext = with_underline(pen.ext, color, &mut self.tables),
                        _ => (),
                    }
                }
                _ => (),
            }
            at += 1;
        }
        self.pen = pen;
        odd
    }
}

/// SGR 0 keeps the open link.
fn reset(pen: Pen, tables: &mut Tables) -> Pen {
    if pen.ext == 0 {
        return Pen::default();
    }
    Pen { ext: with_underline(pen.ext, Color::DEFAULT, tables), ..Pen::default() }
}

fn with_underline(ext: u16, color: Color, tables: &mut Tables) -> u16 {
    let extra = tables.get_extra(ext);
    tables.extra(Extra { underline: color, ..extra })
}

/// The colour after 38, 48 or 58 in either notation, and how many further parameters it took.
fn extended_color(params: &Params, at: usize) -> (Option<Color>, usize) {
    let byte = |v: u32| (v & 0xff) as u8;
    if params.has_sub(at, 0) {
        // Colons: 2:r:g:b, 2:space:r:g:b or 5:index.
        let sub = |i: usize| params.sub(at, i);
        let color = match sub(0) {
            Some(5) => Some(Color::indexed(byte(sub(1).unwrap_or(0)))),
            Some(2) => {
                let first = if params.has_sub(at, 4) { 2 } else { 1 };
                let channel = |i: usize| byte(sub(first + i).unwrap_or(0));
                Some(Color::rgb(channel(0), channel(1), channel(2)))
            }
            _ => None,
        };
        return (color, 0);
    }
    let given = params.len() - at - 1;
    let value = |i: usize| if i <= given { params.get(at + i) } else { 0 };
    match value(1) {
        5 => (Some(Color::indexed(byte(value(2)))), given.min(2)),
        2 => (Some(Color::rgb(byte(value(2)), byte(value(3)), byte(value(4)))), given.min(4)),
        _ => (None, given.min(4)),
    }
}

/// Writes what turns a terminal from one pen to another: links by OSC 8, the rest by SGR.
pub(crate) fn write_pen(out: &mut Vec<u8>, from: Pen, to: Pen, tables: &Tables) {
    if from == to {
        return;
    }
    let (old, new) = (tables.get_extra(from.ext), tables.get_extra(to.ext));
    if old.link != new.link {
        write_link(out, tables.get_link(new.link));
    }
    let uncolored = old.underline != Color::DEFAULT && new.underline == Color::DEFAULT;
    let lost = (from.flags.0 & !to.flags.0) | u16::from(uncolored);
    let same =
        from.fg == to.fg && from.bg == to.bg && from.flags == to.flags && old.underline == new.underline;
    if same {
        return;
    }
    let plain = Pen { ext: 0, ..to } == Pen::default() && new.underline == Color::DEFAULT;
    if plain {
        out.extend_from_slice(b"\x1b[m");
        return;
    }
    // Attributes are switched off by starting anew; colours can be set back one by one.
    let base = if lost == 0 { from } else { Pen::default() };
    let base_underline = if lost == 0 { old.underline } else { Color::DEFAULT };
    out.extend_from_slice(b"\x1b[");
    let start = out.len();
    if lost != 0 {
        out.extend_from_slice(b"0;");
    }
    let gained = to.flags.0 & !base.flags.0;
    for (bit, code) in [
        (Flags::BOLD, "1;"),
        (Flags::DIM, "2;"),
        (Flags::ITALIC, "3;"),
        (Flags::BLINK, "5;"),
        (Flags::INVERSE, "7;"),
        (Flags::HIDDEN, "8;"),
        (Flags::STRIKE, "9;"),
        (Flags::OVERLINE, "53;"),
    ] {
        if gained & bit != 0 {
            out.extend_from_slice(code.as_bytes());
        }
    }
    if base.flags.underline() != to.flags.underline() {
        match to.flags.underline() {
            1 => out.extend_from_slice(b"4;"),
            style => out.extend_from_slice(&[b'4', b':', b'0' + style, b';']),
        }
    }
    if base.fg != to.fg {
        write_color(out, to.fg, 30);
    }
    if base.bg != to.bg {
        write_color(out, to.bg, 40);
    }
    if base_underline != new.underline {
        write_color(out, new.underline, 50);
    }
    if out.len() > start {
        out.truncate(out.len() - 1);
    }
    out.push(b'm');
}

/// Opens a link, or closes it.
pub(crate) fn write_link(out: &mut Vec<u8>, link: Option<&Link>) {
    let _ = match link {
        Some(link) if link.id.is_empty() => write!(out, "\x1b]8;;{}\x1b\\", link.uri),
        Some(link) => write!(out, "\x1b]8;id={};{}\x1b\\", link.id, link.uri),
        None => write!(out, "\x1b]8;;\x1b\\"),
    };
}

/// `base` is 30 for text, 40 for the background, 50 for underlines.
fn write_color(out: &mut Vec<u8>, color: Color, base: u8) {
    let separator = if base == 50 { b':' } else { b';' };
    let mut number = |n: u8, end: u8| {
        if n >= 100 {
            out.push(b'0' + n / 100);
        }
        if n >= 10 {
            out.push(b'0' + n / 10 % 10);
        }
        out.push(b'0' + n % 10);
        out.push(end);
    };
    match color.kind() {
        ColorKind::Default => number(base + 9, b';'),
        ColorKind::Named(n) if n < 8 => number(base + n, b';'),
        ColorKind::Named(n) => number(base + 60 + n - 8, b';'),
        ColorKind::Indexed(n) => {
            number(base + 8, separator);
            number(5, separator);
            number(n, b';');
        }
        ColorKind::Rgb(r, g, b) => {
            number(base + 8, separator);
            number(2, separator);
            if base == 50 {
                // The colour space, which xterm.js expects when colons are used.
                number(0, separator);
            }
            number(r, separator);
            number(g, separator);
            number(b, b';');
        }
    }
}
