//! Setup scripts of new workspaces: each runs as a small session of its own beside the agent, which starts meanwhile. Only the
//! first prompt waits.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use belfry_protocol::launch::{NewSession, Size};
use belfry_protocol::session::Exit;
use belfry_protocol::workspace::{Preparing, RunsFor, WorkspaceState};
use belfry_protocol::{ErrorCode, Reply, SessionId, WireError, WorkspaceId};
use tokio::sync::oneshot;

use super::{Outcome, run, scripts};
use crate::Daemon;
use crate::launch::{self, FirstPrompt, Origin};
use crate::session::{Command, Entry, clean};

/// What its session is called beside the agent.
pub(crate) const SETUP: &str = "setup";

/// How often its last line is looked at while it runs.
const LOOK: Duration = Duration::from_millis(700);

/// Longest line that is told, in characters.
const LINE: usize = 160;

/// How a workspace begins by its rules, before its setup script is started.
pub(crate) fn first_state(rules: &scripts::Rules) -> WorkspaceState {
    if rules.untrusted {
        WorkspaceState::Untrusted
    } else if rules.rules.setup.is_some() {
        WorkspaceState::SettingUp { session: None }
    } else {
        WorkspaceState::Ready
    }
}

/// Runs the setup script of a session's workspace beside it, and follows it to its end. A script that cannot even be started
/// counts as one that failed.
pub(crate) async fn start(daemon: &Arc<Daemon>, entry: &Arc<Entry>, script: String) {
    let Some(workspace) = entry.record().workspace_id else { return };
    let state = match session(daemon, entry, script).await {
        Ok(setup) => {
            daemon.workspace_is(workspace, &WorkspaceState::SettingUp { session: Some(setup.id) });
            tokio::spawn(follow(Arc::clone(daemon), workspace, setup));
            return;
        }
        Err(error) => WorkspaceState::SetupFailed { why: error.message },
    };
    ended(daemon, workspace, &state);
}

async fn session(daemon: &Arc<Daemon>, of: &Arc<Entry>, script: String) -> Result<Arc<Entry>, WireError> {
    for (name, before) in run::beside(daemon, of.id) {
        if name == SETUP && !before.alive() {
            crate::trash::remove(daemon, &before).await?;
        }
    }
    let of = of.session();
    let row = of.workspace_id.and_then(|id| daemon.workspaces.get(id));
    let cwd = row.map_or(of.cwd.clone(), |row| row.path.display().to_string());
    let new = NewSession {
        agent: "shell".to_owned(),
        cwd: Some(cwd),
        name: launch::cleaned_name(&format!("{SETUP}: {}", of.name)),
        project: of.project,
        group: of.group,
        args: ["sh".to_owned(), "-c".to_owned(), script].into(),
        size: Some(Size { cols: of.cols, rows: of.rows }),
        private: of.private,
        ..NewSession::default()
    };
    let runs_for = RunsFor { session: of.id, name: SETUP.to_owned() };
    launch::new_session_marked(daemon, new, Origin::default(), |record| {
        record.runs_for = Some(runs_for);
        (record.workspace, record.workspace_id) = (of.workspace, of.workspace_id);
    })
    .await
}

/// Follows a setup script to its end.
async fn follow(daemon: Arc<Daemon>, workspace: WorkspaceId, setup: Arc<Entry>) {
    let mut changes = setup.changed.subscribe();
    let mut seen = None;
    while setup.alive() {
        let active = setup.record().last_activity_at;
        if seen != Some(active) {
            seen = Some(active);
            tell_line(&daemon, workspace, &setup).await;
        }
        // Nothing tells of every line; while a script runs it is looked for.
        let _ = tokio::time::timeout(LOOK, changes.changed()).await;
    }
    let last = last_line(&daemon, &setup).await;
    let state = if setup.session().exit == Some(Exit::Code { code: 0 }) {
        WorkspaceState::Ready
    } else {
        let how = setup.record().reason.clone().unwrap_or_else(|| "it did not end well".to_owned());
        let why = last.map_or(how.clone(), |last| format!("{how}: {last}"));
        WorkspaceState::SetupFailed { why }
    };
    // Another one may have been started since.
    let ours = daemon.workspaces.get(workspace).is_some_and(
        |row| matches!(row.state, WorkspaceState::SettingUp { session } if session == Some(setup.id)),
    );
    if ours {
        ended(&daemon, workspace, &state);
    }
}

async fn tell_line(daemon: &Arc<Daemon>, workspace: WorkspaceId, setup: &Arc<Entry>) {
    let Some(line) = last_line(daemon, setup).await else { return };
    for waiting in waiting(daemon, workspace) {
        daemon.change(&waiting, |session| {
            if let Some(preparing) = &mut session.preparing {
                preparing.line = Some(line.clone());
            }
        });
    }
}

