//! An agent in a real session: a daemon with a home of its own, the mock model, and a project.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use belfry_client::{ClientError, ConnectOptions, Connection, Requests, connect};
use belfry_platform::home::Home as BelfryHome;
use belfry_protocol::launch::{EnvVar, NewSession, Size};
use belfry_protocol::{Reply, Request, Session, Status};

use super::{Home, Lab};

/// Where `cargo xtask test --agents` has installed the agents.
pub(super) const AGENTS: &str = "BELFRY_LAB_AGENTS";

/// How long anything may take. Agents start in 1 to 10 s on a quiet machine; a busy one has taken ten times that.
const PATIENCE: Duration = Duration::from_mins(3);

/// Everything that one session of one agent needs. Dropping it ends the daemon and what runs in it.
#[derive(Debug)]
pub struct World {
    /// The mock model.
    pub lab: Lab,
    /// The home that agents see.
    pub home: Home,
    /// A git repository, trusted by every agent.
    pub project: PathBuf,
    requests: Requests,
    agents: PathBuf,
    daemon: Child,
    folder: tempfile::TempDir,
}

/// Where the agent is installed, or why its test is passed over.
pub fn installed(program: &str) -> Result<PathBuf, String> {
    let Some(agents) = std::env::var_os(AGENTS).map(PathBuf::from) else {
        return Err(format!(
            "{AGENTS} is not set; `cargo xtask test --agents` installs the agents and sets it"
        ));
    };
    let here = |part: &str| agents.join(part).join(program).exists();
    if here("node_modules/.bin") || here("aider/bin") {
        Ok(agents)
    } else {
        Err(format!("{program} is not in {}", agents.display()))
    }
}

/// Where an older version of it is installed: beside the agents, in a directory with `-versions` at its name's end.
pub fn installed_version(program: &str, version: &str) -> Result<PathBuf, String> {
    let mut older = installed(program)?.into_os_string();
    older.push(format!("-versions/{program}-{version}"));
    let older = PathBuf::from(older);
    if older.join("node_modules/.bin").join(program).exists() {
        Ok(older)
    } else {
        Err(format!("{program} {version} is not in {}", older.display()))
    }
}

impl World {
    /// Makes it. Everything is under cargo's target directory and not under `/tmp`: there Codex refuses to run commands and
    /// Gemini to read settings.
    pub async fn new(agents: PathBuf) -> Result<Self> {
        let target = target()?;
        let folder = tempfile::Builder::new().prefix("lab-").tempdir_in(&target)?;
        let project = repository(folder.path(), "project")?;
        let lab = Lab::start(0, false).await?;
        let home = Home::lay_out(&folder.path().join("home"), lab.port(), &[&project])?;
        let root = folder.path().join("belfry");
        std::fs::create_dir(&root)?;
        let daemon = daemon(&home, &root)?;
        let connection = connected(&BelfryHome::at(&root)).await?;
        // What arrives unasked is not wanted here.
        let (requests, _) = connection.split();
        Ok(Self { lab, home, project, requests, agents, daemon, folder })
    }

    /// Kills everything at once: the daemon, the keepers, the agents. Then there is a new daemon.
    pub async fn crash(&mut self) -> Result<()> {
        let root = self.folder.path().join("belfry");
        let Reply::Sessions(sessions) =
            self.ask(Request::ListSessions { status: Vec::new(), all: true, after: None }).await?
        else {
            bail!("no list");
        };
        self.daemon.kill()?;
        self.daemon.wait()?;
        let keepers = sessions.iter().filter_map(|session| session.runs.first()?.keeper_pid);
        for keeper in keepers.filter_map(|pid| rustix::process::Pid::from_raw(i32::try_from(pid).ok()?)) {
            let _ = rustix::process::kill_process(keeper, rustix::process::Signal::KILL);
        }
        end_processes_of(&root);
        self.daemon = daemon(&self.home, &root)?;
        let connection = connected(&BelfryHome::at(&root)).await?;
        (self.requests, _) = connection.split();
        Ok(())
    }

    /// One more repository, which no agent trusts yet.
    pub fn repository(&self, name: &str) -> Result<PathBuf> {
        repository(self.folder.path(), name)
    }

