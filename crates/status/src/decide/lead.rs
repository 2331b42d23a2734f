//! Which source decides.

use belfry_protocol::signal::Source;

use crate::observation::Place;
use crate::opinion::{Class, Look, Opinion};
use crate::output::QUIET;
use crate::rule::Rule;

/// How long others must speak against the leading source's last word, in milliseconds.
const AGAINST: u64 = 1000;

/// How long the screen must go on showing work against a word of idleness, in milliseconds.
const WORK_SHOWS: u64 = 500;

/// How long after Enter a word of idleness may still be of the time before, in milliseconds: on a loaded machine Claude Code
/// has said that it is at its prompt 320 ms after a prompt was submitted.
const CROSSED: u64 = 500;

/// How long nothing may move while an agent works whose spinner never stops, in milliseconds. The slowest beats once a
/// second.
const STILL: u64 = 10_000;

impl Look<'_> {
    /// The opinion that decides and the rule by which it does; none where nothing speaks.
    pub(super) fn lead(&self, opinions: &[Opinion]) -> Option<(Opinion, Rule)> {
        let first = *opinions.first()?;
        let overruled = match first.class {
            Class::Rest => Self::newer(&first, opinions)
                .or_else(|| self.given_work(&first, opinions))
                .or_else(|| self.screen_works(&first, opinions))
                .or_else(|| self.two_agree(&first, opinions, Class::Work)),
            Class::Work => Self::newer(&first, opinions)
                .or_else(|| self.two_agree(&first, opinions, Class::Rest))
                .or_else(|| self.interrupted(&first))
                .or_else(|| self.nothing_moves(&first)),
            Class::Start | Class::Ask | Class::Gone => None,
        };
        Some(overruled.unwrap_or((first, Rule::Leader)))
    }

    /// Where the leading source has holes: a newer word of another.
    fn newer(first: &Opinion, opinions: &[Opinion]) -> Option<(Opinion, Rule)> {
        if first.trust.lag_ms == 0 {
            return None;
        }
        opinions[1..]
            .iter()
            .find(|other| {
                let differs = other.class != first.class && matches!(other.class, Class::Work | Class::Rest);
                let shows_work = other.source == Source::Screen && other.class == Class::Work;
                differs
                    && ((other.trust.structured && other.begun > first.at)
                        || (shows_work && other.at >= first.at + WORK_SHOWS))
            })
            .map(|other| (*other, Rule::Newer))
    }

    /// A word of idleness from before the person gave it something to do, or from the moment itself, against a screen that
    /// shows work since.
    fn given_work(&self, first: &Opinion, opinions: &[Opinion]) -> Option<(Opinion, Rule)> {
        let given = self.state.person.submitted.filter(|given| given.saturating_add(CROSSED) >= first.at)?;
        let given = given.max(first.at);
        let screen = opinions.iter().find(|other| other.source == Source::Screen)?;
        (screen.class == Class::Work && screen.begun > given).then_some((*screen, Rule::GivenWork))
    }

    /// A word of idleness against a screen that has gone on showing work.
    fn screen_works(&self, first: &Opinion, opinions: &[Opinion]) -> Option<(Opinion, Rule)> {
        if self.state.screen.reading.as_ref().is_some_and(|reading| reading.says.guessed) {
            return None;
        }
        let screen =
            opinions.iter().find(|other| other.source == Source::Screen && other.class == Class::Work)?;
        let from = screen.begun.max(first.at + AGAINST);
        (screen.at >= from + WORK_SHOWS).then_some((*screen, Rule::ScreenWorks))
    }

    /// Two others that say so, one of them structured.
    fn two_agree(&self, first: &Opinion, opinions: &[Opinion], class: Class) -> Option<(Opinion, Rule)> {
        let mut against = opinions[1..]
            .iter()
            .filter(|other| other.class == class && self.stands_after(other, first.at, AGAINST));
        let (one, other) = (against.next()?, against.next()?);
        let structured =
            one.trust.structured || other.trust.structured || against.any(|more| more.trust.structured);
        structured.then_some((*one, Rule::TwoAgree))
    }

    /// Where the leading source has holes: the person interrupted, and the screen shows the prompt.
    fn interrupted(&self, first: &Opinion) -> Option<(Opinion, Rule)> {
        let interrupted = self.state.person.interrupted.filter(|at| *at > first.at)?;
        let prompt = self.prompt()?;
        let quiet = self.state.output.worked.max(Some(interrupted))?;
        (first.trust.lag_ms > 0
            && self.moment.reached(prompt.begun.max(interrupted) + AGAINST)
            && self.moment.reached(quiet + QUIET))
        .then_some((prompt, Rule::Interrupted))
    }

    /// A word of work against a prompt on a screen that stands still, where work moves.
    fn nothing_moves(&self, first: &Opinion) -> Option<(Opinion, Rule)> {
        let prompt = self.prompt()?;
        let state = self.state;
        let terminal = [Source::Program, Source::Title, Source::Progress, Source::Modes];
        let moved = terminal
            .into_iter()
            .filter_map(|source| Some(state.words.get(source)?.at))
            .chain(state.screen.reading.as_ref().map(|reading| reading.changed))
            .chain(state.screen.half_drawn)
            .chain(state.output.last)
            .chain([first.at])
            .max()?;
        (state.table.work_moves && self.moment.reached(moved + STILL)).then_some((prompt, Rule::NothingMoves))
    }

    /// That the screen shows the prompt, however long.
    fn prompt(&self) -> Option<Opinion> {
        let trust = *self.state.table.get(Source::Screen)?;
        let reading = self.state.screen.reading.as_ref()?;
        (reading.says.place == Place::Prompt).then_some(Opinion {
            source: Source::Screen,
            class: Class::Rest,
            at: reading.at,
            begun: reading.place_since,
            trust,
        })
    }
}
