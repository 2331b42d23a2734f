//! What the screen says at one offset: read anew for whoever is about to type.
//!
//! The status follows the screen at its own pace; keys must rest on what stands there now. So the screen is read when it
//! stands still, and what was read is worth something only until the program prints again.

use std::sync::atomic::Ordering;

use belfry_agents::{Dialog, Place, Reading, ScreenView};
use belfry_terminal::Scope;

use super::Engine;

/// Without output for so long, what was drawn is whole, in milliseconds. Agents write a frame in one piece or in a few at
/// once.
const CALM: u64 = 30;

/// A frame that is begun (mode 2026) is waited for this long, in milliseconds, as terminals do.
const FRAME: u64 = 1000;

/// What was read.
pub(super) struct Sight {
    /// When the program had printed so much.
    pub(super) offset: u64,
    /// The terminal's own count of changes, which also a resize adds to.
    generation: u64,
    pub(super) reading: Reading,
}

impl Sight {
    pub(super) fn dialog(&self) -> Option<&Dialog> {
        self.reading.dialog.as_ref()
    }
}

impl Engine {
    /// The screen as it is now, if it is whole and stands still. Otherwise the engine wakes again when it may be.
    pub(super) fn sight(&mut self, now: u64) -> Option<&Sight> {
        // There is more to read first.
        if self.following.rung {
            self.due.sight = Some(now);
            return None;
        }
        let calm = self.printed_at + if self.terminal.modes().synchronized { FRAME } else { CALM };
        if now < calm {
            self.due.sight = Some(calm);
            return None;
        }
        let (offset, generation) = (self.terminal.offset(), self.terminal.generation());
        let known = |sight: &Sight| (sight.offset, sight.generation) == (offset, generation);
        if !self.last_sight.as_ref().is_some_and(known) || self.front_tells() {
            let mut reading = self.read();
            if self.front_tells() && reading.place == Place::Unknown {
                // Its questions are told from what has the terminal, and only the keeper knows that.
                reading = self.front_reading(now, offset)?;
            }
            self.last_sight = Some(Sight { offset, generation, reading });
        }
        self.last_sight.as_ref()
    }

    /// What the agent's rules say of the screen as it is.
    pub(super) fn read(&self) -> Reading {
        let Some(agent) = self.agent() else { return Reading::default() };
        let rows = self.terminal.text(Scope::Screen);
        let mut highlights = Vec::new();
        if agent.wants_highlights() {
            let mut found = Vec::new();
            for row in 0..self.terminal.size().rows {
                self.terminal.highlights(row, &mut found);
                highlights.extend(found.iter().map(|&(from, to)| (row, from, to)));
            }
        }
        let (cursor, modes) = (self.terminal.cursor(), self.terminal.modes());
        agent.read(
            self.version.as_deref(),
            &ScreenView {
                rows: &rows,
                columns: self.terminal.size().cols,
                cursor: (cursor.col, cursor.row),
                cursor_visible: cursor.visible,
                title: self.terminal.title(),
                bracketed_paste: modes.bracketed_paste,
                alternate: modes.alternate_screen,
                highlights: &highlights,
            },
        )
    }

    /// Whether something lies in the input box that was not submitted. The box itself tells, where its agent's can be read:
    /// a key that was pressed at the very moment when a dialog went can have landed in it. Otherwise what was typed does.
    pub(super) fn draft_lies(&self) -> bool {
        let typed = self.entry.draft.load(Ordering::Relaxed);
        let reads = self.agent().is_some_and(belfry_agents::Agent::shows_what_it_holds);
        match self.last_sight.as_ref().filter(|_| reads).map(|sight| &sight.reading) {
            Some(reading) if reading.draft.is_some() => true,
            // An empty input box.
            Some(reading) if reading.place == Place::Prompt => false,
            _ => typed || self.cut_off_lies(),
        }
    }

    /// Whether the message that the last daemon was typing lies where it was typed, whole or in part.
    pub(super) fn cut_off_lies(&self) -> bool {
        let cut_off = self.entry.cut_off.lock();
        let Some(text) = cut_off.as_deref() else { return false };
        if let Some(agent) = self.agent().filter(|agent| agent.shows_what_it_holds()) {
            return self.look(|look| agent.holds(look, text));
        }
        let (rows, cursor) = (self.terminal.text(Scope::Screen), self.terminal.cursor());
        let (row, col) = (usize::from(cursor.row).min(rows.len()), usize::from(cursor.col));
        let before = rows[..row].iter().flat_map(|row| row.chars());
        let before = before.chain(rows.get(row).into_iter().flat_map(|row| row.chars().take(col)));
        ends_with_part_of(before, text)
    }

    /// The id of the next input whose fate the keeper tells.
    pub(super) fn next_input(&mut self) -> u32 {
        self.inputs = self.inputs.wrapping_add(1).max(1);
        self.inputs
    }
}

/// Least length of a part of a text by which it is known, in characters.
const KNOWN_BY: usize = 8;

/// Whether that ends with the text, or with the beginning of it; blanks, by which lines are wrapped, count for nothing.
fn ends_with_part_of(shown: impl Iterator<Item = char>, text: &str) -> bool {
    let shown: Vec<char> = shown.filter(|c| !c.is_whitespace()).collect();
    let text: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let least = text.len().min(KNOWN_BY);
    least > 0 && (least..=text.len()).any(|length| shown.ends_with(&text[..length]))
}

#[cfg(test)]
mod tests {
    use super::ends_with_part_of;

    #[test]
    fn a_text_that_lies_before_the_cursor_is_known() {
        let lies = |shown: &str, text: &str| ends_with_part_of(shown.chars(), text);
        assert!(lies("someone@host $ cargo test --wo", "cargo test --workspace"));
        assert!(lies("$ cargo te st", "cargo test"));
        assert!(lies("$ ls", "ls"));
        assert!(!lies("$ cargo test\nrunning 3 tests\n$ ", "cargo test"));
        assert!(!lies("$ c", "cargo test"));
        assert!(!lies("$ ", " "));
    }
}
