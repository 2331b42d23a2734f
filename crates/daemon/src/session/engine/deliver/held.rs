//! What keeps a text from being typed.

use std::sync::atomic::Ordering;

use belfry_agents::Place;

use crate::session::engine::Engine;

/// What holds a text back for a moment only.
pub(in crate::session::engine) const DRAWN: &str = "the screen is being drawn";

/// What holds a text back that would be put behind another one.
const CUT_OFF: &str = "the input box still holds the message that was being typed when Belfry ended: submit it there, or clear it";

/// How long after a key a shell may take to begin what was typed, in milliseconds: what has the terminal tells nothing sooner.
pub(super) const BEGINS: u64 = 300;

/// How long nothing may be printed before a start-up counts as over, in milliseconds: Gemini CLI draws its input box before it
/// asks whether to trust the folder, and takes nothing that is typed in between along.
const STARTED: u64 = 700;

impl Engine {
    /// Why no text can be typed without falling into a turn, a dialog or somebody's draft; none where one can.
    pub(in crate::session::engine) fn held(&mut self, now: u64) -> Option<String> {
        if let Some(why) = self.in_the_way(now) {
            return Some(why);
        }
        if let Err(why) = self.watch.arbiter().takes_text(now) {
            return Some(why.to_string());
        }
        if self.is_just_begun(now) {
            return Some(DRAWN.to_owned());
        }
        // A half drawn screen shows half of what is there, and what has the terminal is told some moments late.
        let reads = self.agent().is_some_and(belfry_agents::Agent::shows_what_it_holds);
        match self.sight(now) {
            None => Some(DRAWN.to_owned()),
            // Another mode of the box (a shell's, say), or something that nobody has described.
            Some(sight) if reads && sight.reading.place != Place::Prompt => {
                Some("its input box is not to be seen".to_owned())
            }
            Some(_) => {
                // What the last daemon was typing has come to something.
                *self.entry.cut_off.lock() = None;
                None
            }
        }
    }

    /// Whether what was just typed, or the program's start, may still come to something. Wakes the engine when that is over.
    fn is_just_begun(&mut self, now: u64) -> bool {
        let typed = self.entry.typed_at.load(Ordering::Relaxed);
        let until = if self.front_tells() {
            if typed == 0 { 0 } else { typed + BEGINS }
        } else if now < self.young_until {
            self.printed_at + STARTED
        } else {
            0
        };
        if now < until {
            self.due.sight = Some(self.due.sight.map_or(until, |due| due.min(until)));
        }
        now < until
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
        } else if let Some(program) = self.open_program() {
            return Some(format!("{program} is open, which takes keys and no messages"));
        } else if self.draft_lies() {
            if self.cut_off_lies() { CUT_OFF } else { "a draft lies in the input box" }
        } else {
            // There a text would run as a command, say.
            self.sight(now);
            let mode = self.last_sight.as_ref().and_then(|sight| sight.reading.mode.as_ref());
            return mode.map(|mode| format!("its input box is in {mode}"));
        };
        Some(why.to_owned())
    }

    /// Whether the screen shows a question, also where the status has not followed yet.
    fn dialog_shows(&mut self, now: u64) -> bool {
        self.sight(now).is_some_and(|sight| sight.reading.place == Place::Dialog)
    }
}
