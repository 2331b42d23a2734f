//! Answers without numbers, one a row.

use super::{Block, Item, add_rows, at_foot, split_columns, submit, untick, without_box, without_mark};
use crate::screen::Foot;
use crate::screen::rows::{indent, is_blank, is_divider, split_frame, width};

/// Rows from the foot, blank ones not counted, in which the mark is.
const WITHIN: usize = 24;

/// The rows around the lowest mark whose texts begin at the same column.
pub(super) fn read(foot: &Foot<'_>) -> Option<Block> {
    let rows = foot.rows;
    let shown = |row: &usize| !is_blank(&rows[*row]);
    let (marked, column, label) = (0..rows.len()).rev().filter(shown).take(WITHIN).find_map(|row| {
        let (left, inner) = split_frame(&rows[row]);
        let (cells, label) = without_mark(inner.trim_start())?;
        Some((row, left + indent(inner) + cells, label))
    })?;
    // What takes the ticked ones is deeper than they are.
    let takes = super::TAKES.contains(&label);
    let boxed = |row: &usize| without_box(split_frame(&rows[*row]).1.trim()).is_some();
    let column = match (0..marked).rev().take(2).find(boxed).filter(|_| takes) {
        Some(row) => split_frame(&rows[row]).0 + indent(split_frame(&rows[row]).1),
        None => column,
    };
    // Those have a reader of their own.
    if label.split_once(['.', ')']).is_some_and(|(number, _)| number.parse::<u8>().is_ok()) {
        return None;
    }
    // A description is deeper; anything else ends the list.
    let belongs = |row: usize| {
        let (left, inner) = split_frame(&rows[row]);
        let text = inner.trim();
        row == marked || (!text.is_empty() && !is_divider(text) && left + indent(inner) >= column)
    };
    let mut first = (0..marked).rev().take_while(|&row| belongs(row)).last().unwrap_or(marked);
    let end = (marked + 1..rows.len()).find(|&row| !belongs(row)).unwrap_or(rows.len());
    let begins = |row: usize| {
        let (left, inner) = split_frame(&rows[row]);
        (row == marked && !takes) || left + indent(inner) == column
    };
    while !begins(first) {
        first += 1;
    }
    let heads: Vec<usize> = (first..end).filter(|&row| begins(row)).collect();
    if heads.len() < 2 || !at_foot(rows, end) {
        return None;
    }
    let right = foot.right;
    let mut items: Vec<Item> = Vec::new();
    for (place, &head) in heads.iter().enumerate() {
        let (left, inner) = split_frame(&rows[head]);
        let text = inner.trim();
        let text = if head == marked { without_mark(text).map_or(text, |(_, rest)| rest) } else { text };
        let (label, beside) = split_columns(text);
        let mut item = Item {
            key: (place + 1).to_string(),
            label: label.to_owned(),
            description: beside.map(|(_, text)| text.to_owned()),
            marked: head == marked,
            ticked: None,
        };
        let until = heads.get(place + 1).copied().unwrap_or(end);
        let beside = beside.map(|(cells, _)| column + cells);
        untick(&mut item);
        let below = &rows[head + 1..until];
        let submit = item.ticked.and_then(|_| submit(below));
        let described = &below[..submit.as_ref().map_or(below.len(), |(at, _)| *at)];
        add_rows(&mut item, described, column, beside, left + width(inner), right);
        items.push(item);
        items.extend(submit.map(|(_, item)| item));
    }
    Some(Block { items, first: heads[0], end, ..Block::default() })
}
