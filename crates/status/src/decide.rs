//! From what was observed to what is so, before it is shown.

mod lead;
mod questions;
mod rest;
mod start;

use belfry_protocol::Status;
use belfry_protocol::signal::Source;

use crate::opinion::{Class, Look};
use crate::rule::Rule;

/// How long the last status stands where nothing speaks any more, in milliseconds.
const LAST_WORD: u64 = 10_000;

/// What is decided for a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// None: as it is shown.
    pub(crate) status: Option<Status>,
    pub(crate) rule: Rule,
    pub(crate) source: Source,
}

impl Decision {
    fn new(status: Status, rule: Rule, source: Source) -> Self {
        Self { status: Some(status), rule, source }
    }

    /// It stays as it is for now.
    fn hold(rule: Rule, source: Source) -> Self {
        Self { status: None, rule, source }
    }
}

impl Look<'_> {
    /// What is so.
    pub(crate) fn decide(&self) -> Decision {
        if self.state.ended.is_some() {
            return Decision::new(Status::Dead, Rule::Gone, Source::Process);
        }
        if self.state.replay_until.is_some_and(|until| !self.moment.reached(until)) {
            return Decision::hold(Rule::CatchingUp, self.shown.source);
        }
        let opinions = self.opinions();
        if let Some(decision) = self.question(&opinions) {
            return decision;
        }
        // Those whose question does not stand have said nothing else.
        let opinions: Vec<_> = opinions.into_iter().filter(|opinion| opinion.class != Class::Ask).collect();
        let Some((lead, rule)) = self.lead(&opinions) else { return self.nothing_speaks() };
        let in_front = rule == Rule::Leader && lead.source == Source::Foreground;
        let rule = if in_front { Rule::InFront } else { rule };
        if !self.shown.reached
            && let Some(decision) = self.not_reached(&lead)
        {
            return decision;
        }
        if lead.class == Class::Work && self.may_be_a_blip(&lead) {
            return Decision::hold(self.shown.rule, self.shown.source);
        }
        if lead.class == Class::Rest
            && let Some(decision) = self.still_works(&opinions, &lead)
        {
            return decision;
        }
        match lead.class {
            Class::Work => Decision::new(Status::Running, rule, lead.source),
            Class::Start => Decision::new(Status::Starting, rule, lead.source),
            Class::Rest | Class::Ask | Class::Gone => self.rest(&opinions, &lead, rule),
        }
    }

    fn nothing_speaks(&self) -> Decision {
        if !self.shown.reached {
            return self.silent_start();
        }
        self.hold_for_a_while(Rule::LastWord, Rule::NothingLeft, self.shown.source)
    }

    /// It stays as it is until that has stood for as long as it may with nothing that confirms it.
    fn hold_for_a_while(&self, meanwhile: Rule, then: Rule, source: Source) -> Decision {
        if self.shown.status == Status::Unknown || self.doubted_for_long() {
            Decision::new(Status::Unknown, then, source)
        } else {
            Decision::hold(meanwhile, self.shown.source)
        }
    }

    /// Whether the status has stood for as long as it may with nothing that confirms it.
    fn doubted_for_long(&self) -> bool {
        self.moment.reached(self.shown.doubted.unwrap_or(self.moment.now) + LAST_WORD)
    }
}
