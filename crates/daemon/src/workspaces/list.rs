//! All workspaces, and other worktrees of the projects' repositories.

use std::sync::Arc;

use super::{Outcome, later};
use crate::Daemon;

pub(super) async fn list(_daemon: &Arc<Daemon>, _disk: bool) -> Outcome {
    Err(later())
}
