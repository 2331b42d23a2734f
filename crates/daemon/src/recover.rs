//! At the start: which sessions there are, and what became of each since the last daemon.
//!
//! The database says what there was. Sessions that it does not know, because it was lost or the last daemon ended before it
//! was written, come from the `meta.json` files of their runs, and private ones only from there. Then each session that was
//! alive gets an engine, all at once, which finds its keeper or how it ended.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use belfry_platform::home::RunDir;
use belfry_protocol::{RunId, Session, SessionId, Status};
use jiff::Timestamp;

use crate::launch::Meta;
use crate::session::{Entry, Start, left, reason};
use crate::{Daemon, clock};

/// Takes up everything. Sessions are there when this returns; their screens follow.
pub(crate) async fn all(daemon: &Arc<Daemon>) -> belfry_store::Result<()> {
    let cut_off = daemon.store.call(|store| store.messages_cut_off(clock::wall())).await?;
    for message in cut_off {
        tracing::warn!(session = %message.session, "a message was being typed when the last daemon ended");
    }
    let mut sessions = daemon.store.call(|store| store.sessions()).await?;
    let known: HashSet<SessionId> = sessions.iter().map(|session| session.id).collect();
    let runs: HashSet<RunId> = sessions.iter().flat_map(|session| &session.runs).map(|run| run.id).collect();
    let found = found(daemon, &known, &runs).await;
    if !found.is_empty() {
        let rebuilt = found.clone();
        let added = daemon.store.call(move |store| store.rebuild_from(&rebuilt)).await?;
        tracing::info!(added, "sessions were rebuilt from their runs' own notes");
        sessions = daemon.store.call(|store| store.sessions()).await?;
        sessions.extend(found.into_iter().filter(|session| session.private));
    }
    for mut session in sessions {
        session.views = 0;
        // The run's own record decides: the last daemon may have ended between starting it and saying so of the session.
        if session.runs.first().is_some_and(|run| run.exit.is_none()) {
            session.status = if session.alive() { session.status } else { Status::Starting };
            (session.exit, session.reason) = (None, None);
        }
        session.pid = session.runs.first().filter(|_| session.alive()).and_then(|run| run.pid);
        if session.alive() {
            // The store keeps it with the run.
            session.pid = session.runs.first().and_then(|run| run.pid);
        }
        let entry = Arc::new(Entry::new(session));
        daemon.add(&entry);
        if entry.alive() {
            entry.start(daemon, Start::Find);
        }
    }
    Ok(())
}

/// Sessions that only their files know of, and runs that the record of a known session lacks.
async fn found(daemon: &Arc<Daemon>, known: &HashSet<SessionId>, runs: &HashSet<RunId>) -> Vec<Session> {
    let mut places = vec![(daemon.home.sessions_dir(), false)];
    if let Ok(private) = daemon.home.private_dir() {
        places.push((private.join("sessions"), true));
    }
    let (known, runs, boot_id) = (known.clone(), runs.clone(), daemon.boot_id.clone());
    let reading = tokio::task::spawn_blocking(move || {
        places.iter().flat_map(|(dir, private)| read(dir, *private, &known, &runs, &boot_id)).collect()
    });
    reading.await.unwrap_or_default()
}

fn read(
    sessions: &Path,
    private: bool,
    known: &HashSet<SessionId>,
    runs: &HashSet<RunId>,
    boot_id: &str,
) -> Vec<Session> {
    let mut found = Vec::new();
    for dir in std::fs::read_dir(sessions).into_iter().flatten().flatten() {
        let Some(id) = dir.file_name().to_str().and_then(|name| name.parse::<SessionId>().ok()) else {
            continue;
        };
        let Some((run, run_dir)) = newest_run(&dir.path()) else { continue };
        if known.contains(&id) && runs.contains(&run) {
            continue;
        }
        let Some(meta) = Meta::read(&run_dir) else { continue };
        if meta.session.id == id && meta.session.private == private {
            found.push(as_left(meta.session, &run_dir, boot_id));
        }
    }
    found
}

fn newest_run(session: &Path) -> Option<(RunId, RunDir)> {
    let runs = session.join("runs");
    let newest = std::fs::read_dir(&runs)
        .ok()?
        .flatten()
        .filter_map(|dir| dir.file_name().to_str()?.parse::<RunId>().ok())
        .max()?;
    Some((newest, RunDir::new(runs.join(newest.to_string()))))
}

/// The session as its run left it: dead where there is a note of its end. Otherwise its engine finds out.
fn as_left(mut session: Session, dir: &RunDir, boot_id: &str) -> Session {
    if dir.exit().exists() {
        let (exit, at): (_, Timestamp) = left(dir, boot_id);
        session.status = Status::Dead;
        session.reason = Some(reason(&exit));
        session.since = at;
        session.pid = None;
        session.exit = Some(exit.clone());
        if let Some(run) = session.runs.first_mut() {
            run.ended_at = Some(at);
            run.exit = Some(exit);
        }
    }
    session
}
