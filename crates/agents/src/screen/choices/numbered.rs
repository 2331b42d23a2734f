//! Answers with numbers.

use super::{
    Block, Item, add_rows, at_foot, split_columns, submit, untick, without_box, without_mark, wrapped,
};
use crate::screen::Foot;
use crate::screen::rows::{indent, is_blank, is_divider, split_frame, width};

/// Most rows between two numbers: descriptions and lines drawn across.
const APART: usize = 8;

/// What stands in the place of the mark where a list scrolls: more is above, or below.
const MORE_ABOVE: char = '↑';
const MORE_BELOW: char = '↓';

/// One numbered row.
struct Numbered<'a> {
    marked: bool,
    /// The sign that more answers are above or below it.
    more: Option<char>,
    number: u32,
    /// The column of the number.
    digits: usize,
    /// The column of the full stop after it.
    stop: usize,
    /// The column of the label.
    column: usize,
    label: &'a str,
    /// The column after the row's last character.
    ends: usize,
}

fn parse(row: &str) -> Option<Numbered<'_>> {
    let (left, inner) = split_frame(row);
    let text = inner.trim_start();
    let mut at = left + indent(inner);
    let scrolls = |c: &char| [MORE_ABOVE, MORE_BELOW].contains(c);
    let more = text.chars().next().filter(scrolls);
    let (marked, text) = match (without_mark(text), more) {
        (Some((cells, rest)), _) => {
            at += cells;
            (true, rest)
        }
        (None, Some(sign)) => {
            let rest = &text[sign.len_utf8()..];
            at += 1 + indent(rest);
            (false, rest.trim_start())
        }
        (None, None) => (false, text),
    };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 2 {
        return None;
    }
    let number = text[..digits].parse().ok()?;
    let rest = text[digits..].strip_prefix(['.', ')'])?;
    let blanks = indent(rest);
    let label = rest.trim();
    if blanks == 0 || label.is_empty() {
        return None;
    }
    let stop = at + digits;
    Some(Numbered {
        marked,
        more,
        number,
        digits: at,
        stop,
        column: stop + 1 + blanks,
        label,
        ends: left + width(inner),
    })
}

/// The block whose last number is nearest to the foot and that goes down to 1 in steps of one, one below the other. Where it
/// says that there are more, some may be missing.
pub(super) fn read(foot: &Foot<'_>) -> Option<Block> {
    let rows = foot.rows;
    let mut below = 0;
    let mut last = rows.len();
    let bottom = loop {
        last = last.checked_sub(1)?;
        if let Some(found) = parse(&rows[last]) {
            break found;
        }
        below += usize::from(!is_blank(&rows[last]));
        // A description of the last answer may be below it too.
        if below > super::BELOW + 4 {
            return None;
        }
    };
    let mut found = Vec::new();
    let mut row = last;
    let mut partial = bottom.more == Some(MORE_BELOW);
    found.push((last, bottom));
    while let Some((above, lowest)) = found.last()
        && lowest.number > 1
    {
        if lowest.more == Some(MORE_ABOVE) && found.len() > 1 {
            partial = true;
            break;
        }
        row = row.checked_sub(1)?;
        if above - row > APART {
            return None;
        }
        let (left, inner) = split_frame(&rows[row]);
        if is_more(inner) {
            partial = true;
            break;
        }
        if let Some(next) = parse(&rows[row])
            && next.stop == lowest.stop
        {
            let scrolls = next.more == Some(MORE_BELOW) && next.number < lowest.number;
            if next.number + 1 != lowest.number && !scrolls {
                return None;
            }
            partial |= next.more.is_some();
            found.push((row, next));
        } else if !inner.trim().is_empty()
            && !is_divider(inner)
            && left + begins(inner) < lowest.digits
            && !wrapped(rows, row, lowest.digits, foot.right)
        {
            return None;
        }
    }
    if found.len() < 2 {
        return None;
    }
    found.reverse();
    let mut end = end_of(rows, last, &found[0].1, foot.right);
    let boxed = found.last().is_some_and(|(_, answer)| without_box(answer.label).is_some());
    // What takes the ticked ones has no number, and is no deeper than the numbers are.
    if boxed && rows.get(end).is_some_and(|row| submit(std::slice::from_ref(row)).is_some()) {
        end += 1;
    }
    let first = found[0].0;
    partial |= rows.get(end).is_some_and(|row| is_more(split_frame(row).1));
    partial |= first > 0 && is_more(split_frame(&rows[first - 1]).1);
    if !at_foot(rows, end) {
        return None;
    }
    let right = foot.right;
    let mut items = Vec::with_capacity(found.len());
    for (place, (row, answer)) in found.iter().enumerate() {
        let until = found.get(place + 1).map_or(end, |(next, _)| *next);
        let (label, beside) = split_columns(answer.label);
        let mut item = Item {
            key: answer.number.to_string(),
            label: label.to_owned(),
            description: beside.map(|(_, text)| text.to_owned()),
            marked: answer.marked,
            ticked: None,
        };
        let beside = beside.map(|(cells, _)| answer.column + cells);
        untick(&mut item);
        let below = &rows[row + 1..until];
        let submit = item.ticked.and_then(|_| submit(below));
        let described = &below[..submit.as_ref().map_or(below.len(), |(at, _)| *at)];
        add_rows(&mut item, described, answer.column, beside, answer.ends, right);
        items.push(item);
        items.extend(submit.map(|(_, item)| item));
    }
    Some(Block { items, first: found[0].0, end, partial, ..Block::default() })
}

/// Whether a row has a number and a mark, as the chosen answer of a list has. Prose has bullets before numbers.
pub(super) fn is_chosen(row: &str) -> bool {
    let bullet = split_frame(row).1.trim_start().starts_with('●');
    !bullet && parse(row).is_some_and(|answer| answer.marked)
}

/// The column of a row's text, a mark left out.
fn begins(inner: &str) -> usize {
    indent(inner) + without_mark(inner.trim_start()).map_or(0, |(cells, _)| cells)
}

/// Whether a row says only that the list goes on.
fn is_more(inner: &str) -> bool {
    matches!(inner.trim(), "▲" | "▼" | "↑" | "↓")
}

/// The row after the last answer with its description, which is indented deeper than the number unless it was wrapped.
fn end_of(rows: &[String], last: usize, number: &Numbered<'_>, right: usize) -> usize {
    let more = (last + 1..rows.len()).take_while(|&row| {
        let (left, inner) = split_frame(&rows[row]);
        let text = inner.trim();
        let deeper = left + indent(inner) > number.stop;
        !text.is_empty() && !is_divider(text) && (deeper || wrapped(rows, row, number.digits, right))
    });
    last + 1 + more.count()
}

/// Marks the answer whose row stands out, where exactly one does.
pub(super) fn mark_by_highlight(block: &mut Block, foot: &Foot<'_>, highlights: &[(u16, u16, u16)]) {
    if block.marked() > 0 {
        return;
    }
    let mut place = 0;
    let mut out = Vec::new();
    for row in block.first..block.end {
        if let Some(answer) = parse(&foot.rows[row])
            && block.items.get(place).is_some_and(|item| item.key == answer.number.to_string())
        {
            let covers = |&&(at, from, to): &&(u16, u16, u16)| {
                usize::from(at) == row && usize::from(from) < answer.ends && usize::from(to) > answer.column
            };
            if highlights.iter().find(covers).is_some() {
                out.push(place);
            }
            place += 1;
        }
    }
    if let [only] = out[..] {
        block.items[only].marked = true;
    }
}
