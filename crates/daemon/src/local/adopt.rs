//! A pane of tmux becomes a session of the list.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_agents::{Agents, Process};
use belfry_platform::process;
use belfry_protocol::local::{Local, Place, TmuxPane};
use belfry_protocol::{ErrorCode, Session, SessionId, WireError};
use belfry_tmux::{target, version};

use super::bridge::Bridge;
use super::tmux::{self, Reached};
use crate::launch::{Earlier, adopted as launched, began};
use crate::session::{Entry, clean, fresh};
use crate::{Daemon, clock, places};

impl Daemon {
    /// Whether that pane is a session of the list, which lives.
    pub(super) fn has_adopted(&self, at: &TmuxPane) -> bool {
        self.adopted(at).is_some_and(|entry| entry.alive())
    }

    /// The session that is that pane, the newest.
    fn adopted(&self, at: &TmuxPane) -> Option<Arc<Entry>> {
        let is = |entry: &Arc<Entry>| Bridge::of(&entry.session()).is_some_and(|bridge| bridge.at == *at);
        let removed = |entry: &Arc<Entry>| entry.record().trashed_at.is_some();
        self.entries().into_iter().rev().filter(is).max_by_key(|entry| (entry.alive(), !removed(entry)))
    }
}

/// Adopts what is meant: a session that was found, or a pane as tmux names it.
pub(crate) async fn target(daemon: &Arc<Daemon>, wanted: &str) -> Result<Arc<Entry>, WireError> {
    let reached = find(daemon, wanted).await?;
    pane(daemon, reached).await
}

async fn find(daemon: &Arc<Daemon>, wanted: &str) -> Result<Reached, WireError> {
    if let Some(session) = daemon.locals.find(wanted) {
        let at = session.local.as_ref().and_then(|local| local.pane()).ok_or_else(|| {
            let what = format!("{} is in no pane of tmux, and only those can be adopted", session.name);
            WireError::new(ErrorCode::Unsupported, what)
        })?;
        return tmux::look(at).await.map_err(|error| super::refused(&error))?.ok_or_else(gone);
    }
    if let Ok(entry) = daemon.find(wanted)
        && let Some(bridge) = Bridge::of(&entry.session())
    {
        return tmux::look(&bridge.at).await.map_err(|error| super::refused(&error))?.ok_or_else(gone);
    }
    let targets = target::parse(wanted);
    let socket =
        targets.iter().filter_map(|target| target.socket.clone()).filter(|socket| socket.starts_with('/'));
    let looked = tokio::task::spawn_blocking(process::own).await.unwrap_or_default();
    let servers: Vec<_> =
        looked.iter().filter(|seen| tmux::is_server(seen)).map(|seen| seen.identity).collect();
    let panes = tmux::all(&servers, socket.collect()).await;
    for target in &targets {
        let fit: Vec<&Reached> = panes.iter().filter(|one| target.fits(&one.at.socket, &one.pane)).collect();
        match fit.as_slice() {
            [] => {}
            [one] => return Ok((*one).clone()),
            several => {
                let names: Vec<String> = several.iter().take(8).map(|one| name_of(one)).collect();
                let what = format!("`{}` fits {} panes", wanted.escape_debug(), several.len());
                return Err(WireError::new(ErrorCode::Ambiguous, what)
                    .next(format!("name one: {}", names.join(", "))));
            }
        }
    }
    let what =
        format!("there is no session of another program's and no pane of tmux `{}`", wanted.escape_debug());
    Err(WireError::new(ErrorCode::NoSuchSession, what).next("`belfry ls --all` lists what was found"))
}

fn name_of(reached: &Reached) -> String {
    let server = reached.at.socket.rsplit('/').next().unwrap_or_default();
    clean::line(&format!("{server}:{}", reached.pane.place()), 100)
}

fn gone() -> WireError {
    WireError::new(ErrorCode::NotAlive, "its tmux pane is gone")
}

/// Adopts a pane. One that is a session already stays that one; one that was goes on as that.
pub(crate) async fn pane(daemon: &Arc<Daemon>, reached: Reached) -> Result<Arc<Entry>, WireError> {
    let _one_at_a_time = daemon.locals.adopting.lock().await;
    if reached.pane.dead {
        return Err(gone());
    }
    let old = version::version(&reached.pane.version).is_none_or(|version| version < version::ADOPTS);
    if old {
        let version = clean::line(&reached.pane.version, 20);
        let what = format!("its tmux is version {version}, and panes can be adopted from 3.2 on");
        return Err(WireError::new(ErrorCode::Unsupported, what)
            .next("`belfry new -- tmux attach` shows it in a session all the same"));
    }
    if let Some(entry) = daemon.adopted(&reached.at) {
        if !entry.alive() {
            go_on(daemon, &entry, &reached).await?;
        }
        return Ok(entry);
    }
    let found = daemon.locals.sessions().into_iter();
    let found = found
        .filter(Session::alive)
        .find(|session| session.local.as_ref().and_then(|local| local.pane()) == Some(&reached.at));
    let record = record(daemon, &reached, found.as_ref()).await;
    let bridge = Bridge { at: reached.at.clone(), pane_pid: reached.pane.pid };
    let _starting = daemon.starting.read().await;
    let (record, live) = launched::launch(daemon, record, &bridge, daemon.journal_cap()).await?;
    let entry = Arc::new(Entry::new(record));
    daemon.add(&entry);
    entry.take_up(daemon, live);
    daemon.publish(&entry);
    daemon.save_soon(&entry);
    daemon.locals.look();
    tracing::info!(session = %entry.logged(), "a pane of tmux was adopted");
    Ok(entry)
}

