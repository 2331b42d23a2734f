//! New sessions and new runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use belfry_agents::{
    Agent, Agents, Conversation, HookLink, LaunchInput, LaunchPlan, PromptDelivery, SearchIn,
};
use belfry_platform::home::RunDir;
use belfry_protocol::keeper::{LaunchSpec, Leftovers, Started};
use belfry_protocol::launch::{EnvVar, LaunchDefaults, NewSession, Size};
use belfry_protocol::session::{Kind, Run, WorkspaceKind};
use belfry_protocol::{ErrorCode, GroupId, ProjectId, RunId, Session, SessionId, Status, WireError};

use super::environment::{Environment, environment};
use super::{LaunchFile, Meta, keeper, name};
use crate::session::{Entry, Link, Live};
use crate::settings::Own;
use crate::sources::fresh_secret;
use crate::{Daemon, clock, places};

/// Runs of one session whose recordings are kept: as many as a session's record carries.
const RUNS_KEPT: usize = 10;

/// Where the session goes: where it was asked to, else into the project that its directory lies in.
async fn placed(
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
pub(crate) async fn new_session(daemon: &Arc<Daemon>, mut new: NewSession) -> Result<Arc<Entry>, WireError> {
    if new.agent.is_empty() {
        "shell".clone_into(&mut new.agent);
    }
    if new.workspace != WorkspaceKind::Directory {
        return Err(WireError::new(
            ErrorCode::Unsupported,
            "worktrees, clones and scratch repositories come later",
        ));
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
    let record = Session {
        id,
        name: name::of(&new, agent.id(), &cwd),
        agent: agent.id().to_owned(),
        kind: Kind::Managed,
        status: Status::Starting,
        reason: None,
        activity: None,
        source: "process".to_owned(),
        since: now,
        unseen: false,
        ask: None,
        cwd: cwd.display().to_string(),
        project,
        group,
        position: daemon.last_position() + 1.0,
        branch,
        workspace: new.workspace,
        conversation_id: None,
        started_by: new.started_by,
        views: 0,
        pid: None,
        exit: None,
        cols: size.cols,
        rows: size.rows,
        title: None,
        command: Vec::new(),
        model: new.model.clone(),
        env_names: new.env.iter().map(|variable| variable.name.clone()).collect(),
        private: new.private,
        runs: Vec::new(),
        queued: 0,
        notice: None,
        created_at: now,
        last_activity_at: now,
        last_seen_at: None,
        archived_at: None,
        trashed_at: None,
        activity_since: None,
        pinned: false,
        muted: false,
        snoozed_until: None,
    };
    let _starting = daemon.starting.read().await;
    let launched = launch(daemon, agent, &new, &cwd, record, daemon.journal_cap()).await;
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
    daemon.save_soon(&entry);
    remember(daemon, &new, &cwd);
    tracing::info!(session = %entry.logged(), agent = %agent.id(), "a session was started");
    Ok(entry)
}

/// Starts a new run of a session that has ended.
pub(crate) async fn restart(
    daemon: &Arc<Daemon>,
    entry: &Arc<Entry>,
    base_env: Option<Vec<EnvVar>>,
) -> Result<(), WireError> {
    // Two restarts at once would start two programs.
    let Ok(_starting) = entry.starting.try_lock() else {
        return Err(WireError::new(ErrorCode::StillAlive, "the session is being started already"));
    };
    if entry.removed.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(WireError::new(ErrorCode::NoSuchSession, "the session was removed"));
    }
    let before = entry.session();
    if before.alive() {
        return Err(WireError::new(ErrorCode::StillAlive, "the session is alive").next("end it first"));
    }
    let mut new = asked_for(daemon, entry, &before);
    new.base_env = base_env;
    // It was typed once; typed again it would do its work twice.
    new.prompt = None;
    let agents = daemon.agents();
    let agent = agent(&agents, &before.agent)?;
    let cwd = directory(daemon, Some(&before.cwd)).await?;
    let _known_soon = daemon.starting.read().await;
    let recordings = journals(daemon, entry, &before);
    let room = room(recordings.clone(), daemon.journal_cap()).await;
    let (record, live) = launch(daemon, agent, &new, &cwd, before, room).await?;
    let dropped: Vec<RunId> = record.runs.iter().skip(RUNS_KEPT).map(|run| run.id).collect();
    daemon.change(entry, |session| {
        session.status = Status::Starting;
        "process".clone_into(&mut session.source);
        session.since = clock::wall();
        session.reason = None;
        session.exit = None;
        session.notice = None;
        session.unseen = false;
        session.pid = record.pid;
        session.command = record.command;
        session.conversation_id = record.conversation_id;
        session.runs = record.runs;
        session.runs.truncate(RUNS_KEPT);
        session.archived_at = None;
        session.trashed_at = None;
    });
    entry.take_up(daemon, live);
    daemon.save_soon(entry);
    for run in dropped {
        if let Some(dir) = entry.run_dir(daemon, run) {
            tokio::task::spawn_blocking(move || std::fs::remove_dir_all(dir.path()));
        }
    }
    let earlier = daemon.journal_cap() / 2;
    tokio::task::spawn_blocking(move || {
        if let Err(error) = belfry_journal::trim(&recordings, earlier) {
            tracing::warn!(%error, "the recordings of earlier runs cannot be cut to their share");
        }
    });
    Ok(())
}

/// What the person asked for when the session was started.
pub(super) fn asked_for(daemon: &Daemon, entry: &Entry, session: &Session) -> NewSession {
    let file = session.runs.first().and_then(|run| launch_file(daemon, entry, run.id));
    file.and_then(|path| LaunchFile::read(&path)).map_or_else(
        || NewSession { agent: session.agent.clone(), private: session.private, ..NewSession::default() },
        |file| file.new,
    )
}

/// The journals of a session's runs, oldest first.
fn journals(daemon: &Daemon, entry: &Entry, session: &Session) -> Vec<PathBuf> {
    let dirs = session.runs.iter().rev().filter_map(|run| entry.run_dir(daemon, run.id));
    dirs.map(|dir| dir.journal()).collect()
}

/// What a new run may record, in bytes: the session's cap without what earlier runs keep, which is half of it at the most.
async fn room(earlier: Vec<PathBuf>, cap: u64) -> u64 {
    let sizes = move || earlier.iter().filter_map(|dir| belfry_journal::disk_size(dir).ok()).sum();
    let kept: u64 = tokio::task::spawn_blocking(sizes).await.unwrap_or(cap);
    cap - kept.min(cap / 2)
}

fn agent<'a>(agents: &'a Agents, id: &str) -> Result<&'a Agent, WireError> {
    agents.get(id).ok_or_else(|| {
        WireError::new(ErrorCode::BadRequest, format!("there is no agent `{}`", id.escape_debug()))
    })
}

