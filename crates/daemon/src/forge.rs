//! Pull requests of sessions' branches, by the forge's own command line in the person's environment.
//!
//! What is asked for at once is asked for here; what a row shows is kept fresh by [`follow`], which asks once for all sessions of
//! a repository, after signs that something is new, and only while somebody looks.

mod draft;
mod findings;
mod follow;
mod make;
mod place;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use belfry_protocol::pull_request::{PullRequest, PullRequestRequest as Wanted, PullState};
use belfry_protocol::{ErrorCode, Reply, SessionId, WireError};
use belfry_workspace::forge::{Found, Kind};
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::Daemon;
use crate::client::Answer;
use crate::session::Entry;

pub(crate) use follow::follow;

type Outcome = Result<Reply, WireError>;

/// What is known of forges.
#[derive(Default)]
pub(crate) struct Forges {
    /// Which kind of forge a host is that is not known by its name, and when it was asked.
    hosts: Mutex<HashMap<String, (Option<Kind>, Instant)>>,
    /// Sessions whose branches were pushed.
    pushed: Mutex<Vec<SessionId>>,
    /// Wakes the one who follows.
    changed: Notify,
}

impl Forges {
    /// A session's branch was pushed: its checks begin, or it is one that can have a pull request now.
    pub(crate) fn pushed(&self, id: SessionId) {
        self.pushed.lock().push(id);
        self.changed.notify_one();
    }

    /// Something about a session has changed, or somebody has begun to look.
    pub(crate) fn changed(&self) {
        self.changed.notify_one();
    }
}

/// What a request comes to; none where somebody else has taken the answer on.
pub(crate) async fn answered(
    daemon: &Arc<Daemon>,
    wanted: Wanted,
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    let outcome = match wanted {
        Wanted::Draft { session } => draft::draft(daemon, &session).await,
        Wanted::Create { session, title, body, base, draft } => {
            make::create(daemon, &session, make::Given { title, body, base, draft }).await
        }
        Wanted::Refresh { session } => make::refresh(daemon, &session).await.map(reply),
        Wanted::Merge { session, how } => make::merge(daemon, &session, how).await,
        Wanted::SendFindings { session, what } => match findings::message(daemon, &session, what).await {
            Ok(text) => {
                return crate::client::send_message(daemon, &session, text, false, answer).await;
            }
            Err(error) => Err(error),
        },
    };
    Some((answer, outcome))
}

fn reply(pull: PullRequest) -> Reply {
    Reply::PullRequest(Box::new(pull))
}

/// Notes what a forge said of a session's branch, and tells everybody where it is another than before.
fn note(daemon: &Daemon, entry: &Arc<Entry>, found: Option<Found>, with_comments: bool) {
    let before = entry.record().pull_request.clone();
    let found = found.filter(|found| is_of(entry, found, before.as_deref()));
    let mut pull = found.map(|found| found.pull);
    if let (Some(new), Some(before)) = (&mut pull, &before)
        && !with_comments
        && new.number == before.number
    {
        new.comments.clone_from(&before.comments);
    }
    if let (Some(new), Some(before)) = (&pull, &before) {
        let same = PullRequest { fetched_at: before.fetched_at, ..new.clone() };
        if same == **before {
            return;
        }
    }
    daemon.change(entry, |session| session.pull_request = pull.map(Box::new));
    daemon.save_soon(entry);
}

/// A name of a branch is used again: what ended before the session began, or nobody knows when, is of an earlier use, unless
/// the session has had it before.
fn is_of(entry: &Entry, found: &Found, before: Option<&PullRequest>) -> bool {
    let ended = matches!(found.pull.state, PullState::Merged | PullState::Closed);
    let known = before.is_some_and(|before| before.number == found.pull.number);
    !ended || known || found.ended_at.is_some_and(|at| at >= entry.record().created_at)
}

/// What the work in a thread of its own came to.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, WireError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| WireError::new(ErrorCode::Internal, format!("it broke off: {error}")))
}
