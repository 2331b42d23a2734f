//! The part of a snapshot that is not text.

use std::io::Write;

use crate::grid::{Charset, Charsets, Pen, Saved, default_tabs};
use crate::interpret::{COLOR_FOREGROUND, Interpreter, color_spec};
use crate::modes::{CursorShape, MouseEncoding, MouseTracking};
use crate::screen::{Screen, ScreenModes, write_pen};

/// Tab stops, saved cursor and scroll region of a buffer, which is the one shown at this point.
pub(super) fn buffer(out: &mut Vec<u8>, screen: &Screen, which: usize) {
    let buffer = &screen.buffers[which];
    if buffer.tabs != default_tabs(screen.cols) {
        out.extend_from_slice(b"\x1b[3g");
        for x in (0..screen.cols).filter(|&x| buffer.tabs[x]) {
            let _ = write!(out, "\x1b[{}G\x1bH", x + 1);
        }
    }
    let saved = buffer.saved;
    if saved != (Saved { scrolled: saved.scrolled, ..Saved::default() }) {
        if saved.charsets != Charsets::default() {
            out.extend(charsets(saved.charsets));
        }
        write_pen(out, Pen::default(), saved.pen, &screen.tables);
        let _ = write!(out, "\x1b[{};{}H\x1b7", saved.y + 1, saved.x + 1);
        write_pen(out, saved.pen, Pen::default(), &screen.tables);
        if saved.charsets != Charsets::default() {
            out.extend(charsets(Charsets::default()));
        }
    }
    if (buffer.top, buffer.bottom) != (0, screen.rows - 1) {
        let _ = write!(out, "\x1b[{};{}r", buffer.top + 1, buffer.bottom + 1);
    }
}

/// Keyboard protocols; xterm.js passes over these, another engine does not.
pub(super) fn keyboard(out: &mut Vec<u8>, terminal: &Interpreter, which: usize) {
    if which == 1 && !terminal.screen.on_alternate {
        return;
    }
    for flags in &terminal.keyboard.stacks[which] {
        let _ = write!(out, "\x1b[>{flags}u");
    }
    if which == usize::from(terminal.screen.on_alternate) && terminal.keyboard.modify_other != 0 {
        let _ = write!(out, "\x1b[>4;{}m", terminal.keyboard.modify_other);
    }
}

pub(super) fn colors(out: &mut Vec<u8>, terminal: &Interpreter) {
    for (&index, &color) in &terminal.palette {
        let color = color_spec(color);
        let _ = if index < COLOR_FOREGROUND {
            write!(out, "\x1b]4;{index};{color}\x1b\\")
        } else {
            write!(out, "\x1b]{};{color}\x1b\\", index - COLOR_FOREGROUND + 10)
        };
    }
}

pub(super) fn titles(out: &mut Vec<u8>, terminal: &Interpreter) {
    for title in &terminal.titles {
        let _ = write!(out, "\x1b]2;{title}\x1b\\\x1b[22;2t");
    }
    if !terminal.title.is_empty() || !terminal.titles.is_empty() {
        let _ = write!(out, "\x1b]2;{}\x1b\\", terminal.title);
    }
}

/// Modes that do not move the cursor; insert mode comes last of all, with the cursor.
pub(super) fn modes(out: &mut Vec<u8>, terminal: &Interpreter) {
    let modes = &terminal.screen.modes;
    let fresh = ScreenModes::default();
    let mut private = |mode: u16, on: bool, default: bool| {
        if on != default {
            let _ = write!(out, "\x1b[?{mode}{}", if on { 'h' } else { 'l' });
        }
    };
    private(1, modes.app_cursor, fresh.app_cursor);
    private(7, modes.wrap, fresh.wrap);
    private(12, modes.blink, fresh.blink);
    private(25, !modes.cursor_hidden, true);
    private(1004, modes.focus, fresh.focus);
    private(1007, modes.alternate_scroll, fresh.alternate_scroll);
    private(2004, modes.bracketed_paste, fresh.bracketed_paste);
    private(2031, modes.scheme_updates, fresh.scheme_updates);
    let mouse = match modes.mouse {
        MouseTracking::Off => 0,
        MouseTracking::X10 => 9,
        MouseTracking::Normal => 1000,
        MouseTracking::Drag => 1002,
        MouseTracking::Any => 1003,
    };
    private(mouse, mouse != 0, false);
    let encoding = match modes.mouse_encoding {
        MouseEncoding::Default => 0,
        MouseEncoding::Sgr => 1006,
        MouseEncoding::SgrPixels => 1016,
    };
    private(encoding, encoding != 0, false);
    if modes.app_keypad {
        out.extend_from_slice(b"\x1b=");
    }
    if modes.newline {
        out.extend_from_slice(b"\x1b[20h");
    }
    let shape = match modes.cursor_shape {
        CursorShape::Default => 0,
        CursorShape::Block => 2,
        CursorShape::Underline => 4,
        CursorShape::Bar => 6,
    };
    if shape != 0 {
        let _ = write!(out, "\x1b[{} q", shape - u8::from(modes.shape_blinks));
    }
    if modes.origin {
        out.extend_from_slice(b"\x1b[?6h");
    }
}