/// The directory, which must be one that can be entered.
async fn directory(daemon: &Daemon, typed: Option<&str>) -> Result<PathBuf, WireError> {
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

fn launch_file(daemon: &Daemon, entry: &Entry, run: RunId) -> Option<PathBuf> {
    LaunchFile::beside(entry.run_dir(daemon, run)?.path())
}

/// Starts a run: its files, its keeper, and the connection to it. The record comes back with the run in it.
async fn launch(
    daemon: &Arc<Daemon>,
    agent: &Agent,
    new: &NewSession,
    cwd: &Path,
    mut record: Session,
    journal_cap: u64,
) -> Result<(Session, Live), WireError> {
    let now = clock::wall();
    let run = RunId::at(u64::try_from(now.as_millisecond()).unwrap_or(0));
    let dir = daemon.home.create_run(record.id, run, record.private).map_err(|error| storage(&error))?;
    let base = base(daemon, new.base_env.as_deref()).await;
    let settings = daemon.settings();
    let set = Own::of(&settings.settings, agent);
    let own = set.env(new);
    let root = daemon.home.root();
    let bare = environment(base.clone(), &[], &own, cwd, record.id, root);
    let launched = async {
        let plan = plan(daemon, &set, new, cwd, &dir, &bare)?;
        let env = environment(base, &plan.env, &own, cwd, record.id, root);
        record.command.clone_from(&plan.argv);
        if plan.conversation_id.is_some() {
            record.conversation_id.clone_from(&plan.conversation_id);
        }
        let prompt = match &plan.prompt {
            PromptDelivery::TypeWhenReady(prompt) => Some(prompt.clone()),
            PromptDelivery::None => None,
        };
        record.runs.insert(
            0,
            Run { id: run, started_at: now, ended_at: None, exit: None, pid: None, keeper_pid: None },
        );
        // A new daemon that finds only this must know that the run may live, whatever became of the one before it.
        record.status = Status::Starting;
        record.since = now;
        (record.exit, record.reason) = (None, None);
        let mut meta = Meta::new(record.clone(), run, &daemon.boot_id);
        meta.links = plan.links.iter().map(|link| link.at.clone()).collect();
        write_files(&dir, new, &plan, &meta)?;
        let spec = LaunchSpec { journal_cap, ..spec(daemon, &record, run, &plan.argv, cwd, env, &dir) };
        let started = keeper::start(&daemon.keeper, &spec).await?;
        record.pid = Some(started.program_pid);
        record.runs[0].pid = Some(started.program_pid);
        record.runs[0].keeper_pid = Some(started.keeper_pid);
        note_keeper(&dir, meta, &record, started);
        let live = connect(daemon, run, &dir, prompt).await?;
        Ok::<_, WireError>((record, live))
    };
    match launched.await {
        Ok(launched) => Ok(launched),
        Err(error) => {
            let path = dir.path().to_owned();
            let _ = tokio::task::spawn_blocking(move || std::fs::remove_dir_all(path)).await;
            Err(error)
        }
    }
}

/// The environment to start from: the caller's, else the login shell's.
async fn base(daemon: &Daemon, given: Option<&[EnvVar]>) -> Environment {
    match given {
        Some(given) => given.iter().map(|v| ((&v.name).into(), (&v.value).into())).collect(),
        None => daemon.login_shell.environment().await,
    }
}

fn plan(
    daemon: &Daemon,
    set: &Own<'_>,
    new: &NewSession,
    cwd: &Path,
    dir: &RunDir,
    env: &Environment,
) -> Result<LaunchPlan, WireError> {
    let var = |name: &str| env.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let (path, home, shell) = (var("PATH"), var("HOME").map(PathBuf::from), var("SHELL"));
    let search = SearchIn { path: path.as_deref(), home: home.as_deref(), shell: shell.as_deref() };
    let agent = set.agent();
    let program = set.program(search, &daemon.person_home).ok_or_else(|| {
        if let Some(path) = set.path(&daemon.person_home) {
            let what = format!("{} is set to be {}, which cannot be run", agent.name(), path.display());
            return WireError::new(ErrorCode::MissingProgram, what).next("mend its path in the settings");
        }
        let error =
            WireError::new(ErrorCode::MissingProgram, format!("{} is not on this machine", agent.name()));
        match agent.install() {
            Some(install) => error.next(format!("this installs it: `{install}`")),
            None => error,
        }
    })?;
    let new = &set.with_args(new, &program);
    let text = |text: &OsString| text.to_str().map(str::to_owned);
    let env: Vec<(String, String)> =
        env.iter().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect();
    let version = daemon.versions.lock().known(&program);
    let secret = fresh_secret();
    let input = LaunchInput {
        program: &program,
        version: version.as_deref(),
        new,
        cwd,
        texts: &dir.path().join("texts"),
        env: &env,
        conversation: Conversation::New { id: uuid::Uuid::new_v4() },
        hooks: daemon.program.as_deref().map(|program| HookLink { program, secret: &secret }),
    };
    agent.launch(&input).map_err(|refused| WireError::new(ErrorCode::BadRequest, refused.to_string()))
}

/// Everything that has to be on disk (or in memory, for a private session) before the program runs.
fn write_files(dir: &RunDir, new: &NewSession, plan: &LaunchPlan, meta: &Meta) -> Result<(), WireError> {
    let written = || -> std::io::Result<()> {
        if let Some(path) = LaunchFile::beside(dir.path()) {
            // A restart keeps what is there: only the prompt differs, and it was typed.
            if new.prompt.is_some() || !path.exists() {
                LaunchFile::new(new).write(&path)?;
            }
        }
        plan.write_files()?;
        meta.write(dir)
    };
    written().map_err(|error| storage(&error))
}

fn storage(error: &(impl std::error::Error + 'static)) -> WireError {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    let mut code = ErrorCode::Storage;
    while let Some(cause) = source {
        if let Some(io) = cause.downcast_ref::<std::io::Error>()
            && io.kind() == std::io::ErrorKind::StorageFull
        {
            code = ErrorCode::DiskFull;
        }
        if let Some(belfry_platform::HomeError::NoMemoryStorage) = cause.downcast_ref() {
            code = ErrorCode::NoPrivateStorage;
        }
        source = cause.source();
    }
    WireError::new(code, format!("the session's files cannot be written: {error}"))
}

fn spec(
    daemon: &Daemon,
    record: &Session,
    run: RunId,
    argv: &[String],
    cwd: &Path,
    env: Environment,
    dir: &RunDir,
) -> LaunchSpec {
    LaunchSpec {
        session: record.id.0,
        run: run.0,
        argv: argv.iter().map(|arg| arg.clone().into()).collect(),
        cwd: cwd.to_owned().into(),
        env: env.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        cols: record.cols,
        rows: record.rows,
        run_dir: dir.path().to_owned().into(),
        keepers_dir: daemon.home.keepers_dir().into(),
        journal_cap: daemon.journal_cap(),
        private: record.private,
        umask: None,
        leftovers: Leftovers::default(),
    }
}

/// Which keeper it is. Only for telling how a run ended: that it cannot be written is no reason to end the run.
fn note_keeper(dir: &RunDir, mut meta: Meta, record: &Session, started: Started) {
    meta.session = record.clone();
    meta.keeper = Some(started);
    if let Err(error) = meta.write(dir) {
        let session = crate::session::Logged::new(record.id, record.private);
        tracing::warn!(%session, %error, "the keeper's id cannot be noted");
    }
}

/// The connection. A program that ends at once may have taken its keeper along by now: then there is none.
async fn connect(
    daemon: &Daemon,
    run: RunId,
    dir: &RunDir,
    prompt: Option<String>,
) -> Result<Live, WireError> {
    let connected = match Link::connect(&daemon.home.keeper_socket(run)).await {
        Ok((link, hello, decoder)) => Some((Arc::new(link), hello, decoder)),
        Err(_) if dir.exit().exists() => None,
        Err(error) => {
            let what = format!("the keeper does not answer: {error}");
            return Err(WireError::new(ErrorCode::KeeperLost, what));
        }
    };
    Ok(Live { run, dir: dir.clone(), connected, prompt })
}

/// What was used in this directory, offered again. Nothing of a private session is remembered.
fn remember(daemon: &Daemon, new: &NewSession, cwd: &Path) {
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
