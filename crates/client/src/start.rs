//! Finding the daemon, and starting it where none runs.
//!
//! The daemon must outlive whoever starts it: it gets a process session of its own, `/` as its directory, nothing of our
//! descriptors, and, where a systemd user manager runs, a scope of its own, since closing a terminal or logging out of a
//! desktop ends everything in the scope of the starter. macOS: `setsid` is enough; a launchd agent is the plan for start at
//! login. Windows: `CREATE_BREAKAWAY_FROM_JOB | DETACHED_PROCESS`.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use belfry_platform::home::Home;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio::time::Instant;

use crate::{ClientError, ConnectOptions};

/// Set in the environment of a daemon that should say [`READY_LINE`] on its standard output once it listens, and then let
/// go of standard output and error.
pub const READY_ENV: &str = "BELFRY_READY_STDOUT";

/// The line.
pub const READY_LINE: &str = "ready";

/// Pause before the first new attempt to connect to a daemon that somebody else is starting; doubled up to
/// [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(5);

/// See [`FIRST_PAUSE`].
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// A connected socket to this home's daemon, which is started where none runs. No frame is sent or read.
pub async fn connect_raw(home: &Home, options: &ConnectOptions) -> Result<UnixStream, ClientError> {
    match connect_existing(home).await {
        Err(ClientError::NoDaemon) => {}
        other => return other,
    }
    let deadline = Instant::now() + options.timeout;
    let started = tokio::time::timeout_at(deadline, start(home, options)).await;
    // Somebody else may have been quicker, and then ours gave up: theirs answers soon.
    let why_not = started.map_err(|_| ClientError::Timeout)?.err();
    let mut pause = FIRST_PAUSE;
    loop {
        match connect_existing(home).await {
            Err(ClientError::NoDaemon) => {}
            other => return other,
        }
        // Ours said why it ended; another that is being started answers within moments or not at all.
        if Instant::now() + pause > deadline || (why_not.is_some() && pause == LONGEST_PAUSE) {
            return Err(why_not.unwrap_or(ClientError::Timeout));
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// A connected socket to the daemon that runs; [`ClientError::NoDaemon`] where none does.
pub(crate) async fn connect_existing(home: &Home) -> Result<UnixStream, ClientError> {
    let path = home.daemon_socket();
    // The connect blocks while a hung daemon's backlog is full, so it has its own thread.
    let connected = tokio::task::spawn_blocking(move || belfry_platform::socket::connect(&path)).await;
    let stream = match connected.map_err(io::Error::other)? {
        Ok(stream) => stream,
        Err(error) => {
            return Err(match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => ClientError::NoDaemon,
                _ => ClientError::Io(error),
            });
        }
    };
    // Somebody else's daemon in our place could read what is typed.
    if !belfry_platform::peer::is_ours(&stream)? {
        return Err(ClientError::Io(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "the daemon's socket belongs to another user",
        )));
    }
    stream.set_nonblocking(true)?;
    Ok(UnixStream::from_std(stream)?)
}

/// Starts a daemon and waits until it listens or ends.
async fn start(home: &Home, options: &ConnectOptions) -> Result<(), ClientError> {
    let program = match &options.program {
        Some(program) => program.clone(),
        None => {
            find_program().ok_or_else(|| ClientError::Start("the program `belfry` is not found".into()))?
        }
    };
    let failed = |error: io::Error| ClientError::Start(format!("{}: {error}", program.display()));
    if let Some(systemd_run) = systemd_run() {
        let mut command = Command::new(systemd_run);
        command.args(["--user", "--scope", "--quiet", "--collect", "--"]).arg(&program);
        match spawn(command, home) {
            // A manager that is there and does not take scopes (a container, a broken bus) must not keep us out.
            Err(error) => tracing::debug!(%error, "no scope of its own for the daemon"),
            Ok(child) => match wait_ready(child).await {
                Ok(()) => return Ok(()),
                Err(error) => tracing::debug!(%error, "no daemon in a scope of its own"),
            },
        }
    }
    wait_ready(spawn(Command::new(&program), home).map_err(failed)?).await
}

/// The daemon leads a process session of its own: it makes it itself, when it sees [`READY_ENV`].
fn spawn(mut command: Command, home: &Home) -> io::Result<Child> {
    command
        .args(["daemon", "run"])
        .env(READY_ENV, "1")
        .env_remove("BELFRY_SESSION")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(root) = home.root() {
        command.env("BELFRY_HOME", root);
    }
    command.spawn()
}

/// Until the daemon says that it is ready, or ends. Dropping the child afterwards leaves it alone; it is reaped by the
/// runtime while we live and by init later.
async fn wait_ready(mut child: Child) -> Result<(), ClientError> {
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(ClientError::Start("it has no output".into()));
    };
    let mut lines = BufReader::new(stdout).lines();
    while let Some(line) = lines.next_line().await? {
        if line == READY_LINE {
            return Ok(());
        }
    }
    let mut said = Vec::new();
    stderr.take(MOST_SAID).read_to_end(&mut said).await?;
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    Err(ClientError::Start(if said.is_empty() { "it ended at once".into() } else { said }))
}

/// Bytes of a failed daemon's complaint that are passed on.
const MOST_SAID: u64 = 4096;

/// `belfry` itself, or the one beside us, or the one in `PATH`.
fn find_program() -> Option<PathBuf> {
    let name = format!("belfry{}", std::env::consts::EXE_SUFFIX);
    let own = std::env::current_exe().ok();
    if let Some(own) = own {
        if own.file_name().is_some_and(|file| file == name.as_str()) {
            return Some(own);
        }
        let beside = own.with_file_name(&name);
        if beside.is_file() {
            return Some(beside);
        }
    }
    in_path(&name)
}

fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

/// `systemd-run`, where a user manager answers for us.
fn systemd_run() -> Option<PathBuf> {
    let runtime: OsString = std::env::var_os("XDG_RUNTIME_DIR")?;
    Path::new(&runtime).join("systemd/private").exists().then(|| in_path("systemd-run"))?
}
