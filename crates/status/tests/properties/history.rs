//! What really happens, and what each source says of it.

use belfry_protocol::signal::Source;
use belfry_status::Observation;

/// What an agent really does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
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
    pub fn works(self) -> bool {
        matches!(self, Self::Streams | Self::Tool | Self::Subagent)
    }

    pub fn asks(self) -> bool {
        matches!(self, Self::Permission | Self::Plan)
    }
}

/// How a phase is left for the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Done,
    /// By the person's Escape, or No.
    Cut,
}

/// One phase with its length in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub phase: Phase,
    pub length: u64,
    /// How it ends, where the prompt comes next.
    pub end: End,
}

/// What a source says at a time; none is the person.
pub struct Said {
    pub at: u64,
    pub by: Option<Source>,
    pub observation: Observation,
}

/// All that is said, to be put in order.
#[derive(Default)]
pub struct Record(pub Vec<Said>);

impl Record {
    pub fn add(&mut self, at: u64, by: Source, observation: Observation) {
        self.0.push(Said { at, by: Some(by), observation });
    }

    pub fn person(&mut self, at: u64, observation: Observation) {
        self.0.push(Said { at, by: None, observation });
    }

    /// In the order of time; the sort is stable.
    pub fn in_order(mut self) -> Vec<Said> {
        self.0.sort_by_key(|said| said.at);
        self.0
    }
}
