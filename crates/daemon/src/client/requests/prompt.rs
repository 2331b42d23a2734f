//! What a session was asked for at its start.

use std::sync::Arc;

use belfry_protocol::{ErrorCode, Reply, WireError};

use super::Outcome;
use crate::Daemon;
use crate::session::clean;

/// Longest prompt that is told, in characters: it is read, and fits into a frame whatever its letters are.
const MOST: usize = 20_000;

pub(super) async fn read(daemon: &Arc<Daemon>, wanted: &str) -> Outcome {
    let entry = daemon.find(wanted)?;
    let daemon = Arc::clone(daemon);
    let prompt = tokio::task::spawn_blocking(move || daemon.asked_prompt(&entry)).await;
    let prompt = prompt.map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))?;
    Ok(Reply::Prompt { text: prompt.map(|prompt| clean::text(prompt.trim(), MOST)) })
}
