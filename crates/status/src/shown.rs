//! What is shown, which follows what is decided without flicker.

use belfry_protocol::Status;
use belfry_protocol::signal::Source;

use crate::clock::Moment;
use crate::decide::Decision;
use crate::opinion::Look;
use crate::rule::Rule;
use crate::state::State;

/// Least time between two changes, in milliseconds, unless something specific says so: a question opens or ends, the agent
/// itself says that its turn is over, the person gives it something to do, or the process ends.
const CALM: u64 = 300;

/// More steps than any row of deadlines has: a stop in case two rules should ever chase each other.
const MOST_STEPS: u32 = 256;

/// What is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    pub(crate) status: Status,
    pub(crate) rule: Rule,
    pub(crate) source: Source,
    /// Since when.
    pub(crate) since: u64,
    /// When it last changed, apart from the start.
    changed: Option<u64>,
    /// It has left its start behind.
    pub(crate) reached: bool,
    /// What was drawn until then was drawn to start, and is no work.
    pub(crate) drawn_until: Option<u64>,
    /// Since when nothing confirms the status.
    pub(crate) doubted: Option<u64>,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            status: Status::Starting,
            rule: Rule::Starting,
            source: Source::Process,
            since: 0,
            changed: None,
            reached: false,
            drawn_until: None,
            doubted: None,
        }
    }
}

impl Shown {
    pub(crate) fn started(at: u64) -> Self {
        Self { since: at, ..Self::default() }
    }

    pub(crate) fn resumed(status: Status, source: Source, at: u64) -> Self {
        Self {
            status,
            rule: Rule::CatchingUp,
            source,
            since: at,
            reached: status != Status::Starting,
            ..Self::default()
        }
    }

    /// Follows what is observed until then. Also says when it could change with nothing observed.
    pub(crate) fn follow(&mut self, state: &State, from: u64, to: u64) -> Option<u64> {
        let mut now = from;
        let mut steps = 0;
        loop {
            let moment = Moment::new(now);
            let decision = Look { state, shown: self, moment: &moment }.decide();
            let changed = self.apply(decision, state.person.submitted, &moment);
            steps += 1;
            match moment.next() {
                _ if steps > MOST_STEPS => return None,
                // What is shown takes part in what is decided.
                _ if changed => {}
                Some(next) if next <= to => now = next,
                next => return next,
            }
        }
    }

    /// True when the status has changed.
    fn apply(&mut self, decision: Decision, submitted: Option<u64>, moment: &Moment) -> bool {
        let Some(status) = decision.status.filter(|status| *status != self.status) else {
            self.doubted = if decision.status.is_some() { None } else { self.doubted.or(Some(moment.now)) };
            self.rule = decision.rule;
            self.source = decision.source;
            return false;
        };
        // Why an idle agent cannot go on is read from its screen a moment later.
        let explains = (self.status, status) == (Status::Idle, Status::Blocked);
        let asks = status == Status::Waiting || self.status == Status::Waiting;
        let says_so = matches!(decision.source, Source::Program | Source::Api | Source::Registry);
        let over =
            says_so && self.status == Status::Running && matches!(status, Status::Idle | Status::Blocked);
        let given = status == Status::Running && submitted >= Some(self.since);
        let specific = asks || explains || over || given || status == Status::Dead;
        let calm = self.changed.is_none_or(|changed| moment.reached(changed + CALM));
        if !specific && !calm {
            return false;
        }
        if !self.reached && matches!(status, Status::Running | Status::Idle | Status::Blocked) {
            self.reached = true;
            self.drawn_until = (status != Status::Running).then_some(moment.now);
        }
        self.status = status;
        self.rule = decision.rule;
        self.source = decision.source;
        self.since = moment.now;
        self.changed = Some(moment.now);
        self.doubted = None;
        true
    }
}
