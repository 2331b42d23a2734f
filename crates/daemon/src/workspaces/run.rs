//! Commands of a workspace that run beside its agent, each as a small session of its own.

use std::sync::Arc;

use belfry_protocol::launch::{NewSession, Size};
use belfry_protocol::workspace::{RunCommand, RunsFor, WorkspaceState};
use belfry_protocol::{ErrorCode, Reply, Session, SessionId, WireError};

use super::listening::Signs;
use super::{Outcome, scripts};
use crate::Daemon;
use crate::launch::{self, Again, Origin, asked_for};
use crate::session::Entry;

/// Names of the workspace's own scripts, which run in their time and never by hand.
const SCRIPTS: [&str; 2] = ["setup", "teardown"];

/// What the daemon has of it.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// Held while a command is started: there is one of a name.
    starting: tokio::sync::Mutex<()>,
    /// When to look on which ports they listen.
    pub(crate) signs: Signs,
}

/// Starts a command of the rules, unless it runs already.
pub(super) async fn run(daemon: &Arc<Daemon>, wanted: &str, name: &str) -> Outcome {
    let asked = daemon.find(wanted)?;
    let of = asked.record().runs_for.clone();
    // Asked for beside such a command, the agent is meant that it runs beside.
    let session = match of {
        Some(of) => daemon.find(&of.session.to_string())?,
        None => asked,
    };
    let session = session.session();
    if session.trashed_at.is_some() {
        let error = WireError::new(ErrorCode::BadRequest, "the session is in the trash");
        return Err(error.next("take it out first"));
    }
    if session.preparing.as_ref().is_some_and(|now| matches!(now.state, WorkspaceState::Making { .. })) {
        return Err(WireError::new(ErrorCode::Busy, "its workspace is still being made"));
    }
    let _one_at_a_time = daemon.runs.starting.lock().await;
    let before = beside(daemon, session.id).into_iter().find(|(of, _)| of == name).map(|(_, entry)| entry);
    if let Some(alive) = before.as_ref().filter(|entry| entry.alive()) {
        return Ok(Reply::Session(Box::new(alive.session())));
    }
    let command = command(daemon, &session, name).await?;
    if let Some(before) = before {
        let was = asked_for(daemon, &before, &before.session());
        if was.args == shell(&command) && before.record().cwd == session.cwd {
            launch::run_again(daemon, &before, Again::Anew, None, None).await?;
            return Ok(Reply::Session(Box::new(before.session())));
        }
        // Its recording is that of another command.
        crate::trash::remove(daemon, &before).await?;
    }
    let entry = start(daemon, &session, name, shell(&command)).await?;
    Ok(Reply::Session(Box::new(entry.session())))
}

async fn start(
    daemon: &Arc<Daemon>,
    of: &Session,
    name: &str,
    args: Vec<String>,
) -> Result<Arc<Entry>, WireError> {
    let new = NewSession {
        agent: "shell".to_owned(),
        cwd: Some(of.cwd.clone()),
        name: launch::cleaned_name(&format!("{name}: {}", of.name)),
        project: of.project,
        group: of.group,
        args,
        size: Some(Size { cols: of.cols, rows: of.rows }),
        private: of.private,
        ..NewSession::default()
    };
    let runs_for = RunsFor { session: of.id, name: name.to_owned() };
    let (workspace, id) = (of.workspace, of.workspace_id);
    launch::new_session_marked(daemon, new, Origin::default(), |record| {
        record.runs_for = Some(runs_for);
        (record.workspace, record.workspace_id) = (workspace, id);
    })
    .await
}

fn shell(command: &str) -> Vec<String> {
    ["sh", "-c", command].map(str::to_owned).into()
}

/// The command of that name: the project's own before the repository's, which must be trusted.
async fn command(daemon: &Arc<Daemon>, session: &Session, name: &str) -> Result<String, WireError> {
    if SCRIPTS.contains(&name) {
        let what = format!("`{name}` is the workspace's own script and no command to run beside the agent");
        return Err(WireError::new(ErrorCode::BadRequest, what));
    }
    let own = own_commands(daemon, session).await;
    let named =
        |commands: &[RunCommand]| commands.iter().find(|one| one.name == name).map(|one| one.command.clone());
    if let Some(command) = named(&own) {
        return Ok(command);
    }
    let brought = match scripts::show(daemon, &session.cwd).await {
        Ok(Reply::Scripts(scripts)) => Some(*scripts),
        // A directory of no repository brings none.
        _ => None,
    };
    if let Some(scripts) = &brought
        && let Some(command) = named(&scripts.rules.run)
    {
        if scripts.trusted {
            return Ok(command);
        }
        let what = format!("`{name}` comes with the repository, whose scripts have not been trusted");
        return Err(WireError::new(ErrorCode::Untrusted, what).next(scripts::how_to_trust(&session.cwd)));
    }
    let error = |what: String| WireError::new(ErrorCode::NotFound, what);
    if let Some(wrong) = brought.as_ref().and_then(|scripts| scripts.error.clone()) {
        return Err(error(format!("`.belfry.toml` cannot be read: {wrong}")));
    }
    let all = own.iter().chain(brought.iter().flat_map(|scripts| &scripts.rules.run));
    let known: Vec<String> = all.map(|one| format!("`{}`", one.name.escape_debug())).collect();
    let error = error(format!("there is no command `{}` to run", name.escape_debug()));
    Err(if known.is_empty() {
        error.next("name commands under `[run]` in `.belfry.toml`, or in the project's settings")
    } else {
        error.next(format!("there are {}", known.join(", ")))
    })
}

async fn own_commands(daemon: &Daemon, session: &Session) -> Vec<RunCommand> {
    let tree = daemon.tree.lock().await;
    let project = session.project.and_then(|id| tree.project(id));
    project
        .and_then(|project| project.defaults.rules.as_ref())
        .map(|rules| rules.run.clone())
        .unwrap_or_default()
}

/// The sessions that run beside that one, in the trash or not, each with its command's name.
pub(crate) fn beside(daemon: &Daemon, session: SessionId) -> Vec<(String, Arc<Entry>)> {
    let beside = |entry: Arc<Entry>| {
        let of = entry.record().runs_for.clone().filter(|of| of.session == session)?;
        Some((of.name, entry))
    };
    daemon.entries().into_iter().filter_map(beside).collect()
}