/// Where the cursor is, what it will print, and whether the last character can still be added to.
pub(super) fn cursor(out: &mut Vec<u8>, screen: &Screen) {
    let buffer = screen.buf();
    let pending = buffer.x >= screen.cols;
    let mut pen = Pen::default();
    // The character before the cursor is printed once more where only printing leads to the state.
    let again = |width: u8| buffer.x.checked_sub(usize::from(width)).filter(|_| width > 0);
    let joinable = screen.joinable.and_then(again);
    if pending && joinable.is_none() {
        let cells = buffer.row(buffer.y).cells();
        let x = if cells[screen.cols - 1].is_spacer() { screen.cols - 2 } else { screen.cols - 1 };
        pen = print_at(out, screen, x, pen);
        // Any sequence: what is printed next must not be added to the character.
        write_pen(out, pen, Pen::default(), &screen.tables);
        out.extend_from_slice(b"\x1b[m");
        pen = Pen::default();
    } else if joinable.is_none() {
        move_to(out, screen);
    }
    if screen.charsets != Charsets::default() {
        out.extend(charsets(screen.charsets));
    }
    if let Some(x) = joinable {
        to(out, screen, x);
        if screen.modes.insert {
            // Make room: what stands behind moves back when the character is inserted.
            let _ = write!(out, "\x1b[{}P\x1b[4h", buffer.x - x);
        }
        write_pen(out, pen, screen.pen, &screen.tables);
        print_at_cursor(out, screen, x);
    } else {
        write_pen(out, pen, screen.pen, &screen.tables);
        if screen.modes.insert {
            out.extend_from_slice(b"\x1b[4h");
        }
    }
}

/// Prints the cell at `x` of the cursor's row; returns the pen it took.
fn print_at(out: &mut Vec<u8>, screen: &Screen, x: usize, pen: Pen) -> Pen {
    let buffer = screen.buf();
    let cell = buffer.row(buffer.y).cells()[x];
    to(out, screen, x);
    write_pen(out, pen, cell.pen(), &screen.tables);
    print_at_cursor(out, screen, x);
    cell.pen()
}

fn print_at_cursor(out: &mut Vec<u8>, screen: &Screen, x: usize) {
    let buffer = screen.buf();
    let mut text = String::new();
    screen.tables.push_text(&buffer.row(buffer.y).cells()[x], &mut text);
    out.extend_from_slice(text.as_bytes());
}

fn to(out: &mut Vec<u8>, screen: &Screen, x: usize) {
    let buffer = screen.buf();
    let top = if screen.modes.origin { buffer.top } else { 0 };
    let _ = write!(out, "\x1b[{};{}H", buffer.y.saturating_sub(top) + 1, x + 1);
}

/// Moves to the screen's cursor.
pub(crate) fn move_to(out: &mut Vec<u8>, screen: &Screen) {
    to(out, screen, screen.buf().x.min(screen.cols - 1));
}

/// Designates all four character sets and selects the active one.
pub(crate) fn charsets(charsets: Charsets) -> Vec<u8> {
    let mut out = Vec::new();
    for (slot, set) in b"()*+".iter().zip(charsets.sets) {
        let name = match set {
            Charset::Ascii => b'B',
            Charset::Graphics => b'0',
            Charset::British => b'A',
        };
        out.extend_from_slice(&[0x1b, *slot, name]);
    }
    match charsets.active {
        0 => out.push(0x0f),
        1 => out.push(0x0e),
        2 => out.extend_from_slice(b"\x1bn"),
        _ => out.extend_from_slice(b"\x1bo"),
    }
    out
}