    /// The environment of a session: the agents first in the path, and where the model is.
    pub fn env(&self) -> Vec<EnvVar> {
        let own = [self.agents.join("node_modules/.bin"), self.agents.join("aider/bin")];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path =
            std::env::join_paths(own.into_iter().chain(std::env::split_paths(&path))).unwrap_or_default();
        let path = ("PATH".to_owned(), path.to_string_lossy().into_owned());
        let more = [("LANG", "C.UTF-8"), ("SHELL", "/bin/sh"), ("USER", "someone")];
        let more = more.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let all = self.home.env.iter().cloned().chain([path]).chain(more);
        all.map(|(name, value)| EnvVar { name, value }).collect()
    }

    /// A new session of that agent, in the project, with the agents' environment.
    pub fn new_session(&self, agent: &str) -> NewSession {
        NewSession {
            agent: agent.to_owned(),
            cwd: Some(self.project.to_string_lossy().into_owned()),
            base_env: Some(self.env()),
            size: Some(Size::DEFAULT),
            ..NewSession::default()
        }
    }

    /// Where the daemon keeps its files.
    pub fn belfry_home(&self) -> BelfryHome {
        BelfryHome::at(self.folder.path().join("belfry"))
    }

    /// One more client of the daemon.
    pub async fn connect(&self) -> Result<Connection> {
        connected(&self.belfry_home()).await
    }

    /// Gives the agents an MCP server; before they start.
    pub fn add_mcp(&self) -> Result<()> {
        Ok(self.home.add_mcp(&programs()?)?)
    }

    /// Asks the daemon.
    pub async fn ask(&self, request: Request) -> Result<Reply, ClientError> {
        self.requests.request(request).await
    }

    /// Starts it.
    pub async fn start(&self, new: NewSession) -> Result<Session> {
        match self.ask(Request::NewSession(Box::new(new))).await? {
            Reply::Session(session) => Ok(*session),
            other => bail!("{other:?}"),
        }
    }

    /// The session as it is.
    pub async fn session(&self, session: &Session) -> Result<Session> {
        match self.ask(Request::ShowSession { session: session.id.to_string() }).await? {
            Reply::Session(session) => Ok(*session),
            other => bail!("{other:?}"),
        }
    }

    /// The screen, and some lines before it.
    pub async fn screen(&self, session: &Session) -> Result<String> {
        let request = Request::ReadScreen { session: session.id.to_string(), ansi: false, scrollback: 200 };
        match self.ask(request).await? {
            Reply::Screen(screen) => Ok(screen.text),
            other => bail!("{other:?}"),
        }
    }

    /// Sends a message.
    pub async fn send(&self, session: &Session, text: &str) -> Result<()> {
        let request =
            Request::SendMessage { session: session.id.to_string(), text: text.to_owned(), now: false };
        self.ask(request).await?;
        Ok(())
    }

    /// Presses keys.
    pub async fn keys(&self, session: &Session, keys: &[&str]) -> Result<()> {
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        self.ask(Request::SendKeys { session: session.id.to_string(), keys }).await?;
        Ok(())
    }

    /// Waits until the screen has the text; says what is on it where that never comes.
    pub async fn until_screen(&self, session: &Session, text: &str) -> Result<String> {
        let mut last = String::new();
        let found = tokio::time::timeout(PATIENCE, async {
            let mut tick = tokio::time::interval(Duration::from_millis(50));
            loop {
                tick.tick().await;
                last = self.screen(session).await?;
                if last.contains(text) {
                    return Ok::<_, anyhow::Error>(());
                }
            }
        });
        if let Ok(found) = found.await {
            return found.map(|()| last);
        }
        let now = self.session(session).await?;
        let seen: Vec<_> = self.lab.seen().into_iter().map(|seen| (seen.side, seen.prompt)).collect();
        let about = format!("{:?} ({:?}) {:?}", now.status, now.reason, now.exit);
        bail!("{text:?} never came; {about}; the model saw {seen:?}\n{last}")
    }

