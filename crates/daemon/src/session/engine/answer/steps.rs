//! The steps of an answer: what is typed next, by what the screen shows.

use std::sync::atomic::Ordering;

use belfry_agents::{AnswerBy, Dialog, Place, Typing};
use belfry_protocol::ask::Choice;
use belfry_protocol::{ErrorCode, WireError};

use super::{Answering, DRAWS, FOLLOWS, STILL, Seen, Step, Then, changed, in_words};
use crate::session::engine::Engine;
use crate::session::engine::ask::{from_dialog, is_known_from};
use crate::session::keys;

/// Longest line that is typed at once, in bytes: what a terminal takes while it gives whole lines (Linux, N_TTY).
const LONGEST_LINE: usize = 4094;

/// How long the mark may take to move before the key is typed again, in milliseconds, and how often it is.
const DEAF: u64 = 1000;

/// See [`DEAF`].
const STUCK: u32 = 2;

/// What is to be done now.
enum Next {
    Type(Vec<u8>, Then),
    Wait,
    Done,
    Fail(WireError),
}

impl Engine {
    /// The screen stands still and shows that.
    pub(super) fn go_on(&mut self, seen: &Seen, now: u64) {
        match self.next_step(seen, now) {
            Next::Type(bytes, then) => self.send_keys(&bytes, seen, then, now),
            Next::Wait => {}
            Next::Done => self.answer_over(Ok(())),
            Next::Fail(error) => {
                let kept = self.answering.as_ref().map_or("nothing was typed", Answering::kept);
                self.answer_over(Err(error.kept(kept)));
            }
        }
    }

    fn next_step(&mut self, seen: &Seen, now: u64) -> Next {
        let open = self.asking.open.as_ref().map(|open| open.ask.id);
        let Some(answering) = &mut self.answering else { return Next::Wait };
        let dialog = seen.dialog.as_ref();
        match answering.step {
            Step::Look => match dialog {
                // The same question can have been asked again.
                _ if open.is_some_and(|open| open != answering.ask) => Next::Fail(other(dialog)),
                Some(dialog) if dialog.half_typed => Next::Fail(half_typed()),
                Some(dialog) => match answering.takes_on(dialog) {
                    Ok(true) => self.first_keys(dialog),
                    Ok(false) => Next::Fail(other(Some(dialog))),
                    Err(error) => Next::Fail(error),
                },
                None if seen.is_unclear() && open.is_some() => Next::Wait,
                None => Next::Fail(other(None)),
            },
            Step::Sent { .. } => Next::Wait,
            Step::Typed { offset: before, at, then: Then::Close } => self.closes(seen, before, at, now),
            Step::Typed { offset: before, at, then } => {
                // What was typed may be shown by nothing at all.
                let printed = seen.offset > before;
                self.follow_up(seen, printed, at, then, now)
            }
        }
    }

    /// A list that scrolls shows a few of its choices: the others are as they were seen last.
    pub(super) fn remember_choices(&mut self, seen: &mut Seen) -> Result<(), WireError> {
        let Some(dialog) = seen.dialog.as_ref().filter(|dialog| dialog.scrolls) else { return Ok(()) };
        let before = self.answering.as_ref().and_then(|answering| answering.list.as_ref());
        let joined = before.and_then(|list| dialog.joined(list)).or_else(|| self.known_of(dialog));
        let dialog = joined.unwrap_or_else(|| dialog.clone());
        let Some(answering) = &mut self.answering else { return Ok(()) };
        if answering.list.as_ref().is_some_and(|list| list.choices.len() != dialog.choices.len()) {
            answering.choose_again(&dialog)?;
        }
        answering.list = Some(dialog.clone());
        seen.dialog = Some(dialog);
        Ok(())
    }