/// The last line on its screen.
async fn last_line(daemon: &Arc<Daemon>, setup: &Arc<Entry>) -> Option<String> {
    let (done, screen) = oneshot::channel();
    setup.tell(daemon, Command::Read { scrollback: 0, done });
    let Ok(Reply::Screen(screen)) = screen.await else { return None };
    let mut lines = screen.text.lines().rev().map(|text| clean::line(text, LINE));
    lines.find(|text| !text.is_empty())
}

/// Sessions that wait for a workspace.
fn waiting(daemon: &Arc<Daemon>, workspace: WorkspaceId) -> Vec<Arc<Entry>> {
    let in_it = daemon.sessions_in(workspace).into_iter().filter_map(|id| daemon.get(id));
    in_it.filter(|entry| entry.record().preparing.is_some()).collect()
}

/// It has come to that: what waits goes on, or knows why not.
fn ended(daemon: &Arc<Daemon>, workspace: WorkspaceId, state: &WorkspaceState) {
    daemon.workspace_is(workspace, state);
    for entry in waiting(daemon, workspace) {
        if *state == WorkspaceState::Ready {
            go_on(daemon, &entry);
        } else {
            daemon.save_soon(&entry);
        }
    }
}

/// The session waits for nothing any more.
fn go_on(daemon: &Daemon, entry: &Entry) {
    daemon.change(entry, |session| session.preparing = None);
    entry.wake.notify_one();
}

pub(super) fn skip(daemon: &Arc<Daemon>, wanted: &str) -> Outcome {
    let entry = daemon.find(wanted)?;
    let state = entry.record().preparing.as_ref().map(|preparing| preparing.state.clone());
    match state {
        None => {}
        Some(WorkspaceState::Making { .. }) => {
            return Err(WireError::new(ErrorCode::Busy, "its workspace is still being made"));
        }
        // What runs is still shown.
        Some(WorkspaceState::SettingUp { .. }) => {
            daemon.change(&entry, |session| {
                if let Some(preparing) = &mut session.preparing {
                    preparing.prompt_waits = false;
                }
            });
            entry.wake.notify_one();
        }
        Some(_) => go_on(daemon, &entry),
    }
    Ok(Reply::Session(Box::new(entry.session())))
}

pub(super) async fn again(daemon: &Arc<Daemon>, wanted: &str) -> Outcome {
    let mut entry = daemon.find(wanted)?;
    let of = entry.record().runs_for.clone();
    if let Some(of) = of {
        entry = daemon.find(&of.session.to_string())?;
    }
    let session = entry.session();
    let row = session.workspace_id.and_then(|id| daemon.workspaces.get(id));
    let row = row.ok_or_else(|| {
        WireError::new(ErrorCode::BadRequest, "the session works in a directory that was not made for it")
    })?;
    match row.state {
        WorkspaceState::Making { .. } => {
            return Err(WireError::new(ErrorCode::Busy, "its workspace is still being made"));
        }
        WorkspaceState::SettingUp { session: Some(setup) }
            if daemon.get(setup).is_some_and(|it| it.alive()) =>
        {
            return Err(WireError::new(ErrorCode::Busy, "its setup script runs").next("end it first"));
        }
        _ => {}
    }
    let rules = scripts::rules_of(daemon, &row.path, session.project).await;
    if let Some(error) = rules.error {
        return Err(WireError::new(ErrorCode::BadRequest, format!("`.belfry.toml` cannot be read: {error}")));
    }
    if rules.untrusted {
        let error = WireError::new(
            ErrorCode::Untrusted,
            "the setup script comes with the repository, and is not trusted",
        );
        return Err(error.next(scripts::how_to_trust(&row.path.display().to_string())));
    }
    let script = rules.rules.setup.ok_or_else(|| {
        WireError::new(ErrorCode::NotFound, "there is no setup script")
            .next("name one in `.belfry.toml`, or in the project's settings")
    })?;
    prepare(daemon, &entry, WorkspaceState::SettingUp { session: None });
    start(daemon, &entry, script).await;
    Ok(Reply::Session(Box::new(entry.session())))
}

/// Shows on a session how far its workspace is. Its first prompt waits, where it has not been typed yet.
pub(crate) fn prepare(daemon: &Daemon, entry: &Entry, state: WorkspaceState) {
    let prompt_waits = daemon.first_prompt(entry).is_some_and(|(_, prompt)| prompt == FirstPrompt::Waiting);
    if let Some(workspace) = entry.record().workspace_id {
        daemon.change_workspace(workspace, |row| row.state = state.clone());
    }
    daemon.change(entry, |session| {
        session.preparing = Some(Box::new(Preparing { state, line: None, prompt_waits }));
    });
}

