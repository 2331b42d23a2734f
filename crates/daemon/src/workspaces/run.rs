//! Commands of a workspace that run beside its agent.

use std::sync::Arc;

use super::{Outcome, later};
use crate::Daemon;

pub(super) async fn run(_daemon: &Arc<Daemon>, _session: &str, _name: &str) -> Outcome {
    Err(later())
}
