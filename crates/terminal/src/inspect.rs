//! A complete picture of a terminal's state as text, for tests and for reports of trouble.
//!
//! `tests/xterm/picture.mjs` makes the same picture of an xterm.js terminal.

use std::fmt::Write;

use crate::Terminal;
use crate::grid::{Buffer, Cell, Charset, Color, ColorKind, Flags, Pen, Row, Tables};
use crate::interpret::{COLOR_FOREGROUND, color_spec};
use crate::modes::{CursorShape, MouseEncoding, MouseTracking};

/// What a picture may leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// All that a program can have an effect on by what it prints next, and all that is seen. Rows above the screen only
    /// as far as they are not archived.
    State,
    /// What is seen, and where the cursor is.
    Seen,
}

/// The picture: one line for each row and each group of settings.
#[must_use]
pub fn picture(terminal: &Terminal, detail: Detail) -> String {
    let state = terminal.interpreter();
    let screen = &state.screen;
    let mut out = String::new();
    let buffer = screen.buf();
    let _ = writeln!(out, "size {} {}", screen.cols, screen.rows);
    let _ = writeln!(out, "title {}", state.title);
    let _ = writeln!(out, "screen {}", if screen.on_alternate { "alternate" } else { "primary" });
    let _ = writeln!(out, "cursor {} {}", buffer.x, buffer.y);
    if detail == Detail::State {
        let modes = &screen.modes;
        let mouse = match modes.mouse {
            MouseTracking::Off => "NONE",
            MouseTracking::X10 => "X10",
            MouseTracking::Normal => "VT200",
            MouseTracking::Drag => "DRAG",
            MouseTracking::Any => "ANY",
        };
        let encoding = match modes.mouse_encoding {
            MouseEncoding::Default => "DEFAULT",
            MouseEncoding::Sgr => "SGR",
            MouseEncoding::SgrPixels => "SGR_PIXELS",
        };
        let shape = match modes.cursor_shape {
            CursorShape::Default => "default",
            CursorShape::Block => "block",
            CursorShape::Underline => "underline",
            CursorShape::Bar => "bar",
        };
        let flag = u8::from;
        let _ = writeln!(
            out,
            "modes appcursor={} keypad={} paste={} focus={} origin={} wrap={} insert={} newline={} hidden={} mouse={mouse} \
             encoding={encoding} shape={shape} shapeblink={} blink={}",
            flag(modes.app_cursor),
            flag(modes.app_keypad),
            flag(modes.bracketed_paste),
            flag(modes.focus),
            flag(modes.origin),
            flag(modes.wrap),
            flag(modes.insert),
            flag(modes.newline),
            flag(modes.cursor_hidden),
            flag(modes.shape_blinks && modes.cursor_shape != CursorShape::Default),
            flag(modes.blink),
        );
        let _ = writeln!(out, "pen {}", pen_text(screen.pen, false, &screen.tables));
        let sets: String = screen.charsets.sets.iter().map(|&set| charset_name(set)).collect();
        let _ = writeln!(out, "charsets {sets} {}", screen.charsets.active);
        out.push_str("colors");
        for (&index, &color) in &state.palette {
            let index = if index >= COLOR_FOREGROUND { index - COLOR_FOREGROUND + 1000 } else { index };
            let _ = write!(out, " {index}={}", color_spec(color));
        }
        out.push('\n');
        buffer_state(&mut out, "primary", &screen.buffers[0], &screen.tables);
        if screen.on_alternate {
            buffer_state(&mut out, "alternate", &screen.buffers[1], &screen.tables);
        }
    }
    for row in &screen.buffers[0].lines {
        row_text(&mut out, 'P', row, &screen.tables);
    }
    if screen.on_alternate {
        for row in &screen.buffers[1].lines {
            row_text(&mut out, 'A', row, &screen.tables);
        }
    }
    out
}

/// What an xterm.js terminal does not have: kept for terminals of this crate.
#[must_use]
pub fn private_state(terminal: &Terminal) -> String {
    let state = terminal.interpreter();
    format!(
        "keyboard {:?} titles {:?} modes {:?} joinable {:?}",
        state.keyboard,
        state.titles,
        // A frame that is being drawn is no state to be restored.
        crate::Modes { synchronized: false, ..terminal.modes() },
        state.screen.joinable
    )
}

