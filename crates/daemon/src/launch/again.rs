//! A new run of a session that has ended.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::session::Run;
use belfry_protocol::{ErrorCode, RunId, Session, Status, WireError};

use super::LaunchFile;
use super::new::{agent, directory};
use super::start::{Launching, launch, surroundings};
use crate::conversations::{self, Choice, ledger};
use crate::local::bridge::{Bridge, ROLE};
use crate::session::Entry;
use crate::{Daemon, clock};

/// Runs of one session whose recordings are kept: as many as a session's record carries.
const RUNS_KEPT: usize = 10;

/// What a new run does about the session's conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// It goes on, or there is no run.
    Resume,
    /// It goes on where it can, else there is a new one.
    Restart,
    /// There is a new one.
    Anew,
}

/// Starts a new run of a session that has ended: in `cwd`, from then on the session's directory, or where it was.
pub(crate) async fn run_again(
    daemon: &Arc<Daemon>,
    entry: &Arc<Entry>,
    again: Again,
    cwd: Option<&str>,
    base_env: Option<Vec<EnvVar>>,
) -> Result<(), WireError> {
    if Bridge::of(&entry.record()).is_some() {
        match crate::local::adopt::again(daemon, entry).await {
            // Its conversation goes on in a terminal of ours.
            Err(error) if again == Again::Resume && error.code == ErrorCode::NotAlive => {}
            other => return other,
        }
    }
    // Two at once would start two programs.
    let Ok(_starting) = entry.starting.try_lock() else {
        return Err(WireError::new(ErrorCode::StillAlive, "the session is being started already"));
    };
    if entry.removed.load(Ordering::Relaxed) {
        return Err(WireError::new(ErrorCode::NoSuchSession, "the session was removed"));
    }
    let before = entry.session();
    if before.alive() {
        return Err(WireError::new(ErrorCode::StillAlive, "the session is alive").next(match again {
            Again::Resume => "there is nothing to resume: it goes on",
            Again::Restart | Again::Anew => "end it first",
        }));
    }
    let mut new = asked_for(daemon, entry, &before);
    new.base_env = base_env.or_else(|| entry.slept_with.lock().clone());
    // It was typed once; typed again it would do its work twice.
    new.prompt = None;
    let agents = daemon.agents();
    let agent = agent(&agents, &before.agent)?;
    let moved = cwd.is_some();
    let cwd = directory(daemon, Some(cwd.unwrap_or(&before.cwd))).await.map_err(|error| {
        if moved { error } else { error.next("say in which directory it is to go on (`--cwd`)") }
    })?;
    let env = surroundings(daemon, agent, &new, &cwd, before.id).await;
    let choice = conversations::choose(daemon, entry, agent, again, &cwd, &env).await?;
    let Choice { begin, claim: _claim, notice } = choice;
    let _known_soon = daemon.starting.read().await;
    let earlier = Earlier::of(daemon, entry, &before);
    let journal_cap = earlier.room(daemon).await;
    let launching = Launching { agent, new: &new, cwd: &cwd, journal_cap, begin: &begin, handover: None };
    let mut record = before;
    record.cwd = cwd.display().to_string();
    let (record, live) = launch(daemon, &launching, record).await?;
    let runs = record.runs.clone();
    daemon.change(entry, |session| {
        began(session, &record);
        session.local = None;
        session.notice = notice.or(record.notice);
        session.cwd = record.cwd;
        session.conversation_id = record.conversation_id;
    });
    ledger::note_start(daemon, entry, begin.how());
    entry.take_up(daemon, live);
    daemon.save_soon(entry);
    earlier.cut(daemon, entry, &runs);
    Ok(())
}

/// What a session's record says once a new run of it has begun, of which `record` came back.
pub(crate) fn began(session: &mut Session, record: &Session) {
    session.status = Status::Starting;
    "process".clone_into(&mut session.source);
    session.since = clock::wall();
    (session.reason, session.exit) = (None, None);
    session.unseen = false;
    session.pid = record.pid;
    session.command.clone_from(&record.command);
    session.runs = record.runs.iter().take(RUNS_KEPT).cloned().collect();
    (session.archived_at, session.trashed_at) = (None, None);
}

/// What earlier runs of a session have recorded.
pub(crate) struct Earlier(Vec<PathBuf>);

impl Earlier {
    pub(crate) fn of(daemon: &Daemon, entry: &Entry, session: &Session) -> Self {
        let dirs = session.runs.iter().rev().filter_map(|run| entry.run_dir(daemon, run.id));
        Self(dirs.map(|dir| dir.journal()).collect())
    }

    /// What a new run may record, in bytes: the session's cap without what these keep, which is half of it at the most.
    pub(crate) async fn room(&self, daemon: &Daemon) -> u64 {
        let (journals, cap) = (self.0.clone(), daemon.journal_cap());
        let sizes = move || journals.iter().filter_map(|dir| belfry_journal::disk_size(dir).ok()).sum();
        let kept: u64 = tokio::task::spawn_blocking(sizes).await.unwrap_or(cap);
        cap - kept.min(cap / 2)
    }

    /// The new run has begun: these are cut to their share, and what is beyond the runs that are kept goes. `runs` are all,
    /// newest first.
    pub(crate) fn cut(self, daemon: &Daemon, entry: &Entry, runs: &[Run]) {
        let gone: Vec<_> =
            runs.iter().skip(RUNS_KEPT).filter_map(|run| entry.run_dir(daemon, run.id)).collect();
        let share = daemon.journal_cap() / 2;
        tokio::task::spawn_blocking(move || {
            for dir in gone {
                if let Err(error) = std::fs::remove_dir_all(dir.path()) {
                    tracing::warn!(%error, "an old run cannot be removed");
                }
            }
            if let Err(error) = belfry_journal::trim(&self.0, share) {
                tracing::warn!(%error, "the recordings of earlier runs cannot be cut to their share");
            }
        });
    }
}

/// What the person asked for when the session was started.
pub(crate) fn asked_for(daemon: &Daemon, entry: &Entry, session: &Session) -> NewSession {
    let file = session.runs.first().and_then(|run| launch_file(daemon, entry, run.id));
    // Of an adopted session that is the command that carried its pane, and nothing that the person asked for.
    let own = |file: &LaunchFile| file.new.args.get(1).is_none_or(|role| role != ROLE);
    file.and_then(|path| LaunchFile::read(&path)).filter(own).map_or_else(
        || NewSession { agent: session.agent.clone(), private: session.private, ..NewSession::default() },
        |file| file.new,
    )
}

fn launch_file(daemon: &Daemon, entry: &Entry, run: RunId) -> Option<PathBuf> {
    LaunchFile::beside(entry.run_dir(daemon, run)?.path())
}
