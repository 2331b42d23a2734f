//! Where the program's input box is, and what lies in it.

use serde::Deserialize;

use super::pattern::{Pattern, one_line};
use super::rows::{Rows, char_width, indent, is_blank, split_frame, unframed, width};
use super::{Foot, ScreenView};

/// How the input box looks. It is found from the bottom: the lowest that fits.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ComposerRules {
    /// What its first row begins with, left of what is typed.
    pub(crate) marker: Option<Pattern>,
    /// The row right above it.
    pub(crate) above: Option<Pattern>,
    /// The row right below it.
    pub(crate) below: Option<Pattern>,
    /// Rows at its top, and at its bottom, that hold nothing typed.
    pub(crate) skip: (usize, usize),
    /// Most rows below it, blank ones not counted.
    pub(crate) footer_rows: Option<usize>,
    /// What cannot be below it: a dialog whose mark is the same sign is told from it so.
    pub(crate) not_below: Vec<Pattern>,
    /// Bracketed paste is on whenever it takes text.
    pub(crate) bracketed_paste: bool,
    /// Texts that it shows where nothing is typed.
    pub(crate) placeholders: Vec<Pattern>,
}

/// An input box on a screen.
pub(crate) struct Composer {
    /// Its first row with the line drawn above it.
    pub(crate) top: usize,
    /// The row after it and the line drawn below it.
    pub(crate) end: usize,
    /// What is typed.
    pub(crate) draft: Option<String>,
}

/// Most rows of an input box; the agents stop at half a screen.
const TALLEST: usize = 60;

/// Most rows of an input box that something else is drawn over.
const DRAWN_OVER: usize = 3;

/// Rows below an input box where the rules do not say.
const FOOTER_ROWS: usize = 16;

impl ComposerRules {
    /// Whether the rules describe one.
    pub(crate) fn known(&self) -> bool {
        self.marker.is_some() || self.below.is_some()
    }

    pub(crate) fn find(&self, foot: &Foot<'_>, view: &ScreenView<'_>) -> Option<Composer> {
        if !self.known() || (self.bracketed_paste && !view.bracketed_paste) {
            return None;
        }
        let (first, last, top, end) = match &self.below {
            Some(below) => self.boxed(below, foot)?,
            None => self.open(foot)?,
        };
        let below = Rows::new(&foot.rows[end..]);
        if self.not_below.iter().any(|pattern| pattern.is_in(&below)) {
            return None;
        }
        let draft = self.draft(&foot.rows[first..last], first, view);
        Some(Composer { top, end, draft })
    }

    /// Between two lines, or closed by one: the rows of it, and those with the lines.
    fn boxed(&self, below: &Pattern, foot: &Foot<'_>) -> Option<(usize, usize, usize, usize)> {
        let rows = foot.rows;
        let mut seen = 0;
        let mut close = rows.len();
        loop {
            close = close.checked_sub(1)?;
            if below.matches(&rows[close]) {
                break;
            }
            seen += usize::from(!is_blank(&rows[close]));
            if seen > self.footer_rows.unwrap_or(FOOTER_ROWS) {
                return None;
            }
        }
        let highest = close.saturating_sub(TALLEST);
        let (first, top) = if let Some(above) = &self.above {
            // A typed text may have blank rows, where a blank one may also stand for the line: a drawn one goes before.
            let fits = || (highest..close).rev().filter(|&row| above.matches(&rows[row]));
            let open = fits().find(|&row| !is_blank(&rows[row])).or_else(|| fits().next())?;
            (open + 1, open)
        } else {
            // Closed below only: as far up as it has its left edge. In a low terminal the last rows may be drawn over.
            let framed = |&row: &usize| split_frame(&rows[row]).0 > 0;
            let lowest = (highest..close).rev().take(1 + DRAWN_OVER).find(framed)?;
            let first = (highest..=lowest).rev().take_while(framed).last()?;
            (first, first)
        };
        let (first, last) = (first + self.skip.0, close.checked_sub(self.skip.1)?);
        let marked = |row: &String| {
            self.marker.as_ref().is_none_or(|marker| marker.prefix_of(unframed(row).trim_start()).is_some())
        };
        (first < last && marked(&rows[first])).then_some((first, last, top, close + 1))
    }

    /// The lowest row with the marker, and what follows it to the next blank row.
    fn open(&self, foot: &Foot<'_>) -> Option<(usize, usize, usize, usize)> {
        let marker = self.marker.as_ref()?;
        let rows = foot.rows;
        let lowest = rows.len().saturating_sub(TALLEST);
        let first = (lowest..rows.len()).rev().find(|&row| marker.prefix_of(&rows[row]).is_some())?;
        let footer_rows = self.footer_rows.unwrap_or(FOOTER_ROWS);
        // A typed text may have blank rows: the footer is what comes after the last one.
        let last = if footer_rows == 0 {
            rows.len()
        } else {
            let footer = (first + 1..rows.len()).rev().take_while(|&row| !is_blank(&rows[row])).count();
            let begins = rows.len() - footer;
            let typed = |row: usize| is_blank(&rows[row]) || rows[row].starts_with("  ");
            if begins == first + 1 || footer > footer_rows || !(first + 1..begins).all(typed) {
                return None;
            }
            begins
        };
        if footer_rows == 0
            && last - first > 1
            && !(first + 1..last).all(|row| marker.prefix_of(&rows[row]).is_some())
        {
            return None;
        }
        Some((first, last, first, last))
    }

    /// What is typed. A cursor at the very beginning means that the text is a suggestion or a hint.
    fn draft(&self, rows: &[String], first: usize, view: &ScreenView<'_>) -> Option<String> {
        let row = rows.first()?;
        let (left, inner) = split_frame(row);
        let blanks = indent(inner);
        let text = inner.trim_start();
        let marker = self.marker.as_ref().and_then(|marker| marker.prefix_of(text)).unwrap_or(0);
        let begins = left + blanks + width(&text[..marker]);
        let mut typed = text[marker..].trim().to_owned();
        for row in &rows[1..] {
            typed.push('\n');
            typed.push_str(unframed(row).trim());
        }
        let typed = typed.trim();
        let column = usize::from(view.cursor.0);
        // A marker that lost its trailing blank to the cut of the row is one cell short.
        let at_start =
            usize::from(view.cursor.1) == first && column <= begins + usize::from(text.len() == marker);
        let nothing = typed.is_empty()
            || (at_start && column > 0)
            || self.placeholders.iter().any(|placeholder| {
                placeholder.find_in(typed).is_some_and(|found| typed.starts_with(found.whole()))
            });
        (!nothing).then(|| typed.to_owned())
    }
}

/// How much of a text two drafts are compared by: a narrow input box shows at least as many characters in one row.
const BEGINNING: usize = 16;

/// What agents show in place of a long paste begins with this.
const FOLDED: &str = "[Pasted ";

/// Whether a draft is the text, as far as an input box shows it.
pub(crate) fn is_beginning_of(draft: &str, text: &str) -> bool {
    if draft.starts_with(FOLDED) {
        return true;
    }
    let beginning: String = text.trim().lines().next().unwrap_or_default().chars().take(BEGINNING).collect();
    let beginning = one_line(&beginning);
    !beginning.is_empty() && one_line(draft).starts_with(&beginning)
}

/// How many cells lie left of the byte at which a text begins.
pub(crate) fn cells_before(text: &str, byte: usize) -> usize {
    text[..byte].chars().map(char_width).sum()
}
