//! Typing texts: the first prompt and queued messages.
//!
//! A text is typed when the program takes one: idle, no dialog open, and nothing half-typed by the person. It is pasted,
//! and Enter follows by itself after a pause, as `agents` says for each agent; a second
//! Enter only where the input box still holds the text and no dialog is open. At most once: a message is claimed in the
//! database before its first byte and ended after its Enter; one that was claimed when the daemon ended is *unsure* and is
//! not typed again.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_agents::{AtPrompt, Typing};
use belfry_protocol::reply::{Delivery, Message};
use belfry_protocol::{ErrorCode, MessageId, Reply};

use super::{Engine, take_due};
use crate::client::Answer;
use crate::clock;
use crate::launch::FirstPrompt;
use crate::session::Command;

/// How long a program that is to be given its first prompt may be busy before the next look, in milliseconds. Every further
/// look comes after twice the time, until the program prints something.
pub(super) const LOOK_AGAIN: u64 = 500;

/// The longest time between two such looks, in milliseconds.
const LOOK_AT_LAST: u64 = 60_000;

/// How often a text that was typed is looked for on the screen, in milliseconds.
const LOOK_FOR: u64 = 50;

/// How long a program may take to show a typed text before Enter is typed all the same, in milliseconds. A busy machine
/// has made Gemini CLI take a second and a half.
const SHOWN_WITHIN: u64 = 3000;

/// How long a text may lie in the input box after Enter before one more is typed, in milliseconds.
const TAKEN_WITHIN: u64 = 2000;

/// A text that waits.
pub(super) struct Outgoing {
    /// None for the first prompt.
    id: Option<MessageId>,
    text: String,
    /// The person said not to wait.
    now: bool,
    answer: Option<Answer>,
}

