//! Pull requests, by the forge's own command line.

use std::sync::Arc;

use belfry_protocol::pull_request::PullRequestRequest;
use belfry_protocol::{ErrorCode, Reply, WireError};

use crate::Daemon;

type Outcome = Result<Reply, WireError>;

/// What a request comes to.
pub(crate) async fn answered(_daemon: &Arc<Daemon>, _wanted: PullRequestRequest) -> Outcome {
    Err(WireError::new(ErrorCode::Unsupported, "this is not built yet"))
}
