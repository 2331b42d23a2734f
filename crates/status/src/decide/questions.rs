//! Whether a question is open.

use belfry_protocol::Status;
use belfry_protocol::signal::Source;

use super::Decision;
use crate::observation::Place;
use crate::opinion::{Class, Look, Opinion};
use crate::rule::Rule;
use crate::screen::Open;

/// How long a dialog that went out of sight without an answer still counts, in milliseconds.
const AWAY: u64 = 10_000;

/// The same where keys were typed before it went: they answered it.
const ANSWERED: u64 = 1500;

/// How soon after a key a dialog goes that the key has closed, in milliseconds.
const CLOSES: u64 = 3000;

/// How long a word that a question is open, from a source that says when it is not, may be behind its end, in milliseconds.
const BEHIND: u64 = 1000;

/// How long the screen alone must speak against a source's word that a question is open, in milliseconds.
const ALONE: u64 = 3000;

/// How long others must speak against a source's word that a question is open, in milliseconds.
const AGAINST: u64 = 1000;

impl Look<'_> {
    /// The decision that a question is open, where one is.
    pub(super) fn question(&self, opinions: &[Opinion]) -> Option<Decision> {
        let state = self.state;
        if let Some(open) = &state.screen.open {
            let away = open.away.map(|away| away + if self.was_answered(open) { ANSWERED } else { AWAY });
            if away.is_none_or(|until| !self.moment.reached(until)) {
                let rule = if away.is_none() { Rule::Dialog } else { Rule::DialogAway };
                return Some(Decision::new(Status::Waiting, rule, Source::Screen));
            }
        }
        if self.front_asks() {
            return Some(Decision::new(Status::Waiting, Rule::TerminalRead, Source::Foreground));
        }
        opinions.iter().find(|opinion| opinion.class == Class::Ask && self.stands(opinion, opinions)).map(
            |opinion| {
                if self.is_behind(opinion) {
                    Decision::hold(Rule::JustAnswered, self.shown.source)
                } else {
                    Decision::new(Status::Waiting, Rule::Asked, opinion.source)
                }
            },
        )
    }

    /// Whether the program that has the terminal waits there for an answer. Enter is one; the next look tells what came of it.
    pub(crate) fn front_asks(&self) -> bool {
        let (state, front) = (self.state, self.state.front.as_ref());
        state.table.get(Source::Foreground).is_some()
            && front.is_some_and(|front| front.asks() && state.person.submitted <= Some(front.at))
    }

    /// Whether a question that is out of sight went when the person typed.
    pub(crate) fn was_answered(&self, open: &Open) -> bool {
        open.away
            .zip(self.state.person.typed)
            .is_some_and(|(away, typed)| typed > open.opened && away <= typed + CLOSES)
    }

    /// Whether a word of a question speaks of the one that has just left the screen.
    fn is_behind(&self, asking: &Opinion) -> bool {
        let screen = &self.state.screen;
        let Some(closed) = screen.closed.filter(|closed| *closed >= asking.at) else { return false };
        let answered = self.state.person.typed > screen.asked;
        answered && self.shown.status == Status::Waiting && !self.moment.reached(closed + BEHIND)
    }

    /// Whether a source's word that a question is open counts, with no known dialog on the screen.
    fn stands(&self, asking: &Opinion, opinions: &[Opinion]) -> bool {
        let screen = self.screen_without_question(asking);
        if !asking.trust.structured {
            // Notifications come seconds late, and a worker's report is its own view: they fill a gap and no more.
            return !matches!(self.state.screen.place(), Some(Place::Prompt | Place::Working));
        }
        if !asking.trust.level {
            // No answer is told of by an event, so that anything newer that would tell ends it.
            let superseded = opinions.iter().any(|other| {
                other.trust.structured
                    && Self::tells_questions(other)
                    && matches!(other.class, Class::Work | Class::Rest)
                    && other.at > asking.at
            });
            return !superseded && !screen;
        }
        // Its question was seen and has gone, and one that is trusted more has moved on: it is only late.
        let late = self.state.screen.closed >= Some(asking.begun)
            && opinions.iter().any(|other| {
                other.trust.structured
                    && other.trust.rank < asking.trust.rank
                    && Self::tells_questions(other)
                    && matches!(other.class, Class::Work | Class::Rest)
                    && other.at > asking.begun
            });
        let answered = || self.another_disagrees(asking, opinions) || self.person_answered(asking);
        !(late || (screen && answered()) || self.screen_says_long(asking))
    }

    /// Whether the screen has shown the prompt or work for a while after that word.
    fn screen_without_question(&self, asking: &Opinion) -> bool {
        let Some(reading) = &self.state.screen.reading else { return false };
        matches!(reading.says.place, Place::Prompt | Place::Working)
            && (reading.at >= asking.begun + AGAINST
                || self.moment.reached(asking.begun.max(reading.place_since) + AGAINST))
    }

    /// Whether the screen has shown for long, with nobody else to ask, what it does not show behind a question: any file that is
    /// printed can say that one is open.
    fn screen_says_long(&self, asking: &Opinion) -> bool {
        let Some(reading) = &self.state.screen.reading else { return false };
        let known = match reading.says.place {
            Place::Prompt => true,
            Place::Working => !reading.says.guessed,
            Place::Dialog | Place::Unknown => false,
        };
        known && self.moment.reached(asking.begun.max(reading.place_since) + ALONE)
    }

    fn another_disagrees(&self, asking: &Opinion, opinions: &[Opinion]) -> bool {
        opinions.iter().any(|other| {
            other.source != Source::Screen
                && other.trust.structured
                && (other.class == Class::Work
                    || (other.class == Class::Rest && Self::tells_questions(other)))
                && self.stands_after(other, asking.begun, AGAINST)
        })
    }

    /// Whether the person has typed since, and the screen has changed to the prompt or to work or stayed there.
    fn person_answered(&self, asking: &Opinion) -> bool {
        self.state
            .person
            .typed
            .max(self.state.person.interrupted)
            .is_some_and(|typed| typed > asking.begun && self.moment.reached(typed + AGAINST))
    }
}
