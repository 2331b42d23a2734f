//! Taking workspaces away without losing work, and bringing them back.
//!
//! What is done to files and refs is `belfry_workspace::remove`, which keeps its own record beside the removed directory; the row
//! follows that record, so that a daemon that was killed in between only has to read it again.

mod subject;
mod sweep;
mod teardown;

use std::sync::Arc;

use belfry_protocol::workspace::{Workspace, WorkspaceState};
use belfry_protocol::{ErrorCode, Reply, WireError, WorkspaceId};
use belfry_store::StoredWorkspace;
use belfry_workspace::losses::{Found, Subject};
use belfry_workspace::remove::{self, Record, RemoveError};
use belfry_workspace::{Git, Stop};
use tokio::sync::{Mutex, Notify};

use super::{Outcome, list, make};
use crate::{Daemon, clock};

pub(crate) use sweep::follow;

/// What the daemon has of it.
#[derive(Debug, Default)]
pub(crate) struct Removals {
    /// Held while one is removed or brought back: each asks who works where, and two could take each other's place.
    one_at_a_time: Mutex<()>,
    /// One was removed: the time of the next that is due has changed.
    pub(super) filled: Notify,
}

pub(super) async fn losses(daemon: &Arc<Daemon>, wanted: &str) -> Outcome {
    let (_, subject) = subject::find(daemon, wanted).await?;
    let git = make::git(daemon, None).await;
    let mut found = look(daemon, &git, subject.clone()).await?;
    let sessions = alive_in(daemon, &subject);
    found.losses.processes.splice(0..0, sessions);
    Ok(Reply::Losses(Box::new(found.losses)))
}

pub(super) async fn remove(daemon: &Arc<Daemon>, wanted: &str, seen: Option<String>) -> Outcome {
    if let Some(row) = removed(daemon, wanted) {
        return Ok(Reply::Workspaces(vec![list::shown(daemon, &row)]));
    }
    let (row, subject) = subject::find(daemon, wanted).await?;
    let _one = daemon.removals.one_at_a_time.lock().await;
    if matches!(row.state, WorkspaceState::Making { .. }) {
        return Err(WireError::new(ErrorCode::Busy, "it is still being made"));
    }
    let sessions = alive_in(daemon, &subject);
    if !sessions.is_empty() {
        return Err(wire(&RemoveError::Busy(sessions)).next("end them first"));
    }
    let shown = take(daemon, row, subject, seen).await?;
    Ok(Reply::Workspaces(vec![shown]))
}

/// Removes one, after its teardown script, if there is one and it may run.
async fn take(
    daemon: &Arc<Daemon>,
    row: StoredWorkspace,
    subject: Subject,
    seen: Option<String>,
) -> Result<Workspace, WireError> {
    let git = make::git(daemon, None).await;
    let found = look(daemon, &git, subject.clone()).await?;
    remove::may_be_removed(&found, seen.as_deref()).map_err(|error| wire(&error))?;
    let mut seen = seen;
    let mut notice = None;
    if let Some(ran) = teardown::run(daemon, &row).await {
        notice = ran;
        // The script changes what is there, and the person has seen what was there before: all of it is kept.
        seen = Some(look(daemon, &git, subject.clone()).await?.losses.fingerprint);
    }
    let removing = tokio::task::spawn_blocking(move || {
        remove::remove(&git, &subject, seen.as_deref(), clock::wall(), &Stop::default())
    });
    let record = removing.await.map_err(|error| internal(&error))?.map_err(|error| wire(&error))?;
    let mut row = row;
    apply(&mut row, &record, daemon);
    daemon.save_workspace(row.clone()).await?;
    daemon.removals.filled.notify_one();
    tracing::info!(workspace = %row.id, "a workspace was removed; it is kept for a day");
    let mut shown = list::shown(daemon, &row);
    shown.notice = notice.or(shown.notice);
    Ok(shown)
}

/// What a row says of one that was removed.
fn apply(row: &mut StoredWorkspace, record: &Record, daemon: &Daemon) {
    row.state = WorkspaceState::Removed { until: record.until };
    row.moved_to = Some(record.tree(&daemon.workspaces_dir()));
    row.removed_until = Some(record.until);
    row.saved = serde_json::json!({
        "ref": record.saved.as_ref().map(|_| record.ref_name()),
        "commit": record.saved,
        "notice": record.notice,
    });
}

/// What a row says of one that is where it was.
fn back(row: &mut StoredWorkspace) {
    row.state = WorkspaceState::Ready;
    row.moved_to = None;
    row.removed_until = None;
    row.saved = serde_json::Value::Null;
}

pub(super) async fn restore(daemon: &Arc<Daemon>, wanted: &str) -> Outcome {
    // Before it is looked for: somebody else may bring it back just now, and then it is no removed one any more.
    let _one = daemon.removals.one_at_a_time.lock().await;
    let Some(row) = removed(daemon, wanted) else {
        return Err(not_removed(&daemon.find_workspace(wanted)?));
    };
    let git = make::git(daemon, None).await;
    let subject = subject::of_row(daemon, &row).await;
    let restoring =
        tokio::task::spawn_blocking(move || remove::restore(&git, &subject, clock::wall(), &Stop::default()));
    let restored = restoring.await.map_err(|error| internal(&error))?.map_err(|error| wire(&error))?;
    let mut row = row;
    back(&mut row);
    daemon.save_workspace(row.clone()).await?;
    let mut shown = list::shown(daemon, &row);
    shown.notice = restored.notice.or(shown.notice);
    Ok(Reply::Workspaces(vec![shown]))
}

