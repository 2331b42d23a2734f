//! At the start: which sessions there are, and what became of each since the last daemon.
//!
//! The database says what there was. Sessions that it does not know, because it was lost or the last daemon ended before it
//! was written, come from the `meta.json` files of their runs, and private ones only from there. Then each session that was
//! alive gets an engine, all at once, which finds its keeper or how it ended.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use belfry_platform::home::RunDir;
use belfry_protocol::session::{Exit, HIBERNATED};
use belfry_protocol::{RunId, Session, SessionId, Status};
use jiff::Timestamp;

use crate::launch::Meta;
use crate::local::bridge::Bridge;
use crate::session::{Entry, Start, close_of_dead, left, reason};
use crate::trash::SET_ASIDE;
use crate::{Daemon, clock, hibernate};

/// Takes up everything. Sessions are there when this returns; their screens follow.
pub(crate) async fn all(daemon: &Arc<Daemon>) -> belfry_store::Result<()> {
    for id in set_aside(daemon).await {
        // The last daemon ended between putting its files aside and removing its record.
        daemon.store.call(move |store| store.remove_session(id)).await?;
    }
    let cut_off = daemon.store.call(|store| store.messages_cut_off(clock::wall())).await?;
    let mut unsure: HashMap<SessionId, String> =
        cut_off.into_iter().map(|message| (message.session, message.text)).collect();
    for session in unsure.keys() {
        tracing::warn!(%session, "a message was being typed when the last daemon ended");
    }
    let mut sessions = daemon.store.call(|store| store.sessions()).await?;
    let mut asks = daemon.store.call(|store| store.open_asks(clock::wall())).await?;
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
        let bridge = Bridge::of(&session);
        session.local = session.local.or_else(|| bridge.as_ref().map(|bridge| Box::new(bridge.local())));
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
        if session.runs.is_empty() && session.alive() {
            crate::launch::not_prepared(&mut session);
        }
        match asks.remove(&session.id) {
            // Its engine finds out whether it is still open.
            Some(ask) if session.alive() => session.ask = Some(Box::new(ask)),
            Some(ask) => close_of_dead(daemon, session.id, ask.id),
            None => {}
        }
        let entry = Arc::new(Entry::new(session));
        daemon.add(&entry);
        if let Some(text) = unsure.remove(&entry.id) {
            *entry.cut_off.lock() = Some(text);
            daemon.change(&entry, |session| session.notice = Some(UNSURE.to_owned()));
        }
    }
    look_again(daemon).await;
    // Before anybody types a first prompt that still waits for something.
    crate::workspaces::setup::resume(daemon);
    for entry in daemon.entries().iter().filter(|entry| entry.alive()) {
        entry.start(daemon, Start::Find);
    }
    Ok(())
}

/// What a session's notice says of a message that may have been typed or not.
const UNSURE: &str =
    "a message was being typed when Belfry ended: look whether it has arrived, it is not typed again";

/// Directories of sessions that were removed, and of which something is left, are removed. Gives the sessions.
async fn set_aside(daemon: &Arc<Daemon>) -> Vec<SessionId> {
    let dirs = session_dirs(daemon);
    let removing = tokio::task::spawn_blocking(move || {
        let files = dirs.iter().flat_map(|(dir, _)| std::fs::read_dir(dir)).flatten().flatten();
        let removed = files.filter_map(|file| {
            let id = file.file_name().to_str()?.strip_prefix(SET_ASIDE)?.parse::<SessionId>().ok()?;
            if let Err(error) = std::fs::remove_dir_all(file.path()) {
                tracing::warn!(%error, "the files of a removed session cannot be removed");
            }
            Some(id)
        });
        removed.collect()
    });
    removing.await.unwrap_or_default()
}

/// What the last daemon took for over is looked at again where it may have been wrong: a keeper that it lost can live, and
/// what looked like a signal can have been the machine's shutdown, which it saw before it was told to end itself.
async fn look_again(daemon: &Arc<Daemon>) {
    let over: Vec<_> = daemon.entries().into_iter().filter(|entry| !entry.alive()).collect();
    let looking = Arc::clone(daemon);
    let found = tokio::task::spawn_blocking(move || {
        let look = |entry: Arc<Entry>| {
            let session = entry.session();
            let run = session.runs.first()?.id;
            let again = look_at(&session, &entry.run_dir(&looking, run)?, &looking.boot_id)?;
            Some((entry, again))
        };
        over.into_iter().filter_map(look).collect::<Vec<_>>()
    });
    for (entry, exit) in found.await.unwrap_or_default() {
        tracing::info!(session = %entry.logged(), ?exit, "the end of a run is judged anew");
        daemon.change(&entry, |session| {
            session.reason = exit.as_ref().map(reason);
            session.exit.clone_from(&exit);
            if exit.is_none() {
                session.status = Status::Starting;
            }
            if let Some(run) = session.runs.first_mut() {
                session.pid = run.pid.filter(|_| exit.is_none());
                run.ended_at = run.ended_at.filter(|_| exit.is_some());
                run.exit = exit;
            }
        });
    }
}

/// How a run ended that is recorded otherwise; the inner none says that it goes on.
#[expect(clippy::option_option, reason = "no change and no end are two things")]
fn look_at(session: &Session, dir: &RunDir, boot_id: &str) -> Option<Option<Exit>> {
    let recorded = session.exit.as_ref()?;
    let noted = dir.exit().exists();
    match recorded {
        Exit::KeeperLost if !noted => Meta::read(dir)?.running_keeper().map(|_| None),
        Exit::KeeperLost | Exit::Signal { .. } | Exit::Code { .. } if noted => {
            let (exit, _) = left(dir, boot_id);
            (exit != *recorded).then_some(Some(exit))
        }
        _ => None,
    }
}

/// Where sessions' directories are, and whether those there are private.
fn session_dirs(daemon: &Daemon) -> Vec<(PathBuf, bool)> {
    let mut dirs = vec![(daemon.home.sessions_dir(), false)];
    dirs.extend(daemon.home.private_dir().map(|private| (private.join("sessions"), true)));
    dirs
}

/// Sessions that only their files know of, and runs that the record of a known session lacks.
async fn found(daemon: &Arc<Daemon>, known: &HashSet<SessionId>, runs: &HashSet<RunId>) -> Vec<Session> {
    let places = session_dirs(daemon);
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
        let asleep = hibernate::was_marked(dir.path(), at);
        session.status = if asleep { Status::Idle } else { Status::Dead };
        session.reason = Some(if asleep { HIBERNATED.to_owned() } else { reason(&exit) });
        session.since = at;
        session.pid = None;
        session.exit = (!asleep).then(|| exit.clone());
        if let Some(run) = session.runs.first_mut() {
            run.ended_at = Some(at);
            run.exit = Some(exit);
        }
    }
    session
}