fn charset_name(set: Charset) -> char {
    match set {
        Charset::Ascii => 'B',
        Charset::Graphics => '0',
        Charset::British => 'A',
    }
}

fn buffer_state(out: &mut String, name: &str, buffer: &Buffer, tables: &Tables) {
    let stops: Vec<String> =
        buffer.tabs.iter().enumerate().filter(|(_, stop)| **stop).map(|(x, _)| x.to_string()).collect();
    let saved = buffer.saved;
    let _ = write!(out, "{name} region {} {} tabs {} ", buffer.top, buffer.bottom, stops.join(","));
    if !saved.set && !buffer.scrollback {
        // xterm.js keeps what an earlier visit to the alternate screen has saved.
        out.push_str("saved -\n");
        return;
    }
    // xterm.js moves a saved position with the text that scrolls.
    let y = format!("{}{}", saved.y, if saved.scrolled > 0 { "*" } else { "" });
    let pen = pen_text(Pen { ext: 0, ..saved.pen }, true, tables);
    let _ = writeln!(out, "saved {} {y} {pen}", saved.x.min(buffer.tabs.len() - 1));
}

fn color_text(color: Color) -> String {
    match color.kind() {
        ColorKind::Default => "-".to_owned(),
        ColorKind::Named(n) => format!("n{n}"),
        ColorKind::Indexed(n) => format!("i{n}"),
        ColorKind::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
    }
}

/// Attributes as text. xterm.js does not save the style of underlines with the cursor (`bare`).
fn pen_text(pen: Pen, bare: bool, tables: &Tables) -> String {
    let mut text = format!("{}/{}/", color_text(pen.fg), color_text(pen.bg));
    for (bit, letter) in [
        (Flags::BOLD, 'b'),
        (Flags::DIM, 'd'),
        (Flags::ITALIC, 'i'),
        (Flags::BLINK, 'k'),
        (Flags::INVERSE, 'v'),
        (Flags::HIDDEN, 'h'),
        (Flags::STRIKE, 's'),
        (Flags::OVERLINE, 'o'),
    ] {
        if pen.flags.has(bit) {
            text.push(letter);
        }
    }
    let extra = tables.get_extra(pen.ext);
    if pen.flags.underline() != 0 {
        text.push('u');
        if !bare {
            let _ = write!(text, "{}{}", pen.flags.underline(), color_text(extra.underline));
        }
    }
    if let Some(link) = tables.get_link(extra.link) {
        let _ = write!(text, "@{}", link.uri);
    }
    text
}

/// Attributes as far as they show: on a blank cell most do not.
fn seen(cell: &Cell) -> Pen {
    let mut pen = cell.pen();
    let blank = cell.ch == 0 || cell.ch == u32::from(' ');
    let shows = Flags::INVERSE | Flags::UNDERLINE | Flags::STRIKE | Flags::OVERLINE;
    if blank && !pen.flags.has(shows) {
        pen.fg = Color::DEFAULT;
        pen.flags = Flags(0);
    } else if blank {
        pen.flags.set(Flags::BOLD | Flags::ITALIC, false);
    }
    pen
}

fn row_text(out: &mut String, mark: char, row: &Row, tables: &Tables) {
    out.push(mark);
    out.push(if row.wrapped { '~' } else { ' ' });
    let mut line = String::new();
    let plain = pen_text(Pen::default(), false, tables);
    let mut last = plain.clone();
    let end = row
        .cells()
        .iter()
        .rposition(|c| {
            !matches!(c.ch, 0 | 0x20) || c.is_spacer() || pen_text(seen(c), false, tables) != plain
        })
        .map_or(0, |i| i + 1);
    for cell in &row.cells()[..end] {
        if cell.is_spacer() {
            continue;
        }
        let text = pen_text(seen(cell), false, tables);
        if text != last {
            let _ = write!(line, "\u{1}{text}\u{2}");
            last = text;
        }
        tables.push_text(cell, &mut line);
        if cell.is_wide() {
            line.push('\u{3}');
        }
    }
    out.push_str(&line);
    out.push('\n');
}
