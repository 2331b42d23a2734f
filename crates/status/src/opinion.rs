//! What each source holds at a moment.

use belfry_protocol::signal::{Says, Source};

use crate::clock::Moment;
use crate::observation::Place;
use crate::output::QUIET;
use crate::screen::Reading;
use crate::shown::Shown;
use crate::state::State;
use crate::table::{Questions, Trust};
use crate::words::Heard;

/// How long a screen must show the prompt before that is believed, in milliseconds, where nothing else speaks: the next
/// frame may show work again.
const PROMPT: u64 = 100;

/// The same at the start: start-up screens are drawn in several writes.
const PROMPT_AT_START: u64 = 150;

/// The same soon after the person typed or a dialog closed, and at a start that was given something to do: between that and
/// the work, some screens show a prompt.
const PROMPT_AFTER_ANSWER: u64 = 500;

/// How soon that is, in milliseconds, while no work has shown: a slow start of a turn takes some seconds.
const SOON: u64 = 3000;

/// What an observation says, as far as conflicts go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Start,
    Work,
    Ask,
    /// At the prompt, for whatever reason.
    Rest,
    Gone,
}

impl Class {
    pub(crate) fn of(says: Says) -> Self {
        match says {
            Says::Starting => Self::Start,
            Says::Working => Self::Work,
            Says::Asking => Self::Ask,
            Says::Idle | Says::Done | Says::Failed | Says::Blocked => Self::Rest,
            Says::Gone => Self::Gone,
        }
    }
}

/// What a source holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opinion {
    pub(crate) source: Source,
    pub(crate) class: Class,
    /// When it said so last.
    pub(crate) at: u64,
    /// Since when it says so.
    pub(crate) begun: u64,
    pub(crate) trust: Trust,
}

/// All that a decision looks at: what was observed, what is shown, and the moment.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) state: &'a State,
    pub(crate) shown: &'a Shown,
    pub(crate) moment: &'a Moment,
}

impl Look<'_> {
    /// What all trusted sources hold, in the order of trust.
    pub(crate) fn opinions(&self) -> Vec<Opinion> {
        let mut opinions: Vec<_> =
            Source::ALL.into_iter().filter_map(|source| self.opinion(source)).collect();
        opinions.sort_by_key(|opinion| opinion.trust.rank);
        opinions
    }

    fn opinion(&self, source: Source) -> Option<Opinion> {
        let trust = *self.state.table.get(source)?;
        let (class, at, begun) = match source {
            Source::Process => return None,
            Source::Screen => self.screen()?,
            Source::Output => self.output()?,
            Source::Foreground => {
                let front = self.state.front.as_ref()?;
                let class = if front.says.runs { Class::Work } else { Class::Rest };
                (class, front.at, front.since)
            }
            _ => {
                let heard = self.state.words.get(source)?;
                let class = Class::of(heard.says?);
                if heard.spent || class == Class::Gone || self.expired(heard, &trust) {
                    return None;
                }
                (class, heard.at, heard.begun)
            }
        };
        Some(Opinion { source, class, at, begun, trust })
    }

    /// Whether a word is older than its source keeps it true.
    pub(crate) fn expired(&self, heard: &Heard, trust: &Trust) -> bool {
        let kept = trust.keeps_ms.is_some_and(|keeps| self.moment.reached(heard.at.saturating_add(keeps)));
        let repeats = trust.repeats_ms.filter(|_| heard.says == Some(Says::Working));
        kept || repeats.is_some_and(|repeats| self.moment.reached(heard.at.saturating_add(repeats)))
    }

    fn screen(&self) -> Option<(Class, u64, u64)> {
        let reading = self.state.screen.reading.as_ref()?;
        let class = match reading.says.place {
            Place::Working => Class::Work,
            Place::Prompt if self.prompt_is_idle(reading) => Class::Rest,
            Place::Prompt | Place::Dialog | Place::Unknown => return None,
        };
        Some((class, reading.at, reading.place_since))
    }

    /// Whether a prompt on the screen since then means that the agent is idle, with nothing else to tell it.
    fn prompt_is_idle(&self, reading: &Reading) -> bool {
        let state = self.state;
        let since = reading.place_since;
        if !self.shown.reached {
            let wait = if state.person.given { PROMPT_AFTER_ANSWER } else { PROMPT_AT_START };
            return self.moment.reached(since + wait);
        }
        let answered = state.person.typed.max(state.person.interrupted).max(state.screen.closed);
        // Once work has shown, the prompt after it is its end; and Escape, which left a dialog, lets nothing go on.
        let shown = state.screen.worked > answered;
        let left = state.person.interrupted.is_some_and(|at| {
            let at = Some(at);
            at >= state.person.typed && at >= state.screen.asked && at <= state.screen.closed
        });
        let soon = !shown && !left && answered.is_some_and(|answered| since < answered + SOON);
        let wait = if soon { PROMPT_AFTER_ANSWER } else { PROMPT };
        // A prompt from before Enter says nothing of what comes of it.
        let since = if shown { since } else { since.max(state.person.submitted.unwrap_or(0)) };
        let over = |worked: Option<u64>| worked.is_none_or(|worked| self.moment.reached(worked + QUIET));
        self.moment.reached(since + wait)
            && (state.table.screen_shows_work
                || reading.says.over
                || (over(state.screen.worked) && over(state.output.worked_after(self.shown.drawn_until))))
    }

    fn output(&self) -> Option<(Class, u64, u64)> {
        let output = &self.state.output;
        if let Some(worked) = output.worked_after(self.shown.drawn_until)
            && !self.moment.reached(worked + QUIET)
        {
            return Some((Class::Work, worked, output.series.unwrap_or(worked)));
        }
        let since = output.last.unwrap_or(self.state.started);
        self.state.table.quiet_is_idle.then_some((Class::Rest, since, since))
    }

    /// Whether what a source holds still speaks against another's word of that time, some while later.
    pub(crate) fn stands_after(&self, opinion: &Opinion, word: u64, while_ms: u64) -> bool {
        if opinion.trust.level {
            self.moment.reached(word.max(opinion.begun) + while_ms.saturating_add(opinion.trust.lag_ms))
                || (opinion.at >= word + while_ms)
        } else {
            opinion.at >= word + while_ms
        }
    }

    /// Whether it would tell of an open question, at least of most kinds.
    pub(crate) fn tells_questions(opinion: &Opinion) -> bool {
        opinion.trust.questions >= Questions::Most
    }
}
