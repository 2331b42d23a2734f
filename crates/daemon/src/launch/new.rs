//! New sessions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use belfry_agents::{Agent, Agents};
use belfry_protocol::launch::{LaunchDefaults, NewSession, Size};
use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::{ErrorCode, GroupId, ProjectId, Session, SessionId, WireError};

use super::name;
use super::start::{Begin, Launching, launch};
use crate::conversations::ledger;
use crate::session::{Entry, fresh};
use crate::{Daemon, clock, places};

/// Where a session comes from that does not begin from nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    /// The conversation that it begins with.
    pub(crate) begin: Begin,
    /// The session that it was made from.
    pub(crate) forked_from: Option<SessionId>,
    /// A text that its first prompt has the agent read.
    pub(crate) handover: Option<String>,
}

/// Where the session goes: where it was asked to, else into the project that its directory lies in.
pub(super) async fn placed(
    daemon: &Daemon,
    new: &NewSession,
    cwd: &Path,
) -> Result<(Option<ProjectId>, Option<GroupId>), WireError> {
    let gone = |what| WireError::new(ErrorCode::NotFound, format!("there is no such {what}"));
    // A project is known by its real path; the session keeps the one that the person sees.
    let real = {
        let cwd = cwd.to_owned();
        places::looked_at(move || std::fs::canonicalize(cwd)).await.and_then(Result::ok)
    };
    let cwd = real.as_deref().unwrap_or(cwd);
    let tree = daemon.tree.lock().await;
    let project = match new.project {
        Some(id) => Some(tree.project(id).ok_or_else(|| gone("project"))?.id),
        None => tree.project_around(cwd).map(|project| project.id),
    };
    match new.group {
        Some(id) => {
            let group =
                tree.group(id).filter(|group| new.project.is_none_or(|project| project == group.project));
            let group = group.ok_or_else(|| gone("group in that project"))?;
            Ok((Some(group.project), Some(id)))
        }
        None => Ok((project, None)),
    }
}

/// Starts a session.
pub(crate) async fn new_session(daemon: &Arc<Daemon>, new: NewSession) -> Result<Arc<Entry>, WireError> {
    new_session_from(daemon, new, Origin::default()).await
}

/// Starts a session that begins with what another one, or a conversation, has.
pub(crate) async fn new_session_from(
    daemon: &Arc<Daemon>,
    new: NewSession,
    origin: Origin,
) -> Result<Arc<Entry>, WireError> {
    new_session_marked(daemon, new, origin, |_| {}).await
}