    /// The dialog is there: what takes the choice.
    fn first_keys(&self, dialog: &Dialog) -> Next {
        let Some(answering) = &self.answering else { return Next::Wait };
        let (chosen, enter) = (&answering.chosen, b"\r".to_vec());
        let app_cursor = self.terminal.modes().app_cursor;
        let target = chosen.target(&dialog.choices, dialog.ticks_all);
        let choice = target.and_then(|at| dialog.choices.get(at));
        let most = (2 * dialog.choices.len() + 2) * (1 + chosen.ticked.as_ref().map_or(0, Vec::len));
        let key = choice.map(|choice| keys::bytes(&choice.key, app_cursor));
        let after = if chosen.text.is_some() { Then::Field } else { Then::Close };
        let ticks = chosen.ticked.is_some() && choice.is_some_and(|choice| choice.key != Choice::SUBMIT);
        if ticks && choice.is_some_and(|choice| choice.takes_text) {
            return Next::Fail(half_typed());
        }
        if let Some(submit) =
            dialog.submit.clone().filter(|_| choice.is_some_and(|choice| choice.key == Choice::SUBMIT))
        {
            return Next::Type(submit, Then::Close);
        }
        match (&dialog.answer, target, key) {
            (AnswerBy::Key, Some(_), Some(key)) => Next::Type(key, after),
            (AnswerBy::KeyEnter, Some(_), Some(key)) if chosen.text.is_none() => {
                Next::Type(key, Then::Confirm)
            }
            (AnswerBy::KeyEnter, Some(_), Some(key)) => Next::Type(key, Then::Field),
            (AnswerBy::Walk { next, previous }, Some(at), _) => match dialog.selected {
                Some(selected) if selected == at => match &chosen.text {
                    None if choice.is_some_and(|choice| choice.ticked.is_some() && !choice.takes_text) => {
                        match &dialog.tick {
                            Some(tick) => {
                                Next::Type(tick.clone(), Then::Ticked { at, before: ticked(dialog, at) })
                            }
                            None => Next::Fail(unsupported("it is not known how this choice is ticked")),
                        }
                    }
                    Some(_) if ticked(dialog, at).is_some() => {
                        Next::Fail(unsupported("a text beside ticked choices is not given from here"))
                    }
                    Some(_) if dialog.enter_opens_text => Next::Type(enter, Then::Field),
                    // Typed where the mark is.
                    Some(text) => self.field(text),
                    None => Next::Type(enter, Then::Close),
                },
                Some(_) if answering.stuck >= STUCK => Next::Fail(WireError::new(
                    ErrorCode::StillOpen,
                    "the mark does not move; the dialog is still open",
                )),
                Some(_) if answering.moves > most => {
                    let error = WireError::new(ErrorCode::StillOpen, "the mark does not get to that choice");
                    Next::Fail(error.next("answer it in the session's terminal"))
                }
                Some(selected) => {
                    let step = if at > selected { next } else { previous };
                    Next::Type(step.clone(), Then::Moved { from: selected })
                }
                None => Next::Fail(unsupported("it cannot be seen which choice is marked")),
            },
            (AnswerBy::Enter, _, _) if chosen.text.is_none() => Next::Type(enter, Then::Close),
            // In one piece: nothing can get in between.
            (AnswerBy::Line, _, key) => {
                let text = chosen.text.as_ref().map(|text| text.clone().into_bytes());
                match text.or(key) {
                    Some(line) if line.len() > LONGEST_LINE => {
                        let why = format!("a terminal takes lines of up to {LONGEST_LINE} bytes");
                        Next::Fail(WireError::new(ErrorCode::TooMuch, why))
                    }
                    Some(line) if !line.contains(&b'\n') => Next::Type([line, enter].concat(), Then::Close),
                    Some(_) => Next::Fail(WireError::new(ErrorCode::BadRequest, "it takes one line only")),
                    None => Next::Fail(unsupported("it is not known what to type")),
                }
            }
            _ if dialog.choices.is_empty() && chosen.text.is_some() => {
                self.field(chosen.text.as_deref().unwrap_or_default())
            }
            _ => Next::Fail(unsupported("it is not known how this question is answered")),
        }
    }

