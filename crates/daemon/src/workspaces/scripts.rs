//! Scripts that come with a repository, and the trust in them.

use std::sync::Arc;

use super::{Outcome, later};
use crate::Daemon;

pub(super) async fn show(_daemon: &Arc<Daemon>, _directory: &str) -> Outcome {
    Err(later())
}

pub(super) async fn trust(_daemon: &Arc<Daemon>, _directory: &str, _hash: &str) -> Outcome {
    Err(later())
}
