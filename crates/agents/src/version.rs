//! Versions, asked for once for each file.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use crate::Agent;

/// Versions that were asked for, by file and its time of change.
#[derive(Debug, Default)]
pub struct Versions {
    known: HashMap<PathBuf, (SystemTime, Option<String>)>,
}

/// Node agents take most of a second on a quiet machine; on a busy one ten times that has been seen.
const PATIENCE: Duration = Duration::from_secs(15);

/// Longest output that is read, in bytes.
const LONGEST: u64 = 16 * 1024;

impl Versions {
    /// The version of the agent's program, running it with its version argument where the file is new or has changed.
    /// Blocks for up to 15 seconds then; none where it says nothing that looks like a version. The environment given is
    /// the whole of the program's: nothing else is inherited.
    pub fn of(&mut self, agent: &Agent, program: &Path, env: &[(String, String)]) -> Option<String> {
        if let Some(changed) = self.to_ask(program) {
            self.learn(program, changed, ask_version(agent, program, env));
        }
        self.known(program)
    }

    /// When the program's file was changed, where it is there and new or has changed since it was asked: for asking it with
    /// [`ask_version`] without keeping everybody from what is known, and then [`Versions::learn`].
    pub fn to_ask(&self, program: &Path) -> Option<SystemTime> {
        let changed = std::fs::metadata(program).and_then(|meta| meta.modified()).ok()?;
        self.known.get(program).is_none_or(|(then, _)| *then != changed).then_some(changed)
    }

    /// What the program has said of itself, as a file of that age.
    pub fn learn(&mut self, program: &Path, changed: SystemTime, version: Option<String>) {
        self.known.insert(program.to_owned(), (changed, version));
    }

    /// What is known without running anything.
    pub fn known(&self, program: &Path) -> Option<String> {
        self.known.get(program).and_then(|(_, version)| version.clone())
    }
}

/// Runs the agent's program with its version argument. Blocks for up to 15 seconds; none where it says nothing that looks
/// like a version. The environment given is the whole of the program's: nothing else is inherited.
pub fn ask_version(agent: &Agent, program: &Path, env: &[(String, String)]) -> Option<String> {
    ask(program, agent.version_args(), env, PATIENCE)
}

fn ask(program: &Path, args: &[String], env: &[(String, String)], patience: Duration) -> Option<String> {
    if args.is_empty() {
        return None;
    }
    let mut child = Command::new(program)
        .args(args)
        .env_clear()
        .envs(env.iter().map(|(name, value)| (name, value)))
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let stdout = child.stdout.take()?;
    let (tell, told) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stdout.take(LONGEST).read_to_end(&mut text);
        let _ = tell.send(text);
    });
    let text = told.recv_timeout(patience);
    end(&mut child);
    let text = text.ok()?;
    let _ = reader.join();
    first_version(&String::from_utf8_lossy(&text))
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// The first word that starts with a number and a dot, without a leading `v`: `codex-cli 0.171.0`, `2.1.332 (Claude Code)`.
fn first_version(text: &str) -> Option<String> {
    text.split_whitespace()
        .map(|word| word.trim_start_matches('v').trim_end_matches(','))
        .find(|word| {
            let (major, rest) = word.split_once('.').unwrap_or((word, ""));
            !major.is_empty()
                && major.bytes().all(|b| b.is_ascii_digit())
                && rest.starts_with(|c: char| c.is_ascii_digit())
        })
        .map(|word| word.chars().take(64).collect())
}
