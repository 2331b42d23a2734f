//! What agents' hooks tell.

use std::sync::Arc;

use belfry_protocol::{ErrorCode, Reply, SessionId, WireError};

use super::Outcome;
use crate::Daemon;
use crate::client::Client;
use crate::daemon::no_such;
use crate::session::Command;
use crate::sources::{Call, Callee, Refused};

/// A hook tells something of its session. It is telemetry: what it says becomes one observation among others.
///
/// The kernel says in which session the caller runs, and the secret for which run it speaks: another session's is refused
/// even with the right secret. The person may call one from outside, as a container does that an agent runs in.
pub(super) fn event(daemon: &Arc<Daemon>, client: &Client, session: SessionId, call: &Call<'_>) -> Outcome {
    client.authority.reaches(session)?;
    let entry = daemon.get(session).ok_or_else(|| no_such(&session.to_string()))?;
    let record = entry.session();
    let newest = record.runs.first().filter(|_| record.alive());
    let (run, dir) = newest
        .and_then(|run| Some((run.id, entry.run_dir(daemon, run.id)?)))
        .ok_or_else(|| WireError::new(ErrorCode::NotAlive, "the session has ended"))?;
    let callee = Callee {
        session,
        agent: &record.agent,
        run,
        dir: &dir,
        conversation: record.conversation_id.as_deref(),
    };
    let heard = daemon.sources.hear(&callee, call);
    if heard.is_ok() {
        crate::review::prompted_by_hook(daemon, &entry, call.name, call.payload);
    }
    match heard {
        Ok(Some(signal)) => {
            entry.tell_if_running(Command::Source(Box::new(signal)));
            Ok(Reply::Done)
        }
        Ok(None) => Ok(Reply::Done),
        Err(Refused::Secret) => {
            Err(WireError::new(ErrorCode::Forbidden, "the hook was made for another run of another session"))
        }
        Err(Refused::TooMuch) => Err(WireError::new(ErrorCode::TooMuch, "the hook says more than any does")),
    }
}
