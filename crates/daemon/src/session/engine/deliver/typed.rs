//! A text on its way: offered, typed, entered, taken.

use std::sync::atomic::Ordering;

use belfry_agents::{AtPrompt, Place, Typing};
use belfry_protocol::Status;
use belfry_protocol::keeper::Why;
use belfry_protocol::reply::Delivery;

use crate::launch::FirstPrompt;
use crate::session::engine::Engine;

/// How often a text that was typed is looked for on the screen, in milliseconds.
const LOOK_FOR: u64 = 50;

/// How long a program may take to show a typed text before Enter is typed all the same, in milliseconds. A busy machine
/// has made Gemini CLI take a second and a half.
const SHOWN_WITHIN: u64 = 3000;

/// How long a text may lie in the input box after Enter before one more is typed, in milliseconds, and twice as long after each
/// further one. It counts as not taken after the last. On a busy machine OpenCode has lost two within four seconds.
const TAKEN_WITHIN: u64 = 2000;

/// Enters that are typed for one text, at most.
const ENTERS: u32 = 3;

/// How long a program whose input box is rid of the text may take to begin with it, in milliseconds: until then nothing else
/// is typed.
const BEGINS_WITHIN: u64 = 1500;

/// How long a program may show nothing of a text that was entered, neither in its input box nor as work, in milliseconds, before
/// it is said that nobody knows what came of it. One that is just starting takes keys and looks at them later: on a busy machine
/// Gemini CLI showed a text ten seconds after it was typed, with its Enter lost.
const SHOWS_WITHIN: u64 = 30_000;

/// How often a text is offered again that the program's output got in front of.
const OFFERS: u32 = 10;

