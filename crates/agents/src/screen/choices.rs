//! The answers that a dialog offers.

mod buttons;
mod inline;
mod list;
mod numbered;

use belfry_protocol::ask::Choice;
use serde::Deserialize;

use super::Foot;
use super::rows::{ends_at, go_on, goes_on, indent, is_blank, is_divider, no_room, split_frame, width};

/// How a dialog shows its answers.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Layout {
    /// One a row, with a number and a mark at the chosen one: `❯ 1. Yes`.
    #[default]
    Numbered,
    /// The same where the chosen one is known only by how it stands out.
    NumberedUnmarked,
    /// One a row, without numbers: `❯ No, exit`.
    List,
    /// One or the other: releases differ.
    Rows,
    /// Side by side, the chosen one known by how it stands out: these words.
    Buttons(Vec<String>),
    /// In the question's own row: `(Y)es/(N)o [Yes]: `, `[y/N]`.
    Inline,
    /// None: Enter or a text is wanted.
    None,
}

/// Answers as they were found.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) items: Vec<Item>,
    /// Its first row.
    pub(crate) first: usize,
    /// The row after its last one.
    pub(crate) end: usize,
    /// The question, where it is in the same row.
    pub(crate) question: Option<String>,
    /// Some answers are not to be seen: the list scrolls, or the terminal is too small for it.
    pub(crate) partial: bool,
    /// An answer is being typed after the question.
    pub(crate) typed: bool,
}

/// One answer.
#[derive(Debug, Default)]
pub(crate) struct Item {
    /// What picks it: a number, a letter.
    pub(crate) key: String,
    pub(crate) label: String,
    pub(crate) description: Option<String>,
    /// It is the chosen one.
    pub(crate) marked: bool,
    /// It has a box, and that is ticked or not.
    pub(crate) ticked: Option<bool>,
}

/// What agents mark the chosen answer with. Bullets of prose are none of them.
const MARKS: &[char] = &['❯', '›', '●', '>', '→', '▸', '▶', '◉', '➜', '»'];

/// Boxes, and whether they are ticked.
const BOXES: &[(&str, bool)] = &[
    ("[ ]", false),
    ("[x]", true),
    ("[X]", true),
    ("[✓]", true),
    ("[✔]", true),
    ("[•]", true),
    ("☐", false),
    ("☑", true),
    ("☒", true),
    ("◻", false),
    ("◼", true),
    ("◯", false),
];

/// What the row says that takes what is ticked.
const TAKES: &[&str] = &["Submit", "Next", "Done", "Confirm", "Enable selected"];

/// Fewest cells that a number takes before its label: `1. `.
const NUMBER: usize = 3;

/// Most rows below the answers, blank ones not counted.
const BELOW: usize = 8;

impl Layout {
    /// Reads the answers nearest to the foot; none where there are none, or where none or several are marked.
    pub(crate) fn read(&self, foot: &Foot<'_>, highlights: &[(u16, u16, u16)]) -> Option<Block> {
        match self {
            Self::Numbered => numbered::read(foot).filter(|block| block.marked() == 1),
            Self::NumberedUnmarked => {
                let mut block = numbered::read(foot)?;
                numbered::mark_by_highlight(&mut block, foot, highlights);
                Some(block)
            }
            Self::List => list::read(foot),
            Self::Rows => Self::Numbered.read(foot, highlights).or_else(|| list::read(foot)),
            Self::Buttons(labels) => buttons::read(labels, foot, highlights),
            Self::Inline => inline::read(foot),
            Self::None => {
                let end = foot.rows.len();
                Some(Block { first: end, end, ..Block::default() })
            }
        }
    }
}

impl Block {
    fn marked(&self) -> usize {
        self.items.iter().filter(|item| item.marked).count()
    }

    /// The chosen answer's place.
    pub(crate) fn selected(&self) -> Option<usize> {
        self.items.iter().position(|item| item.marked)
    }
}

/// A mark and the blanks after it taken off a text: how many cells they take, and the rest.
fn without_mark(text: &str) -> Option<(usize, &str)> {
    let mark = text.chars().next().filter(|c| MARKS.contains(c))?;
    let rest = &text[mark.len_utf8()..];
    let blanks = indent(rest);
    (blanks > 0).then(|| (1 + blanks, rest.trim_start()))
}

