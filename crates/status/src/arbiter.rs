//! The one function from observations to status.

use belfry_protocol::Status;
use belfry_protocol::explain::{Evidence, Missing};
use belfry_protocol::signal::Source;

use crate::clock::{Clock, Moment};
use crate::observation::Observation;
use crate::opinion::Look;
use crate::rule::Rule;
use crate::shown::Shown;
use crate::state::State;
use crate::table::Table;
use crate::turn::Turn;
use crate::verdict::{Verdict, WhyNot};

/// How long a daemon that comes back may take to read what was printed meanwhile before the last status stops standing, in
/// milliseconds.
const REPLAY: u64 = 5000;

/// All that is known of one run, and what is shown of it.
///
/// What [`Arbiter::verdict`] says depends on the observations, their times and the moment alone, and not on how often it
/// was asked before. Observations of the same millisecond count as one: what holds in between is never shown.
#[derive(Clone, Debug, Default)]
pub struct Arbiter {
    clock: Clock,
    state: State,
    shown: Shown,
    /// Up to when `shown` has followed.
    at: u64,
}

impl Arbiter {
    /// A run that starts, of an agent with that table.
    pub fn new(table: Table, now: u64) -> Self {
        let mut clock = Clock::default();
        let at = clock.tick(now);
        let state = State { table, started: at, ..State::default() };
        Self { clock, state, shown: Shown::started(at), at }
    }

    /// A run that was found alive, with what was last said of it: that stands until all that was printed since has been
    /// read ([`Observation::CaughtUp`]), for 5 seconds at most, and then for as long as any last word does.
    pub fn resumed(table: Table, last: Status, source: Source, now: u64) -> Self {
        let mut arbiter = Self::new(table, now);
        arbiter.state.replay_until = Some(arbiter.at + REPLAY);
        arbiter.state.turn = Turn::resumed(last);
        arbiter.shown = Shown::resumed(last, source, arbiter.at);
        if last == Status::Running && arbiter.state.table.quiet_is_idle {
            // It goes on until it has been quiet for as long as any work may.
            arbiter.state.output.worked = Some(arbiter.at + 1);
        }
        arbiter
    }

    /// Takes another table: the agent's rules have changed, or its version has become known.
    pub fn set_table(&mut self, table: Table, now: u64) {
        self.advance(now);
        self.state.table = table;
    }

    /// Takes an observation in that was made now, in milliseconds.
    pub fn observe(&mut self, observation: Observation, now: u64) {
        self.observe_dated(observation, now, now);
    }

    /// Takes one in that carries its own time, by the same clock: a hook tells when it ran, a key press is known when its
    /// echo is there. What is older than the last word of its source is dropped, and no time later than now is believed.
    pub fn observe_dated(&mut self, observation: Observation, at: u64, now: u64) {
        self.advance(now);
        let at = self.clock.dated(at, self.at);
        self.state.observe(observation, at, self.at, self.shown.reached);
    }

    /// Follows what is shown up to now, but not what holds at this very moment: more of it may be observed.
    fn advance(&mut self, now: u64) {
        let now = self.clock.tick(now);
        if now > self.at {
            self.shown.follow(&self.state, self.at, now - 1);
            self.at = now;
        }
    }

    /// What is shown now, and when to look again.
    fn look<T>(&self, now: u64, with: impl FnOnce(Look<'_>) -> T) -> (T, Option<u64>) {
        let now = self.clock.read(now).max(self.at);
        let mut shown = self.shown;
        let next = shown.follow(&self.state, self.at, now);
        let moment = Moment::new(now);
        let with = with(Look { state: &self.state, shown: &shown, moment: &moment });
        // What goes with the status can change by itself, too.
        let next = next.into_iter().chain(moment.next()).min();
        (with, next.map(|next| next - now))
    }

    /// What follows at a moment, in milliseconds.
    pub fn verdict(&self, now: u64) -> Verdict {
        let (verdict, wait) = self.look(now, |look| look.verdict());
        Verdict { again_at: wait.map(|wait| now.saturating_add(wait)), ..verdict }
    }

    /// All observations as they count at a moment, what decided first.
    pub fn evidence(&self, now: u64) -> Vec<Evidence> {
        self.look(now, |look| look.evidence()).0
    }

    /// The sources that could speak and do not.
    pub fn missing(&self) -> &[Missing] {
        &self.state.missing
    }

    /// Whether a change from one status to another is a turn's end that the person wants to know of: something was done
    /// that they asked for, and they did not cut it short themselves.
    pub fn turn_over(&self, from: Status, to: Status) -> bool {
        self.state.turn.over(from, to)
    }

    /// Whether text can be typed at a moment without falling into the start-up, a turn or a dialog.
    pub fn takes_text(&self, now: u64) -> Result<(), WhyNot> {
        self.look(now, |look| {
            if look.state.ended.is_none() && look.state.screen.open.is_some() {
                return Err(WhyNot::Asks);
            }
            // What is decided may not be shown yet.
            let decided = look.decide().status;
            match (look.shown.status, decided) {
                (Status::Dead, _) => Err(WhyNot::Gone),
                (Status::Waiting, _) => Err(WhyNot::Asks),
                (Status::Starting, _) => Err(WhyNot::Starting),
                (Status::Unknown, _) => Err(WhyNot::Unknown),
                (Status::Running, Some(Status::Running)) => Err(look.why_busy()),
                (shown, Some(decided)) if shown != decided => Err(WhyNot::Unsettled),
                (Status::Running, _) => Err(WhyNot::Works),
                (_, None) => Err(WhyNot::Unsettled),
                (Status::Idle, Some(_)) => Ok(()),
                (Status::Blocked, Some(_)) => match look.trouble(look.shown.source) {
                    Some((trouble, Rule::CannotGoOn, _)) => Err(WhyNot::Blocked(trouble)),
                    _ => Ok(()),
                },
            }
        })
        .0
    }
}
