//! Answering the open question for a client.
//!
//! Never by guess. The screen is read again, and the dialog must be the one that the client means. What is typed carries
//! the offset of what was read, and the keeper types it only if the program has printed nothing since; else it is read
//! again. Where the mark has to be moved, it is moved by one and looked for before it is moved on. In the end the dialog
//! must be gone. A person who types meanwhile wins, and there is one answer at a time.

mod choice;
mod early;
mod over;
mod steps;

use std::sync::atomic::Ordering;

use belfry_agents::{Dialog, Place};
use belfry_protocol::ask::{Ask, AskKind};
use belfry_protocol::keeper::Why;
use belfry_protocol::{AskId, ErrorCode, WireError};

pub(super) use self::early::EarlyAnswer;

use self::choice::Chosen;
use super::ask::{Open, alike, from_dialog, is_known_from};
use super::{Engine, take_due};
use crate::client::Answer;
use crate::session::command::Given;

/// How long a dialog is on the screen before it is answered, in milliseconds. Claude Code draws one before it reads keys, and
/// loses what was typed in between.
const RIPE: u64 = 500;

/// The same for dialogs of an agent's start, when it has much else to do.
const RIPE_AT_START: u64 = 1500;

/// How long the screen may take to stand still, in milliseconds, and a step to have its effect.
const STILL: u64 = 2000;

/// How long the dialog may take to close, in milliseconds.
const CLOSES: u64 = 5000;

/// How often it is tried to type something that the program's output got in front of.
const TRIES: u32 = 20;

/// How long the status may take to follow on the end of the dialog, in milliseconds, before the client is told.
const FOLLOWS: u64 = 1000;

/// How long a program may take to draw what a key did, in milliseconds, where it may also draw nothing.
const DRAWS: u64 = 300;

/// An answer that is being given.
pub(super) struct Answering {
    answer: Option<Answer>,
    /// The question, and its dialog as clients were shown it last.
    ask: AskId,
    seen: Option<Dialog>,
    /// The dialog that is answered, and as it was read last before the first key.
    fingerprint: String,
    dialog: Option<Dialog>,
    /// All that is known of its choices, where it shows a few of them at a time.
    list: Option<Dialog>,
    given: Given,
    chosen: Chosen,
    /// Something was typed for it.
    typed: bool,
    /// The answer was to be seen where it is typed, before Enter.
    lay: bool,
    /// Since it was given, its dialog was seen to be over.
    left: bool,
    /// What the person had typed when it began.
    keystrokes: u64,
    step: Step,
    /// The step that led to what was given to the keeper: where it is not typed, that is where to go on.
    back: Step,
    /// The end of patience with this step.
    until: u64,
    refused: u32,
    /// When something was last given to the keeper for it.
    given_at: u64,
    /// Moves of the mark, the place that the last was from, and how often it was typed in vain.
    moves: usize,
    moved_from: Option<usize>,
    stuck: u32,
}

/// How far it is.
#[derive(Clone, Copy)]
enum Step {
    /// The screen is to be read, and what it shows decides what is typed.
    Look,
    /// Something was given to the keeper under that id, for a program that has printed so much; what comes once it is typed.
    Sent { id: u32, offset: u64, then: Then },
    /// It was typed when the program had printed so much, at that time.
    Typed { offset: u64, at: u64, then: Then },
}

/// What comes after something was typed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    /// The mark must have left that place.
    Moved { from: usize },
    /// The choice at that place must have been ticked, or unticked: it was so before.
    Ticked { at: usize, before: Option<bool> },
    /// Enter confirms the choice that is marked now.
    Confirm,
    /// A field is open for the text.
    Field,
    /// Enter ends the text, after a pause of so many milliseconds.
    End { pause: u64 },
    /// The dialog must go.
    Close,
}

/// How long a program may take to draw what somebody typed, in milliseconds, before what its screen shows counts.
const HEARS: u64 = 800;

/// What the screen shows, as far as an answer is about it.
struct Seen {
    offset: u64,
    dialog: Option<Dialog>,
    place: Place,
    /// Something lies in the input box.
    draft: bool,
}

impl Engine {
    fn answer_now(&mut self, given: Given, answer: Answer) {
        match self.begin_answer(given) {
            Ok(mut answering) => {
                answering.answer = Some(answer);
                self.answering = Some(answering);
                let now = self.now();
                self.go_on_answering(now);
            }
            Err(error) => answer.give(Err(error)),
        }
    }

