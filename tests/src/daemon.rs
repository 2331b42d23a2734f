//! A real daemon in a home of its own, and clients that wait for states instead of sleeping.

pub(crate) mod asker;
mod view;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use belfry_client::{ConnectOptions, Connection, Incoming, connect};
use belfry_platform::home::Home;
use belfry_protocol::launch::{NewSession, Size};
use belfry_protocol::{Event, Reply, Request, Session, SessionId};
use rustix::process::{Pid, Signal, kill_process};

use crate::cli::Belfry;

pub use view::{TestView, VIEW};

/// The end of patience of every wait.
pub const PATIENCE: Duration = Duration::from_secs(25);

/// A daemon, or the place for one.
#[derive(Debug)]
pub struct TestDaemon {
    belfry: Belfry,
    home: Home,
    child: Option<Child>,
}

impl TestDaemon {
    /// A fresh home with a running daemon.
    pub async fn start() -> Self {
        let mut daemon = Self::stopped();
        daemon.run().await;
        daemon
    }

    /// A fresh home in which nothing runs yet.
    pub fn stopped() -> Self {
        let belfry = Belfry::new();
        let home = Home::at(belfry.belfry_home());
        Self { belfry, home, child: None }
    }

    /// The home's paths.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The person's directory: where sessions start when nothing is said.
    pub fn person(&self) -> PathBuf {
        self.belfry.home()
    }

    /// The command line in this home.
    pub fn cli(&self) -> &Belfry {
        &self.belfry
    }

    /// The daemon's command, not started yet.
    pub fn command(&self) -> Command {
        let mut command = self.belfry.command(&["daemon", "run"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Starts the daemon and waits until it answers.
    pub async fn run(&mut self) {
        self.run_with(|_| {}).await;
    }

    /// The same with its command changed before.
    pub async fn run_with(&mut self, change: impl FnOnce(&mut Command)) {
        assert!(self.child.is_none(), "a daemon runs");
        let mut command = self.command();
        change(&mut command);
        self.child = Some(command.spawn().expect("start the daemon"));
        drop(self.connect().await);
    }

    /// Starts it as that command, which [`TestDaemon::command`] made.
    pub async fn run_as(&mut self, mut command: Command) {
        assert!(self.child.is_none(), "a daemon runs");
        self.child = Some(command.spawn().expect("start the daemon"));
        drop(self.connect().await);
    }

    /// Kills the daemon at once and waits for its end; also one that a client has started.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("kill the daemon");
            child.wait().expect("the daemon ends");
        }
        while let Some(pid) = belfry_platform::lock::holder(&self.home.daemon_lock()) {
            kill(pid);
            std::thread::yield_now();
        }
    }

    /// Ends the daemon in good order.
    pub async fn stop(&mut self) {
        let connection = self.connect().await;
        connection.request(Request::StopDaemon).await.expect("stop the daemon");
        let mut child = self.child.take().expect("a daemon runs");
        tokio::task::spawn_blocking(move || child.wait()).await.expect("wait").expect("the daemon ends");
    }

    /// Whether the daemon that was started last still runs.
    pub fn runs(&mut self) -> bool {
        self.child.as_mut().is_some_and(|child| child.try_wait().is_ok_and(|ended| ended.is_none()))
    }

    /// The daemon's process id.
    pub fn pid(&self) -> u32 {
        self.child.as_ref().expect("a daemon runs").id()
    }

    /// A connection; waits for a daemon that is starting.
    pub async fn connect(&self) -> Connection {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match connect(&self.home, &ConnectOptions::new("test")).await {
                Ok(connection) => return connection,
                Err(error) => assert!(Instant::now() < deadline, "no connection: {error}"),
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Starts a session that runs a command.
    pub async fn shell(&self, command: &[&str]) -> Session {
        self.new_session(self.shell_request(command)).await
    }

    /// What a session that runs a command is started with.
    pub fn shell_request(&self, command: &[&str]) -> NewSession {
        NewSession {
            agent: "shell".to_owned(),
            cwd: Some(self.person().to_str().expect("a path of ours").to_owned()),
            args: command.iter().map(|word| (*word).to_owned()).collect(),
            size: Some(Size { cols: 80, rows: 24 }),
            ..NewSession::default()
        }
    }

    /// Starts a session.
    pub async fn new_session(&self, new: NewSession) -> Session {
        let connection = self.connect().await;
        session(connection.request(Request::NewSession(Box::new(new))).await.expect("a new session"))
    }

    /// A session as it is.
    pub async fn show(&self, id: SessionId) -> Session {
        let connection = self.connect().await;
        session(
            connection.request(Request::ShowSession { session: id.to_string() }).await.expect("the session"),
        )
    }

    /// Waits until a session is so, by the daemon's own events.
    pub async fn until(&self, id: SessionId, what: &str, is_so: impl Fn(&Session) -> bool) -> Session {
        let mut connection = self.connect().await;
        let mut last = None;
        let wait = async {
            let Ok(Reply::Overview { sessions, .. }) = connection.request(Request::Subscribe).await else {
                panic!("no overview");
            };
            last = sessions.into_iter().find(|session| session.id == id);
            loop {
                if last.as_ref().is_some_and(&is_so) {
                    return;
                }
                if let Incoming::Event(event) = connection.next().await.expect("the connection holds")
                    && let Event::Session { session } = *event
                    && session.id == id
                {
                    last = Some(*session);
                }
            }
        };
        let waited = tokio::time::timeout(PATIENCE, wait).await;
        assert!(waited.is_ok(), "never: {what}; last: {last:?}");
        last.expect("the session")
    }

    /// A session's screen as text.
    pub async fn screen(&self, id: SessionId, ansi: bool, scrollback: u32) -> belfry_protocol::reply::Screen {
        let connection = self.connect().await;
        let request = Request::ReadScreen { session: id.to_string(), ansi, scrollback };
        match connection.request(request).await.expect("the screen") {
            Reply::Screen(screen) => *screen,
            other => panic!("no screen: {other:?}"),
        }
    }

    /// Waits until a session's screen has this text.
    pub async fn until_screen(&self, id: SessionId, text: &str) {
        let mut view = TestView::open(self, id).await;
        view.until(&format!("{text:?} on the screen"), |view| view.text().contains(text)).await;
    }
}

impl Drop for TestDaemon {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The session in a reply.
#[track_caller]
pub fn session(reply: Reply) -> Session {
    match reply {
        Reply::Session(session) => *session,
        other => panic!("no session: {other:?}"),
    }
}

/// Whether a process is there and not a zombie.
pub fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with(['Z', 'X']))
}

/// Kills a process at once.
pub fn kill(pid: u32) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Waits until something is so, without holding the runtime.
pub async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
