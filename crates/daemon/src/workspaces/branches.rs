//! What new branches can start from.

use std::sync::Arc;

use super::{Outcome, later};
use crate::Daemon;

pub(super) async fn show(_daemon: &Arc<Daemon>, _directory: &str) -> Outcome {
    Err(later())
}