/// How far the text at the front is.
#[derive(Default)]
pub(super) enum Delivering {
    /// It waits for the program.
    #[default]
    Waiting,
    /// The database is asked whether it is still ours.
    Claiming,
    /// It is typed, and Enter comes when this is due: a pause after the program has shown it.
    Typed { enter: &'static [u8], pause: u64, since: u64, unseen: bool },
    /// Enter is typed, and the program may have taken it for a part of the text.
    Entered { enter: &'static [u8], since: u64 },
}

impl Engine {
    /// The first prompt, ahead of everything.
    pub(super) fn queue_prompt(&mut self, text: String) {
        self.outgoing.push_front(Outgoing { id: None, text, now: false, answer: None });
        let now = self.now();
        self.due.delivery = Some(now);
    }

    pub(super) fn queue(&mut self, id: MessageId, text: String, at_once: bool, answer: Option<Answer>) {
        if !self.entry.alive() {
            self.end_message(id, Delivery::Failed, Some("the session has ended"));
            if let Some(answer) = answer {
                answer.fail(ErrorCode::NotAlive, "the session has ended");
            }
            return;
        }
        let now = self.now();
        // One that has to wait is answered at once; one that goes out now, when it is out.
        let waits = !at_once && (!self.outgoing.is_empty() || !self.free(now));
        let mut outgoing = Outgoing { id: Some(id), text, now: at_once, answer };
        if waits {
            outgoing.tell(Delivery::Queued, None);
        }
        // One that goes out now goes ahead of all that wait, but not into one that is being typed.
        let being_typed = usize::from(!matches!(self.delivering, Delivering::Waiting));
        let waiting = self.outgoing.iter().skip(being_typed).position(|other| !other.now);
        match waiting.filter(|_| at_once) {
            Some(waiting) => self.outgoing.insert(being_typed + waiting, outgoing),
            None => self.outgoing.push_back(outgoing),
        }
        self.count_queued();
        self.due.delivery = Some(now);
    }

    /// Whether a text can be typed without falling into a turn, a dialog or somebody's draft.
    fn free(&mut self, now: u64) -> bool {
        self.alive()
            && self.arbiter.takes_text(now)
            && !self.entry.draft.load(Ordering::Relaxed)
            && self.at_prompt() != Some(AtPrompt::Dialog)
    }

    pub(super) fn tend_delivery(&mut self, now: u64) {
        let Some(first) = self.outgoing.front() else { return };
        match self.delivering {
            Delivering::Claiming => {}
            Delivering::Typed { enter, pause, since, unseen } => {
                if take_due(&mut self.due.delivery, now) {
                    match self.holds() {
                        Some(false) if now < since + SHOWN_WITHIN => {
                            self.delivering = Delivering::Typed { enter, pause, since, unseen: true };
                            self.due.delivery = Some(now + LOOK_FOR);
                        }
                        Some(true) if unseen => {
                            self.delivering = Delivering::Typed { enter, pause, since, unseen: false };
                            self.due.delivery = Some(now + pause);
                        }
                        Some(true) => {
                            self.enter(enter, now);
                            self.delivering = Delivering::Entered { enter, since: now };
                            self.due.delivery = Some(now + LOOK_FOR);
                        }
                        _ => {
                            self.enter(enter, now);
                            self.delivered();
                        }
                    }
                }
            }
            Delivering::Entered { enter, since } => {
                if take_due(&mut self.due.delivery, now) {
                    let held = self.holds() == Some(true);
                    if held && now < since + TAKEN_WITHIN {
                        self.due.delivery = Some(now + LOOK_FOR);
                        return;
                    }
                    if held {
                        self.enter(enter, now);
                    }
                    self.delivered();
                }
            }
            Delivering::Waiting => {
                let (at_once, prompt) = (first.now, first.id.is_none());
                let ready = if at_once {
                    self.alive()
                } else if prompt {
                    self.free(now) && matches!(self.at_prompt(), Some(AtPrompt::Yes) | None)
                } else {
                    self.free(now)
                };
                if ready {
                    self.claim();
                } else {
                    take_due(&mut self.due.delivery, now);
                    // A status that changes brings us here again by itself. A first prompt waits for more than that: the
                    // start-up may be over without one more byte.
                    // A dialog stays until somebody answers it, and then there is output.
                    let looks = prompt && self.alive() && self.due.look.is_none();
                    if looks && self.due.delivery.is_none() && self.at_prompt() != Some(AtPrompt::Dialog) {
                        self.due.delivery = Some(now + self.look_again);
                        self.look_again = (self.look_again * 2).min(LOOK_AT_LAST);
                    }
                }
            }
        }
    }

    fn claim(&mut self) {
        let Some(Outgoing { id, .. }) = self.outgoing.front() else { return };
        match id {
            Some(id) if !self.entry.private => {
                self.delivering = Delivering::Claiming;
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
        if !matches!(self.delivering, Delivering::Claiming)
            || self.outgoing.front().is_none_or(|first| first.id != Some(id))
        {
            return;
        }
        self.delivering = Delivering::Waiting;
        if ours {
            self.type_first();
        } else if let Some(mut gone) = self.outgoing.pop_front() {
            gone.tell(Delivery::Failed, Some("it is no longer queued"));
            self.count_queued();
        }
    }

    fn type_first(&mut self) {
        let Some(first) = self.outgoing.front() else { return };
        if first.id.is_none() && !self.daemon.note_prompt(&self.entry, FirstPrompt::Started) {
            self.outgoing.pop_front();
            self.notice(Some("the first prompt was not typed: that it was could not be noted".to_owned()));
            return;
        }
        let agent = self.entry.record().agent.clone();
        let bracketed = self.terminal.modes().bracketed_paste;
        let agent = self.daemon.agents.get(&agent).or_else(|| self.daemon.agents.get("shell"));
        let Some(agent) = agent else { return };
        let Typing { text, pause, enter } = agent.typing(&first.text, bracketed);
        for piece in text.chunks(Typing::PIECE) {
            self.type_raw(piece);
        }
        let now = self.now();
        self.entry.typed_at.store(now, Ordering::Relaxed);
        let pause = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        self.delivering = Delivering::Typed { enter, pause, since: now, unseen: false };
        self.due.delivery = Some(now + pause);
    }

    /// Whether the program's input box holds the text at the front; none where its screen never tells.
    fn holds(&self) -> Option<bool> {
        let first = self.outgoing.front()?;
        let agent = self.agent()?;
        agent.shows_what_it_holds().then(|| self.look(|look| agent.holds(look, &first.text)))
    }

    fn enter(&mut self, enter: &[u8], now: u64) {
        self.type_raw(enter);
        self.entry.draft.store(false, Ordering::Relaxed);
        self.entry.typed_at.store(now, Ordering::Relaxed);
        self.entry.entered_at.store(now, Ordering::Relaxed);
    }

    fn delivered(&mut self) {
        self.delivering = Delivering::Waiting;
        let now = self.now();
        if let Some(mut first) = self.outgoing.pop_front() {
            first.tell(Delivery::Delivered, None);
            match first.id {
                Some(id) => self.end_message(id, Delivery::Delivered, None),
                None => {
                    self.daemon.note_prompt(&self.entry, FirstPrompt::Done);
                }
            }
        }
        self.count_queued();
        self.due.delivery = (!self.outgoing.is_empty()).then_some(now + LOOK_AGAIN);
    }

    pub(super) fn fail_outgoing(&mut self, why: &str) {
        self.delivering = Delivering::Waiting;
        for mut outgoing in std::mem::take(&mut self.outgoing) {
            outgoing.tell(Delivery::Failed, Some(why));
            if let Some(id) = outgoing.id {
                self.end_message(id, Delivery::Failed, Some(why));
            }
        }
        self.count_queued();
    }

    fn end_message(&self, id: MessageId, how: Delivery, why: Option<&str>) {
        if self.entry.private {
            return;
        }
        let why = why.map(str::to_owned);
        let at = clock::wall();
        let posted = self.daemon.store.post(
            move |store| store.end_message(id, how, why.as_deref(), at).map(drop),
            |outcome| {
                if let Err(error) = outcome {
                    tracing::warn!(%error, "the end of a message cannot be noted");
                }
            },
        );
        if let Err(error) = posted {
            tracing::warn!(%error, "the end of a message cannot be noted");
        }
    }

    fn count_queued(&self) {
        let queued = self.outgoing.iter().filter(|outgoing| outgoing.id.is_some()).count() as u32;
        self.daemon.change(&self.entry, |session| session.queued = queued);
    }
}

impl Outgoing {
    fn tell(&mut self, delivery: Delivery, why: Option<&str>) {
        if let (Some(answer), Some(id)) = (self.answer.take(), self.id) {
            answer.give(Ok(Reply::Message(Message { id, delivery, why: why.map(str::to_owned) })));
        }
    }
}
