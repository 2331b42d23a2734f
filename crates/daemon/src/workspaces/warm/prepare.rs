//! Making one ahead: the directory, its setup, and the agent at its prompt.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use belfry_protocol::launch::NewSession;
use belfry_protocol::session::{Exit, Session};
use belfry_protocol::workspace::{RunsFor, WorkspaceState};
use belfry_protocol::{ErrorCode, Status, WireError};
use belfry_store::StoredWorkspace;

use super::{Ahead, Plan};
use crate::Daemon;
use crate::launch::{self, Origin};
use crate::session::{Command, Entry};
use crate::workspaces::make::{self, Wanted};
use crate::workspaces::setup::SETUP;

/// How long a setup script may take that nobody watches.
const SETUP_LIMIT: Duration = Duration::from_mins(30);
/// How long an agent may take to its prompt.
const START_LIMIT: Duration = Duration::from_mins(1);
/// How long a program may take to end: the keeper's ladder takes 5 s at the longest.
const END: Duration = Duration::from_secs(15);

/// Makes one. Where that fails nothing is left of it.
pub(super) async fn prepare(daemon: &Arc<Daemon>, plan: Plan) -> Result<Ahead, WireError> {
    let wanted = Wanted {
        kind: plan.kind,
        directory: plan.path.clone(),
        project: Some(plan.project),
        warm: true,
        ..Wanted::default()
    };
    let done = make::make(daemon, wanted, |_| {}).await?;
    let row = done.row;
    let script = done.rules.rules.setup.clone();
    let set_up = if done.rules.untrusted {
        let error = "the repository's setup script is not trusted, and nothing is made ahead before it is";
        Err(WireError::new(ErrorCode::Untrusted, error))
    } else {
        match &script {
            Some(script) => set_up(daemon, &row, script).await,
            None => Ok(()),
        }
    };
    if let Err(error) = set_up {
        make::discard(daemon, row.id).await;
        return Err(error);
    }
    let session = match &plan.agent {
        Some((agent, model)) => {
            let new = NewSession { agent: agent.clone(), model: model.clone(), ..NewSession::default() };
            at_its_prompt(daemon, &row, new).await
        }
        None => None,
    };
    daemon.change_workspace(row.id, |row| row.state = WorkspaceState::Warm);
    Ok(Ahead { plan, workspace: row.id, set_up: script.is_some(), session })
}

/// A session in it that nobody is told of.
async fn hidden(
    daemon: &Arc<Daemon>,
    row: &StoredWorkspace,
    new: NewSession,
    mark: impl FnOnce(&mut Session) + Send,
) -> Result<Arc<Entry>, WireError> {
    let new = NewSession { cwd: Some(row.path.display().to_string()), project: row.project, ..new };
    let (kind, id, branch) = (row.kind, row.id, row.branch.clone());
    launch::new_session_marked(daemon, new, Origin::default(), |record| {
        record.unspoken = true;
        (record.workspace, record.workspace_id, record.branch) = (kind, Some(id), branch);
        mark(record);
    })
    .await
}

/// Runs its setup script to the end.
async fn set_up(daemon: &Arc<Daemon>, row: &StoredWorkspace, script: &str) -> Result<(), WireError> {
    let new = NewSession {
        agent: "shell".to_owned(),
        args: ["sh", "-c", script].map(str::to_owned).into(),
        ..NewSession::default()
    };
    let entry = hidden(daemon, row, new, |record| {
        record.runs_for = Some(RunsFor { session: record.id, name: SETUP.to_owned() });
    })
    .await?;
    let ended = tokio::time::timeout(SETUP_LIMIT, until(&entry, |session| !session.alive())).await;
    let how = entry.session();
    super::end(daemon, &entry).await;
    match (ended, how.exit) {
        (Ok(()), Some(Exit::Code { code: 0 })) => Ok(()),
        (Ok(()), _) => {
            let why = how.reason.unwrap_or_else(|| "it did not end well".to_owned());
            Err(WireError::new(ErrorCode::LaunchFailed, format!("the setup script failed: {why}")))
        }
        (Err(_), _) => Err(WireError::new(ErrorCode::LaunchFailed, "the setup script did not end")),
    }
}

/// Starts the agent. One that does not come to its prompt by itself, because it asks something first, is nobody's help.
async fn at_its_prompt(
    daemon: &Arc<Daemon>,
    row: &StoredWorkspace,
    new: NewSession,
) -> Option<belfry_protocol::SessionId> {
    let started = hidden(daemon, row, new, |_| {}).await;
    let entry = started.map_err(|error| tracing::warn!(%error, "an agent cannot be started ahead")).ok()?;
    let settled =
        |session: &Session| !matches!(session.status, Status::Starting | Status::Running | Status::Unknown);
    let _ = tokio::time::timeout(START_LIMIT, until(&entry, settled)).await;
    if entry.record().status == Status::Idle {
        return Some(entry.id);
    }
    super::end(daemon, &entry).await;
    None
}

/// Waits until a session is so.
pub(super) async fn until(entry: &Arc<Entry>, is_so: impl Fn(&Session) -> bool) {
    let mut changes = entry.changed.subscribe();
    while !is_so(&entry.record()) {
        if changes.changed().await.is_err() {
            return;
        }
    }
}

/// Ends a session's program and waits for that.
pub(super) async fn stopped(daemon: &Arc<Daemon>, entry: &Arc<Entry>) {
    if !entry.alive() {
        return;
    }
    entry.killed.store(true, Ordering::Relaxed);
    entry.tell(daemon, Command::Kill { answer: None });
    if tokio::time::timeout(END, until(entry, |session| !session.alive())).await.is_err() {
        tracing::warn!(session = %entry.logged(), "what was made ahead does not end");
    }
}

/// Where in a workspace a session works: where in its repository the person was, if the branch has that.
pub(super) fn directory(path: &Path, inside: &Path) -> String {
    make::directory_in(path, inside).display().to_string()
}
