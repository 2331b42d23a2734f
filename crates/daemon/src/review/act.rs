//! Changing what is changed: each is answered with how it is then.

use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::changes::Onto;
use belfry_protocol::{ErrorCode, WireError};
use belfry_workspace::{ChangeError, ChangeResult, Checkout, GitError, Stop};

use super::{Outcome, blocking, place, refused, show};
use crate::Daemon;
use crate::clock;

/// How long a change of the person waits for a look that goes on by itself in the same repository.
const PATIENCE: Duration = Duration::from_secs(2);

/// One that takes moments, and has no hooks.
pub(super) async fn quick(
    daemon: &Arc<Daemon>,
    wanted: &str,
    change: impl FnOnce(&Checkout) -> ChangeResult<()> + Send + 'static,
) -> Outcome {
    let entry = daemon.find(wanted)?;
    let place = place::of(daemon, &entry).await?;
    let checkout = place.checkout.clone();
    {
        let lock = daemon.spots.lock(checkout.common_dir());
        let _one = tokio::time::timeout(PATIENCE, lock.lock()).await;
        blocking(move || change(&checkout)).await?.map_err(|error| refused(&error))?;
    }
    show::shown(daemon, &entry, place).await
}

/// One that runs the person's hooks, asks for their keys or another machine: looks go on meanwhile.
pub(super) async fn slow(
    daemon: &Arc<Daemon>,
    wanted: &str,
    change: impl FnOnce(&Checkout) -> ChangeResult<()> + Send + 'static,
) -> Outcome {
    let entry = daemon.find(wanted)?;
    let place = place::own(daemon, &entry).await?;
    let checkout = place.checkout.clone();
    let done = blocking(move || change(&checkout)).await?;
    // What stands in the middle shows on the row as well.
    daemon.spots.changed(place.checkout.root());
    done.map_err(|error| refused(&error))?;
    show::shown(daemon, &entry, place::of(daemon, &entry).await?).await
}

pub(super) async fn discard(daemon: &Arc<Daemon>, wanted: &str, paths: Vec<String>) -> Outcome {
    let id = daemon.find(wanted)?.id.to_string();
    let now = clock::wall();
    quick(daemon, wanted, move |checkout| {
        let label = match paths.as_slice() {
            [one] => format!("before discarding {one}"),
            many => format!("before discarding {} files", many.len()),
        };
        checkout.make_checkpoint(&id, &label, now)?;
        checkout.discard(&paths)
    })
    .await
}

pub(super) async fn push(daemon: &Arc<Daemon>, wanted: &str, force: bool) -> Outcome {
    let pushed = slow(daemon, wanted, move |checkout| checkout.push(force, &Stop::default())).await;
    if pushed.is_ok()
        && let Ok(entry) = daemon.find(wanted)
    {
        daemon.forges.pushed(entry.id);
    }
    pushed.map_err(|error| {
        let behind = error.message.contains("non-fast-forward") || error.message.contains("fetch first");
        if behind && !force {
            error.next("pull first; a push with force would delete those commits at the remote")
        } else if error.message.contains("stale info") {
            error.next("somebody else has pushed: fetch, look at it, and decide again")
        } else {
            error
        }
    })
}

pub(super) async fn pull(daemon: &Arc<Daemon>, wanted: &str, onto: Onto) -> Outcome {
    let entry = daemon.find(wanted)?;
    let (id, now) = (entry.id.to_string(), clock::wall());
    let base = place::base(daemon, &entry.session());
    slow(daemon, wanted, move |checkout| checkout.pull(base.as_deref(), onto, (&id, now), &Stop::default()))
        .await
}

pub(super) async fn abort(daemon: &Arc<Daemon>, wanted: &str) -> Outcome {
    let (id, now) = (daemon.find(wanted)?.id.to_string(), clock::wall());
    quick(daemon, wanted, move |checkout| checkout.abort(&id, now)).await
}

pub(super) async fn checkpoint(daemon: &Arc<Daemon>, wanted: &str, label: String) -> Outcome {
    if label.trim().is_empty() {
        return Err(show::bad("a checkpoint needs a name"));
    }
    let (id, now) = (daemon.find(wanted)?.id.to_string(), clock::wall());
    quick(daemon, wanted, move |checkout| checkout.make_checkpoint(&id, &label, now).map(drop)).await
}

pub(super) async fn go_to(daemon: &Arc<Daemon>, wanted: &str, checkpoint: String) -> Outcome {
    let (id, now) = (daemon.find(wanted)?.id.to_string(), clock::wall());
    let gone = quick(daemon, wanted, move |checkout| match checkout.go_to(&id, &checkpoint, now) {
        // Something was written in between.
        Err(ChangeError::Git(error @ GitError::Failed { .. }))
            if error.to_string().contains("not uptodate") =>
        {
            Err(ChangeError::Conflict("a file was changed just now, and nothing was put back".to_owned()))
        }
        other => other.map(drop),
    })
    .await;
    gone.map_err(|error| match error.code {
        ErrorCode::Conflict => WireError::new(ErrorCode::Changed, error.message)
            .kept("the files are as they were")
            .next("try again when nothing writes to them"),
        _ => error,
    })
}
