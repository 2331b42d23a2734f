//! What has changed on the screen since it was last looked at.
//!
//! Kept as one flag in each row, which costs nothing beside writing to it. It says where something was written, not that
//! it looks otherwise: a program that draws everything anew writes everywhere.

use crate::grid::{Cell, Flags};
use crate::screen::Screen;
use crate::text;

/// Rows to look at again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Nothing that was known of the screen holds: another size, another buffer, a flood.
    pub all: bool,
    /// Rows by which everything moved up. What was in row `n` is in row `n - scrolled` now, unless that is among `rows`.
    pub scrolled: u16,
    /// Rows that were written to, from the top, with the numbers they have now. Every row where `all` is set.
    pub rows: Vec<u16>,
}

impl Damage {
    /// Nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.all && self.scrolled == 0 && self.rows.is_empty()
    }
}

impl Screen {
    pub(crate) fn take_damage(&mut self) -> Damage {
        let rows = self.rows;
        let replaced = std::mem::take(&mut self.replaced);
        let buffer = self.buf_mut();
        let moved = std::mem::take(&mut buffer.moved);
        let all = replaced || moved >= rows;
        let base = buffer.base;
        let mut changed = Vec::new();
        for (at, row) in buffer.lines.range_mut(base..).enumerate() {
            if std::mem::take(&mut row.changed) || all {
                changed.push(at as u16);
            }
        }
        Damage { all, scrolled: if all { 0 } else { moved as u16 }, rows: changed }
    }

    /// A row without trailing blanks, written over what `text` held.
    pub(crate) fn row_text(&self, row: u16, text: &mut String) {
        text.clear();
        let buffer = self.buf();
        if usize::from(row) < self.rows {
            text::write_row(buffer.row(row.into()).content(), &self.tables, text);
        }
    }

    /// Where a row's ground is another one than in most of it, and something is written there: first column and the one
    /// after the last.
    pub(crate) fn highlights(&self, row: u16, found: &mut Vec<(u16, u16)>) {
        found.clear();
        if usize::from(row) >= self.rows {
            return;
        }
        let cells = self.buf().row(row.into()).cells();
        let common = most_common(cells);
        let mut at = 0;
        while at < cells.len() {
            let ground = ground(&cells[at]);
            let end = at + cells[at..].iter().take_while(|cell| self::ground(cell) == ground).count();
            if ground != common && cells[at..end].iter().any(|cell| cell.ch > u32::from(b' ')) {
                found.push((at as u16, end as u16));
            }
            at = end;
        }
    }
}

/// What a cell's ground looks like: its background, or with inverse video its foreground.
fn ground(cell: &Cell) -> (bool, u32) {
    let inverse = cell.flags.has(Flags::INVERSE);
    (inverse, if inverse { cell.fg.bits() } else { cell.bg.bits() })
}

fn most_common(cells: &[Cell]) -> (bool, u32) {
    // Few grounds in a row: a list is the fastest set.
    let mut seen: Vec<((bool, u32), usize)> = Vec::new();
    for cell in cells {
        let ground = ground(cell);
        match seen.iter_mut().find(|(known, _)| *known == ground) {
            Some((_, count)) => *count += 1,
            None => seen.push((ground, 1)),
        }
    }
    seen.into_iter().max_by_key(|(_, count)| *count).map_or((false, 0), |(ground, _)| ground)
}
