//! What is changed in a session's directory: counts that follow the agent's work, diffs, commits, checkpoints.

use std::sync::Arc;

use belfry_protocol::changes::ChangesRequest;
use belfry_protocol::{ErrorCode, Reply, WireError};

use crate::Daemon;
use crate::client::{Answer, Client};

type Outcome = Result<Reply, WireError>;

/// What a request comes to; none where somebody else has taken the answer on.
pub(crate) async fn answered(
    _daemon: &Arc<Daemon>,
    _client: &Arc<Client>,
    _wanted: ChangesRequest,
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    Some((answer, Err(WireError::new(ErrorCode::Unsupported, "this is not built yet"))))
}
