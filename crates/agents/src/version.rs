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
        let changed = std::fs::metadata(program).and_then(|meta| meta.modified()).ok()?;
        if let Some((then, version)) = self.known.get(program)
            && *then == changed
        {
            return version.clone();
        }
        let version = ask(program, agent.version_args(), env, PATIENCE);
        self.known.insert(program.to_owned(), (changed, version.clone()));
        version
    }

    /// What is known without running anything.
    pub fn known(&self, program: &Path) -> Option<String> {
        self.known.get(program).and_then(|(_, version)| version.clone())
    }
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
