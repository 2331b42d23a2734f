//! Running git: by argument lists, with a time limit, and with nothing that a repository brings run by surprise.

use std::ffi::{OsStr, OsString};
use std::io::{Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

mod error;

pub use error::{GitError, GitResult, without_credentials};

/// For what only looks: a repository of 20,000 files answers in well under a second, a cold disk takes some.
const READ_LIMIT: Duration = Duration::from_secs(30);
/// For what writes files: a checkout of gigabytes on a slow disk.
const WRITE_LIMIT: Duration = Duration::from_mins(10);
/// For what asks another machine.
const NETWORK_LIMIT: Duration = Duration::from_mins(30);
/// Most bytes of an answer, 64 MiB; of complaints, a tail of 64 KiB.
const MOST_OUT: usize = 64 << 20;
const MOST_COMPLAINTS: usize = 64 << 10;
/// How often a command is tried again that met a worktree in the making, and the pause before that. Such a file is there within a
/// millisecond, on a machine that does nothing else.
const RACES: u32 = 20;
/// See [`RACES`].
const RACE_OVER: Duration = Duration::from_millis(15);
/// How often a command that can be stopped looks whether it is to.
const STOP_LOOK: Duration = Duration::from_millis(50);

/// Settings that hold for every command. An `ext::` address runs a program; the others start programs in the background that
/// would outlive the command, or change the form of what is read.
const ALWAYS: [&str; 7] = [
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "core.quotePath=false",
    "color.ui=false",
    "core.fsmonitor=false",
    "advice.detachedHead=false",
];

/// Variables that would point git elsewhere than at the directory it is given. A daemon may have been started from a hook.
const POINTERS: [&str; 12] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CEILING_DIRECTORIES",
];

/// Stops a command from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Has the command end as soon as it looks, 50 ms later at most.
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was told to.
    pub fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The git of this machine, in the person's environment.
#[derive(Clone, Debug)]
pub struct Git {
    program: PathBuf,
    env: Option<Arc<Vec<(OsString, OsString)>>>,
}

impl Default for Git {
    fn default() -> Self {
        Self { program: "git".into(), env: None }
    }
}

impl Git {
    /// Git as found in the `PATH` of an environment, with that environment: the person's login shell's, which has their
    /// ssh agent and credential stores.
    #[must_use]
    pub fn with_env(env: Vec<(OsString, OsString)>) -> Self {
        let path = env.iter().find(|(name, _)| name == "PATH").map(|(_, path)| path.clone());
        let found = path.and_then(|path| {
            std::env::split_paths(&path).map(|dir| dir.join("git")).find(|file| file.is_file())
        });
        Self { program: found.unwrap_or_else(|| "git".into()), env: Some(Arc::new(env)) }
    }

    /// A command that only looks: takes no lock, runs no hook.
    pub fn read(&self, at: &Path) -> GitCommand {
        let mut command = self.command(at, READ_LIMIT, false);
        command.inner.env("GIT_OPTIONAL_LOCKS", "0");
        command
    }

    /// A command that changes the repository or its files, without the repository's hooks.
    pub fn write(&self, at: &Path) -> GitCommand {
        self.command(at, WRITE_LIMIT, false)
    }

    /// A command that the person would expect their hooks to see: commit, push, merge, rebase.
    pub fn write_with_hooks(&self, at: &Path) -> GitCommand {
        self.command(at, WRITE_LIMIT, true)
    }

    /// A command that asks another machine, without hooks.
    pub fn network(&self, at: &Path) -> GitCommand {
        self.command(at, NETWORK_LIMIT, false)
    }

    fn command(&self, at: &Path, limit: Duration, hooks: bool) -> GitCommand {
        let mut inner = Command::new(&self.program);
        if let Some(env) = &self.env {
            inner.env_clear();
            inner.envs(env.iter().map(|(name, value)| (name, value)));
        }
        for name in POINTERS {
            inner.env_remove(name);
        }
        // Nobody is there to be asked; an editor would wait for ever.
        inner.env("GIT_TERMINAL_PROMPT", "0").env("GIT_EDITOR", ":").env("GIT_SEQUENCE_EDITOR", ":");
        inner.env("GIT_MERGE_AUTOEDIT", "no").env("GIT_PAGER", "cat").env("LC_ALL", "C.UTF-8");
        inner.current_dir(at);
        for setting in ALWAYS {
            inner.args(["-c", setting]);
        }
        if !hooks {
            inner.args(["-c", "core.hooksPath=/dev/null"]);
        }
        // Its own group, so that the end of its time ends what it started: ssh, filters, hooks.
        inner.process_group(0);
        GitCommand { inner, limit, input: None, stop: None }
    }
}

/// One git command, to be given its arguments and run.
pub struct GitCommand {
    inner: Command,
    limit: Duration,
    input: Option<Vec<u8>>,
    stop: Option<Stop>,
}