    fn begin_answer(&self, given: Given) -> Result<Answering, WireError> {
        if !self.entry.alive() {
            return Err(WireError::new(ErrorCode::NotAlive, "the session has ended"));
        }
        if self.answering.is_some() {
            return Err(WireError::new(ErrorCode::Changed, "another answer is being given just now"));
        }
        let Some(open) = &self.asking.open else {
            return Err(WireError::new(ErrorCode::Changed, "no question is open"));
        };
        if given.fingerprint.as_ref().is_some_and(|seen| !open.was_shown_as(seen)) {
            return Err(changed(Some(&in_words(&open.ask))));
        }
        if !open.ask.answerable {
            return Err(unanswerable(open));
        }
        if self.typing_a_message() {
            return Err(WireError::new(ErrorCode::Changed, "a message is being typed just now"));
        }
        let now = self.now();
        Ok(Answering {
            answer: None,
            ask: open.ask.id,
            seen: open.dialog.clone(),
            fingerprint: open.base().to_owned(),
            dialog: None,
            list: None,
            chosen: choice::chosen(&open.ask, given.choice.as_deref(), given.text.as_deref())?,
            given,
            typed: false,
            lay: false,
            left: false,
            keystrokes: self.entry.keystrokes.load(Ordering::SeqCst),
            step: Step::Look,
            back: Step::Look,
            until: now + RIPE_AT_START + STILL,
            refused: 0,
            given_at: now,
            moves: 0,
            moved_from: None,
            stuck: 0,
        })
    }

    /// Whether an answer is being given.
    pub(super) fn answers(&self) -> bool {
        self.answering.is_some()
    }

    /// The keeper has typed what it was given under that id.
    pub(super) fn answer_taken(&mut self, id: u32) {
        let now = self.now();
        let Some(answering) = &mut self.answering else { return };
        let Step::Sent { id: sent, offset, then } = answering.step else { return };
        if sent != id {
            return;
        }
        (answering.refused, answering.typed) = (0, true);
        let patience = if then == Then::Close { CLOSES } else { STILL };
        answering.until = now + patience;
        answering.step = Step::Typed { offset, at: now, then };
        if then == Then::Close {
            let (label, by) = (answering.chosen.label.clone(), answering.given.by.clone());
            let given_at = answering.given_at;
            self.ask_answered(label, by, given_at);
        }
        self.submitted(now);
        self.tend_answer(now);
    }

    /// The keeper has not typed it.
    pub(super) fn answer_refused(&mut self, id: u32, why: Why) {
        let now = self.now();
        let Some(answering) = &mut self.answering else { return };
        if !matches!(answering.step, Step::Sent { id: sent, .. } if sent == id) {
            return;
        }
        answering.refused += 1;
        if why == Why::Changed && answering.refused < TRIES {
            // The program printed something. What was to be typed is decided anew by what it shows now.
            answering.step = answering.back;
            answering.until = now + STILL;
            tracing::debug!(session = %self.entry.logged(), "the screen changed before an answer was typed");
            self.tend_answer(now);
            return;
        }
        let error = match why {
            Why::Changed => answering.restless(),
            Why::Ended => WireError::new(ErrorCode::NotAlive, "the session has ended"),
            _ => WireError::new(ErrorCode::KeeperLost, "the answer could not be typed"),
        };
        self.answer_over(Err(error));
    }

    pub(super) fn tend_answer(&mut self, now: u64) {
        take_due(&mut self.due.answer, now);
        self.tend_early_answer(now);
        self.go_on_answering(now);
    }