/// How far the text at the front is.
#[derive(Default)]
pub(in crate::session::engine) enum Delivering {
    /// It waits for the program.
    #[default]
    Waiting,
    /// The database is asked whether it is still ours.
    Claiming,
    /// Its first piece was given to the keeper under that id, to be typed only if the screen is still as it was read.
    Offered { id: u32, typing: Typing, tries: u32 },
    /// It is typed, and Enter comes when this is due: a pause after the program has shown it.
    Typed { enter: &'static [u8], pause: u64, since: u64, unseen: bool },
    /// Enter was given to the keeper under that id, to be typed only if nothing has been printed since the screen was read;
    /// so many came before it.
    Entering { id: u32, enter: &'static [u8], before: u32, tries: u32 },
    /// It was not typed, and is offered again.
    Retrying { enter: &'static [u8], before: u32, tries: u32 },
    /// Enter is typed, and the program may have taken it for a part of the text.
    Entered { enter: &'static [u8], since: u64, before: u32 },
    /// The input box is rid of it, and the program should begin.
    Taken { since: u64 },
}

impl Engine {
    pub(super) fn type_first(&mut self) {
        let Some(first) = self.messages.waiting.front() else { return };
        if first.id.is_none() && !self.daemon.note_prompt(&self.entry, FirstPrompt::Started) {
            self.messages.waiting.pop_front();
            self.notice(Some("the first prompt was not typed: that it was could not be noted".to_owned()));
            return;
        }
        let bracketed = self.terminal.modes().bracketed_paste;
        let Some(agent) = self.agent().or_else(|| self.agents.get("shell")) else { return };
        self.message_event(first, Delivery::Sending, None);
        let typing = agent.typing(&first.text, bracketed);
        crate::review::prompted(&self.daemon, &self.entry, Some(&first.text));
        self.messages.was_held = false;
        self.messages.status_since = Some(self.entry.record().since);
        self.offer(typing, 0);
    }

    /// Gives the first piece to the keeper. From the moment when the screen was read until it is typed nothing may come in
    /// between: a dialog that opens would take it for its answer.
    fn offer(&mut self, typing: Typing, tries: u32) {
        let now = self.now();
        let Some(first) = self.messages.waiting.front() else { return };
        let (at_once, meant) = (first.is_urgent(), first.meant);
        let Some(link) = self.following.link.clone() else { return self.give_back() };
        if !self.front_is_same() {
            self.stir_front_soon(now);
            return self.give_back();
        }
        if self.held_by_front(meant, now).is_some() {
            return self.give_back();
        }
        if at_once && self.in_the_way(now).is_none() {
            // The person said not to wait for a program that prints all the time.
            let pieces = typing.text.clone();
            pieces.chunks(Typing::PIECE).for_each(|piece| self.type_raw(piece));
            self.all_typed(&typing);
            return;
        }
        let keystrokes = self.entry.keystrokes.load(Ordering::SeqCst);
        if self.held(now).is_some() || tries > OFFERS {
            return self.give_back();
        }
        let id = self.next_input();
        let offset = self.terminal.offset();
        let piece = typing.text.get(..Typing::PIECE).unwrap_or(&typing.text);
        let entry = &self.entry;
        if link.input_if(id, piece, offset, || entry.keystrokes.load(Ordering::SeqCst) == keystrokes) {
            self.messages.delivering = Delivering::Offered { id, typing, tries };
        } else {
            self.give_back();
        }
    }

    /// The keeper has typed what it was given under that id.
    pub(in crate::session::engine) fn message_taken(&mut self, id: u32) {
        match std::mem::take(&mut self.messages.delivering) {
            Delivering::Offered { id: offered, typing, .. } if offered == id => {
                let rest = typing.text.get(Typing::PIECE..).unwrap_or_default().to_vec();
                rest.chunks(Typing::PIECE).for_each(|piece| self.type_raw(piece));
                self.all_typed(&typing);
            }
            Delivering::Entering { id: given, enter, before, .. } if given == id => {
                let now = self.now();
                self.entered(now);
                self.messages.delivering = Delivering::Entered { enter, since: now, before };
                self.due.delivery = Some(now + LOOK_FOR);
            }
            other => self.messages.delivering = other,
        }
    }

    /// The keeper has not typed it: nothing of the text is there.
    pub(in crate::session::engine) fn message_refused(&mut self, id: u32, why: Why) {
        match std::mem::take(&mut self.messages.delivering) {
            Delivering::Offered { id: offered, typing, tries } if offered == id => {
                if why == Why::Changed {
                    // What the program printed is not here yet; it may be a question.
                    self.following.rung = true;
                    while self.turn() {}
                    let now = self.now();
                    self.judge(now);
                    self.offer(typing, tries + 1);
                } else {
                    self.give_back();
                }
            }
            Delivering::Entering { id: given, enter, before, tries } if given == id => {
                let now = self.now();
                self.messages.delivering = Delivering::Retrying { enter, before, tries: tries + 1 };
                self.due.delivery = Some(now + LOOK_FOR);
            }
            other => self.messages.delivering = other,
        }
    }

    /// Nothing was typed, and the text goes on waiting.
    fn give_back(&mut self) {
        self.messages.delivering = Delivering::Waiting;
        let now = self.now();
        self.due.delivery = Some(now + LOOK_FOR);
        match self.messages.waiting.front().and_then(|first| first.id) {
            Some(id) => {
                if !self.entry.private {
                    self.daemon.post(move |store| store.requeue_message(id).map(drop));
                }
                if let Some(first) = self.messages.waiting.front() {
                    self.message_event(first, Delivery::Queued, None);
                }
            }
            None => {
                self.daemon.note_prompt(&self.entry, FirstPrompt::Waiting);
            }
        }
    }

    fn all_typed(&mut self, typing: &Typing) {
        let now = self.now();
        self.entry.typed_at.store(now, Ordering::Relaxed);
        let pause = u64::try_from(typing.pause.as_millis()).unwrap_or(u64::MAX);
        self.messages.delivering =
            Delivering::Typed { enter: typing.enter, pause, since: now, unseen: false };
        self.due.delivery = Some(now + pause);
    }

    /// What follows on the typing, when it is due.
    pub(super) fn tend_typed(&mut self, now: u64) {
        let again = now + LOOK_FOR;
        if self.asking.open.is_some() {
            match self.messages.delivering {
                // What asks has begun.
                Delivering::Entered { .. } | Delivering::Taken { .. } => self.delivered(),
                // Enter would answer it. The text lies in the input box behind it, and is looked for again once it has gone.
                _ => self.due.delivery = Some(now + 4 * LOOK_FOR),
            }
            return;
        }
        let holds = self.holds();
        self.messages.was_held |= holds == Some(true);
        match self.messages.delivering {
            Delivering::Typed { enter, pause, since, unseen } => match holds {
                Some(false) if now < since + SHOWN_WITHIN => {
                    self.messages.delivering = Delivering::Typed { enter, pause, since, unseen: true };
                    self.due.delivery = Some(again);
                }
                Some(true) if unseen => {
                    self.messages.delivering = Delivering::Typed { enter, pause, since, unseen: false };
                    self.due.delivery = Some(now + pause);
                }
                Some(_) => self.offer_enter(enter, 0, 0, now),
                None => {
                    self.enter(enter, now);
                    self.delivered();
                }
            },
            Delivering::Retrying { enter, before, tries } => self.offer_enter(enter, before, tries, now),
            Delivering::Entered { enter, since, before } => {
                let in_time = now < since + (TAKEN_WITHIN << before);
                match (holds, in_time, before + 1 < ENTERS) {
                    (Some(true), true, _) => self.due.delivery = Some(again),
                    (Some(true), false, true) => self.offer_enter(enter, before + 1, 0, now),
                    (Some(true), false, false) => {
                        self.not_taken("the program leaves it in its input box, Enter or not");
                    }
                    // The text was never to be seen, nor anything else since: it may not have been looked at yet.
                    (Some(false), ..) if !self.messages.was_held && self.is_silent() && !self.had_begun() => {
                        if now < since + SHOWS_WITHIN {
                            self.due.delivery = Some(again);
                        } else {
                            self.end_first(Delivery::Unsure, Some("the program has shown nothing of it"));
                        }
                    }
                    // An input box that cannot be found says nothing: a moment later it can, or the agent works.
                    (_, true, _) if self.box_is_lost(now) => self.due.delivery = Some(again),
                    _ => {
                        self.messages.delivering = Delivering::Taken { since: now };
                        self.due.delivery = Some(now);
                        self.tend_typed(now);
                    }
                }
            }
            Delivering::Taken { since } => {
                if self.has_begun() || now >= since + BEGINS_WITHIN {
                    self.delivered();
                } else {
                    self.due.delivery = Some(again);
                }
            }
            Delivering::Waiting
            | Delivering::Claiming
            | Delivering::Offered { .. }
            | Delivering::Entering { .. } => {}
        }
    }

    /// Whether the program's input box holds the text at the front; none where its screen never tells.
    fn holds(&self) -> Option<bool> {
        let agent = self.agent()?;
        if !agent.shows_what_it_holds() {
            return None;
        }
        let first = self.messages.waiting.front()?;
        Some(self.look(|look| agent.holds(look, &first.text)))
    }

    /// Whether the program works, or whatever else it does instead of waiting for a text.
    fn has_begun(&self) -> bool {
        !matches!(self.entry.record().status, Status::Idle | Status::Blocked)
    }

    /// Whether it has printed nothing since Enter.
    fn is_silent(&self) -> bool {
        self.terminal.offset() == self.messages.entered_at
    }

    /// Whether it works, or has worked since the text was typed.
    fn had_begun(&self) -> bool {
        self.has_begun() || self.messages.status_since != Some(self.entry.record().since)
    }

    /// Whether neither an input box nor work nor a dialog is to be seen, though the agent is known to show them.
    fn box_is_lost(&mut self, now: u64) -> bool {
        !self.has_begun() && self.sight(now).is_none_or(|sight| sight.reading.place == Place::Unknown)
    }

    /// Whether the agent is past its start-up, as far as its screen tells: a first prompt that comes too early is lost.
    pub(super) fn takes_first_prompt(&self) -> bool {
        matches!(self.at_prompt(), Some(AtPrompt::Yes) | None)
    }

    /// Enter, typed only if the program has printed nothing since the screen was read: a dialog that opens just now would
    /// be answered by it. Where the screen never stands still it is typed in the end, with no dialog in sight.
    fn offer_enter(&mut self, enter: &'static [u8], before: u32, tries: u32, now: u64) {
        let Some(link) = self.following.link.clone() else { return };
        self.messages.entered_at = self.terminal.offset();
        if self.guest.is_some() && !self.front_is_same() {
            // What has come of it is told with what has the terminal now.
            self.stir_front_soon(now);
            self.messages.delivering = Delivering::Retrying { enter, before, tries };
            self.due.delivery = Some(now + LOOK_FOR);
            return;
        }
        if tries < OFFERS {
            let id = self.next_input();
            if link.input_if(id, enter, self.terminal.offset(), || true) {
                self.messages.delivering = Delivering::Entering { id, enter, before, tries };
            } else {
                self.messages.delivering = Delivering::Retrying { enter, before, tries: tries + 1 };
                self.due.delivery = Some(now + LOOK_FOR);
            }
            return;
        }
        self.enter(enter, now);
        self.messages.delivering = Delivering::Entered { enter, since: now, before };
        self.due.delivery = Some(now + LOOK_FOR);
    }

    fn enter(&mut self, enter: &[u8], now: u64) {
        self.type_raw(enter);
        self.entered(now);
    }

    fn entered(&mut self, now: u64) {
        self.submitted(now);
        self.entry.draft.store(false, Ordering::Relaxed);
        self.entry.typed_at.store(now, Ordering::Relaxed);
        self.entry.entered_at.store(now, Ordering::Relaxed);
    }

    fn delivered(&mut self) {
        self.end_first(Delivery::Delivered, None);
    }

    fn not_taken(&mut self, why: &str) {
        self.end_first(Delivery::Failed, Some(why));
    }
}
