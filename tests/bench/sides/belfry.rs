//! Ours, in a home of its own.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use belfry_platform::Home;
use belfry_protocol::frame::Frame;
use belfry_protocol::launch::{EnvVar, NewSession, Size};
use belfry_protocol::{Reply, Request, Session, SessionId, ViewId};
use tempfile::TempDir;

use super::{COLS, LOOK, PATIENCE, ROWS};
use crate::link::Link;

/// A home with a daemon.
pub(crate) struct Belfry {
    pub home: Home,
    pub link: Link,
    _directory: TempDir,
    views: u32,
}

/// What a view takes ahead; the window grants as much.
pub(crate) const CREDIT: u32 = 256 * 1024;

impl Belfry {
    pub(crate) fn start() -> Result<Self> {
        Self::start_with(&[])
    }

    /// The same with a daemon that has these variables.
    pub(crate) fn start_with(variables: &[EnvVar]) -> Result<Self> {
        let directory = tempfile::Builder::new().prefix("belfry-bench-").tempdir()?;
        let home = Home::at(directory.path().join("home"));
        let link = started(&home, variables)?;
        Ok(Self { home, link, _directory: directory, views: 0 })
    }

    /// Connects anew, starting the daemon where none runs.
    pub(crate) fn reconnect(&mut self) -> Result<()> {
        self.link = started(&self.home, &[])?;
        Ok(())
    }

    /// Starts a session.
    pub(crate) fn session(&mut self, arguments: &[&str]) -> Result<Session> {
        let env = |name: &str, value: &str| EnvVar { name: name.to_owned(), value: value.to_owned() };
        let new = NewSession {
            agent: "shell".to_owned(),
            cwd: Some("/".to_owned()),
            args: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            base_env: Some(vec![
                env("PATH", &std::env::var("PATH").unwrap_or_default()),
                env("HOME", "/tmp"),
                env("LANG", "C.UTF-8"),
            ]),
            size: Some(Size { cols: COLS, rows: ROWS }),
            ..NewSession::default()
        };
        match self.link.request(Request::NewSession(Box::new(new)))? {
            Reply::Session(session) => Ok(*session),
            other => bail!("{other:?}"),
        }
    }

    /// Opens a view, and reads until its snapshot is whole.
    pub(crate) fn view(&mut self, session: SessionId) -> Result<ViewId> {
        self.views += 1;
        let view = ViewId(self.views);
        self.link.request(Request::OpenView {
            session: session.to_string(),
            view,
            size: Size { cols: COLS, rows: ROWS },
            focus: true,
            credit: CREDIT,
        })?;
        loop {
            if let Frame::Output { view: from, flags, bytes, .. } = self.link.next()? {
                self.grant(from, bytes.len())?;
                if from == view && flags & belfry_protocol::frame::OUTPUT_SNAPSHOT_END != 0 {
                    return Ok(view);
                }
            }
        }
    }

    /// What arrived is drawn: as much may come again.
    pub(crate) fn grant(&mut self, view: ViewId, bytes: usize) -> Result<()> {
        self.link.send(&Frame::Credit { view, bytes: bytes as u32 })
    }

    /// The screen's text.
    pub(crate) fn screen(&mut self, session: SessionId) -> Result<String> {
        let request = Request::ReadScreen { session: session.to_string(), ansi: false, scrollback: 0 };
        match self.link.request(request)? {
            Reply::Screen(screen) => Ok(screen.text),
            other => bail!("{other:?}"),
        }
    }

    /// Waits until the screen of each of these sessions has that on it.
    pub(crate) fn until_all_show(&mut self, sessions: &[Session], text: &str) -> Result<()> {
        for session in sessions {
            let began = Instant::now();
            while !self.screen(session.id)?.contains(text) {
                ensure!(began.elapsed() < PATIENCE, "{text:?} never came");
                std::thread::sleep(LOOK);
            }
        }
        Ok(())
    }

    /// The daemon's process id.
    pub(crate) fn daemon(&mut self) -> Result<u32> {
        match self.link.request(Request::DaemonStatus)? {
            Reply::Daemon(info) => Ok(info.pid),
            other => bail!("{other:?}"),
        }
    }
}

impl Drop for Belfry {
    fn drop(&mut self) {
        // Every session goes, whatever state the measurement is in.
        let Ok(mut link) = Link::connect(&self.home) else { return };
        if let Ok(Reply::Sessions(sessions)) =
            link.request(Request::ListSessions { status: Vec::new(), all: true, after: None })
        {
            for session in sessions {
                let session = session.id.to_string();
                let _ = link.request(Request::RemoveSession { session, now: true, kill: true });
            }
        }
        let _ = link.request(Request::StopDaemon);
    }
}

/// The keepers of these sessions.
pub(crate) fn keepers(sessions: &[Session]) -> Vec<u32> {
    sessions.iter().filter_map(|session| session.runs.first()?.keeper_pid).collect()
}

fn started(home: &Home, variables: &[EnvVar]) -> Result<Link> {
    let program = std::env::current_exe()?.with_file_name("belfry");
    let status = Command::new(&program)
        .args(["daemon", "start"])
        .envs(variables.iter().map(|variable| (&variable.name, &variable.value)))
        .env("BELFRY_HOME", home.root().context("a home in one directory")?)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("{} cannot be started", program.display()))?;
    if !status.success() {
        bail!("the daemon cannot be started");
    }
    Link::connect(home)
}
