//! Answers side by side.

use super::{Block, Item, at_foot};
use crate::screen::Foot;
use crate::screen::composer::cells_before;
use crate::screen::rows::{is_blank, split_frame, width};

/// Rows from the foot, blank ones not counted, in which the buttons are.
const WITHIN: usize = 8;

/// The lowest row that has the first of the words, and the others after it with two blanks or more between. Where the row is
/// too narrow, the rest is in the next one.
pub(super) fn read(labels: &[String], foot: &Foot<'_>, highlights: &[(u16, u16, u16)]) -> Option<Block> {
    let rows = foot.rows;
    let shown = |row: &usize| !is_blank(&rows[*row]);
    let Some(first) = labels.first() else { return read_any(foot, highlights) };
    let row = (0..rows.len()).rev().filter(shown).take(WITHIN).find(|&row| {
        let text = split_frame(&rows[row]).1.trim_start();
        text.strip_prefix(first.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("  "))
    })?;
    let mut items = Vec::new();
    let mut end = row + 1;
    let (mut at, mut from) = (row, 0);
    for (place, label) in labels.iter().enumerate() {
        let mut found = within(&rows[at], from, label);
        if found.is_none() && at + 1 < rows.len() {
            found = within(&rows[at + 1], 0, label);
            if found.is_some() {
                at += 1;
                end = at + 1;
            }
        }
        let Some((begins, ends, byte)) = found else { continue };
        from = byte;
        let covered = highlights.iter().any(|&(line, left, right)| {
            usize::from(line) == at && usize::from(left) < ends && usize::from(right) > begins
        });
        items.push(Item {
            key: (place + 1).to_string(),
            label: label.clone(),
            marked: covered,
            ..Item::default()
        });
    }
    if items.len() < 2 || !at_foot(rows, end) {
        return None;
    }
    let mut block = Block { items, first: row, end, ..Block::default() };
    // Several that stand out say nothing.
    if block.marked() > 1 {
        for item in &mut block.items {
            item.marked = false;
        }
    }
    Some(block)
}

/// What hints of keys begin with, which stand beside the buttons.
const HINTS: &[&str] = &["ctrl+", "⇆", "↑", "↓", "enter", "esc", "tab", "shift+"];

/// Whatever stands in the lowest row of a box in which exactly one text stands out, up to the hints.
fn read_any(foot: &Foot<'_>, highlights: &[(u16, u16, u16)]) -> Option<Block> {
    let rows = foot.rows;
    let shown = |row: &usize| !is_blank(&rows[*row]) && split_frame(&rows[*row]).0 > 0;
    (0..rows.len()).rev().filter(shown).take(WITHIN).find_map(|row| {
        let (left, inner) = split_frame(&rows[row]);
        let mut items: Vec<Item> = Vec::new();
        let mut column = left;
        for part in inner.split("  ") {
            let text = part.trim();
            if HINTS.iter().any(|hint| text.starts_with(hint)) {
                break;
            }
            let begins = column + (width(part) - width(part.trim_start()));
            let ends = begins + width(text);
            column += width(part) + 2;
            if text.is_empty() {
                continue;
            }
            let marked = highlights.iter().any(|&(line, from, to)| {
                usize::from(line) == row && usize::from(from) < ends && usize::from(to) > begins
            });
            let key = (items.len() + 1).to_string();
            items.push(Item { key, label: text.to_owned(), marked, ..Item::default() });
        }
        let block = Block { items, first: row, end: row + 1, ..Block::default() };
        (block.items.len() >= 2 && block.marked() == 1 && at_foot(rows, row + 1)).then_some(block)
    })
}

/// Where a word stands in a row from a byte on, with blanks at both sides: its first column, the one after it, and the byte
/// after it.
fn within(row: &str, from: usize, label: &str) -> Option<(usize, usize, usize)> {
    let rest = row.get(from..)?;
    let at = from
        + rest.match_indices(label).map(|(at, _)| at).find(|&at| {
            let apart = |c: Option<char>| c.is_none_or(|c| c == ' ' || c == '┃' || c == '│');
            apart(rest[..at].chars().next_back()) && apart(rest[at + label.len()..].chars().next())
        })?;
    let begins = cells_before(row, at);
    Some((begins, begins + width(label), at + label.len()))
}
