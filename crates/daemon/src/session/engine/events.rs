//! What the terminal noticed, as far as clients are told of it.

use std::sync::atomic::Ordering;

use belfry_protocol::Event;
use belfry_terminal::EventKind;

use super::{Engine, take_due};

/// Least time between two bells, and between two titles, that clients are told of, in milliseconds.
const BELL_EVERY: u64 = 1000;

/// See [`BELL_EVERY`].
const TITLE_EVERY: u64 = 1000;

/// Longest title that is shown, in characters.
const TITLE_LENGTH: usize = 200;

impl Engine {
    pub(super) fn event(&mut self, event: EventKind, now: u64) {
        if self.front_tells() {
            self.note_report(&event);
        }
        match event {
            EventKind::Title(_) => {
                let due = (self.last_title + TITLE_EVERY).max(now);
                self.due.title.get_or_insert(due);
            }
            EventKind::Bell if self.alive() && now >= self.last_bell + BELL_EVERY => {
                self.last_bell = now;
                self.daemon.tell_all(&Event::Bell { session: self.entry.id });
            }
            EventKind::ClipboardWrite { text, primary: false } => self.clipboard(text, now),
            EventKind::ModeChange(modes) => {
                self.keyboard(modes.kitty_flags);
                if self.guest.is_some() && !self.guest_acts() {
                    // It draws its interface.
                    self.stir_front_soon(now);
                }
                if modes.focus_events && self.told_focus.is_none() {
                    // A program that asks for reports is told of each change from now on, as by any terminal.
                    self.told_focus = Some(self.entry.focus.load(Ordering::Relaxed) != 0);
                }
            }
            // The program itself; a task of its own says nothing of its dialog.
            EventKind::ProgramStatus(status)
                if status.get("id").is_none()
                    && status.get("state").is_some_and(|state| state != "blocked") =>
            {
                self.went_on(now);
            }
            EventKind::PromptMark(mark) => self.prompt_mark(mark, now),
            EventKind::EngineReset => {
                tracing::warn!(session = %self.entry.logged(), "the terminal engine failed on some output and was reset");
                self.views.iter_mut().for_each(|open| open.flow.miss());
            }
            _ => {}
        }
    }

    pub(super) fn tend_title(&mut self, now: u64) {
        if take_due(&mut self.due.title, now) {
            self.last_title = now;
            let title = shown_title(self.terminal.title());
            self.daemon.change(&self.entry, |session| {
                if words(session.title.as_deref()) != words(title.as_deref()) {
                    session.title = title;
                }
            });
        }
    }

    pub(super) fn notice(&self, notice: Option<String>) {
        self.daemon.change(&self.entry, |session| session.notice = notice);
    }
}

/// The title without a spinner at its front, which would make it another title ten times a second.
fn shown_title(title: &str) -> Option<String> {
    const SPINNERS: &str = "✳✶✻✽✢·*●○◐◓◑◒◇◆✦⏲✋";
    let spinner = |c: char| ('\u{2800}'..='\u{28ff}').contains(&c) || SPINNERS.contains(c);
    let text = title.trim_start_matches(|c: char| spinner(c) || c.is_whitespace());
    let text: String = text.chars().filter(|c| !c.is_control()).take(TITLE_LENGTH).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// What a title says, wherever in it something blinks or turns: `[ ! ] Action Required` is `[ . ] Action Required`.
fn words(title: Option<&str>) -> Vec<&str> {
    let words = title.unwrap_or_default().split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{shown_title, words};

    #[test]
    fn what_blinks_says_nothing() {
        assert_eq!(words(Some("[ ! ] Action Required · shop")), words(Some("[ . ] Action Required · shop")));
        assert_ne!(words(Some("shop")), words(Some("shop 2")));
        assert_ne!(words(None), words(Some("shop")));
    }

    #[test]
    fn a_spinner_makes_no_new_title() {
        for title in ["⠋ Fix the tests", "⠙ Fix the tests", "✳ Fix the tests", "Fix the tests "] {
            assert_eq!(shown_title(title).as_deref(), Some("Fix the tests"));
        }
        assert_eq!(shown_title("⠋ "), None);
    }
}
