//! A home for one test.

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// A home, and commands in it.
#[derive(Debug)]
pub struct Belfry {
    directory: TempDir,
}

/// A command that has ended.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What was run, for messages.
    pub line: String,
    /// Its exit code; -1 where a signal ended it.
    pub code: i32,
    /// What it printed.
    pub stdout: String,
    /// What it printed as errors.
    pub stderr: String,
}

#[expect(clippy::return_self_not_must_use, reason = "often the check alone is wanted")]
impl Ran {
    /// The same, if it succeeded.
    #[track_caller]
    pub fn ok(self) -> Self {
        self.exits(0)
    }

    /// The same, if it ended with that code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\nstdout: {}\nstderr: {}", self.line, self.stdout, self.stderr);
        self
    }

    /// What it printed, as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{}: {error}: {}", self.line, self.stdout))
    }

    /// The code of the error that it printed as JSON.
    #[track_caller]
    pub fn error_code(&self) -> String {
        let error: Value = serde_json::from_str(&self.stderr)
            .unwrap_or_else(|error| panic!("{}: {error}: {}", self.line, self.stderr));
        error["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The one line that it printed.
    pub fn word(&self) -> &str {
        self.stdout.trim()
    }
}

impl Default for Belfry {
    fn default() -> Self {
        Self::new()
    }
}

impl Belfry {
    /// A fresh home; nothing runs in it yet.
    pub fn new() -> Self {
        let directory = tempfile::Builder::new().prefix("belfry-cli-").tempdir().expect("a directory");
        std::fs::create_dir(directory.path().join("home")).expect("a directory");
        // Long enough to be a trap for sockets, and with what paths should not have but do.
        std::fs::create_dir(directory.path().join("bélfry home")).expect("a directory");
        Self { directory }
    }

    /// `BELFRY_HOME`.
    pub fn belfry_home(&self) -> PathBuf {
        self.directory.path().join("bélfry home")
    }

    /// The directory in which commands run.
    pub fn home(&self) -> PathBuf {
        self.directory.path().join("home")
    }

    /// A file in [`Belfry::home`].
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.home().join(name);
        std::fs::write(&path, text).expect("write a file");
        path
    }

    /// An executable script in [`Belfry::home`].
    pub fn script(&self, name: &str, text: &str) -> String {
        let path = self.write(name, text);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("make it executable");
        path.to_str().expect("a path of ours").to_owned()
    }

    /// Where cargo puts our programs: two levels above the test's own.
    pub fn program(name: &str) -> PathBuf {
        let own = std::env::current_exe().expect("the test's own path");
        let path = own.ancestors().nth(2).expect("cargo's target directory").join(name);
        assert!(path.is_file(), "{} is not built; `cargo xtask test` builds it", path.display());
        path
    }

    /// The environment of every command here.
    pub fn environment(&self) -> Vec<(&'static str, std::ffi::OsString)> {
        vec![
            ("PATH", std::env::var_os("PATH").unwrap_or_default()),
            ("HOME", self.home().into()),
            ("BELFRY_HOME", self.belfry_home().into()),
            // Whatever else runs on the machine is not the test's.
            ("BELFRY_ALONE", "1".into()),
            ("LANG", "C.UTF-8".into()),
            ("TERM", "xterm-256color".into()),
            ("SHELL", "/bin/sh".into()),
            ("PS1", "$ ".into()),
            ("USER", "someone".into()),
        ]
    }

    /// A command that is not started yet.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(Self::program("belfry"));
        command.args(arguments).env_clear().envs(self.environment()).current_dir(self.home());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a command to its end.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Ran {
        self.run_with(arguments, "")
    }

    /// Runs a command to its end, with something on its standard input.
    pub fn run_with<S: AsRef<OsStr>>(&self, arguments: &[S], stdin: &str) -> Ran {
        let mut command = self.command(arguments);
        let line = format!("{:?}", command.get_args().collect::<Vec<_>>());
        let mut child = command.stdin(Stdio::piped()).spawn().expect("start belfry");
        if let Some(mut pipe) = child.stdin.take() {
            // It need not read it.
            let _ = pipe.write_all(stdin.as_bytes());
        }
        let output = child.wait_with_output().expect("wait for belfry");
        Ran {
            line,
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Starts a session of any program and returns its id.
    pub fn shell(&self, flags: &[&str], command: &[&str]) -> String {
        let arguments = [&["new", "--agent", "shell"], flags, &["--"], command].concat();
        self.run(&arguments).ok().word().to_owned()
    }

    /// A session object.
    pub fn show(&self, session: &str) -> Value {
        self.run(&["show", session, "--json"]).ok().json()
    }

    /// A session's screen.
    pub fn screen(&self, session: &str) -> String {
        self.run(&["screen", session]).ok().stdout
    }

    /// Waits until a session's screen has this text.
    pub fn until_screen(&self, session: &str, text: &str) {
        eventually(&format!("{text:?} on the screen"), || self.screen(session).contains(text));
    }

    /// The daemon's process id.
    pub fn daemon_pid(&self) -> i32 {
        let status = self.run(&["daemon", "status", "--json"]).ok().json();
        i32::try_from(status["pid"].as_i64().expect("a pid")).expect("a pid")
    }

    /// Kills the daemon at once, and waits until it is gone.
    pub fn kill_daemon(&self) {
        let pid = self.daemon_pid();
        kill(pid);
        eventually("the daemon is gone", || !Path::new(&format!("/proc/{pid}/exe")).exists());
    }
}

impl Drop for Belfry {
    fn drop(&mut self) {
        let mark = [b"BELFRY_HOME=", self.belfry_home().as_os_str().as_encoded_bytes()].concat();
        // What dies may start something on its way out; a second look finds that.
        for _ in 0..3 {
            let left = processes_with(&mark);
            if left.is_empty() {
                break;
            }
            left.into_iter().for_each(kill);
        }
    }
}

fn kill(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Processes whose environment began with this variable in it.
fn processes_with(mark: &[u8]) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| {
        std::fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|all| all.split(|byte| *byte == 0).any(|variable| variable == mark))
    })
    .collect()
}

/// Waits until something is so; the test's own timeout is the end of patience.
#[track_caller]
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(25);
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
