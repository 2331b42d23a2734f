//! Typing texts: the first prompt and queued messages.
//!
//! A text is typed when the program takes one: idle, or blocked by an error that is over, with no dialog open and nothing
//! half-typed in its input box. It is pasted, and Enter follows by itself after a pause, as `agents` says for each agent; a
//! further Enter only where the input box still holds the text and no dialog is open. It is delivered once the input box is
//! rid of it. At most once: a message is claimed in the database before its first byte and ended after its Enter; one that
//! was claimed when the daemon ended is *unsure* and is not typed again.

mod ended;
mod held;
mod meant;
mod typed;

use std::collections::VecDeque;
use std::sync::Arc;

use belfry_protocol::reply::{Delivery, Message, QueuedMessage};
use belfry_protocol::{ErrorCode, Event, MessageId, Reply};
use jiff::Timestamp;

use super::{Engine, take_due};
use crate::client::{Answer, TAKEN_BACK, shown};
use crate::clock;
use crate::hibernate::Letter;
use crate::session::Command;

pub(super) use self::held::DRAWN;
use self::meant::{Kept, Meant};
pub(super) use self::typed::Delivering;

/// How long a program that is to be given its first prompt may be busy before the next look, in milliseconds. Every further
/// look comes after twice the time, until the program prints something.
pub(super) const LOOK_AGAIN: u64 = 500;

/// The longest time between two such looks, in milliseconds.
const LOOK_AT_LAST: u64 = 60_000;

/// Messages of a private session that have ended and are still told of.
const REMEMBERED: usize = 20;

/// A text that waits.
pub(super) struct Outgoing {
    /// None for the first prompt.
    pub(super) id: Option<MessageId>,
    pub(super) text: String,
    pub(super) queued_at: Timestamp,
    /// The person said not to wait.
    now: bool,
    meant: Meant,
    answer: Option<Answer>,
}

/// Texts that wait, and how far the first one is.
#[derive(Default)]
pub(super) struct Messages {
    pub(super) waiting: VecDeque<Outgoing>,
    pub(super) delivering: Delivering,
    /// The first one, once typed, was seen in the program's input box.
    was_held: bool,
    /// How much the program had printed when Enter was typed for it.
    entered_at: u64,
    /// Since when the program had the status in which that was typed.
    status_since: Option<Timestamp>,
    /// What the first one waits for.
    pub(super) held: Option<String>,
    /// Those of a private session that have ended, oldest first.
    ended: VecDeque<QueuedMessage>,
    /// Whom they are meant for, as the next daemon would find it.
    kept: Kept,
}

impl Engine {
    /// The first prompt, ahead of everything.
    pub(super) fn queue_prompt(&mut self, text: String) {
        let queued_at = clock::wall();
        let (now, meant) = (false, Meant::Own);
        self.messages.waiting.push_front(Outgoing { id: None, text, queued_at, now, meant, answer: None });
        let now = self.now();
        self.due.delivery = Some(now);
    }

    pub(super) fn queue(&mut self, id: MessageId, text: String, at_once: bool, answer: Option<Answer>) {
        if self.ending.is_some() || self.entry.record().hibernated() {
            self.wake_for(Letter { id, text, now: at_once, answer });
            return;
        }
        if !self.entry.alive() {
            self.end_message(id, Delivery::Failed, Some("the session has ended"));
            if let Some(answer) = answer {
                answer.fail(ErrorCode::NotAlive, "the session has ended");
            }
            return;
        }
        let now = self.now();
        let meant = self.meant(id);
        // One that has to wait is answered at once; one that goes out now, when it is out. Not even that goes over a
        // question or what somebody has begun to type.
        let held = self.why_held(at_once, meant, now);
        let behind = !at_once && !self.messages.waiting.is_empty();
        let mut outgoing =
            Outgoing { id: Some(id), text, queued_at: clock::wall(), now: at_once, meant, answer };
        let why = held.as_deref().filter(|why| *why != held::DRAWN);
        let why = why.or(behind.then_some("others come first"));
        self.message_event(&outgoing, Delivery::Queued, why);
        if self.messages.waiting.is_empty() {
            self.messages.held = why.map(str::to_owned);
        }
        if why.is_some() {
            outgoing.tell(Delivery::Queued, why);
        }
        // One that goes out now goes ahead of all that wait, but not into one that is being typed.
        let being_typed = usize::from(!matches!(self.messages.delivering, Delivering::Waiting));
        let waiting = self.messages.waiting.iter().skip(being_typed).position(|other| !other.now);
        match waiting.filter(|_| at_once) {
            Some(waiting) => self.messages.waiting.insert(being_typed + waiting, outgoing),
            None => self.messages.waiting.push_back(outgoing),
        }
        self.count_queued();
        self.keep_meant();
        self.due.delivery = Some(now);
    }

