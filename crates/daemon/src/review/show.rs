//! What is changed, shown.

use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::changes::{Between, Changes};
use belfry_protocol::{ErrorCode, Reply, StreamId, WireError};
use belfry_workspace::{ChangeResult, Look};

use super::place::{self, Place};
use super::{Outcome, blocking, follow, refused};
use crate::Daemon;
use crate::client::{Answer, Client};
use crate::session::Entry;

/// How long a look of the person waits for one that goes on by itself in the same repository.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) async fn show(daemon: &Arc<Daemon>, wanted: &str) -> Outcome {
    let entry = daemon.find(wanted)?;
    let place = place::of(daemon, &entry).await?;
    shown(daemon, &entry, place).await
}

/// All of it, and everybody is told the counts.
pub(super) async fn shown(daemon: &Arc<Daemon>, entry: &Entry, place: Place) -> Outcome {
    let root = place.checkout.root().to_owned();
    let known = daemon.spots.ends(&root);
    let lock = daemon.spots.lock(place.checkout.common_dir());
    let _one = tokio::time::timeout(PATIENCE, lock.lock()).await;
    let session = entry.id.to_string();
    let looked = blocking(move || -> ChangeResult<(Look, Changes)> {
        let checkout = &place.checkout;
        let look = checkout.look(place.base.as_deref(), known.as_ref())?;
        let upstream = checkout.upstream(look.head.branch.as_deref())?;
        let changes = Changes {
            counts: look.counts,
            branch: look.head.branch.clone(),
            base: look.base.as_ref().map(|base| base.name.clone()),
            upstream: upstream.branch,
            unpushed: upstream.unpushed,
            remote: upstream.address,
            files: look.files.clone(),
            more: look.more,
            commits: checkout.commits(look.base.as_ref())?,
            checkpoints: checkout.checkpoints(&session)?,
            operation: checkout.operation().map(str::to_owned),
        };
        Ok((look, changes))
    });
    let (look, mut changes) = looked.await?.map_err(|error| refused(&error))?;
    let mut sessions = daemon.spots.sessions(&root);
    if !sessions.contains(&entry.id) {
        sessions.push(entry.id);
    }
    follow::tell(daemon, &sessions, &look);
    // In one frame.
    let beside = Changes { files: Vec::new(), ..changes.clone() };
    let beside = serde_json::to_vec(&beside).map_or(0, |json| json.len());
    let fits = crate::daemon::fitting(&changes.files, beside);
    changes.more |= fits < changes.files.len();
    changes.files.truncate(fits);
    Ok(Reply::Changes(Box::new(changes)))
}

pub(super) async fn diff(
    daemon: &Arc<Daemon>,
    wanted: &str,
    (path, between): (String, Between),
    how: (Option<u32>, bool),
) -> Outcome {
    let place = place::of(daemon, &*daemon.find(wanted)?).await?;
    let known = daemon.spots.ends(place.checkout.root());
    let diff =
        blocking(move || place.checkout.diff(&path, &between, (place.base.as_deref(), known.as_ref()), how));
    diff.await?.map(|diff| Reply::Diff(Box::new(diff))).map_err(|error| refused(&error))
}

pub(super) async fn files(daemon: &Arc<Daemon>, wanted: &str, between: Between) -> Outcome {
    let place = place::of(daemon, &*daemon.find(wanted)?).await?;
    let known = daemon.spots.ends(place.checkout.root());
    let files = blocking(move || place.checkout.files(&between, place.base.as_deref(), known.as_ref()));
    let mut files = files.await?.map_err(|error| refused(&error))?;
    files.truncate(crate::daemon::fitting(&files, 0));
    Ok(Reply::ChangedFiles(files))
}

/// Sends the whole patch: made first, so that what is wrong is the answer.
pub(super) async fn patch(
    daemon: &Arc<Daemon>,
    client: &Arc<Client>,
    (wanted, between): (&str, Between),
    stream: StreamId,
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    let made = async {
        let place = place::of(daemon, &*daemon.find(wanted)?).await?;
        let known = daemon.spots.ends(place.checkout.root());
        let patch = blocking(move || place.checkout.patch(&between, place.base.as_deref(), known.as_ref()));
        patch.await?.map_err(|error| refused(&error))
    };
    match made.await {
        Ok(mut patch) => {
            crate::export::send(daemon, client, stream, answer, move |pieces| {
                // Nobody listens any more: nothing is wrong with that.
                let _ = crate::export::give(&mut patch, pieces);
                Ok::<_, std::convert::Infallible>(())
            })
            .await
        }
        Err(error) => Some((answer, Err(error))),
    }
}

/// For what is refused before git is asked.
pub(super) fn bad(text: &str) -> WireError {
    WireError::new(ErrorCode::BadRequest, text)
}
