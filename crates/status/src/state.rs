//! All that was observed of one run.

use belfry_protocol::explain::Missing;
use belfry_protocol::signal::{Says, Source};

use crate::observation::{Foreground, Observation, Silence, Word};
use crate::opinion::Class;
use crate::output::Output;
use crate::screen::Screen;
use crate::table::Table;
use crate::tasks::Tasks;
use crate::turn::Turn;
use crate::words::Words;

/// How soon after a key a program is gone that the key has ended, in milliseconds: the look at what has the terminal takes up to
/// a second.
const LEAVES: u64 = 2000;

/// A text that is submitted this soon after the start was given with it, in milliseconds.
const WITH_THE_START: u64 = 100;

/// What the person did last, and when.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Person {
    /// Any key.
    pub(crate) typed: Option<u64>,
    pub(crate) submitted: Option<u64>,
    pub(crate) interrupted: Option<u64>,
    /// The program was started with something to do.
    pub(crate) given: bool,
}

/// Which process has the terminal.
#[derive(Clone, Debug)]
pub(crate) struct InFront {
    pub(crate) says: Foreground,
    pub(crate) at: u64,
    /// Since when it is that one.
    pub(crate) since: u64,
    /// It has been open since then: one that ends takes neither keys nor the screen any more.
    was_open: bool,
}

impl InFront {
    /// It sleeps in a read, and its line looks like a question or asks for what must not be seen.
    pub(crate) fn asks(&self) -> bool {
        self.says.runs && self.says.reads_terminal && (self.says.question.is_some() || self.says.echo_off)
    }

    /// Somebody works in it, or looks at it.
    pub(crate) fn is_open(&self) -> bool {
        self.says.runs && self.says.keys && !self.asks()
    }
}

/// All that was observed of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) table: Table,
    pub(crate) started: u64,
    pub(crate) ended: Option<u64>,
    /// What is read was printed before, until then at the latest.
    pub(crate) replay_until: Option<u64>,
    pub(crate) words: Words,
    pub(crate) screen: Screen,
    pub(crate) tasks: Tasks,
    pub(crate) front: Option<InFront>,
    pub(crate) output: Output,
    pub(crate) person: Person,
    pub(crate) turn: Turn,
    pub(crate) missing: Vec<Missing>,
}

impl State {
    /// Takes in what was so at a time, and is known now.
    pub(crate) fn observe(&mut self, observation: Observation, at: u64, now: u64, reached: bool) {
        if self.ended.is_some() {
            return;
        }
        match observation {
            Observation::Started => self.started = at,
            Observation::Ended => self.ended = Some(at),
            Observation::Word(word) => self.word(word, at),
            Observation::Screen(says) => {
                self.found(Source::Screen);
                let worked = self.last_said(Class::Work);
                self.screen.read(says, at, worked);
                self.turn.screen(self.screen.worked, self.replays(now));
                self.close_what_is_away();
                self.spend_questions();
            }
            // On a screen that stands still the same words prove nothing new.
            Observation::Looked if self.output.last < self.screen.read_at() => {}
            Observation::Looked => self.screen.again(at),
            Observation::Task(task) => self.tasks.hear(task, at),
            Observation::Foreground(says) => {
                self.found(Source::Foreground);
                let same =
                    |front: &&InFront| front.says.runs == says.runs && front.says.command == says.command;
                if self.front.as_ref().is_none_or(|front| front.at <= at) {
                    let before = self.front.as_ref().filter(same);
                    let (since, was_open) = before.map_or((at, false), |front| (front.since, front.was_open));
                    if !says.runs {
                        self.left(at);
                    }
                    self.turn.foreground(says.runs);
                    let mut front = InFront { says, at, since, was_open };
                    front.was_open |= front.is_open();
                    self.front = Some(front);
                }
            }
            Observation::Output(_) if self.replays(now) => {}
            Observation::Output(bytes) => {
                self.output.printed(bytes, at);
                if self.output.worked == Some(at) {
                    self.turn.output();
                }
            }
            Observation::Typed => {
                self.person.typed = self.person.typed.max(Some(at));
                self.turn.typed(reached && self.asks());
                self.output.touched(at);
            }
            Observation::Submitted => {
                self.person.typed = self.person.typed.max(Some(at));
                self.person.submitted = self.person.submitted.max(Some(at));
                self.person.given |= at <= self.started + WITH_THE_START;
                // A dialog of the start-up (whether to trust the folder) asks the person, not the other way round.
                self.turn.typed(reached || !self.asks());
                self.output.touched(at);
                self.output.submitted();
            }
            Observation::Interrupted => {
                self.person.interrupted = self.person.interrupted.max(Some(at));
                self.turn.interrupted();
                self.output.touched(at);
            }
            Observation::Touched => self.output.touched(at),
            Observation::Lost(silence) => {
                self.words.forget(silence.source);
                match silence.source {
                    Source::Screen => self.screen.forget(),
                    Source::Foreground => self.front = None,
                    _ => {}
                }
                self.miss(silence);
            }
            Observation::Missing(silence) => self.miss(silence),
            Observation::CaughtUp => self.replay_until = None,
        }
    }