/// The person has trusted something: whoever waits for that goes on.
pub(super) async fn trusted(daemon: &Arc<Daemon>) {
    for entry in daemon.entries() {
        let session = entry.session();
        let Some(row) = session.workspace_id.and_then(|id| daemon.workspaces.get(id)) else { continue };
        let waits = session.preparing.is_some_and(|preparing| preparing.state == WorkspaceState::Untrusted);
        if !waits {
            continue;
        }
        let rules = scripts::rules_of(daemon, &row.path, session.project).await;
        if rules.untrusted {
            continue;
        }
        match rules.rules.setup {
            Some(script) if entry.alive() => {
                prepare(daemon, &entry, WorkspaceState::SettingUp { session: None });
                start(daemon, &entry, script).await;
            }
            _ => ended(daemon, row.id, &WorkspaceState::Ready),
        }
    }
}

/// At the daemon's start: scripts that still run are followed, and sessions that wait for something wait again.
pub(crate) fn resume(daemon: &Arc<Daemon>) {
    for row in daemon.workspaces.all() {
        let (setup, state) = match row.state {
            WorkspaceState::SettingUp { session } => left_running(daemon, row.id, session),
            state @ (WorkspaceState::Untrusted | WorkspaceState::SetupFailed { .. }) => (None, state),
            _ => continue,
        };
        daemon.workspace_is(row.id, &state);
        for id in daemon.sessions_in(row.id) {
            let Some(entry) = daemon.get(id).filter(|entry| entry.alive()) else { continue };
            let waits = daemon.first_prompt(&entry).is_some_and(|(_, prompt)| prompt == FirstPrompt::Waiting);
            if entry.record().runs_for.is_none() && (waits || setup.is_some()) {
                prepare(daemon, &entry, state.clone());
            }
        }
        if let Some(setup) = setup {
            tokio::spawn(follow(Arc::clone(daemon), row.id, setup));
        }
    }
}

/// The setup script that the last daemon had started, and how far the workspace is.
fn left_running(
    daemon: &Arc<Daemon>,
    workspace: WorkspaceId,
    session: Option<SessionId>,
) -> (Option<Arc<Entry>>, WorkspaceState) {
    // That it was started may have been told and not kept.
    let beside = || {
        let scripts = daemon.sessions_in(workspace).into_iter().flat_map(|id| run::beside(daemon, id));
        scripts.filter(|(name, _)| name == SETUP).map(|(_, setup)| setup).last()
    };
    if let Some(setup) = session.and_then(|id| daemon.get(id)).or_else(beside) {
        let state = WorkspaceState::SettingUp { session: Some(setup.id) };
        return (Some(setup), state);
    }
    let why = "Belfry ended before it was started".to_owned();
    (None, WorkspaceState::SetupFailed { why })
}

/// Whether a session's first prompt waits, and for what.
pub(crate) fn holds_prompt(entry: &Entry) -> Option<&'static str> {
    let record = entry.record();
    let preparing = record.preparing.as_ref().filter(|preparing| preparing.prompt_waits)?;
    Some(match preparing.state {
        WorkspaceState::Untrusted => "its repository's setup script is not trusted yet",
        WorkspaceState::SetupFailed { .. } => "its setup script failed",
        _ => "its workspace is set up",
    })
}

/// Ends the setup script of a session that is ended.
pub(crate) fn end_with(daemon: &Arc<Daemon>, session: SessionId) {
    for (name, setup) in run::beside(daemon, session) {
        if name == SETUP && setup.alive() {
            setup.killed.store(true, Ordering::Relaxed);
            setup.tell(daemon, Command::Kill { answer: None });
        }
    }
}

/// What a session's programs are told of its workspace.
pub(crate) fn variables(daemon: &Daemon, workspace: Option<WorkspaceId>) -> Vec<(String, String)> {
    let Some(row) = workspace.and_then(|id| daemon.workspaces.get(id)) else { return Vec::new() };
    let mut all = vec![("BELFRY_WORKSPACE".to_owned(), row.path.display().to_string())];
    let mut add = |name: &str, value: Option<String>| all.extend(value.map(|value| (name.to_owned(), value)));
    add("BELFRY_BRANCH", row.branch);
    add("BELFRY_PORT", row.ports.map(|ports| ports.first.to_string()));
    add("BELFRY_PORT_COUNT", row.ports.map(|ports| ports.count.to_string()));
    // A clone's is an address.
    add("BELFRY_MAIN", row.repository.filter(|main| Path::new(main).is_absolute()));
    all
}