    fn go_on_answering(&mut self, now: u64) {
        let Some(answering) = &self.answering else { return };
        // Once the last key is typed, the answer is given, whatever else is typed.
        let given = matches!(
            answering.step,
            Step::Sent { then: Then::Close, .. } | Step::Typed { then: Then::Close, .. }
        );
        if !given && self.entry.keystrokes.load(Ordering::SeqCst) != answering.keystrokes {
            let error = WireError::new(ErrorCode::Changed, "somebody typed in the terminal meanwhile");
            self.answer_over(Err(error.kept("nothing more is typed for this answer")));
            return;
        }
        // A dialog that has just been drawn does not read keys yet.
        let ripe = self.asking.open.as_ref().map_or(now, |open| {
            let at_start = matches!(open.ask.kind, AskKind::Trust | AskKind::Login);
            open.since + if at_start { RIPE_AT_START } else { RIPE }
        });
        // What somebody typed a moment ago may be about to close it.
        let typed = self.entry.typed_at.load(Ordering::Relaxed);
        let heard = if self.printed_at > typed { 0 } else { typed + HEARS };
        let ripe = ripe.max(heard);
        if matches!(answering.step, Step::Look) && now < ripe {
            self.due.answer = Some(ripe);
            return;
        }
        let until = answering.until;
        let sight = match answering.step {
            Step::Sent { .. } => None,
            Step::Look | Step::Typed { .. } => self.sight(now).map(|sight| Seen {
                offset: sight.offset,
                dialog: sight.dialog().cloned(),
                place: sight.reading.place,
                draft: sight.reading.draft.is_some(),
            }),
        };
        if let Some(mut seen) = sight {
            match self.remember_choices(&mut seen) {
                Ok(()) => self.go_on(&seen, now),
                Err(error) => self.answer_over(Err(error)),
            }
        }
        // Whatever is still to come has an end.
        if let Some(answering) = &self.answering {
            if now >= answering.until.max(until) {
                self.out_of_patience();
            } else {
                let again = answering.moves_again_at().filter(|at| *at > now);
                let due = again.unwrap_or(answering.until);
                self.due.answer = Some(self.due.answer.map_or(due, |earlier| earlier.min(due)));
            }
        }
    }
}

/// The dialog is another one, or gone.
fn changed(now: Option<&str>) -> WireError {
    let error = match now {
        Some(text) => format!("the question has changed; it is now: {text}"),
        None => "the question is no longer open".to_owned(),
    };
    WireError::new(ErrorCode::Changed, error).kept("nothing was typed")
}

/// The question and what it is about: the same words can be asked of two commands.
fn in_words(ask: &Ask) -> String {
    let of = &ask.detail;
    match [&of.command, &of.path, &of.url, &of.tool].into_iter().flatten().next() {
        Some(about) => format!("{}: {}", ask.text, about.lines().next().unwrap_or_default()),
        None => ask.text.clone(),
    }
}

/// Why a question is not answered from here.
fn unanswerable(open: &Open) -> WireError {
    let half_typed = open.dialog.as_ref().is_some_and(|dialog| dialog.half_typed) || open.is_half_typed();
    let (code, why) = match &open.ask.obstacle {
        Some(obstacle) if half_typed => (ErrorCode::Changed, obstacle.as_str()),
        Some(obstacle) => (ErrorCode::Unsupported, obstacle.as_str()),
        None => (ErrorCode::Unsupported, "it is not known how this question is answered"),
    };
    WireError::new(code, why).next("answer it in the session's terminal").kept("nothing was typed")
}

impl Open {
    /// Whether clients were shown it under that fingerprint, and know with that what they answer now.
    fn was_shown_as(&self, fingerprint: &str) -> bool {
        let known = |(shown, seen): &(String, Dialog)| {
            shown == fingerprint && self.dialog.as_ref().is_some_and(|now| is_known_from(seen, now))
        };
        self.ask.fingerprint == fingerprint || self.earlier.iter().any(known)
    }
}

impl Answering {
    /// Whether that is the dialog which is answered, also with the chosen answer drawn otherwise by now.
    fn is_same(&self, dialog: &Dialog) -> bool {
        let same = |before: &Dialog| alike(before, dialog) || dialog.joined(before).is_some();
        dialog.fingerprint() == self.fingerprint || self.dialog.as_ref().is_some_and(same)
    }

    /// Whether the mark is where it was before the first key.
    fn unmoved(&self, dialog: &Dialog) -> bool {
        self.dialog.as_ref().is_none_or(|before| before.selected == dialog.selected)
    }

    /// The choice that is meant is looked for again: more of them have come to be known.
    fn choose_again(&mut self, dialog: &Dialog) -> Result<(), WireError> {
        let (choice, text) = (self.given.choice.as_deref(), self.given.text.as_deref());
        self.chosen = choice::chosen(&from_dialog(dialog), choice, text)?;
        Ok(())
    }

    /// What is said of what was typed so far.
    fn kept(&self) -> &'static str {
        if self.typed { "the choice was not taken, and nothing more is typed" } else { "nothing was typed" }
    }

    fn restless(&self) -> WireError {
        WireError::new(ErrorCode::Changed, "the screen does not stand still").kept(self.kept())
    }
}