    pub(super) fn tend_delivery(&mut self, now: u64) {
        if self.messages.waiting.is_empty() {
            self.due.delivery = None;
            return;
        }
        match self.messages.delivering {
            // The database answers.
            Delivering::Claiming => self.due.delivery = None,
            Delivering::Waiting => self.tend_waiting(now),
            _ => {
                if take_due(&mut self.due.delivery, now) {
                    self.tend_typed(now);
                }
            }
        }
    }

    /// Why a text has to wait. Not even one of which the person said not to wait goes over a question or a draft.
    fn why_held(&mut self, at_once: bool, meant: Meant, now: u64) -> Option<String> {
        let held = if at_once { self.in_the_way(now) } else { self.held(now) };
        self.held_by_front(meant, now).or(held).or_else(|| self.held_by_copy(now))
    }

    /// The copy of a conversation that it is to go into is not made yet, or not shown: what is typed at OpenCode's first prompt
    /// begins a conversation of its own, and its title is `OC | …` only once it shows one.
    fn held_by_copy(&mut self, now: u64) -> Option<String> {
        self.copies_now()?;
        let made = self.entry.record().conversation_id.is_some();
        let shown = self.agent_id != "opencode" || self.terminal.title().trim_start().starts_with("OC |");
        if made && shown {
            return None;
        }
        self.due.delivery = Some(now + LOOK_AGAIN);
        Some("the conversation is being copied".to_owned())
    }

    fn tend_waiting(&mut self, now: u64) {
        self.fail_orphans();
        self.prefer_fitting();
        let Some(first) = self.messages.waiting.front() else { return };
        let (at_once, prompt, meant) = (first.now, first.id.is_none(), first.meant);
        let held = self.why_held(at_once, meant, now);
        let held = held.or_else(|| (prompt && !self.takes_first_prompt()).then(|| "it starts".to_owned()));
        let waits = prompt.then(|| crate::workspaces::setup::holds_prompt(&self.entry)).flatten();
        if let Some(why) = waits {
            // Its end wakes us.
            self.messages.held = Some(why.to_owned());
            self.due.delivery = None;
            return;
        }
        if held.is_none() {
            self.messages.held = None;
            self.claim();
            return;
        }
        if held.as_deref() != Some(held::DRAWN) {
            if let Some(first) = self.messages.waiting.front()
                && self.messages.held != held
            {
                self.message_event(first, Delivery::Queued, held.as_deref());
            }
            if let Some(first) = self.messages.waiting.front_mut() {
                first.tell(Delivery::Queued, held.as_deref());
            }
            self.messages.held = held;
        }
        take_due(&mut self.due.delivery, now);
        // A status that changes brings us here again by itself. A first prompt waits for more than that: the start-up may be
        // over without one more byte. A dialog stays until somebody answers it, and then there is output.
        let looks = prompt && self.alive() && self.due.look.is_none() && self.asking.open.is_none();
        if looks && self.due.delivery.is_none() {
            self.due.delivery = Some(now + self.look_again);
            self.look_again = (self.look_again * 2).min(LOOK_AT_LAST);
        }
    }

    fn claim(&mut self) {
        let Some(Outgoing { id, .. }) = self.messages.waiting.front() else { return };
        match id {
            Some(id) if !self.entry.private => {
                self.messages.delivering = Delivering::Claiming;
                self.due.delivery = None;
                let (id, store, entry) = (*id, self.daemon.store.clone(), Arc::clone(&self.entry));
                tokio::spawn(async move {
                    let ours = store.call(move |store| store.start_message(id)).await.unwrap_or(false);
                    entry.tell_if_running(Command::MessageClaimed { id, ours });
                });
            }
            _ => self.type_first(),
        }
    }

