//! Rows and lines as plain text.

use crate::archive::plain_text;
use crate::grid::{Cell, Tables, width};
use crate::output::{Scope, ShownRow};
use crate::screen::Screen;

/// Rows of the scope without trailing blanks.
pub(crate) fn rows(screen: &Screen, scope: Scope) -> Vec<String> {
    let buffer = screen.buf();
    let limit = screen.archive.limit();
    let wanted = match scope {
        Scope::Screen => 0,
        Scope::Recent(rows) => rows.min(limit),
        Scope::All => limit,
    };
    let mut rows = Vec::new();
    if wanted > buffer.base && !screen.on_alternate {
        for line in archived(screen, wanted - buffer.base) {
            wrap(&line, screen.cols, &mut rows);
        }
        let surplus = (rows.len() + buffer.base).saturating_sub(wanted);
        rows.drain(..surplus.min(rows.len()));
    }
    let first = buffer.base.saturating_sub(wanted);
    rows.extend(buffer.lines.range(first..).map(|row| row_text(row.content(), &screen.tables)));
    rows
}

/// Logical lines of the scope: rows that the terminal wrapped are put together. The first one may be the rest of a line.
pub(crate) fn lines(screen: &Screen, scope: Scope) -> Vec<String> {
    let buffer = screen.buf();
    let limit = screen.archive.limit();
    let wanted = match scope {
        Scope::Screen => 0,
        Scope::Recent(rows) => rows.min(limit),
        Scope::All => limit,
    };
    let mut lines = Vec::new();
    let first = buffer.base.saturating_sub(wanted);
    if wanted > buffer.base && !screen.on_alternate {
        lines = archived(screen, wanted - buffer.base);
    }
    for (at, row) in buffer.lines.range(first..).enumerate() {
        let next = buffer.lines.get(first + at + 1).filter(|next| next.wrapped);
        let text = cell_text(if next.is_some() { row.going_on(next) } else { row.content() }, &screen.tables);
        match lines.last_mut().filter(|_| row.wrapped && (at > 0 || first == 0)) {
            Some(line) => line.push_str(&text),
            None => lines.push(text),
        }
    }
    lines.into_iter().map(trimmed).collect()
}

/// The newest rows above the primary screen, and the screen's, oldest first.
pub(crate) fn shown(screen: &Screen, above: usize) -> Vec<ShownRow> {
    let buffer = screen.buf();
    let wanted = if screen.on_alternate { 0 } else { above.min(screen.archive.limit()) };
    let mut rows = Vec::new();
    let first = buffer.base.saturating_sub(wanted);
    if wanted > buffer.base {
        let lines = archived(screen, wanted - buffer.base);
        let goes_on = buffer.lines.front().is_some_and(|row| row.wrapped);
        let last = lines.len().saturating_sub(1);
        for (at, line) in lines.iter().enumerate() {
            let mut of_line = Vec::new();
            wrap(line, screen.cols, &mut of_line);
            let end = of_line.len() - 1;
            let row = |(row, text): (usize, String)| ShownRow {
                text,
                goes_on: row < end || (at == last && goes_on),
            };
            rows.extend(of_line.into_iter().enumerate().map(row));
        }
        let surplus = (rows.len() + buffer.base).saturating_sub(wanted);
        rows.drain(..surplus.min(rows.len()));
    }
    for (at, row) in buffer.lines.range(first..).enumerate() {
        let next = buffer.lines.get(first + at + 1).filter(|next| next.wrapped);
        let text = match next {
            Some(_) => cell_text(row.going_on(next), &screen.tables),
            None => row_text(row.content(), &screen.tables),
        };
        rows.push(ShownRow { text, goes_on: next.is_some() });
    }
    rows
}

/// Writes a row up to its last character that is not blank.
pub(crate) fn write_row(cells: &[Cell], tables: &Tables, text: &mut String) {
    for cell in cells.iter().filter(|c| !c.is_spacer()) {
        tables.push_text(cell, text);
    }
    text.truncate(text.trim_end_matches(' ').len());
}

/// Text of a row up to its last character that is not blank.
fn row_text(cells: &[Cell], tables: &Tables) -> String {
    trimmed(cell_text(cells, tables))
}

fn cell_text(cells: &[Cell], tables: &Tables) -> String {
    let mut text = String::with_capacity(cells.len());
    for cell in cells.iter().filter(|c| !c.is_spacer()) {
        tables.push_text(cell, &mut text);
    }
    text
}

/// Archived logical lines that fill at least `rows` rows.
fn archived(screen: &Screen, rows: usize) -> Vec<String> {
    let (pieces, _) = screen.archive.tail(rows, screen.cols);
    let mut lines: Vec<String> = Vec::new();
    let mut continues = false;
    for piece in &pieces {
        let mut start = 0;
        for line in &piece.lines {
            let end = start + line.bytes as usize;
            let text = plain_text(&piece.text[start..end]);
            match lines.last_mut().filter(|_| continues) {
                Some(last) => last.push_str(&text),
                None => lines.push(text),
            }
            continues = line.continues;
            start = end;
        }
    }
    lines
}

/// Cuts a line into rows as the screen would.
fn wrap(line: &str, cols: usize, rows: &mut Vec<String>) {
    let mut row = String::new();
    let mut used = 0;
    for c in line.chars() {
        let wide = usize::from(width(u32::from(c)));
        if used + wide > cols {
            rows.push(trimmed(std::mem::take(&mut row)));
            used = 0;
        }
        row.push(c);
        used += wide;
    }
    rows.push(trimmed(row));
}

fn trimmed(mut row: String) -> String {
    row.truncate(row.trim_end_matches(' ').len());
    row
}
