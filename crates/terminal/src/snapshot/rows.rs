//! The text part of a snapshot.

use std::io::Write;

use super::Extent;
use crate::archive::{Blanks, encode};
use crate::grid::{Buffer, Cell, Color, Pen, Tables};
use crate::output::Scope;
use crate::screen::{Screen, write_pen};

/// The primary screen and rows above it. They are printed from the top, so that what is above scrolls there.
pub(super) fn primary(out: &mut Vec<u8>, screen: &Screen, scope: Scope) -> Extent {
    let buffer = &screen.buffers[0];
    let archived = screen.archive.rows(screen.cols);
    let available = (archived + buffer.base).min(screen.archive.limit());
    let wanted = match scope {
        Scope::Screen => 0,
        Scope::Recent(rows) => rows.min(available),
        Scope::All => available,
    };
    let (held, first) = above(out, screen, wanted);
    rows(out, buffer, first, buffer.lines.len(), screen);
    Extent { held, omitted: available.saturating_sub(held) }
}

/// Writes archived rows, as many of `wanted` as are not cells. Returns how many rows come before the screen and the first
/// row of cells to go on with.
fn above(out: &mut Vec<u8>, screen: &Screen, wanted: usize) -> (usize, usize) {
    let buffer = &screen.buffers[0];
    if wanted > buffer.base {
        let (pieces, found) = screen.archive.tail(wanted - buffer.base, screen.cols);
        for piece in &pieces {
            out.extend_from_slice(&piece.text);
        }
        return (found + buffer.base, 0);
    }
    // Start with the first row of a line, since a continuation needs something to continue.
    let mut first = buffer.base - wanted;
    while first > 0 && buffer.lines[first].wrapped {
        first -= 1;
    }
    if first == 0 && buffer.lines[0].wrapped {
        let (pieces, found) = screen.archive.tail(1, screen.cols);
        for piece in &pieces {
            out.extend_from_slice(&piece.text);
        }
        return (found + buffer.base, 0);
    }
    (buffer.base - first, first)
}

/// The alternate screen, row by row in place: it must not scroll.
pub(super) fn alternate(out: &mut Vec<u8>, screen: &Screen) {
    let buffer = &screen.buffers[1];
    let mut at = 0;
    while at < buffer.lines.len() {
        let mut end = at + 1;
        while end < buffer.lines.len() && buffer.lines[end].wrapped {
            end += 1;
        }
        let blank = end == at + 1 && buffer.lines[at].is_blank();
        if !blank {
            let _ = write!(out, "\x1b[{}H", at + 1);
            rows(out, buffer, at, end, screen);
        }
        at = end;
    }
}

/// Rows for printing, without any sequence that moves the cursor.
pub(super) fn printed(out: &mut Vec<u8>, screen: &Screen, scope: Scope) {
    let buffer = screen.buf();
    let mut first = buffer.base;
    if !screen.on_alternate {
        let wanted = match scope {
            Scope::Screen => 0,
            Scope::Recent(rows) => rows,
            Scope::All => screen.archive.limit(),
        };
        first = above(out, screen, wanted.min(screen.archive.limit())).1;
        if wanted == 0 {
            out.clear();
            first = buffer.base;
        }
    }
    for row in buffer.lines.range(first..) {
        encode(out, row.content(), Blanks::Trim, false, &screen.tables);
        out.extend_from_slice(b"\r\n");
    }
}

/// Rows `first..end`, with line breaks where the text has them.
fn rows(out: &mut Vec<u8>, buffer: &Buffer, first: usize, end: usize, screen: &Screen) {
    let tables = &screen.tables;
    for at in first..end {
        let row = &buffer.lines[at];
        let next = if at + 1 < end { buffer.lines.get(at + 1) } else { None };
        match next.filter(|next| next.wrapped) {
            None => {
                // A row that wrapping adds has the background of its first character all over.
                let filled = row.wrapped && row.cells()[0].bg != Color::DEFAULT;
                let blanks = if filled { Blanks::Trim } else { Blanks::Jump };
                encode(out, row.content(), blanks, filled, tables);
                if next.is_some() {
                    out.extend_from_slice(b"\r\n");
                }
            }
            Some(next) => continued(out, row.cells(), next.cells(), tables),
        }
    }
}

/// A row whose text goes on in the next: every cell must be printed, and the next row's first one must make it wrap.
fn continued(out: &mut Vec<u8>, cells: &[Cell], next: &[Cell], tables: &Tables) {
    let last = cells.len() - 1;
    let leads = next.first().copied().unwrap_or_default();
    if leads.is_wide() && cells[last].ch == 0 && !cells[last].is_spacer() && cells[last].pen() == leads.pen()
    {
        // A wide character that does not fit leaves the last cell just like this by itself.
        encode(out, &cells[..last], Blanks::Fill, false, tables);
        return;
    }
    encode(out, cells, Blanks::Fill, false, tables);
    if leads.ch == 0 {
        // Nothing to print there: a space makes the wrap and is erased again, which leaves the mark of the wrap alone.
        let pen = Pen { bg: leads.bg, ..Pen::default() };
        out.extend_from_slice(b" \x1b[D");
        write_pen(out, Pen::default(), pen, tables);
        out.extend_from_slice(b"\x1b[X");
        write_pen(out, pen, Pen::default(), tables);
    }
}