/// An adopted session whose bridge has ended goes on, if its pane is there.
pub(crate) async fn again(daemon: &Arc<Daemon>, entry: &Arc<Entry>) -> Result<(), WireError> {
    let bridge = Bridge::of(&entry.session()).ok_or_else(gone)?;
    let reached = tmux::look(&bridge.at).await.map_err(|error| super::refused(&error))?;
    let reached = reached.filter(|reached| !reached.pane.dead).ok_or_else(|| {
        gone()
            .kept("its screen and its conversation")
            .next("start a new session in its directory, or resume its conversation")
    })?;
    let _one_at_a_time = daemon.locals.adopting.lock().await;
    if entry.alive() {
        return Err(WireError::new(ErrorCode::StillAlive, "the session is alive").next("end it first"));
    }
    go_on(daemon, entry, &reached).await
}

async fn go_on(daemon: &Arc<Daemon>, entry: &Arc<Entry>, reached: &Reached) -> Result<(), WireError> {
    let Ok(_starting) = entry.starting.try_lock() else {
        return Err(WireError::new(ErrorCode::StillAlive, "the session is being started already"));
    };
    if entry.removed.load(Ordering::Relaxed) {
        return Err(WireError::new(ErrorCode::NoSuchSession, "the session was removed"));
    }
    let mut before = entry.session();
    (before.cols, before.rows) = (reached.pane.cols, reached.pane.rows);
    before.local = Some(Box::new(local(reached)));
    let bridge = Bridge { at: reached.at.clone(), pane_pid: reached.pane.pid };
    let _known_soon = daemon.starting.read().await;
    let earlier = Earlier::of(daemon, entry, &before);
    let room = earlier.room(daemon).await;
    let (record, live) = launched::launch(daemon, before, &bridge, room).await?;
    let runs = record.runs.clone();
    daemon.change(entry, |session| {
        began(session, &record);
        session.notice = None;
        session.local = record.local;
        (session.cols, session.rows) = (record.cols, record.rows);
    });
    entry.take_up(daemon, live);
    daemon.save_soon(entry);
    earlier.cut(daemon, entry, &runs);
    daemon.locals.look();
    Ok(())
}

/// Where an adopted session is.
pub(super) fn local(reached: &Reached) -> Local {
    Local {
        place: clean::line(&format!("tmux {}", reached.pane.place()), 200),
        at: Place::Tmux(reached.at.clone()),
        tty: reached.pane.tty.strip_prefix("/dev/").map(str::to_owned),
        can: Vec::new(),
    }
}

/// The record of the session that a pane becomes. Its agent is the pane's own program; one that was started by hand in the
/// pane's shell is that shell's guest, as it would be in a session of ours.
async fn record(daemon: &Arc<Daemon>, reached: &Reached, found: Option<&Session>) -> Session {
    let pane = &reached.pane;
    let agent = agent_of(&daemon.agents(), pane.pid).unwrap_or_else(|| "shell".to_owned());
    let cwd = found.map(|session| session.cwd.clone()).or_else(|| process::directory(pane.pid));
    let cwd = cwd.unwrap_or_else(|| "/".to_owned());
    let real = places::looked_at({
        let cwd = cwd.clone();
        move || std::fs::canonicalize(cwd)
    });
    let real = real.await.and_then(Result::ok).unwrap_or_else(|| PathBuf::from(&cwd));
    let project = daemon.tree.lock().await.project_around(&real).map(|project| project.id);
    let now = clock::wall();
    let name =
        found.map_or_else(|| format!("{agent} in tmux {}", pane.place()), |session| session.name.clone());
    let id = SessionId::at(u64::try_from(now.as_millisecond()).unwrap_or(0));
    Session {
        conversation_id: found
            .filter(|_| agent != "shell")
            .and_then(|session| session.conversation_id.clone()),
        branch: places::branch(cwd.clone().into()).await,
        project,
        position: daemon.last_position() + 1.0,
        cols: pane.cols,
        rows: pane.rows,
        local: Some(Box::new(local(reached))),
        ..fresh(id, clean::line(&name, 200), agent, cwd, now)
    }
}

/// The agent that a pane's own program is.
fn agent_of(agents: &Agents, pid: u32) -> Option<String> {
    let (name, argv) = (process::name(pid)?, process::arguments(pid));
    agents.recognise(Process { name: &name, argv: &argv }).map(|agent| agent.id().to_owned())
}
