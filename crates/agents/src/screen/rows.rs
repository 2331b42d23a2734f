//! Rows of a screen, without the boxes drawn around them.

use std::cell::OnceCell;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Left edges of boxes.
const EDGES: &[char] = &['│', '┃', '┆', '▌', '▏'];

/// Some rows that follow each other, and their texts, made when they are first asked for.
pub(crate) struct Rows<'a> {
    own: &'a [String],
    flat: OnceCell<String>,
    lines: OnceCell<String>,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(rows: &'a [String]) -> Self {
        Self { own: rows, flat: OnceCell::new(), lines: OnceCell::new() }
    }

    pub(crate) fn rows(&self) -> &'a [String] {
        self.own
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// Everything on one line: frames and lines drawn across are left out, words are a blank apart.
    pub(crate) fn flat(&self) -> &str {
        self.flat.get_or_init(|| {
            let mut flat = String::with_capacity(self.own.iter().map(String::len).sum());
            for row in self.own {
                let inner = unframed(row).trim();
                if inner.is_empty() || is_divider(inner) {
                    continue;
                }
                if !flat.is_empty() {
                    flat.push(' ');
                }
                flat.push_str(inner);
            }
            flat
        })
    }

    /// One row a line, without frames.
    pub(crate) fn lines(&self) -> &str {
        self.lines.get_or_init(|| {
            let mut lines = String::with_capacity(self.own.iter().map(|row| row.len() + 1).sum());
            for (at, row) in self.own.iter().enumerate() {
                if at > 0 {
                    lines.push('\n');
                }
                lines.push_str(unframed(row));
            }
            lines
        })
    }
}

/// A row without the box around it: what stands to the right of a left edge, without a right edge and trailing blanks. A row
/// without a left edge is as it is.
pub(crate) fn unframed(row: &str) -> &str {
    split_frame(row).1
}

/// How many cells lie left of a row's text, frame included, and the text. Of a box in a box, both go.
pub(crate) fn split_frame(row: &str) -> (usize, &str) {
    let Some((mut left, mut inner)) = left_edge(row) else { return (0, row.trim_end()) };
    inner = right_edge(inner).unwrap_or(inner);
    while let Some((more, nested)) = left_edge(inner)
        && let Some(nested) = right_edge(nested)
    {
        left += more;
        inner = nested;
    }
    (left, inner.trim_end())
}

fn left_edge(row: &str) -> Option<(usize, &str)> {
    let text = row.trim_start_matches(' ');
    let edge = text.chars().next().filter(|c| EDGES.contains(c))?;
    Some((row.len() - text.len() + 1, &text[edge.len_utf8()..]))
}

fn right_edge(inner: &str) -> Option<&str> {
    inner.trim_end().strip_suffix(EDGES)
}

/// Whether a row is blank, a box's edges apart.
pub(crate) fn is_blank(row: &str) -> bool {
    unframed(row).trim().is_empty()
}

/// Whether a row is a line drawn across: at least three of one, and nothing else but a box's corners.
pub(crate) fn is_divider(row: &str) -> bool {
    let text = row.trim();
    let mut drawn = 0;
    for c in text.chars() {
        match c {
            '─' | '━' | '╌' | '┄' | '┈' | '╍' | '═' | '▔' | '▁' | '▄' | '▀' | '-' => {
                drawn += 1;
            }
            '╭' | '╮' | '╰' | '╯' | '┌' | '┐' | '└' | '┘' | '├' | '┤' | '╹' | '╻' | '│' | '┃' | ' ' =>
                {}
            _ => return false,
        }
    }
    drawn >= 3
}

/// How many cells a text takes.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// How many cells a character takes.
pub(crate) fn char_width(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// How many blank cells a text begins with.
pub(crate) fn indent(text: &str) -> usize {
    text.chars().take_while(|c| c.is_whitespace()).count()
}

/// The right edge of the widest row, which is how wide the terminal is at least.
pub(crate) fn widest(rows: &[String]) -> usize {
    rows.iter().map(|row| width(row)).max().unwrap_or(0)
}

/// Rows as texts again: a row that goes on in the next one because it was full is joined with it. `right` is the edge at
/// which they were wrapped.
pub(crate) fn unwrapped<'a>(rows: impl Iterator<Item = &'a str>, right: usize) -> Vec<String> {
    joined(rows.map(|row| (row, split_frame(row).1)), right)
}

/// The same of parts of rows: each with the row that it is of.
pub(crate) fn joined<'a>(parts: impl Iterator<Item = (&'a str, &'a str)>, right: usize) -> Vec<String> {
    let parts: Vec<_> = parts.collect();
    let edge = parts.iter().map(|(row, _)| ends_at(row)).max().unwrap_or(0);
    let mut texts: Vec<String> = Vec::new();
    let mut before: Option<(usize, usize)> = None;
    for (row, part) in parts {
        let (left, inner) = split_frame(row);
        let text = part.trim();
        if text.is_empty() || is_divider(text) {
            before = None;
            continue;
        }
        let begins = left + indent(inner);
        let ends = left + width(inner);
        match (before, texts.last_mut()) {
            (Some((last_begins, last_ends)), Some(last))
                if (begins >= last_begins && goes_on(last_ends, text, right))
                    || (begins == 0 && no_room(last_ends, text, right)) =>
            {
                go_on(last, text, right.saturating_sub(begins), last_ends >= edge);
            }
            _ => texts.push(text.to_owned()),
        }
        before = Some((begins, ends));
    }
    texts
}

/// The column after a row's text.
pub(crate) fn ends_at(row: &str) -> usize {
    let (left, inner) = split_frame(row);
    left + width(inner)
}

/// Joins a text with what follows it in the next row. Where the word at the break is too long for a row of `room` cells it was
/// cut, if its row is `full`: as long as any; and Codex breaks a path at its slashes. All else was wrapped at a blank.
pub(crate) fn go_on(text: &mut String, next: &str, room: usize, full: bool) {
    let last = text.split_whitespace().next_back().map_or(0, width);
    let first = next.split_whitespace().next().map_or(0, width);
    let cut = (full && last + first > room) || text.ends_with('/');
    if !text.is_empty() && !cut {
        text.push(' ');
    }
    text.push_str(next);
}

/// Whether a text goes on in the next row: its first word would not have fitted in the row before, which ends at a column.
pub(crate) fn goes_on(ends: usize, next: &str, right: usize) -> bool {
    let word = next.split_whitespace().next().map_or(0, width);
    // Boxes keep up to four cells free at their right.
    ends + 1 + word + 4 > right
}

/// The same where nothing is kept free: what a program leaves to its terminal's edge to wrap goes on in the first column.
pub(crate) fn no_room(ends: usize, next: &str, right: usize) -> bool {
    ends + 1 + next.split_whitespace().next().map_or(0, width) > right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_go_and_texts_stay() {
        assert_eq!(unframed("│ ● 1. Allow   │"), " ● 1. Allow");
        assert_eq!(unframed("  ┃  $ touch x"), "  $ touch x");
        assert_eq!(unframed("│ │ touch │ │"), " touch");
        assert_eq!(unframed("a │ b │"), "a │ b │");
        assert!(is_blank(" ┃ ") && !is_blank("x"));
        assert!(is_divider("╭────╮") && is_divider("----") && !is_divider("- a") && !is_divider("──"));
    }

    #[test]
    fn full_rows_go_on() {
        let rows = ["│ touch a/long/name and │", "│ another               │", "│ short │", "│ next │"];
        assert_eq!(unwrapped(rows.into_iter(), 26), ["touch a/long/name and another", "short", "next"]);
    }
}
