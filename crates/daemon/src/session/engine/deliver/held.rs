//! What keeps a text from being typed.

use belfry_agents::Place;

use crate::session::engine::Engine;

/// What holds a text back for a moment only.
pub(super) const DRAWN: &str = "the screen is being drawn";

impl Engine {
    /// Why no text can be typed without falling into a turn, a dialog or somebody's draft; none where one can.
    pub(in crate::session::engine) fn held(&mut self, now: u64) -> Option<String> {
        if let Some(why) = self.in_the_way(now) {
            return Some(why);
        }
        if let Err(why) = self.watch.arbiter().takes_text(now) {
            return Some(why.to_string());
        }
        // A half drawn screen shows half of what is there.
        let drawn = self.watched_front || self.sight(now).is_some();
        (!drawn).then(|| DRAWN.to_owned())
    }

    /// What is in the way of a text even where the person says not to wait: it would answer a question, or be put behind
    /// what somebody has begun to type.
    pub(super) fn in_the_way(&mut self, now: u64) -> Option<String> {
        let why = if !self.alive() {
            "the session is not reached"
        } else if self.answers() {
            "a question is being answered"
        } else if self.asking.open.is_some() || self.dialog_shows(now) {
            "a question is open"
        } else if self.draft_lies() {
            "a draft lies in the input box"
        } else {
            return None;
        };
        Some(why.to_owned())
    }

    /// Whether the screen shows a question, also where the status has not followed yet.
    fn dialog_shows(&mut self, now: u64) -> bool {
        self.sight(now).is_some_and(|sight| sight.reading.place == Place::Dialog)
    }
}
