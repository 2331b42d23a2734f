//! How an answer ends, and what its client is told.

use belfry_protocol::{ErrorCode, Reply, WireError};

use super::{Answering, Step, Then};
use crate::session::engine::Engine;

impl Engine {
    pub(super) fn out_of_patience(&mut self) {
        let Some(answering) = &self.answering else { return };
        let error = match &answering.step {
            Step::Look => answering.restless(),
            Step::Sent { .. } => {
                WireError::new(ErrorCode::KeeperLost, "the session's keeper does not answer")
            }
            Step::Typed { then: Then::Moved { .. }, .. } => {
                WireError::new(ErrorCode::StillOpen, "the mark does not move; the dialog is still open")
            }
            Step::Typed { then: Then::Ticked { .. }, .. } => {
                WireError::new(ErrorCode::StillOpen, "the choice was not ticked; the dialog is still open")
            }
            Step::Typed { .. } => {
                WireError::new(ErrorCode::StillOpen, "the answer was typed, and the dialog is still open")
            }
        };
        self.answer_over(Err(error.next("look at the session's terminal")));
    }

    /// The program has ended, or left the terminal: of an answer that was typed, that is what came of it.
    pub(in crate::session::engine) fn answer_ended(&mut self, what: &str) {
        let typed = |answering: &Answering| matches!(answering.step, Step::Typed { then: Then::Close, .. });
        let outcome = if self.answering.as_ref().is_some_and(typed) {
            Ok(())
        } else {
            Err(WireError::new(ErrorCode::NotAlive, what))
        };
        self.answer_over(outcome);
    }

    /// Tells the client.
    pub(in crate::session::engine) fn answer_over(&mut self, outcome: Result<(), WireError>) {
        self.due.answer = None;
        let Some(mut answering) = self.answering.take() else { return };
        if let Err(error) = &outcome {
            tracing::debug!(session = %self.entry.logged(), %error, "an answer was not given");
        }
        if let Some(answer) = answering.answer.take() {
            answer.give(outcome.map(|()| Reply::Session(Box::new(self.entry.session()))));
        }
        // What was held back meanwhile.
        let now = self.now();
        self.due.delivery.get_or_insert(now);
    }
}