    /// What was open has gone. Where the person typed in it right before, they have left it, and nothing was done that they wait
    /// for.
    fn left(&mut self, at: u64) {
        let Some(front) = self.front.as_ref().filter(|front| front.says.runs && front.was_open) else {
            return;
        };
        if self.person.typed.is_some_and(|typed| typed >= front.since && at <= typed + LEAVES) {
            self.turn.interrupted();
        }
    }

    fn word(&mut self, word: Word, at: u64) {
        let (source, says) = (word.source, word.says);
        self.found(source);
        let before = self.words.get(source).and_then(|heard| heard.says);
        let in_background = matches!(word.doing, Some(crate::Doing::Background(_)));
        if !self.words.hear(word, at) {
            return;
        }
        if source == Source::Shell && says == Some(Says::Idle) {
            self.left(at);
        }
        if let Some(trust) = self.table.get(source).filter(|trust| trust.structured) {
            self.turn.said(before, says, in_background, trust.tells_done);
        }
        self.close_what_is_away();
        self.spend_questions();
    }

    /// A question that is no longer on the screen is over once something specific is newer than its last sight.
    fn close_what_is_away(&mut self) {
        let Some((seen, away)) = self.screen.open.as_ref().and_then(|open| Some((open.seen, open.away?)))
        else {
            return;
        };
        let newest = self.structured().filter_map(|source| self.words.get(source)).filter(|heard| {
            matches!(heard.says.map(Class::of), Some(Class::Work | Class::Rest)) && heard.at > seen
        });
        if let Some(at) = newest.map(|heard| heard.at).max() {
            self.screen.close(at.max(away));
        }
    }

    /// Sources that tell events say nothing when a question is answered: that the screen shows it no more says so.
    fn spend_questions(&mut self) {
        let Some(closed) = self.screen.closed else { return };
        let table = &self.table;
        let events =
            Source::ALL.into_iter().filter(|source| table.get(*source).is_none_or(|trust| !trust.level));
        self.words.spend_questions(events, closed);
    }

    fn structured(&self) -> impl Iterator<Item = Source> {
        Source::ALL.into_iter().filter(|source| self.table.get(*source).is_some_and(|trust| trust.structured))
    }

    /// When a structured source last said so.
    pub(crate) fn last_said(&self, class: Class) -> Option<u64> {
        self.structured()
            .filter_map(|source| self.words.get(source))
            .filter(|heard| heard.says.map(Class::of) == Some(class))
            .map(|heard| heard.at)
            .max()
    }

    /// Whether a question is open, as far as any source says.
    fn asks(&self) -> bool {
        self.screen.open.is_some()
            || self.front.as_ref().is_some_and(InFront::asks)
            || self
                .structured()
                .filter_map(|source| self.words.get(source))
                .any(|heard| heard.says == Some(Says::Asking) && !heard.spent)
    }

    fn replays(&self, now: u64) -> bool {
        self.replay_until.is_some_and(|until| now < until)
    }

    fn found(&mut self, source: Source) {
        self.missing.retain(|missing| missing.source != source);
    }

    fn miss(&mut self, silence: Silence) {
        self.found(silence.source);
        let Silence { source, why, costs } = silence;
        self.missing.push(Missing { source, why, costs });
    }
}