/// Takes a box to be ticked off a label.
fn without_box(label: &str) -> Option<(&str, bool)> {
    BOXES.iter().find_map(|(drawn, ticked)| Some((label.strip_prefix(drawn)?.trim_start(), *ticked)))
}

/// Takes the box to be ticked off an answer that has one.
fn untick(item: &mut Item) {
    if let Some((bare, ticked)) = without_box(&item.label) {
        (item.label, item.ticked) = (bare.to_owned(), Some(ticked));
    }
}

/// The row that takes what is ticked, among the rows below the last box, where a description would be: its place and the
/// answer that it is.
fn submit(rows: &[String]) -> Option<(usize, Item)> {
    rows.iter().enumerate().find_map(|(at, row)| {
        let text = split_frame(row).1.trim();
        let (marked, label) = without_mark(text).map_or((false, text), |(_, label)| (true, label));
        let key = Choice::SUBMIT.to_owned();
        let item = Item { key, label: label.to_owned(), marked, ..Item::default() };
        TAKES.contains(&label).then_some((at, item))
    })
}

/// A label, and what two or more blanks set apart from it.
fn split_columns(text: &str) -> (&str, Option<(usize, &str)>) {
    match text.find("  ") {
        Some(at) => {
            let rest = text[at..].trim_start();
            let column = width(&text[..text.len() - rest.len()]);
            (&text[..at], (!rest.is_empty()).then_some((column, rest)))
        }
        None => (text, None),
    }
}

/// The rows under an answer's first row: more of its label where that was full, or of the description beside it, else a
/// description. `column` is where the label begins, `ends` where its row ends.
fn add_rows(
    item: &mut Item,
    rows: &[String],
    column: usize,
    beside: Option<usize>,
    mut ends: usize,
    right: usize,
) {
    let edge = rows.iter().map(|row| ends_at(row)).fold(ends, usize::max);
    let mut in_label = beside.is_none();
    for row in rows {
        let (left, inner) = split_frame(row);
        let text = inner.trim();
        if text.is_empty() || is_divider(text) {
            in_label = false;
            continue;
        }
        let begins = left + indent(inner);
        let (here, apart) = split_columns(text);
        // Left of the numbers, it was wrapped at the edge.
        if in_label && (begins == column || begins + NUMBER <= column) && goes_on(ends, text, right) {
            go_on(&mut item.label, text, right.saturating_sub(begins), ends >= edge);
        } else if beside.is_some_and(|beside| begins + 1 < beside) && begins == column {
            // Both columns go on, or the label alone.
            go_on(&mut item.label, here, right, true);
            if let Some((_, apart)) = apart {
                go_on(item.description.get_or_insert_default(), apart, right, true);
            }
        } else {
            in_label = false;
            go_on(item.description.get_or_insert_default(), text, right.saturating_sub(begins), ends >= edge);
        }
        ends = left + width(inner);
    }
}

/// Whether a row left of the answers' numbers is the rest of the row above it: some lists indent the first row of a text, and
/// what does not fit goes on at the edge. Without this, a narrow terminal would end the list there. Hints of keys begin where
/// the numbers do.
fn wrapped(rows: &[String], row: usize, numbers: usize, right: usize) -> bool {
    let Some(above) = row.checked_sub(1).map(|above| &rows[above]) else { return false };
    let (left, inner) = split_frame(&rows[row]);
    if left + indent(inner) >= numbers || is_blank(above) || is_divider(above) {
        return false;
    }
    // A box keeps cells free at its right.
    let full = if left > 0 { goes_on } else { no_room };
    full(ends_at(above), inner, right)
}

/// Whether one of several answers is chosen there, however few of them are to be seen. Enter would take it.
pub(crate) fn one_is_chosen(rows: &[String]) -> bool {
    rows.iter().any(|row| numbered::is_chosen(row))
}

/// Whether so few rows are below that a block is at the foot.
fn at_foot(rows: &[String], end: usize) -> bool {
    rows[end..].iter().filter(|row| !is_blank(row)).count() <= BELOW
}
