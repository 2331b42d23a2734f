//! Projects from an address.

use std::sync::Arc;

use belfry_protocol::ProjectId;
use belfry_protocol::launch::EnvVar;

use super::{Outcome, later};
use crate::Daemon;

pub(super) async fn begin(
    _daemon: &Arc<Daemon>,
    _url: String,
    _into: (Option<String>, Option<String>),
    _base_env: Option<Vec<EnvVar>>,
) -> Outcome {
    Err(later())
}

pub(super) async fn cancel(_daemon: &Arc<Daemon>, _id: ProjectId) -> Outcome {
    Err(later())
}