/// The same with something in its record that a person cannot ask for, before anybody sees it.
pub(crate) async fn new_session_marked(
    daemon: &Arc<Daemon>,
    mut new: NewSession,
    origin: Origin,
    mark: impl FnOnce(&mut Session) + Send,
) -> Result<Arc<Entry>, WireError> {
    if new.agent.is_empty() {
        "shell".clone_into(&mut new.agent);
    }
    if let Some(given) = &new.name {
        new.name = Some(name::given(given)?);
    }
    if new.workspace != WorkspaceKind::Directory {
        if let Some(entry) = crate::workspaces::claim(daemon, &new, &origin).await {
            return Ok(entry);
        }
        return super::prepared::begin(daemon, new, origin, Box::new(mark)).await;
    }
    let agents = daemon.agents();
    let agent = agent(&agents, &new.agent)?;
    let typed = match (&new.cwd, new.project) {
        (None, Some(id)) => daemon.tree.lock().await.project(id).map(|project| project.path.clone()),
        (typed, _) => typed.clone(),
    };
    let cwd = directory(daemon, typed.as_deref()).await?;
    let (project, group) = placed(daemon, &new, &cwd).await?;
    let branch = places::branch(cwd.clone()).await;
    let now = clock::wall();
    let id = SessionId::at(u64::try_from(now.as_millisecond()).unwrap_or(0));
    let size = new.size.unwrap_or(Size::DEFAULT).clamped();
    let (agent_id, directory) = (agent.id().to_owned(), cwd.display().to_string());
    let mut record = Session {
        project,
        group,
        position: daemon.last_position() + 1.0,
        branch,
        workspace: new.workspace,
        started_by: new.started_by,
        forked_from: origin.forked_from,
        cols: size.cols,
        rows: size.rows,
        model: new.model.clone(),
        env_names: new.env.iter().map(|variable| variable.name.clone()).collect(),
        private: new.private,
        ..fresh(id, name::of(&new, agent.id(), &cwd), agent_id, directory, now)
    };
    mark(&mut record);
    // What runs beside an agent, or waits for somebody, is not what the person used in that directory.
    let remembered = record.runs_for.is_none() && record.workspace_id.is_none();
    if origin.handover.is_some()
        && let Some((dir, _)) = daemon.files_of(id, new.private)
    {
        new.prompt = Some(crate::conversations::handover_prompt(&dir));
    }
    let _starting = daemon.starting.read().await;
    let launching = Launching {
        agent,
        new: &new,
        cwd: &cwd,
        journal_cap: daemon.journal_cap(),
        begin: &origin.begin,
        handover: origin.handover.as_deref(),
    };
    let launched = launch(daemon, &launching, record).await;
    let (record, live) = match launched {
        Ok(launched) => launched,
        Err(error) => {
            daemon.forget_files(id, new.private).await;
            return Err(error);
        }
    };
    let entry = Arc::new(Entry::new(record));
    daemon.add(&entry);
    entry.take_up(daemon, live);
    daemon.publish(&entry);
    ledger::note_start(daemon, &entry, origin.begin.how());
    daemon.save_soon(&entry);
    if remembered {
        remember(daemon, &new, &cwd);
    }
    tracing::info!(session = %entry.logged(), agent = %agent.id(), "a session was started");
    Ok(entry)
}

pub(crate) fn agent<'a>(agents: &'a Agents, id: &str) -> Result<&'a Agent, WireError> {
    agents.get(id).ok_or_else(|| {
        let known = agents.iter().map(belfry_agents::Agent::id);
        let why = crate::settings::unknown("agent", &id.escape_debug().to_string(), known);
        WireError::new(ErrorCode::BadRequest, why.unwrap_or_default())
    })
}

/// The directory, which must be one that can be entered.
pub(crate) async fn directory(daemon: &Daemon, typed: Option<&str>) -> Result<PathBuf, WireError> {
    let bad = |what: String| WireError::new(ErrorCode::BadDirectory, what);
    let typed = typed.unwrap_or("~");
    let path = places::absolute(typed, &daemon.person_home)
        .ok_or_else(|| bad(format!("`{typed}` is not an absolute path")))?;
    let shown = path.display();
    let looked_at = path.clone();
    let found = places::looked_at(move || {
        let meta = std::fs::metadata(&looked_at);
        meta.map(|meta| (meta.is_dir(), rustix::fs::access(&looked_at, rustix::fs::Access::EXEC_OK)))
    });
    match found.await {
        None => Err(bad(format!("{shown} does not answer"))),
        Some(Ok((false, _))) => Err(bad(format!("{shown} is not a directory"))),
        Some(Ok((true, Err(error)))) => Err(bad(format!("{shown} cannot be entered: {error}"))),
        Some(Ok((true, Ok(())))) => Ok(path),
        Some(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(bad(format!("{shown} does not exist")))
        }
        Some(Err(error)) => Err(bad(format!("{shown}: {error}"))),
    }
}

/// What was used in this directory, offered again. Nothing of a private session is remembered.
pub(crate) fn remember(daemon: &Daemon, new: &NewSession, cwd: &Path) {
    if new.private {
        return;
    }
    let defaults = LaunchDefaults {
        cwd: cwd.display().to_string(),
        agent: Some(new.agent.clone()),
        model: new.model.clone(),
        system_prompt: new.system_prompt.clone(),
        args: new.args.clone(),
        env_names: new.env.iter().map(|variable| variable.name.clone()).collect(),
    };
    let now = clock::wall();
    daemon.post(move |store| store.save_launch_defaults(&defaults, now));
}
