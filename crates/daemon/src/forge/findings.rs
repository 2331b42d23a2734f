//! Failed checks and reviewers' comments, as a message to the agent.

use std::sync::Arc;

use belfry_protocol::pull_request::Findings;
use belfry_protocol::{ErrorCode, WireError};
use belfry_workspace::forge::{checks_message, comments_message};

use super::place::Place;
use super::{apart, make};
use crate::Daemon;

/// Failed checks whose logs are fetched: each is a call, and one failure mostly explains the others.
const LOGS: usize = 5;

/// What to send.
pub(super) async fn message(daemon: &Arc<Daemon>, wanted: &str, what: Findings) -> Result<String, WireError> {
    let pull = make::refresh(daemon, wanted).await?;
    let nothing =
        |what: &str| WireError::new(ErrorCode::NotFound, format!("pull request #{} has {what}", pull.number));
    match what {
        Findings::Comments if pull.comments.is_empty() => Err(nothing("no comments that are not settled")),
        Findings::Comments => Ok(comments_message(&pull)),
        Findings::Checks if pull.failed.is_empty() => Err(nothing("no checks that failed")),
        Findings::Checks => {
            let place = Place::of(daemon, wanted).await?;
            let (_, forge) = place.shared()?;
            let tools = place.tools.clone();
            apart(move || {
                let failed = pull.failed.iter().take(LOGS).map(|check| {
                    let log = check.url.as_deref().and_then(|url| forge.log(&tools, url));
                    let log = match log {
                        Some(Ok(log)) => Some(log),
                        Some(Err(error)) => Some(format!("(Its log cannot be had: {error}.)")),
                        None => None,
                    };
                    (check.clone(), log)
                });
                checks_message(&pull, &failed.collect::<Vec<_>>())
            })
            .await
        }
    }
}