    pub(super) fn claimed(&mut self, id: MessageId, ours: bool) {
        if !matches!(self.messages.delivering, Delivering::Claiming)
            || self.messages.waiting.front().is_none_or(|first| first.id != Some(id))
        {
            return;
        }
        self.messages.delivering = Delivering::Waiting;
        if ours {
            self.type_first();
        } else if let Some(mut gone) = self.messages.waiting.pop_front() {
            let why = Some("it is no longer queued");
            gone.tell(Delivery::Failed, why);
            self.message_event(&gone, Delivery::Failed, why);
            self.count_queued();
        }
    }

    /// Whether a text is being typed, up to its Enter.
    pub(super) fn typing_a_message(&self) -> bool {
        matches!(self.messages.delivering, Delivering::Offered { .. } | Delivering::Entering { .. })
    }

    /// Takes a message back that waits; none where it is not known here.
    pub(super) fn cancel(&mut self, id: MessageId) -> Option<bool> {
        let at = self.messages.waiting.iter().position(|outgoing| outgoing.id == Some(id))?;
        if at == 0 && !matches!(self.messages.delivering, Delivering::Waiting) {
            return Some(false);
        }
        let mut outgoing = self.messages.waiting.remove(at)?;
        self.end_outgoing(&mut outgoing, Delivery::Failed, Some(TAKEN_BACK));
        self.count_queued();
        Some(true)
    }

    /// What the database knows of the messages, with what it does not know.
    pub(super) fn list_messages(&mut self, mut listed: Vec<QueuedMessage>) -> Reply {
        let now = self.now();
        let first = self.messages.waiting.front().map(|first| (first.now, first.meant));
        let waits = first.and_then(|(at_once, meant)| self.why_held(at_once, meant, now));
        if self.entry.private {
            listed.extend(self.messages.ended.iter().cloned());
            listed.extend(self.messages.waiting.iter().filter_map(|outgoing| {
                Some(QueuedMessage {
                    id: outgoing.id?,
                    text: shown(&outgoing.text),
                    delivery: Delivery::Queued,
                    why: None,
                    queued_at: outgoing.queued_at,
                })
            }));
        }
        let first = self.messages.waiting.front().and_then(|first| first.id);
        let typed = !matches!(self.messages.delivering, Delivering::Waiting);
        for message in listed.iter_mut().filter(|message| message.delivery == Delivery::Queued) {
            if Some(message.id) == first && typed {
                message.delivery = Delivery::Sending;
            } else {
                let known = self.messages.waiting.iter().find(|outgoing| outgoing.id == Some(message.id));
                let not_for = known.map(|known| known.meant).and_then(|meant| self.not_for_front(meant));
                let others = || Some("others come first".to_owned());
                message.why = not_for.or_else(|| waits.clone()).or_else(others);
            }
        }
        Reply::Messages(listed)
    }

    /// Tells clients how far a message is. A first prompt is none.
    fn message_event(&self, outgoing: &Outgoing, delivery: Delivery, why: Option<&str>) {
        let Some(id) = outgoing.id else { return };
        let message = QueuedMessage {
            id,
            text: shown(&outgoing.text),
            delivery,
            why: why.map(str::to_owned),
            queued_at: outgoing.queued_at,
        };
        self.daemon.tell_all(&Event::Message { session: self.entry.id, message: Box::new(message) });
    }

    fn count_queued(&self) {
        let waiting = &self.messages.waiting;
        let queued = waiting.iter().filter(|outgoing| outgoing.id.is_some()).count() as u32;
        self.daemon.change(&self.entry, |session| session.queued = queued);
    }
}

impl Outgoing {
    /// The person said not to wait.
    pub(super) fn is_urgent(&self) -> bool {
        self.now
    }

    fn tell(&mut self, delivery: Delivery, why: Option<&str>) {
        if let (Some(answer), Some(id)) = (self.answer.take(), self.id) {
            answer.give(Ok(Reply::Message(Message { id, delivery, why: why.map(str::to_owned) })));
        }
    }
}
