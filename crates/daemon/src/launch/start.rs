//! Starting a run: its files, its keeper, and the connection to it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use belfry_agents::{
    Agent, Conversation, HookLink, LaunchInput, LaunchPlan, LaunchRefused, PrivateFile, PromptDelivery,
    SearchIn,
};
use belfry_platform::home::RunDir;
use belfry_protocol::keeper::{LaunchSpec, Leftovers, Started};
use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::session::Run;
use belfry_protocol::{ErrorCode, RunId, Session, SessionId, Status, WireError};

use super::environment::{Environment, environment};
use super::{LaunchFile, Meta, keeper, login_environment};
use crate::session::{Link, Live};
use crate::settings::Own;
use crate::sources::fresh_secret;
use crate::{Daemon, clock, conversations};

/// Which conversation a run begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Begin {
    /// A new one.
    #[default]
    New,
    /// This one goes on.
    Resume(String),
    /// A copy.
    Fork {
        /// Of which.
        from: String,
        /// The last entry that is copied; none: all are.
        at: Option<String>,
    },
}

impl Begin {
    /// How the ledger says that the session came to its conversation.
    pub(crate) fn how(&self) -> &'static str {
        match self {
            Self::New => "launch",
            Self::Resume(_) => "resume",
            Self::Fork { .. } => "fork",
        }
    }

    fn conversation(&self) -> Conversation<'_> {
        let id = uuid::Uuid::new_v4();
        match self {
            Self::New => Conversation::New { id },
            Self::Resume(id) => Conversation::Resume { id },
            Self::Fork { from, at } => Conversation::Fork { from, at: at.as_deref(), id },
        }
    }
}

/// What a run is started with.
pub(crate) struct Launching<'a> {
    /// The agent.
    pub(crate) agent: &'a Agent,
    /// What the person asked for.
    pub(crate) new: &'a NewSession,
    /// The directory, looked at.
    pub(crate) cwd: &'a Path,
    /// Most bytes that it may record.
    pub(crate) journal_cap: u64,
    /// Its conversation.
    pub(crate) begin: &'a Begin,
    /// A text that the agent is to read first.
    pub(crate) handover: Option<&'a str>,
}

/// The environment that a program will have, before what its agent's launch adds.
pub(crate) async fn surroundings(
    daemon: &Daemon,
    agent: &Agent,
    new: &NewSession,
    cwd: &Path,
    session: SessionId,
) -> Environment {
    let base = base(daemon, new.base_env.as_deref()).await;
    let settings = daemon.settings();
    let own = Own::of(&settings.settings, agent).env(new);
    let workspace = daemon.get(session).and_then(|entry| entry.record().workspace_id);
    let place = crate::workspaces::setup::variables(daemon, workspace);
    environment(base, &[], &own, (cwd, &place), session, daemon.home.root())
}

/// The agent's program, where it is on this machine.
pub(super) fn program(daemon: &Daemon, agent: &Agent, env: &Environment) -> Result<PathBuf, WireError> {
    let settings = daemon.settings();
    program_of(daemon, &Own::of(&settings.settings, agent), env)
}

fn program_of(daemon: &Daemon, set: &Own<'_>, env: &Environment) -> Result<PathBuf, WireError> {
    let var = |name: &str| env.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let (path, home, shell) = (var("PATH"), var("HOME").map(PathBuf::from), var("SHELL"));
    let search = SearchIn { path: path.as_deref(), home: home.as_deref(), shell: shell.as_deref() };
    let agent = set.agent();
    set.program(search, &daemon.person_home).ok_or_else(|| {
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
    })
}

/// Starts a run: its files, its keeper, and the connection to it. The record comes back with the run in it.
pub(super) async fn launch(
    daemon: &Arc<Daemon>,
    launching: &Launching<'_>,
    mut record: Session,
) -> Result<(Session, Live), WireError> {
    let Launching { agent, new, cwd, journal_cap, begin, .. } = *launching;
    let now = clock::wall();
    let run = RunId::at(u64::try_from(now.as_millisecond()).unwrap_or(0));
    let dir = daemon.home.create_run(record.id, run, record.private).map_err(|error| storage(&error))?;
    let base = base(daemon, new.base_env.as_deref()).await;
    record.notice = if new.base_env.is_none() { daemon.login_shell.notice() } else { None };
    let settings = daemon.settings();
    let set = Own::of(&settings.settings, agent);
    let own = set.env(new);
    let root = daemon.home.root();
    let place = crate::workspaces::setup::variables(daemon, record.workspace_id);
    let bare = environment(base.clone(), &[], &own, (cwd, &place), record.id, root);
    let launched = async {
        let plan = plan(daemon, &set, launching, &dir, &bare)?;
        let env = environment(base, &plan.env, &own, (cwd, &place), record.id, root);
        record.command.clone_from(&plan.argv);
        record.conversation_id = match begin {
            Begin::Resume(id) => Some(id.clone()),
            Begin::New | Begin::Fork { .. } => plan.conversation_id.clone(),
        };
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
        None => login_environment(daemon).await,
    }
}

fn plan(
    daemon: &Daemon,
    set: &Own<'_>,
    launching: &Launching<'_>,
    dir: &RunDir,
    env: &Environment,
) -> Result<LaunchPlan, WireError> {
    let Launching { new, cwd, begin, handover, .. } = *launching;
    let agent = set.agent();
    let program = program_of(daemon, set, env)?;
    let new = &set.with_args(new, &program);
    let text = |text: &OsString| text.to_str().map(str::to_owned);
    let env: Vec<(String, String)> =
        env.iter().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect();
    let version = daemon.versions.lock().known(&program);
    let secret = fresh_secret();
    // The session's own directory: that of its runs lies in it.
    let keep = dir.path().parent().and_then(Path::parent).unwrap_or(dir.path());
    let text_file = conversations::handover_file(keep);
    let input = LaunchInput {
        program: &program,
        version: version.as_deref(),
        new,
        cwd,
        texts: &dir.path().join("texts"),
        keep,
        handover: Some(text_file.as_path()).filter(|file| handover.is_some() || file.exists()),
        env: &env,
        conversation: begin.conversation(),
        hooks: daemon.program.as_deref().map(|program| HookLink { program, secret: &secret }),
    };
    let mut plan = agent.launch(&input).map_err(|refused| {
        let code = match refused {
            LaunchRefused::Fork { .. } => ErrorCode::Unsupported,
            _ => ErrorCode::BadRequest,
        };
        WireError::new(code, refused.to_string())
    })?;
    let text = handover.map(|text| PrivateFile { path: text_file.clone(), contents: text.to_owned() });
    plan.files.extend(text);
    Ok(plan)
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
