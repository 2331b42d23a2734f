//! Going on with removals that were cut off, and deleting what its time has come for.

use std::sync::Arc;
use std::time::Duration;

use belfry_workspace::Stop;
use belfry_workspace::remove::{self, Step, Swept};
use jiff::Timestamp;

use super::{apply, back, make};
use crate::{Daemon, clock};

/// Longest sleep: a suspended machine's clock goes on while ours stands.
const LONGEST: Duration = Duration::from_hours(1);

/// Goes on with them at once and as their time comes, for as long as the daemon runs. Without any there is no timer.
pub(crate) async fn follow(daemon: Arc<Daemon>) {
    loop {
        all(&daemon).await;
        let root = daemon.workspaces_dir();
        let records = tokio::task::spawn_blocking(move || remove::records(&root).0).await.unwrap_or_default();
        let due = |record: &remove::Record| match record.step {
            Step::Aside => record.undo_until(),
            Step::Thinned => record.kept_until(),
            // It failed just now; it is tried again.
            _ => Timestamp::MAX,
        };
        let timer = async {
            match records.iter().map(due).min() {
                Some(at) => {
                    let left = at.duration_since(clock::wall());
                    let left = Duration::try_from(left).unwrap_or(Duration::from_secs(1));
                    tokio::time::sleep(left.clamp(Duration::from_secs(1), LONGEST)).await;
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = timer => {}
            () = daemon.removals.filled.notified() => {}
        }
    }
}

/// Goes on with all of them, one after the other. The lock is held from before they are listed: one that somebody else has brought
/// back in between would be taken for one that is gone.
pub(super) async fn all(daemon: &Arc<Daemon>) {
    let _one = daemon.removals.one_at_a_time.lock().await;
    let root = daemon.workspaces_dir();
    let listed = tokio::task::spawn_blocking(move || remove::records(&root)).await;
    let (records, broken) = listed.unwrap_or_default();
    for id in broken {
        tracing::warn!(workspace = %id, "the record of a removed workspace cannot be read; it is left alone");
    }
    if records.is_empty() {
        return;
    }
    let git = make::git(daemon, None).await;
    for record in records {
        let stop = Stop::default();
        let mut sweeping = {
            let (git, root, id, stop) =
                (git.clone(), daemon.workspaces_dir(), record.id.clone(), stop.clone());
            tokio::task::spawn_blocking(move || remove::sweep(&git, &root, &id, clock::wall(), &stop))
        };
        let mut ends = daemon.stop.subscribe();
        let swept = tokio::select! {
            swept = &mut sweeping => swept,
            // A large directory takes its time to delete; the next daemon goes on.
            () = async { drop(ends.wait_for(|ended| *ended).await) } => {
                stop.now();
                sweeping.await
            }
        };
        match swept {
            Ok(Ok(swept)) => follow_row(daemon, &record.id, swept).await,
            Ok(Err(error)) => {
                tracing::warn!(workspace = %record.id, %error, "a removed workspace cannot be gone on with");
            }
            Err(error) => tracing::warn!(workspace = %record.id, %error, "going on with a removal failed"),
        }
    }
}

/// Has the row say what the record says.
async fn follow_row(daemon: &Arc<Daemon>, id: &str, swept: Swept) {
    let Ok(id) = id.parse() else { return };
    let Some(mut row) = daemon.workspaces.get(id) else { return };
    let before = row.clone();
    let kept = match swept {
        Swept::Kept(record) => {
            apply(&mut row, &record, daemon);
            true
        }
        Swept::Back(_) => {
            back(&mut row);
            true
        }
        Swept::Gone => false,
    };
    let saved = if !kept {
        daemon.forget_workspace(id).await
    } else if row == before {
        Ok(())
    } else {
        daemon.save_workspace(row).await
    };
    if let Err(error) = saved {
        tracing::warn!(workspace = %id, %error, "what became of a removed workspace cannot be noted");
    }
}