    /// Something was typed: what comes after it.
    fn follow_up(&mut self, seen: &Seen, printed: bool, at: u64, then: Then, now: u64) -> Next {
        let Some(answering) = &self.answering else { return Next::Wait };
        let dialog = seen.dialog.as_ref();
        let is_same = dialog.is_some_and(|dialog| answering.is_same(dialog));
        let chosen = &answering.chosen;
        let drawn = printed || now >= at + DRAWS;
        match then {
            Then::Close => Next::Wait,
            Then::Moved { .. } | Then::Ticked { .. } if seen.is_unclear() && now < at + STILL => Next::Wait,
            Then::Moved { from } => match dialog.filter(|_| is_same) {
                // A field that has just got the mark loses the key that would move it on: where it is looked at anyway, it can be
                // typed again.
                Some(dialog) if dialog.selected == Some(from) && now < at + DEAF => Next::Wait,
                Some(dialog) => self.first_keys(dialog),
                None => Next::Fail(other(dialog)),
            },
            Then::Ticked { at: place, before } => match dialog.filter(|_| is_same) {
                Some(dialog) if ticked(dialog, place) == before => Next::Wait,
                Some(dialog) if chosen.ticked.is_some() => self.first_keys(dialog),
                // The client is shown it ticked.
                Some(dialog) => {
                    let fingerprint = dialog.fingerprint();
                    let shown = self.asking.open.as_ref().is_some_and(|open| open.base() == fingerprint);
                    if shown || now >= at + FOLLOWS { Next::Done } else { Next::Wait }
                }
                None => Next::Fail(other(dialog)),
            },
            Then::Confirm | Then::Field if !drawn => Next::Wait,
            Then::Confirm => match dialog.filter(|_| is_same) {
                // The key acted by itself.
                None => {
                    let (label, by) = (chosen.label.clone(), answering.given.by.clone());
                    self.ask_answered(label, by, at);
                    Next::Done
                }
                // The mark is on it; or it does not follow keys, and the key shows where it was typed.
                Some(dialog) if dialog.selected == chosen.at || (printed && answering.unmoved(dialog)) => {
                    Next::Type(b"\r".to_vec(), Then::Close)
                }
                Some(_) if now < at + STILL => Next::Wait,
                Some(_) => Next::Fail(WireError::new(ErrorCode::StillOpen, "the mark is not on that choice")),
            },
            Then::Field => {
                let text = chosen.text.as_deref().unwrap_or_default();
                // A field of its own, the choice that became one, or the input box behind the dialog. In any other dialog
                // the text would be keys, and beside another text it would be part of that.
                match dialog {
                    None if seen.draft => Next::Fail(WireError::new(
                        ErrorCode::Changed,
                        "something else lies in the input box behind the dialog",
                    )),
                    Some(dialog) if !self.is_field(dialog, is_same) => Next::Fail(other(Some(dialog))),
                    _ => self.field(text),
                }
            }
            Then::End { pause } if !drawn || now < at + pause => Next::Wait,
            Then::End { .. } => {
                let foreign =
                    dialog.is_some_and(|dialog| !is_same && !dialog.choices.is_empty() && !dialog.takes_text);
                if foreign {
                    return Next::Fail(other(dialog));
                }
                Next::Type(b"\r".to_vec(), Then::Close)
            }
        }
    }

    fn is_field(&self, dialog: &Dialog, is_same: bool) -> bool {
        let at = self.answering.as_ref().and_then(|answering| answering.chosen.at);
        (dialog.choices.is_empty() && dialog.takes_text)
            || (is_same && dialog.selected.is_some() && dialog.selected == at)
    }

    /// The answer was given: its dialog must go. Where the same one is there, it may be open still, or have been asked again.
    fn closes(&mut self, seen: &Seen, before: u64, at: u64, now: u64) -> Next {
        let front = self.front_tells();
        let Some(answering) = &mut self.answering else { return Next::Wait };
        let open = self.asking.open.as_ref().map(|open| open.ask.id);
        let same = seen.dialog.as_ref().filter(|dialog| answering.is_same(dialog));
        let Some(dialog) = same else {
            answering.left |= seen.place != Place::Unknown;
            // A moment is left for the status to follow, so that the client is shown what comes after.
            let follows = open != Some(answering.ask) || now >= at + FOLLOWS;
            return if follows { Next::Done } else { Next::Wait };
        };
        let printed = seen.offset > before;
        // A program that sleeps until something is typed has read what was. An answer that stood where it is typed, and does
        // not any more, was read. A mark that is back where it begins is another dialog's.
        let taken = (front || answering.lay) && printed && !dialog.half_typed;
        let marked = answering.dialog.as_ref().and_then(|before| before.selected);
        let walked = matches!(dialog.answer, AnswerBy::Walk { .. }) && answering.chosen.at != marked;
        let begun = walked && printed && dialog.selected == marked && dialog.submit.is_none();
        let before = answering.dialog.as_ref();
        let another = printed && before.is_some_and(|before| before.serial != dialog.serial);
        if open != Some(answering.ask) {
            return Next::Done;
        }
        if answering.left || taken || begun || another {
            self.asked_anew(now);
            return Next::Done;
        }
        Next::Wait
    }

