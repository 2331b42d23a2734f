//! A terminal's live state, field by field: the very cells, not sequences that would draw them.

use super::codec::{Reader, Writer};
use crate::grid::{Buffer, Cell, Charset, Charsets, Color, Extra, Flags, Link, Pen, Row, Saved, Tables};
use crate::interpret::{Interpreter, Keyboard};
use crate::modes::{CursorShape, MouseEncoding, MouseTracking};
use crate::options::{Options, Rgb, Size};
use crate::screen::ScreenModes;

pub(super) fn write(out: &mut Writer, terminal: &Interpreter) {
    let screen = &terminal.screen;
    out.u16(screen.cols as u16);
    out.u16(screen.rows as u16);
    write_tables(out, &screen.tables);
    for buffer in &screen.buffers {
        write_buffer(out, buffer);
    }
    out.flag(screen.on_alternate);
    write_pen(out, screen.pen);
    write_charsets(out, screen.charsets);
    write_modes(out, &screen.modes);
    out.u8(screen.joinable.map_or(0xff, |w| w));
    out.u64(screen.generation);
    out.bytes(terminal.title.as_bytes());
    out.count(terminal.titles.len());
    terminal.titles.iter().for_each(|title| out.bytes(title.as_bytes()));
    terminal.keyboard.stacks.iter().for_each(|stack| out.bytes(stack));
    out.u8(terminal.keyboard.modify_other);
    out.count(terminal.palette.len());
    for (&index, &Rgb { r, g, b }) in &terminal.palette {
        out.u16(index);
        for channel in [r, g, b] {
            out.u8(channel);
        }
    }
}

pub(super) fn read(from: &mut Reader<'_>, options: Options) -> Option<Interpreter> {
    let size = Size::new(from.u16()?, from.u16()?);
    if size != size.clamped() {
        return None;
    }
    let mut terminal = Interpreter::new(size, options);
    let screen = &mut terminal.screen;
    screen.tables = read_tables(from)?;
    for buffer in &mut screen.buffers {
        read_buffer(from, buffer, usize::from(size.cols), usize::from(size.rows))?;
    }
    screen.on_alternate = from.flag()?;
    screen.pen = read_pen(from)?;
    screen.charsets = read_charsets(from)?;
    screen.modes = read_modes(from)?;
    screen.joinable = Some(from.u8()?).filter(|&w| w <= 2);
    screen.generation = from.u64()?;
    terminal.title = from.text()?;
    terminal.titles = (0..from.count()?).map(|_| from.text()).collect::<Option<_>>()?;
    terminal.keyboard =
        Keyboard { stacks: [from.bytes()?.to_vec(), from.bytes()?.to_vec()], modify_other: from.u8()? };
    for _ in 0..from.count()? {
        let index = from.u16()?;
        terminal.palette.insert(index, Rgb { r: from.u8()?, g: from.u8()?, b: from.u8()? });
    }
    Some(terminal)
}

fn write_tables(out: &mut Writer, tables: &Tables) {
    let (clusters, extras, links) = tables.parts();
    out.count(clusters.len());
    for text in clusters {
        out.bytes(text.as_bytes());
    }
    out.count(links.len());
    for link in links {
        out.bytes(link.id.as_bytes());
        out.bytes(link.uri.as_bytes());
    }
    out.count(extras.len());
    for extra in extras {
        out.u32(extra.underline.bits());
        out.u16(extra.link);
    }
}

fn read_tables(from: &mut Reader<'_>) -> Option<Tables> {
    let clusters =
        (0..from.count()?).map(|_| from.text().map(String::into_boxed_str)).collect::<Option<_>>()?;
    let links = (0..from.count()?)
        .map(|_| Some(Link { id: from.text()?, uri: from.text()? }))
        .collect::<Option<_>>()?;
    let extras = (0..from.count()?)
        .map(|_| Some(Extra { underline: Color::from_bits(from.u32()?), link: from.u16()? }))
        .collect::<Option<_>>()?;
    Some(Tables::from_parts(clusters, extras, links))
}

fn write_buffer(out: &mut Writer, buffer: &Buffer) {
    out.count(buffer.lines.len());
    for row in &buffer.lines {
        out.flag(row.wrapped);
        let cells = row.content();
        out.count(cells.len());
        for cell in cells {
            out.u32(cell.ch);
            write_pen(out, Pen { fg: cell.fg, bg: cell.bg, flags: cell.flags, ext: cell.ext });
        }
    }
    for value in [buffer.base, buffer.x, buffer.y, buffer.top, buffer.bottom] {
        out.count(value);
    }
    let saved = buffer.saved;
    for value in [saved.x, saved.y, saved.scrolled] {
        out.count(value);
    }
    write_pen(out, saved.pen);
    write_charsets(out, saved.charsets);
    out.flag(saved.set);
    buffer.tabs.iter().for_each(|&stop| out.flag(stop));
}

