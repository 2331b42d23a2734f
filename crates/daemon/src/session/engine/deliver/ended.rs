//! How texts end.

use belfry_protocol::reply::{Delivery, QueuedMessage};
use belfry_protocol::{ErrorCode, MessageId, WireError};

use super::{Delivering, LOOK_AGAIN, Outgoing, REMEMBERED, shown};
use crate::clock;
use crate::launch::FirstPrompt;
use crate::session::engine::Engine;

impl Engine {
    /// The text at the front has come to that.
    pub(super) fn end_first(&mut self, how: Delivery, why: Option<&str>) {
        self.messages.delivering = Delivering::Waiting;
        self.messages.held = None;
        let now = self.now();
        if let Some(mut first) = self.messages.waiting.pop_front() {
            self.end_outgoing(&mut first, how, why);
            if first.id.is_none() {
                self.daemon.note_prompt(&self.entry, FirstPrompt::Done);
                if let Some(why) = why {
                    self.notice(Some(format!("the first prompt was not taken: {why}")));
                }
            }
        }
        self.count_queued();
        self.keep_meant();
        self.due.delivery = (!self.messages.waiting.is_empty()).then_some(now + LOOK_AGAIN);
    }

    /// A text has come to that: whoever sent it is told, everybody is, and it is noted.
    pub(super) fn end_outgoing(&mut self, outgoing: &mut Outgoing, how: Delivery, why: Option<&str>) {
        outgoing.tell(how, why);
        self.message_event(outgoing, how, why);
        self.remember_message(outgoing, how, why);
        if let Some(id) = outgoing.id {
            self.end_message(id, how, why);
        }
    }

    /// The program has ended. Of a text that was submitted, that is what came of it (`exit`); none of the others will be typed.
    pub(in crate::session::engine) fn fail_outgoing(&mut self, why: &str) {
        if matches!(self.messages.delivering, Delivering::Entered { .. } | Delivering::Taken { .. }) {
            self.end_first(Delivery::Delivered, None);
            self.due.delivery = None;
        }
        self.messages.delivering = Delivering::Waiting;
        self.messages.held = None;
        for mut outgoing in std::mem::take(&mut self.messages.waiting) {
            self.end_outgoing(&mut outgoing, Delivery::Failed, Some(why));
        }
        self.count_queued();
    }

    /// Notes it in the database.
    pub(super) fn end_message(&self, id: MessageId, how: Delivery, why: Option<&str>) {
        if self.entry.private {
            return;
        }
        let why = why.map(str::to_owned);
        let at = clock::wall();
        self.daemon.post(move |store| store.end_message(id, how, why.as_deref(), at).map(drop));
    }

    /// Remembers one of a private session, of which the database knows nothing.
    pub(super) fn remember_message(&mut self, outgoing: &Outgoing, delivery: Delivery, why: Option<&str>) {
        let (true, Some(id)) = (self.entry.private, outgoing.id) else { return };
        if self.messages.ended.len() >= REMEMBERED {
            self.messages.ended.pop_front();
        }
        self.messages.ended.push_back(QueuedMessage {
            id,
            text: shown(&outgoing.text),
            delivery,
            why: why.map(str::to_owned),
            queued_at: outgoing.queued_at,
        });
    }
}

impl Engine {
    /// The keeper's connection is lost: what it was given may have been typed or not.
    pub(in crate::session::engine) fn unanswered(&mut self) {
        let lost = WireError::new(ErrorCode::KeeperLost, "the connection to the session's keeper was lost");
        self.answer_over(Err(lost.next("look at the session's terminal")));
        if self.typing_a_message() {
            self.end_first(
                Delivery::Unsure,
                Some("the keeper's connection was lost while it was being typed"),
            );
        }
    }
}
