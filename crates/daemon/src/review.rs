//! What is changed in a session's directory: counts that follow the agent's work, diffs, commits, checkpoints.
//!
//! One task waits for signs of all working trees and looks at those where something changed, one after the other within a
//! repository, however many sessions are in it ([`mod@follow`]). With nothing changed no git runs.

mod act;
mod checkpoints;
mod follow;
mod place;
mod show;
mod signs;
mod spots;
mod suggest;

use std::sync::Arc;

use belfry_protocol::changes::ChangesRequest as Wanted;
use belfry_protocol::{ErrorCode, Reply, WireError};
use belfry_workspace::ChangeError;

use crate::Daemon;
use crate::client::{Answer, Client};

pub(crate) use checkpoints::{forget, prompted, prompted_by_hook};
pub(crate) use follow::follow;
pub(crate) use spots::Spots;

type Outcome = Result<Reply, WireError>;

/// What a request comes to; none where somebody else has taken the answer on.
pub(crate) async fn answered(
    daemon: &Arc<Daemon>,
    client: &Arc<Client>,
    wanted: Wanted,
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    let outcome = match wanted {
        Wanted::Show { session } => show::show(daemon, &session).await,
        Wanted::Diff { session, path, between, context, whole } => {
            show::diff(daemon, &session, (path, between), (context, whole)).await
        }
        Wanted::Files { session, between } => show::files(daemon, &session, between).await,
        Wanted::Patch { session, between, stream } => {
            return show::patch(daemon, client, (&session, between), stream, answer).await;
        }
        Wanted::Stage { session, paths, hunk } => {
            act::quick(daemon, &session, move |checkout| checkout.stage(&paths, hunk)).await
        }
        Wanted::Unstage { session, paths, hunk } => {
            act::quick(daemon, &session, move |checkout| checkout.unstage(&paths, hunk)).await
        }
        Wanted::Discard { session, paths } => act::discard(daemon, &session, paths).await,
        Wanted::Commit { session, message, all, amend } => {
            act::slow(daemon, &session, move |checkout| checkout.commit(&message, all, amend)).await
        }
        Wanted::SuggestMessage { session } => suggest::message(daemon, &session).await,
        Wanted::Push { session, force } => act::push(daemon, &session, force).await,
        Wanted::Pull { session, onto } => act::pull(daemon, &session, onto).await,
        Wanted::Abort { session } => act::abort(daemon, &session).await,
        Wanted::MakeCheckpoint { session, label } => act::checkpoint(daemon, &session, label).await,
        Wanted::GoTo { session, checkpoint } => act::go_to(daemon, &session, checkpoint).await,
    };
    Some((answer, outcome))
}

/// Work that blocks.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, WireError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))
}

/// In the words of the protocol.
fn refused(error: &ChangeError) -> WireError {
    let said = error.to_string();
    match error {
        ChangeError::Git(error) => WireError::new(ErrorCode::Git, error.said().unwrap_or(&said)),
        ChangeError::Refused(_) => WireError::new(ErrorCode::Git, said),
        ChangeError::Invalid(_) => WireError::new(ErrorCode::BadRequest, said),
        ChangeError::Conflict(_) => WireError::new(ErrorCode::Conflict, said)
            .kept("what was there before is kept as a checkpoint")
            .next("settle the files that are marked, or take it back"),
        ChangeError::WouldLose(_) => WireError::new(ErrorCode::WouldLose, said)
            .kept("the files are as they were")
            .next("move these elsewhere, or delete them yourself, and try again"),
        ChangeError::Files(_) => WireError::new(ErrorCode::Storage, said),
    }
}
