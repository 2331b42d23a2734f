//! Processes of one desk: started, found, killed.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process};

/// A program that the desk needs, killed with it.
#[derive(Debug)]
pub(super) struct Attendant(Child);

impl Attendant {
    /// Starts it so that it also ends when the test's thread is gone, however that came.
    pub(super) fn start(command: &Command) -> Result<Self> {
        let mut guarded = Command::new("setpriv");
        guarded.args(["--pdeathsig", "KILL", "--"]).arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => guarded.env(name, value),
                None => guarded.env_remove(name),
            };
        }
        let child = guarded
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be started", command.get_program().display()))?;
        Ok(Self(child))
    }

    /// The first line that it prints.
    pub(super) fn first_line(&mut self) -> Result<String> {
        use std::io::{BufRead, BufReader};
        let output = self.0.stdout.take().context("its output was taken already")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        anyhow::ensure!(!line.is_empty(), "it ended without a word");
        Ok(line.trim().to_owned())
    }
}

impl Drop for Attendant {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// A process of the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its process id.
    pub pid: i32,
    /// The file name of its program.
    pub program: String,
}

impl Process {
    /// Ends it at once, as a crash or the out-of-memory killer would.
    pub fn kill(&self) {
        if let Some(pid) = Pid::from_raw(self.pid) {
            // It may have ended by itself.
            kill_process(pid, Signal::KILL).ok();
        }
    }

    /// Whether one of its threads has that name.
    pub fn has_thread(&self, name: &str) -> bool {
        let threads = fs::read_dir(format!("/proc/{}/task", self.pid)).into_iter().flatten().flatten();
        let mut names = threads.filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok());
        names.any(|found| found.trim() == name)
    }

    /// Whether it is still there, and not a zombie.
    pub fn is_alive(&self) -> bool {
        fs::read_to_string(format!("/proc/{}/stat", self.pid))
            .is_ok_and(|stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X'])))
    }
}

/// Every process that was started with this home in its environment.
pub(super) fn of_home(home: &Path) -> Vec<Process> {
    let mark = [b"BELFRY_HOME=", home.as_os_str().as_bytes()].concat();
    let marked = |environment: &[u8]| environment.split(|byte| *byte == 0).any(|variable| variable == mark);
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| fs::read(format!("/proc/{pid}/environ")).is_ok_and(|found| marked(&found)))
        .filter_map(|pid| {
            let program = fs::read_link(format!("/proc/{pid}/exe")).ok()?;
            let program = program.file_name().unwrap_or(OsStr::new("")).to_string_lossy().into_owned();
            Some(Process { pid, program })
        })
        .filter(Process::is_alive)
        .collect()
}