fn read_buffer(from: &mut Reader<'_>, buffer: &mut Buffer, cols: usize, rows: usize) -> Option<()> {
    buffer.lines.clear();
    for _ in 0..from.count()? {
        let mut row = Row::new(cols, Cell::default());
        row.wrapped = from.flag()?;
        let count = from.count()?;
        if count > cols {
            return None;
        }
        for cell in row.cells_to(count) {
            let ch = from.u32()?;
            let pen = read_pen(from)?;
            *cell = Cell { ch, fg: pen.fg, bg: pen.bg, flags: pen.flags, ext: pen.ext };
        }
        buffer.lines.push_back(row);
    }
    let mut number = |limit: usize| from.u32().map(|n| n as usize).filter(|&n| n <= limit);
    buffer.base = number(buffer.lines.len())?;
    if buffer.rows() != rows {
        return None;
    }
    buffer.x = number(cols)?;
    buffer.y = number(rows - 1)?;
    buffer.top = number(rows - 1)?;
    buffer.bottom = number(rows - 1)?;
    buffer.saved.x = number(cols)?;
    buffer.saved.y = number(rows - 1)?;
    buffer.saved.scrolled = number(usize::MAX)?;
    let (pen, charsets, set) = (read_pen(from)?, read_charsets(from)?, from.flag()?);
    buffer.saved = Saved { pen, charsets, set, ..buffer.saved };
    for stop in &mut buffer.tabs {
        *stop = from.flag()?;
    }
    Some(())
}

fn write_pen(out: &mut Writer, pen: Pen) {
    out.u32(pen.fg.bits());
    out.u32(pen.bg.bits());
    out.u16(pen.flags.0);
    out.u16(pen.ext);
}

fn read_pen(from: &mut Reader<'_>) -> Option<Pen> {
    Some(Pen {
        fg: Color::from_bits(from.u32()?),
        bg: Color::from_bits(from.u32()?),
        flags: Flags(from.u16()?),
        ext: from.u16()?,
    })
}

const CHARSETS: [Charset; 3] = [Charset::Ascii, Charset::Graphics, Charset::British];

fn write_charsets(out: &mut Writer, charsets: Charsets) {
    out.u8(charsets.active);
    for set in charsets.sets {
        out.u8(index_of(&CHARSETS, set));
    }
}

fn read_charsets(from: &mut Reader<'_>) -> Option<Charsets> {
    let active = from.u8()? & 3;
    let mut sets = [Charset::Ascii; 4];
    for set in &mut sets {
        *set = *CHARSETS.get(usize::from(from.u8()?))?;
    }
    Some(Charsets { sets, active })
}

const SHAPES: [CursorShape; 4] =
    [CursorShape::Default, CursorShape::Block, CursorShape::Underline, CursorShape::Bar];
const TRACKING: [MouseTracking; 5] =
    [MouseTracking::Off, MouseTracking::X10, MouseTracking::Normal, MouseTracking::Drag, MouseTracking::Any];
const ENCODINGS: [MouseEncoding; 3] = [MouseEncoding::Default, MouseEncoding::Sgr, MouseEncoding::SgrPixels];

fn index_of<T: PartialEq + Copy>(all: &[T], value: T) -> u8 {
    all.iter().position(|v| *v == value).unwrap_or(0) as u8
}

fn write_modes(out: &mut Writer, modes: &ScreenModes) {
    for flag in [
        modes.wrap,
        modes.insert,
        modes.origin,
        modes.newline,
        modes.app_cursor,
        modes.app_keypad,
        modes.cursor_hidden,
        modes.shape_blinks,
        modes.blink,
        modes.bracketed_paste,
        modes.focus,
        modes.alternate_scroll,
        modes.synchronized,
        modes.scheme_updates,
    ] {
        out.flag(flag);
    }
    out.u8(index_of(&SHAPES, modes.cursor_shape));
    out.u8(index_of(&TRACKING, modes.mouse));
    out.u8(index_of(&ENCODINGS, modes.mouse_encoding));
}

fn read_modes(from: &mut Reader<'_>) -> Option<ScreenModes> {
    Some(ScreenModes {
        wrap: from.flag()?,
        insert: from.flag()?,
        origin: from.flag()?,
        newline: from.flag()?,
        app_cursor: from.flag()?,
        app_keypad: from.flag()?,
        cursor_hidden: from.flag()?,
        shape_blinks: from.flag()?,
        blink: from.flag()?,
        bracketed_paste: from.flag()?,
        focus: from.flag()?,
        alternate_scroll: from.flag()?,
        synchronized: from.flag()?,
        scheme_updates: from.flag()?,
        cursor_shape: *SHAPES.get(usize::from(from.u8()?))?,
        mouse: *TRACKING.get(usize::from(from.u8()?))?,
        mouse_encoding: *ENCODINGS.get(usize::from(from.u8()?))?,
    })
}