/// Why there is nothing to bring back of a workspace that is no removed one.
fn not_removed(row: &StoredWorkspace) -> WireError {
    let path = row.path.display();
    if row.path.symlink_metadata().is_ok() {
        let text = format!("it was not removed, or is back already: it is at {path}");
        return WireError::new(ErrorCode::BadRequest, text);
    }
    let text = format!("its directory is gone, and Belfry did not remove it: nothing was saved of {path}");
    let error = WireError::new(ErrorCode::NotFound, text);
    match &row.branch {
        // Of a clone, the commits went with it.
        Some(branch) if row.kind == belfry_protocol::session::WorkspaceKind::Worktree => {
            error.next(format!("what was committed is on the branch {branch}"))
        }
        _ => error,
    }
}

/// Removes orphans that nothing would be lost with, and goes on with what was begun.
pub(super) async fn clean(daemon: &Arc<Daemon>) -> Outcome {
    sweep::all(daemon).await;
    let _one = daemon.removals.one_at_a_time.lock().await;
    let git = make::git(daemon, None).await;
    let mut gone = Vec::new();
    for row in daemon.workspaces.all() {
        let at_rest = !row.warm
            && row.moved_to.is_none()
            && !matches!(row.state, WorkspaceState::Making { .. } | WorkspaceState::SettingUp { .. });
        if !at_rest || !daemon.sessions_in(row.id).is_empty() {
            continue;
        }
        let subject = subject::of_row(daemon, &row).await;
        if subject.path.symlink_metadata().is_err() {
            let mut shown = list::shown(daemon, &row);
            daemon.forget_workspace(row.id).await?;
            shown.notice = Some("its directory was gone already".to_owned());
            gone.push(shown);
            continue;
        }
        // One that cannot be looked at stays, and so do the others' chances.
        let Ok(found) = look(daemon, &git, subject.clone()).await else { continue };
        if !found.nothing_but_caches() || !alive_in(daemon, &subject).is_empty() {
            continue;
        }
        let seen = Some(found.losses.fingerprint.clone());
        match take(daemon, row.clone(), subject, seen).await {
            Ok(shown) => gone.push(shown),
            Err(error) => tracing::info!(workspace = %row.id, %error, "an orphan stays"),
        }
    }
    Ok(Reply::Workspaces(gone))
}

/// A removed one, by its id, the path that it had, or a session that worked in it.
fn removed(daemon: &Daemon, wanted: &str) -> Option<StoredWorkspace> {
    let rows = daemon.workspaces.all();
    let path = std::path::Path::new(wanted);
    let by_path = rows.iter().find(|row| row.path == path);
    let id = || daemon.find(wanted).ok().and_then(|entry| entry.record().workspace_id);
    let row = match (by_path, wanted.parse::<WorkspaceId>()) {
        (Some(row), _) => Some(row),
        (None, Ok(id)) if rows.iter().any(|row| row.id == id) => rows.iter().find(|row| row.id == id),
        _ if path.is_absolute() => None,
        _ => id().and_then(|id| rows.iter().find(|row| row.id == id)),
    };
    row.filter(|row| row.moved_to.is_some()).cloned()
}

/// Looks at it. Git of our own that just reads it is no program that works in it, and soon over.
async fn look(daemon: &Daemon, git: &Git, subject: Subject) -> Result<Found, WireError> {
    const TRIES: u32 = 20;
    let (git, own) = (git.clone(), std::process::id());
    let stop = Stop::default();
    let mut ends = daemon.stop.subscribe();
    let looking = {
        let stop = stop.clone();
        tokio::task::spawn_blocking(move || {
            let mut tries = 0;
            loop {
                let found = remove::look(&git, &subject, &stop)?;
                let ours = |one: &belfry_workspace::losses::Working| one.parent == own && one.name == "git";
                tries += 1;
                if tries == TRIES || found.working.is_empty() || !found.working.iter().all(ours) {
                    return Ok(found);
                }
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
        })
    };
    tokio::select! {
        found = looking => found.map_err(|error| internal(&error))?.map_err(|error| wire(&error)),
        _ = ends.wait_for(|ended| *ended) => {
            stop.now();
            Err(WireError::new(ErrorCode::Internal, "the daemon ends"))
        }
    }
}

/// Sessions whose programs live in it, by name: their processes may have moved elsewhere.
fn alive_in(daemon: &Daemon, subject: &Subject) -> Vec<String> {
    let entries = daemon.entries();
    let living = entries.iter().filter(|entry| entry.alive()).filter(|entry| {
        let record = entry.record();
        record.workspace_id.is_some_and(|id| id.to_string() == subject.id)
            || std::path::Path::new(&record.cwd).starts_with(&subject.path)
    });
    living.map(|entry| format!("the session `{}`", entry.record().name)).collect()
}

fn internal(error: &tokio::task::JoinError) -> WireError {
    WireError::new(ErrorCode::Internal, format!("it could not be done: {error}"))
}

/// An error for a client.
fn wire(error: &RemoveError) -> WireError {
    let code = match error {
        RemoveError::Refused(_) => ErrorCode::Forbidden,
        RemoveError::WouldLose(_) => ErrorCode::WouldLose,
        RemoveError::Busy(_) => ErrorCode::Busy,
        RemoveError::NotThere(_) | RemoveError::Lost { .. } => ErrorCode::NotFound,
        RemoveError::Git(_) => ErrorCode::Git,
        RemoveError::Files { .. } => ErrorCode::Storage,
    };
    let wire = WireError::new(code, error.to_string());
    match error {
        RemoveError::WouldLose(_) => {
            wire.kept("everything is as it was").next("look at what would be lost first")
        }
        RemoveError::Lost { saved: Some(saved), .. } => {
            wire.kept(format!("{} is kept", saved.name)).next(format!("`{}` gets at it", saved.command))
        }
        _ => wire,
    }
}