    /// Waits until the model was asked something, by the person and not by the agent itself.
    pub async fn until_asked(&self, session: &Session, fits: impl Fn(&str) -> bool) -> Result<()> {
        let asked = tokio::time::timeout(PATIENCE, async {
            let mut tick = tokio::time::interval(Duration::from_millis(50));
            while !self.lab.seen().iter().any(|seen| !seen.side && fits(&seen.prompt)) {
                tick.tick().await;
            }
        });
        if asked.await.is_err() {
            let seen: Vec<_> = self.lab.seen().into_iter().map(|seen| seen.prompt).collect();
            bail!("the model was never asked; it saw {seen:?}\n{}", self.screen(session).await?);
        }
        Ok(())
    }

    /// Waits until the session is as wanted.
    pub async fn until(
        &self,
        session: &Session,
        what: &str,
        wanted: impl Fn(&Session) -> bool,
    ) -> Result<Session> {
        let found = tokio::time::timeout(PATIENCE, async {
            let mut tick = tokio::time::interval(Duration::from_millis(50));
            loop {
                tick.tick().await;
                let now = self.session(session).await?;
                if wanted(&now) {
                    return Ok::<_, anyhow::Error>(now);
                }
            }
        });
        if let Ok(found) = found.await {
            return found;
        }
        bail!("never {what}: {:?}\n{}", self.session(session).await?, self.screen(session).await?)
    }

    /// Waits until its program has ended.
    pub async fn until_dead(&self, session: &Session) -> Result<Session> {
        self.until(session, "dead", |session| session.status == Status::Dead).await
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
        end_processes_of(&self.folder.path().join("belfry"));
    }
}

fn daemon(home: &Home, root: &Path) -> Result<Child> {
    Command::new(programs()?.join("belfry"))
        .args(["daemon", "run"])
        .env_clear()
        .envs(home.env.iter().map(|(name, value)| (name, value)))
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("BELFRY_HOME", root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("the daemon cannot be started")
}

fn target() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let target = own.ancestors().find(|path| path.ends_with("target") || path.join("CACHEDIR.TAG").exists());
    Ok(target.context("this is not run by cargo")?.to_owned())
}

/// Where the programs are that were built as this one was.
fn programs() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let built = own.ancestors().skip(1).find(|path| path.join("belfry").is_file());
    Ok(built.context("belfry is not built; `cargo xtask test` builds it")?.to_owned())
}

pub(super) fn repository(folder: &Path, name: &str) -> Result<PathBuf> {
    let project = folder.join(name);
    std::fs::create_dir(&project)?;
    std::fs::write(project.join("readme.txt"), "A project.\n")?;
    for arguments in [
        ["init", "--quiet", "--initial-branch=main"].as_slice(),
        &["config", "user.name", "Someone"],
        &["config", "user.email", "someone@example.org"],
        &["add", "."],
        &["commit", "--quiet", "--message", "Begin"],
    ] {
        let done = Command::new("git")
            .args(arguments)
            .current_dir(&project)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .status()?;
        ensure!(done.success(), "git {arguments:?}");
    }
    Ok(project)
}

async fn connected(home: &BelfryHome) -> Result<Connection> {
    let options = ConnectOptions::new("test");
    let connection = tokio::time::timeout(PATIENCE, async {
        let mut tick = tokio::time::interval(Duration::from_millis(20));
        loop {
            tick.tick().await;
            match connect(home, &options).await {
                Err(ClientError::NoDaemon) => {}
                other => return other,
            }
        }
    });
    Ok(connection.await.context("the daemon never answered")??)
}

/// Kills the keepers and programs of a home: they carry its path in their environment.
fn end_processes_of(root: &Path) {
    let mark = root.as_os_str().as_encoded_bytes();
    let carries = |file: PathBuf| {
        std::fs::read(file).is_ok_and(|bytes| bytes.windows(mark.len()).any(|window| window == mark))
    };
    let own = std::process::id();
    // What dies may start something on its way out, and writes into the home until it is dead.
    for _ in 0..200 {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let left: Vec<u32> =
            pids.filter(|pid| *pid != own && carries(format!("/proc/{pid}/environ").into())).collect();
        if left.is_empty() {
            return;
        }
        for pid in left.into_iter().filter_map(|pid| rustix::process::Pid::from_raw(i32::try_from(pid).ok()?))
        {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
