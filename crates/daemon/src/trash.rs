//! Removing sessions for good: at once, or a day after they were put in the trash.

use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::{ErrorCode, WireError};
use jiff::SignedDuration;

use crate::session::{Command, Entry};
use crate::{Daemon, clock};

/// How long the trash keeps a session.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Longest sleep: a suspended machine's clock goes on while ours stands.
const LONGEST: Duration = Duration::from_hours(1);

/// Removes a session and all that belongs to it.
pub(crate) async fn remove(daemon: &Arc<Daemon>, entry: &Arc<Entry>) -> Result<(), WireError> {
    let id = entry.id;
    entry.tell_if_running(Command::Remove);
    if !entry.private {
        // The record first: files without a record are found and offered again, a record without files is a riddle.
        let removed = daemon.store.call(move |store| store.remove_session(id)).await;
        if let Err(error) = removed {
            return Err(WireError::new(
                ErrorCode::Storage,
                format!("the session cannot be removed: {error}"),
            ));
        }
    }
    daemon.forget(id);
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
