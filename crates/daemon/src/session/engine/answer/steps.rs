//! The steps of an answer: what is typed next, by what the screen shows.

use std::sync::atomic::Ordering;

use belfry_agents::{AnswerBy, Dialog, Typing};
use belfry_protocol::ask::Choice;
use belfry_protocol::{ErrorCode, WireError};

use super::{DRAWS, FOLLOWS, STILL, Step, Then, changed};
use crate::session::engine::Engine;
use crate::session::keys;

/// What is to be done now.
enum Next {
    Type(Vec<u8>, Then),
    Wait,
    Done,
    Fail(WireError),
}

impl Engine {
    /// The screen stands still and shows that, at that offset.
    pub(super) fn go_on(&mut self, dialog: Option<&Dialog>, offset: u64, now: u64) {
        match self.next_step(dialog, offset, now) {
            Next::Type(bytes, then) => self.send_keys(&bytes, offset, then, now),
            Next::Wait => {}
            Next::Done => self.answer_over(Ok(())),
            Next::Fail(error) => self.answer_over(Err(error)),
        }
    }

    fn next_step(&mut self, dialog: Option<&Dialog>, offset: u64, now: u64) -> Next {
        let Some(answering) = &mut self.answering else { return Next::Wait };
        let is_same = dialog.is_some_and(|dialog| answering.is_same(dialog));
        match answering.step {
            Step::Look => match dialog.filter(|dialog| dialog.fingerprint() == answering.fingerprint) {
                Some(dialog) => {
                    answering.dialog = Some(dialog.clone());
                    self.first_keys(dialog)
                }
                None => Next::Fail(changed(dialog.map(|dialog| dialog.text.as_str()))),
            },
            Step::Sent { .. } => Next::Wait,
            Step::Typed { offset: before, at, then } => {
                // What was typed may be shown by nothing at all.
                let printed = offset > before;
                self.follow_up(dialog, is_same, printed, at, then, now)
            }
        }
    }

    /// The dialog is there: what takes the choice.
    fn first_keys(&self, dialog: &Dialog) -> Next {
        let Some(answering) = &self.answering else { return Next::Wait };
        let (chosen, enter) = (&answering.chosen, b"\r".to_vec());
        let app_cursor = self.terminal.modes().app_cursor;
        let target = chosen.target(&dialog.choices);
        let choice = target.and_then(|at| dialog.choices.get(at));
        let most = (2 * dialog.choices.len() + 2) * (1 + chosen.ticked.as_ref().map_or(0, Vec::len));
        let key = choice.map(|choice| keys::bytes(&choice.key, app_cursor));
        let after = if chosen.text.is_some() { Then::Field } else { Then::Close };
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
    fn follow_up(
        &self,
        dialog: Option<&Dialog>,
        is_same: bool,
        printed: bool,
        at: u64,
        then: Then,
        now: u64,
    ) -> Next {
        let Some(answering) = &self.answering else { return Next::Wait };
        let chosen = &answering.chosen;
        let drawn = printed || now >= at + DRAWS;
        match then {
            // A moment is left for the status to follow, so that the client is shown what comes after.
            Then::Close if !is_same => {
                let old = self.asking.open.as_ref().map(|open| &open.ask.fingerprint);
                let follows = old != Some(&answering.fingerprint) || now >= at + FOLLOWS;
                if follows { Next::Done } else { Next::Wait }
            }
            Then::Close => Next::Wait,
            Then::Moved { from } => match dialog.filter(|_| is_same) {
                Some(dialog) if dialog.selected == Some(from) => Next::Wait,
                Some(dialog) => self.first_keys(dialog),
                None => Next::Fail(changed(dialog.map(|dialog| dialog.text.as_str()))),
            },
            Then::Ticked { at: place, before } => match dialog.filter(|_| is_same) {
                Some(dialog) if ticked(dialog, place) == before => Next::Wait,
                Some(dialog) if chosen.ticked.is_some() => self.first_keys(dialog),
                // The client is shown it ticked.
                Some(dialog) => {
                    let shown = self.asking.open.as_ref().map(|open| &open.ask.fingerprint);
                    let follows = shown == Some(&dialog.fingerprint()) || now >= at + FOLLOWS;
                    if follows { Next::Done } else { Next::Wait }
                }
                None => Next::Fail(changed(dialog.map(|dialog| dialog.text.as_str()))),
            },
            Then::Confirm | Then::Field if !drawn => Next::Wait,
            Then::Confirm => match dialog.filter(|_| is_same) {
                // The key acted by itself.
                None => Next::Done,
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
                // the text would be keys.
                let takes = dialog.is_none_or(|dialog| {
                    (dialog.choices.is_empty() && dialog.takes_text)
                        || (is_same && dialog.selected.is_some() && dialog.selected == chosen.at)
                });
                if takes {
                    self.field(text)
                } else {
                    Next::Fail(changed(dialog.map(|dialog| dialog.text.as_str())))
                }
            }
            Then::End { pause } if !drawn || now < at + pause => Next::Wait,
            Then::End { .. } => {
                let other =
                    dialog.is_some_and(|dialog| !is_same && !dialog.choices.is_empty() && !dialog.takes_text);
                if other {
                    return Next::Fail(changed(dialog.map(|dialog| dialog.text.as_str())));
                }
                Next::Type(b"\r".to_vec(), Then::Close)
            }
        }
    }

    /// The text, typed as this agent wants it; Enter comes apart.
    fn field(&self, text: &str) -> Next {
        let bracketed = self.terminal.modes().bracketed_paste;
        let Some(agent) = self.agent() else { return Next::Fail(unsupported("its agent is not known")) };
        let Typing { text, pause, .. } = agent.typing(text, bracketed);
        let pause = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        Next::Type(text, Then::End { pause })
    }

    fn send_keys(&mut self, bytes: &[u8], offset: u64, then: Then, now: u64) {
        let Some(link) = self.following.link.clone() else {
            return self.answer_over(Err(WireError::new(
                ErrorCode::KeeperLost,
                "the session's keeper is not reached",
            )));
        };
        let id = self.next_input();
        let Some(answering) = &mut self.answering else { return };
        answering.back = answering.step;
        answering.step = Step::Sent { id, offset, then };
        answering.until = now + STILL;
        answering.moves += usize::from(matches!(then, Then::Moved { .. }));
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

fn unsupported(why: &str) -> WireError {
    WireError::new(ErrorCode::Unsupported, why).next("answer it in the session's terminal")
}
