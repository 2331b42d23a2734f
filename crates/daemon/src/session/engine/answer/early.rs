//! Answers that come before their dialog can be answered: agents report a question some frames before they draw it, and draw
//! what it is about some frames after it. A client that waited for the status answers at once.

use std::sync::atomic::Ordering;

use belfry_agents::Dialog;
use belfry_protocol::{AskId, ErrorCode, WireError};

use super::{changed, in_words};
use crate::client::Answer;
use crate::session::command::Given;
use crate::session::engine::Engine;
use crate::session::engine::ask::is_known_from;

/// How long after a signal told of a question its dialog may take to be drawn, in milliseconds.
const DRAWN: u64 = 2000;

/// An answer to a question whose dialog is not on the screen yet, or not whole.
pub(in crate::session::engine) struct EarlyAnswer {
    given: Given,
    answer: Answer,
    until: u64,
    /// The question that it is for, and its dialog as far as that was drawn.
    ask: AskId,
    seen: Option<Dialog>,
    /// What the person had typed when it came.
    keystrokes: u64,
}

impl Engine {
    /// A client answers the open question.
    pub(in crate::session::engine) fn answer_ask(&mut self, given: Given, answer: Answer) {
        if self.early_answer.is_some() {
            let error = WireError::new(ErrorCode::Changed, "another answer is being given just now");
            return answer.give(Err(error.kept("nothing was typed")));
        }
        let now = self.now();
        let Some(open) = self.asking.open.as_ref().filter(|_| self.is_being_drawn(now)) else {
            return self.answer_now(given, answer);
        };
        if given.fingerprint.as_ref().is_some_and(|seen| *seen != open.ask.fingerprint) {
            return self.answer_now(given, answer);
        }
        let until = open.since + DRAWN;
        let (ask, seen) = (open.ask.id, open.dialog.clone());
        // The dialog that is drawn for this question has another fingerprint; what was seen of it is compared instead.
        let given = Given { fingerprint: None, ..given };
        let keystrokes = self.entry.keystrokes.load(Ordering::SeqCst);
        self.early_answer = Some(EarlyAnswer { given, answer, until, ask, seen, keystrokes });
        self.due.answer = Some(until);
    }

    /// Whether the open question cannot be answered yet, and may be in a moment: only a signal tells of it so far, or not all of
    /// its dialog is there.
    fn is_being_drawn(&self, now: u64) -> bool {
        self.asking.open.as_ref().is_some_and(|open| {
            let drawn = open.dialog.as_ref().is_some_and(|dialog| dialog.half_typed);
            !open.ask.answerable && !drawn && !open.is_half_typed() && now < open.since + DRAWN
        })
    }

    /// Takes up an answer that came before its dialog, once that is there or will not come.
    pub(super) fn tend_early_answer(&mut self, now: u64) {
        let Some(early) = &self.early_answer else { return };
        let typed = self.entry.keystrokes.load(Ordering::SeqCst) != early.keystrokes;
        let open = self.asking.open.as_ref();
        let same = open.is_some_and(|open| open.ask.id == early.ask);
        if same && !typed && now < early.until && self.is_being_drawn(now) {
            let until = early.until;
            self.due.answer = Some(self.due.answer.map_or(until, |due| due.min(until)));
            return;
        }
        let known = match (&early.seen, open.and_then(|open| open.dialog.as_ref())) {
            (Some(seen), Some(now)) => is_known_from(seen, now),
            _ => true,
        };
        let error = if typed {
            Some(WireError::new(ErrorCode::Changed, "somebody typed in the terminal meanwhile"))
        } else if same && known {
            None
        } else {
            Some(changed(open.map(|open| in_words(&open.ask)).as_deref()))
        };
        let Some(early) = self.early_answer.take() else { return };
        match error {
            None => self.answer_now(early.given, early.answer),
            Some(error) => early.answer.give(Err(error.kept("nothing was typed"))),
        }
    }
}
