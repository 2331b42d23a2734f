//! How often the status is right: labelled recordings of real agents, replayed through the code that the daemon runs.
//!
//! [`corpus`] finds the recordings of `tests/corpus/status` and what was true in each; [`replay`] feeds one, in its own
//! pieces or in random ones, in its own time, to a [`belfry_daemon::watch::Watch`]; [`Score`] compares what that said with
//! what was true. No clock is read, so that a replay takes a fraction of its time and says the same on every machine.

mod asks;
mod chunks;
mod corpus;
mod labels;
mod recording;
mod replay;
mod score;
mod timeline;

pub use asks::AskSeen;
pub use chunks::Chunks;
pub use corpus::{Case, corpus};
pub use labels::{AskTruth, Labels, TrueStatus, Truth};
pub use recording::{Happening, Recording};
pub use replay::{Options, replay};
pub use score::{Score, Slip, percentile};
pub use timeline::{Said, Timeline};
