//! Rows as bytes: text with the SGR and OSC 8 sequences that give its cells, starting and ending with the default pen.

use std::io::Write;

use crate::grid::{CLUSTER, Cell, Color, Pen, Tables};
use crate::screen::write_pen;

/// Erased cells in a row's middle from which on moving over them is shorter than spaces.
const JUMP: usize = 8;

/// What to do with cells in which nothing was printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blanks {
    /// A line for any width: blanks in it are spaces, and so is colour behind it that ends before the row does. Other
    /// colour behind it is erased to the row's end, which harms nothing where the text itself ends there.
    Flow,
    /// The line ends after its last printed or coloured cell; those between are spaces.
    Trim,
    /// As `Trim`, but moves over long gaps. For rows that are shown at the width they were made for.
    Jump,
    /// All are spaces: the text goes on in the next row.
    Fill,
}

/// Appends cells. Returns how many cells the text takes; colour behind it does not count, since it never wraps.
///
/// `clear`: a row that is added by wrapping starts with the background of that moment, so what is not printed of the
/// last one is erased.
pub(crate) fn encode(
    out: &mut Vec<u8>,
    cells: &[Cell],
    blanks: Blanks,
    clear: bool,
    tables: &Tables,
) -> usize {
    let printed = match blanks {
        Blanks::Fill => cells.len(),
        Blanks::Flow => flowing_end(cells),
        Blanks::Trim | Blanks::Jump => cells.iter().rposition(shows).map_or(0, |i| i + 1),
    };
    let mut pen = Pen::default();
    let mut at = 0;
    while at < printed {
        let cell = &cells[at];
        if cell.is_spacer() {
            at += 1;
            continue;
        }
        if blanks == Blanks::Jump && cell.is_default() {
            let gap = cells[at..printed].iter().take_while(|c| c.is_default()).count();
            if gap > JUMP {
                let _ = write!(out, "\x1b[{gap}C");
                at += gap;
                continue;
            }
        }
        let next = cell.pen();
        if next != pen {
            write_pen(out, pen, next, tables);
            pen = next;
        }
        match cell.ch {
            ch @ 0x20..=0x7e => out.push(ch as u8),
            0 => out.push(b' '),
            ch if ch & CLUSTER == 0 => {
                let c = char::from_u32(ch).unwrap_or(' ');
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => {
                let mut text = String::new();
                tables.push_text(cell, &mut text);
                out.extend_from_slice(text.as_bytes());
            }
        }
        at += 1;
    }
    if clear {
        write_pen(out, pen, Pen::default(), tables);
        pen = Pen::default();
        if printed > 0 {
            out.extend_from_slice(b"\x1b[K");
        } else {
            // At the start of a row EL would make it one that does not continue the row above.
            let _ = write!(out, "\x1b[{}X", crate::Size::MAX);
        }
    }
    match cells.get(printed) {
        Some(cell) if blanks == Blanks::Flow => {
            if cell.bg != Color::DEFAULT {
                let next = Pen { bg: cell.bg, ..Pen::default() };
                write_pen(out, pen, next, tables);
                pen = next;
                out.extend_from_slice(b"\x1b[K");
            }
        }
        _ => trailing_color(out, &cells[printed..], &mut pen, tables),
    }
    write_pen(out, pen, Pen::default(), tables);
    printed
}

/// How many cells of a line for any width are printed. `cells` reach to the end of a row unless what follows is blank.
fn flowing_end(cells: &[Cell]) -> usize {
    let shown = cells.iter().rposition(shows).map_or(0, |i| i + 1);
    let Some(last) = cells.last() else { return 0 };
    let uniform = cells[shown..].iter().all(|c| c.bg == last.bg);
    if uniform {
        shown
    } else {
        cells.len() - cells.iter().rev().take_while(|c| c.bg == last.bg && !shows(c)).count()
    }
}

/// Whether a cell has more to it than a background.
fn shows(cell: &Cell) -> bool {
    cell.ch != 0 || cell.flags.0 != 0 || cell.ext != 0
}

/// Erased cells with a background at the end of a row.
fn trailing_color(out: &mut Vec<u8>, cells: &[Cell], pen: &mut Pen, tables: &Tables) {
    let mut used = 0;
    while used < cells.len() {
        let color = cells[used].bg;
        let run = cells[used..].iter().take_while(|c| c.bg == color).count();
        if color != Color::DEFAULT {
            let next = Pen { bg: color, ..Pen::default() };
            write_pen(out, *pen, next, tables);
            *pen = next;
            let _ = write!(out, "\x1b[{run}X");
        }
        used += run;
        if cells[used..].iter().all(|c| c.bg == Color::DEFAULT) {
            return;
        }
        let _ = write!(out, "\x1b[{run}C");
    }
}

/// The text of an encoded line: what is printed, without sequences.
pub(crate) fn plain_text(line: &[u8]) -> String {
    let mut out = Vec::with_capacity(line.len());
    let mut at = 0;
    while at < line.len() {
        let byte = line[at];
        at += 1;
        if byte != 0x1b {
            out.extend([byte].into_iter().filter(|&b| b >= 0x20));
            continue;
        }
        let rest = &line[at..];
        let length = match rest.first() {
            Some(b'[') => 1 + rest[1..].iter().position(|b| (0x40..=0x7e).contains(b)).map_or(0, |i| i + 1),
            // Written by this module, so it is always ended by an escape and a backslash.
            Some(b']') => memchr::memchr(0x1b, rest).map_or(rest.len(), |i| i + 2),
            _ => 1,
        };
        at = (at + length).min(line.len());
    }
    String::from_utf8_lossy(&out).into_owned()
}
