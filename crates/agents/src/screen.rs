//! Reading screens.
//!
//! Programs of this kind draw at the foot of the screen, so everything is found from there: the last row that is not blank,
//! the input box, the row of hints below it, the row above it that says what goes on, or instead of the box a dialog. What is
//! further up is conversation, and may quote all of these.

mod choices;
mod composer;
mod detail;
mod dialog;
mod pattern;
mod reading;
pub mod risk;
mod rows;
mod rules;
mod work;

pub use reading::{AnswerBy, Blocked, Dialog, Place, Reading, ScreenView};

pub(crate) use composer::is_beginning_of;
pub(crate) use pattern::{Pattern, one_line};
pub(crate) use rules::{Need, ScreenRules};

use choices::Layout;
use work::Regions;

/// Most rows from the foot in which the widest one tells how wide the screen is, where that is not known.
const WIDEST: usize = 80;

/// A screen's rows down to the last one that is not blank.
pub(crate) struct Foot<'a> {
    pub(crate) rows: &'a [String],
    /// The screen's right edge, at which rows are wrapped.
    pub(crate) right: usize,
}

impl<'a> Foot<'a> {
    fn of(rows: &'a [String], columns: u16) -> Option<Self> {
        let end = rows.iter().rposition(|row| !row.trim().is_empty())? + 1;
        let rows = &rows[..end];
        let right = match columns {
            0 => rows::widest(&rows[end.saturating_sub(WIDEST)..]),
            columns => usize::from(columns),
        };
        Some(Self { rows, right })
    }
}

impl ScreenRules {
    /// What a screen says.
    pub(crate) fn read(&self, view: &ScreenView<'_>) -> Reading {
        let Some(foot) = Foot::of(view.rows, view.columns) else { return Reading::default() };
        let composer =
            self.composer.find(&foot, view).filter(|box_found| !self.is_menu(&foot, box_found, view));
        // Where it is on exactly while keys are read, a question without it has been answered.
        let reads = !self.composer.bracketed_paste || view.bracketed_paste;
        if composer.is_none()
            && reads
            && let Some(dialog) = dialog::read(self, &foot, view.highlights)
        {
            let matched = vec![(dialog.rule.clone(), dialog.text.clone())];
            return Reading { place: Place::Dialog, dialog: Some(dialog), matched, ..Reading::default() };
        }
        let regions = Regions::of(&foot, composer.as_ref(), self.turn_note.as_ref());
        let mut reading = Reading::default();
        let mut note = |name: &str, text: &str| reading.matched.push((name.to_owned(), text.to_owned()));
        let mut seen = |marks| {
            let sighting = regions.first(marks)?;
            note(sighting.name, &sighting.text);
            Some(sighting)
        };
        let mode = seen(&self.mode);
        let retrying = seen(&self.retrying);
        let busy = seen(&self.busy).is_some() || retrying.is_some();
        let blocked = if busy { None } else { seen(&self.blocked) };
        let failed = if busy || blocked.is_some() { None } else { seen(&self.failed) };
        let starting = if busy { None } else { seen(&self.starting) };
        let ended = if busy || starting.is_some() { None } else { seen(&self.turn_over) };
        let subagents = regions.count(&self.subagents);
        let background = regions.count(&self.background);
        for (count, name) in [subagents, background].into_iter().flatten() {
            note(name, &count.to_string());
        }
        let over = ended.is_some() || blocked.is_some() || failed.is_some();
        let guess = self.silent && starting.is_none() && !over && regions.has_status();
        reading.inferred = guess && !busy && composer.is_some();
        let working = busy || reading.inferred;
        reading.place = match (working, &composer) {
            (true, _) => Place::Working,
            (false, Some(_)) if starting.is_none() => Place::Prompt,
            (false, _) => Place::Unknown,
        };
        reading.over = over && reading.place == Place::Prompt;
        if working {
            let activity = regions.first(&self.activity);
            reading.activity = activity.map(|sighting| {
                reading.matched.push((sighting.name.to_owned(), sighting.text));
                sighting.said
            });
        } else if reading.place == Place::Prompt {
            reading.matched.push(("input box".to_owned(), String::new()));
        }
        reading.mode = mode.map(|sighting| sighting.said);
        reading.retrying = retrying.map(|sighting| sighting.said);
        reading.subagents = subagents.map_or(0, |(count, _)| count);
        reading.background = background.map_or(0, |(count, _)| count);
        reading.blocked = blocked.map(|sighting| Blocked { reason: sighting.said, until: sighting.until });
        reading.failed = failed.map(|sighting| sighting.said);
        reading.draft = composer.and_then(|composer| composer.draft);
        reading
    }

    /// Whether what looks like an input box with a numbered line in it is a menu: the mark is the same sign in some
    /// programs. The cursor shows in an input box.
    fn is_menu(&self, foot: &Foot<'_>, found: &composer::Composer, view: &ScreenView<'_>) -> bool {
        let numbered = |draft: &String| draft.starts_with(|c: char| c.is_ascii_digit());
        let row = usize::from(view.cursor.1);
        self.composer.below.is_none()
            && found.draft.as_ref().is_some_and(numbered)
            && !(view.cursor_visible && (found.top..found.end).contains(&row))
            && Layout::Numbered.read(foot, &[]).is_some()
    }

    /// Whether what must be seen beside the input box at the start is there.
    pub(crate) fn started(&self, view: &ScreenView<'_>) -> bool {
        self.starts_with.iter().all(|need| match need {
            Need::Title => work::titled(view),
        })
    }
}
