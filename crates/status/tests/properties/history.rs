//! What really happens, and what each source says of it.

use belfry_protocol::signal::Source;
use belfry_status::Observation;

/// What an agent really does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// At its prompt.
    Idle,
    /// Text comes in.
    Streams,
    /// A tool runs.
    Tool,
    /// A permission is asked for.
    Permission,
    /// A plan is to be approved.
    Plan,
    /// The turn is over, and a subagent goes on.
    Subagent,
}

impl Phase {
    pub(crate) fn works(self) -> bool {
        matches!(self, Self::Streams | Self::Tool | Self::Subagent)
    }

    pub(crate) fn asks(self) -> bool {
        matches!(self, Self::Permission | Self::Plan)
    }
}

/// How a phase is left for the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself.
    Done,
    /// By the person's Escape, or No.
    Cut,
}

/// One phase with its length in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) phase: Phase,
    pub(crate) length: u64,
    /// How it ends, where the prompt comes next.
    pub(crate) end: End,
}

/// What a source says at a time; none is the person.
pub(crate) struct Said {
    pub(crate) at: u64,
    pub(crate) by: Option<Source>,
    pub(crate) observation: Observation,
}

/// All that is said, to be put in order.
#[derive(Default)]
pub(crate) struct Record(pub(crate) Vec<Said>);

impl Record {
    pub(crate) fn add(&mut self, at: u64, by: Source, observation: Observation) {
        self.0.push(Said { at, by: Some(by), observation });
    }

    pub(crate) fn person(&mut self, at: u64, observation: Observation) {
        self.0.push(Said { at, by: None, observation });
    }

    /// In the order of time; the sort is stable.
    pub(crate) fn in_order(mut self) -> Vec<Said> {
        self.0.sort_by_key(|said| said.at);
        self.0
    }
}
