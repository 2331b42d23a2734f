//! Removing sessions for good: at once, or a day after they were put in the trash.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use belfry_protocol::{ErrorCode, WireError};
use jiff::SignedDuration;

use crate::session::{Command, Entry};
use crate::{Daemon, clock};

/// How long the trash keeps a session.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Longest sleep: a suspended machine's clock goes on while ours stands.
const LONGEST: Duration = Duration::from_hours(1);

/// What a session's directory is called, before its id, once the session is removed: whoever still writes there by the
/// old name finds nothing, and no daemon takes what is left for a session.
pub(crate) const SET_ASIDE: &str = ".removed-";

/// Removes a session and all that belongs to it.
pub(crate) async fn remove(daemon: &Arc<Daemon>, entry: &Arc<Entry>) -> Result<(), WireError> {
    let id = entry.id;
    let _no_new_run = entry.starting.lock().await;
    if entry.removed.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let failed = |error: &dyn std::fmt::Display| {
        entry.removed.store(false, Ordering::Relaxed);
        WireError::new(ErrorCode::Storage, format!("the session cannot be removed: {error}"))
    };
    // The files first: without them a record can be removed at any later time, and files without a record would be offered
    // as a session.
    let dir = daemon.files_of(id, entry.private);
    if let Some((dir, aside)) = &dir
        && let Err(error) = std::fs::rename(dir, aside)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(failed(&error));
    }
    if !entry.private
        && let Err(error) = daemon.store.call(move |store| store.remove_session(id)).await
    {
        if let Some((dir, aside)) = &dir {
            let _ = std::fs::rename(aside, dir);
        }
        return Err(failed(&error));
    }
    entry.tell_if_running(Command::Remove);
    daemon.forget(id);
    crate::index::forget(daemon, id);
    daemon.forget_files(id, entry.private).await;
    tracing::info!(session = %entry.logged(), "a session was removed");
    Ok(())
}

/// Empties the trash as its time comes, for as long as the daemon runs. Without trash there is no timer.
pub(crate) async fn empty(daemon: Arc<Daemon>) {
    loop {
        let mut next: Option<SignedDuration> = None;
        for entry in daemon.entries() {
            let Some(trashed) = entry.record().trashed_at else { continue };
            let left = KEPT - clock::wall().duration_since(trashed);
            if left.is_positive() {
                next = Some(next.map_or(left, |next| next.min(left)));
            } else if let Err(error) = remove(&daemon, &entry).await {
                tracing::warn!(session = %entry.logged(), %error, "the trash cannot be emptied");
                next = Some(SignedDuration::from_hours(1));
            }
        }
        match next {
            Some(left) => {
                let left = Duration::try_from(left).unwrap_or(LONGEST).min(LONGEST);
                tokio::select! {
                    () = tokio::time::sleep(left) => {}
                    () = daemon.trash_filled.notified() => {}
                }
            }
            None => daemon.trash_filled.notified().await,
        }
    }
}
