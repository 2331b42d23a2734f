//! What the program does, by the signs on its screen.

use super::composer::Composer;
use super::pattern::{Pattern, one_line};
use super::rows::{Rows, is_blank};
use super::rules::{Mark, Region};
use super::{Foot, ScreenView};

/// Rows above the input box in which an activity is looked for.
const TAIL: usize = 16;

/// Rows at the foot of the screen, blank ones not counted.
const FOOT: usize = 12;

/// Longest text that is kept, in characters.
const LONGEST: usize = 200;

/// A screen cut into its regions.
pub(crate) struct Regions<'a> {
    status: Rows<'a>,
    last: Rows<'a>,
    footer: Rows<'a>,
    tail: Rows<'a>,
    foot: Rows<'a>,
    composer: Rows<'a>,
}

impl<'a> Regions<'a> {
    pub(crate) fn of(foot: &Foot<'a>, composer: Option<&Composer>, turn_note: Option<&Pattern>) -> Self {
        let rows = foot.rows;
        let low = (0..rows.len()).rev().filter(|&row| !is_blank(&rows[row])).take(FOOT).last().unwrap_or(0);
        let (top, end) = composer.map_or((rows.len(), rows.len()), |composer| (composer.top, composer.end));
        let status = if composer.is_some() { block_above(rows, top) } else { top..top };
        let at_last = status.end;
        let status_rows = Rows::new(&rows[status.clone()]);
        let noted = turn_note.is_some_and(|note| note.is_in(&status_rows));
        let last = if noted { block_above(rows, status.start) } else { status };
        Self {
            status: status_rows,
            last: Rows::new(&rows[last]),
            footer: Rows::new(&rows[end..]),
            tail: Rows::new(&rows[at_last.saturating_sub(TAIL)..at_last]),
            foot: Rows::new(&rows[low..]),
            composer: Rows::new(&rows[top..end]),
        }
    }

    fn of_mark(&self, mark: &Mark) -> &Rows<'a> {
        match mark.region {
            Region::Status => &self.status,
            Region::Last => &self.last,
            Region::Footer => &self.footer,
            Region::Tail => &self.tail,
            Region::Foot => &self.foot,
            Region::Composer => &self.composer,
        }
    }

    /// The first of the signs that is there: its name, the text, what is to be said, and until when.
    pub(crate) fn first<'m>(&self, marks: &'m [Mark]) -> Option<Sighting<'m>> {
        marks.iter().find_map(|mark| {
            let rows = self.of_mark(mark);
            if rows.is_empty() || mark.none.iter().any(|pattern| pattern.is_in(rows)) {
                return None;
            }
            let found = mark.find.find(rows)?;
            let said = mark.say.as_ref().map_or_else(|| one_line(found.text()), |say| found.say(say));
            Some(Sighting {
                name: &mark.name,
                text: short(&one_line(found.whole())),
                said: short(&said),
                until: mark.until.as_ref().map(|until| found.say(until)).filter(|until| !until.is_empty()),
            })
        })
    }

    /// How many things the signs count: the number that a group found, else how often it is there. The largest of all.
    pub(crate) fn count<'m>(&self, marks: &'m [Mark]) -> Option<(u32, &'m str)> {
        let counts = marks.iter().filter_map(|mark| {
            let rows = self.of_mark(mark);
            if rows.is_empty() || mark.none.iter().any(|pattern| pattern.is_in(rows)) {
                return None;
            }
            let found = mark.find.find(rows)?;
            let count = match (found.text().parse::<u32>(), &mark.find) {
                (Ok(count), Pattern::Regex(_)) => count,
                _ => mark.find.count(rows) as u32,
            };
            Some((count, mark.name.as_str()))
        });
        counts.max_by_key(|(count, _)| *count)
    }

    /// Whether there is anything right above the input box.
    pub(crate) fn has_status(&self) -> bool {
        !self.status.is_empty()
    }
}

/// The rows above a row that follow each other without a blank one.
fn block_above(rows: &[String], below: usize) -> std::ops::Range<usize> {
    let end = (0..below).rev().find(|&row| !is_blank(&rows[row])).map_or(0, |row| row + 1);
    let first = (0..end).rev().take_while(|&row| !is_blank(&rows[row])).last().unwrap_or(end);
    first..end
}

/// A sign that was seen.
pub(crate) struct Sighting<'m> {
    pub(crate) name: &'m str,
    pub(crate) text: String,
    pub(crate) said: String,
    pub(crate) until: Option<String>,
}

fn short(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// Whether the terminal's title is set.
pub(crate) fn titled(view: &ScreenView<'_>) -> bool {
    !view.title.trim().is_empty()
}