    /// The text, typed as this agent wants it; Enter comes apart.
    fn field(&self, text: &str) -> Next {
        let bracketed = self.terminal.modes().bracketed_paste;
        let Some(agent) = self.agent() else { return Next::Fail(unsupported("its agent is not known")) };
        let Typing { text, pause, .. } = agent.typing(text, bracketed);
        let pause = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        Next::Type(text, Then::End { pause })
    }

    fn send_keys(&mut self, bytes: &[u8], seen: &Seen, then: Then, now: u64) {
        let (offset, dialog) = (seen.offset, seen.dialog.as_ref());
        let Some(link) = self.following.link.clone() else {
            return self.answer_over(Err(WireError::new(
                ErrorCode::KeeperLost,
                "the session's keeper is not reached",
            )));
        };
        let id = self.next_input();
        let Some(answering) = &mut self.answering else { return };
        answering.back = answering.step;
        answering.lay = then == Then::Close && dialog.is_some_and(|dialog| dialog.half_typed);
        answering.step = Step::Sent { id, offset, then };
        (answering.until, answering.given_at) = (now + STILL, now);
        if let Then::Moved { from } = then {
            let again = answering.moved_from == Some(from);
            answering.stuck = if again { answering.stuck + 1 } else { 0 };
            (answering.moved_from, answering.moves) = (Some(from), answering.moves + 1);
        }
        let keystrokes = answering.keystrokes;
        let entry = &self.entry;
        let still = || entry.keystrokes.load(Ordering::SeqCst) == keystrokes;
        if !link.input_if(id, bytes, offset, still) {
            let error = WireError::new(ErrorCode::Changed, "somebody typed in the terminal meanwhile");
            self.answer_over(Err(error));
        }
    }
}

fn ticked(dialog: &Dialog, at: usize) -> Option<bool> {
    dialog.choices.get(at).and_then(|choice| choice.ticked)
}

/// Another dialog is there, or none.
fn other(dialog: Option<&Dialog>) -> WireError {
    changed(dialog.map(|dialog| in_words(&from_dialog(dialog))).as_deref())
}

fn half_typed() -> WireError {
    let error = WireError::new(ErrorCode::Changed, "something is half typed at it");
    error.next("finish or clear it in the session's terminal")
}

impl Seen {
    /// No dialog is there, and nothing that follows on one: it may be half drawn, by a program that draws it anew at each key.
    fn is_unclear(&self) -> bool {
        self.dialog.is_none() && self.place == Place::Unknown
    }
}

impl Answering {
    /// When the mark counts as not moved.
    pub(super) fn moves_again_at(&self) -> Option<u64> {
        match self.step {
            Step::Typed { at, then: Then::Moved { .. }, .. } => Some(at + DEAF),
            _ => None,
        }
    }

    /// Whether that is the dialog which the client means, also where more of it has been drawn since: then that is what is
    /// answered.
    fn takes_on(&mut self, dialog: &Dialog) -> Result<bool, WireError> {
        let fingerprint = dialog.fingerprint();
        if fingerprint != self.fingerprint {
            if !self.seen.as_ref().is_some_and(|seen| is_known_from(seen, dialog)) {
                return Ok(false);
            }
            self.choose_again(dialog)?;
            self.fingerprint = fingerprint;
        }
        self.dialog = Some(dialog.clone());
        Ok(true)
    }
}

fn unsupported(why: &str) -> WireError {
    WireError::new(ErrorCode::Unsupported, why).next("answer it in the session's terminal")
}
