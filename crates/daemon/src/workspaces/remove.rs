//! Taking workspaces away without losing work, and bringing them back.

use std::sync::Arc;

use super::{Outcome, later};
use crate::Daemon;

pub(super) async fn losses(_daemon: &Arc<Daemon>, _workspace: &str) -> Outcome {
    Err(later())
}

pub(super) async fn remove(_daemon: &Arc<Daemon>, _workspace: &str, _seen: Option<String>) -> Outcome {
    Err(later())
}

pub(super) async fn restore(_daemon: &Arc<Daemon>, _workspace: &str) -> Outcome {
    Err(later())
}

pub(super) async fn clean(_daemon: &Arc<Daemon>) -> Outcome {
    Err(later())
}