impl GitCommand {
    /// One argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.inner.arg(arg);
        self
    }

    /// Several.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.inner.args(args);
        self
    }

    /// A variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.inner.env(name, value);
        self
    }

    /// What it reads.
    #[must_use]
    pub fn input(mut self, bytes: Vec<u8>) -> Self {
        self.input = Some(bytes);
        self
    }

    /// Another time limit.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Lets it be stopped.
    #[must_use]
    pub fn stop(mut self, stop: &Stop) -> Self {
        self.stop = Some(stop.clone());
        self
    }

    /// Runs it and takes its output.
    pub fn output(self) -> GitResult<Vec<u8>> {
        self.watched(&mut |_| {})
    }

    /// Runs it and takes its output as text without the newline at its end. Bytes that are no UTF-8 become U+FFFD.
    pub fn text(self) -> GitResult<String> {
        let out = self.output()?;
        Ok(String::from_utf8_lossy(&out).trim_end_matches(['\n', '\r']).to_owned())
    }

    /// Runs it for its effect.
    pub fn run(self) -> GitResult<()> {
        self.output().map(drop)
    }

    /// Runs it as a question: exit code 0 is yes, 1 is no.
    pub fn asks(self) -> GitResult<bool> {
        match self.output() {
            Ok(_) => Ok(true),
            Err(GitError::Failed { code: Some(1), .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Runs it, and shows each piece of what it prints to standard error, such as progress, as it comes.
    pub fn watched(mut self, seen: &mut dyn FnMut(&[u8])) -> GitResult<Vec<u8>> {
        for _ in 0..RACES {
            match self.once(seen) {
                Err(error) if half_made(&error) => std::thread::sleep(RACE_OVER),
                other => return other,
            }
        }
        self.once(seen)
    }

    fn once(&mut self, seen: &mut dyn FnMut(&[u8])) -> GitResult<Vec<u8>> {
        let input = self.input.clone();
        self.inner.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        self.inner.stdout(Stdio::piped()).stderr(Stdio::piped());
        let what = said(&self.inner);
        let mut child =
            self.inner.spawn().map_err(|error| GitError::NotStarted { what: what.clone(), error })?;
        if let (Some(bytes), Some(mut pipe)) = (input, child.stdin.take()) {
            // Beside, because git may print before it has read all. One that reads no more has its reasons, told elsewhere.
            std::thread::spawn(move || pipe.write_all(&bytes));
        }
        let read = read_all(&mut child, Instant::now() + self.limit, self.stop.as_ref(), seen);
        let (out, complaints) = match read {
            Ok(read) => read,
            Err(end) => {
                end_group(&mut child);
                return Err(match end {
                    End::Late => GitError::Late { what, after: self.limit },
                    End::Stopped => GitError::Stopped,
                    End::TooMuch => GitError::TooMuch { what },
                    End::Io(error) => GitError::NotStarted { what, error },
                });
            }
        };
        let status = child.wait().map_err(|error| GitError::NotStarted { what: what.clone(), error })?;
        if status.success() {
            return Ok(out);
        }
        Err(GitError::failed(what, status.code(), &complaints))
    }
}

/// Whether git gave up because another worktree of the repository was just being made: it reads the files of all, and takes one
/// that has not been written yet for a broken one. Nothing was done then.
fn half_made(error: &GitError) -> bool {
    error.said().is_some_and(|said| said.contains("failed to read") && said.contains("/commondir"))
}

/// The command in words: git's own name of it and no arguments, which can hold secrets.
fn said(command: &Command) -> String {
    let mut args = command.get_args();
    while let Some(arg) = args.next() {
        if arg == "-c" {
            args.next();
        } else if !arg.to_string_lossy().starts_with('-') {
            return format!("git {}", arg.to_string_lossy());
        }
    }
    "git".to_owned()
}

/// Why reading what a program prints ended early.
pub(crate) enum End {
    Late,
    Stopped,
    TooMuch,
    Io(std::io::Error),
}

/// Reads both pipes until they end.
pub(crate) fn read_all(
    child: &mut Child,
    deadline: Instant,
    stop: Option<&Stop>,
    seen: &mut dyn FnMut(&[u8]),
) -> Result<(Vec<u8>, Vec<u8>), End> {
    let (mut out, mut complaints) = (child.stdout.take(), child.stderr.take());
    let (mut taken, mut said) = (Vec::new(), Vec::new());
    let mut buffer = vec![0_u8; 64 << 10];
    while out.is_some() || complaints.is_some() {
        if stop.is_some_and(Stop::stopped) {
            return Err(End::Stopped);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(End::Late);
        }
        let wait = if stop.is_some() { left.min(STOP_LOOK) } else { left };
        let ready = {
            let fds = [out.as_ref().map(|pipe| pipe.as_fd()), complaints.as_ref().map(|pipe| pipe.as_fd())];
            let mut polled: Vec<PollFd<'_>> =
                fds.iter().flatten().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
            let wait =
                Timespec { tv_sec: wait.as_secs().cast_signed(), tv_nsec: i64::from(wait.subsec_nanos()) };
            match poll(&mut polled, Some(&wait)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(End::Io(error.into())),
            }
            let mut answers = polled.iter().map(|fd| !fd.revents().is_empty());
            [
                fds[0].is_some() && answers.next().unwrap_or(false),
                fds[1].is_some() && answers.next().unwrap_or(false),
            ]
        };
        if ready[0]
            && let Some(pipe) = &mut out
        {
            match pipe.read(&mut buffer).map_err(End::Io)? {
                0 => out = None,
                count if taken.len() + count > MOST_OUT => return Err(End::TooMuch),
                count => taken.extend_from_slice(&buffer[..count]),
            }
        }
        if ready[1]
            && let Some(pipe) = &mut complaints
        {
            match pipe.read(&mut buffer).map_err(End::Io)? {
                0 => complaints = None,
                count => {
                    seen(&buffer[..count]);
                    said.extend_from_slice(&buffer[..count]);
                    let over = said.len().saturating_sub(MOST_COMPLAINTS);
                    said.drain(..over);
                }
            }
        }
    }
    Ok((taken, said))
}

/// Ends a program that leads a group, and all that it started.
pub(crate) fn end_group(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // The leader is not waited for yet, so its id is nobody else's.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}
