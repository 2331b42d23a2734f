//! Before the prompt is reached, and before work is believed that nobody asked for.

use belfry_protocol::Status;
use belfry_protocol::signal::Source;

use super::Decision;
use crate::opinion::{Class, Look, Opinion};
use crate::output::QUIET;
use crate::rule::Rule;

/// How long a word of work must stand where nobody has given the agent anything to do, in milliseconds: Codex says that it
/// works for 0.1 s while it starts its servers.
const NO_BLIP: u64 = 300;

/// How long the screen must show work, in milliseconds.
const SHOWS_WORK: u64 = 500;

/// Output without a pause for this long is work and no start-up, in milliseconds.
const STEADY: u64 = 2000;

/// The same for an agent whose screen would tell: the slowest takes some seconds to start on a loaded machine.
const STEADY_WITH_RULES: u64 = 10_000;

/// How long a start may take before it is not known what the program does, in milliseconds. The slowest start measured took
/// 10 s; one in twelve of one agent hung.
const OVERDUE: u64 = 30_000;

impl Look<'_> {
    /// That it still starts, though something speaks.
    pub(super) fn not_reached(&self, lead: &Opinion) -> Option<Decision> {
        let begun = match (lead.class, lead.source) {
            (Class::Work, Source::Output) => {
                let long = if self.state.table.screen_rules { STEADY_WITH_RULES } else { STEADY };
                self.state.output.steady(long, self.moment)
            }
            // It was given something to do: that is no start-up.
            (Class::Work, _) if self.state.person.submitted.is_some() => true,
            (Class::Work, Source::Screen) => self.moment.reached(lead.begun + SHOWS_WORK),
            (Class::Work, _) => self.moment.reached(lead.begun + NO_BLIP),
            (Class::Rest, Source::Output) => self.moment.reached(lead.at + QUIET),
            _ => true,
        };
        (!begun).then_some(Decision::new(Status::Starting, Rule::Starting, Source::Process))
    }

    /// Whether a word of work at the prompt may be over in a moment: nobody has given it anything to do.
    pub(super) fn may_be_a_blip(&self, lead: &Opinion) -> bool {
        let told = lead.trust.structured && !matches!(lead.source, Source::Foreground | Source::Shell);
        told && matches!(self.shown.status, Status::Idle | Status::Blocked)
            && self.state.person.submitted < Some(self.shown.since)
            && !self.moment.reached(lead.begun + NO_BLIP)
    }

    /// Nothing speaks yet.
    pub(super) fn silent_start(&self) -> Decision {
        if self.moment.reached(self.state.started + OVERDUE) {
            Decision::new(Status::Unknown, Rule::StartOverdue, Source::Process)
        } else {
            Decision::new(Status::Starting, Rule::Starting, Source::Process)
        }
    }
}
