//! Which process of this user is in a conversation, whoever started it.
//!
//! Claude Code names it in its list of live sessions, which follows the conversation when it changes. Codex holds a lock and the
//! rollout open. Others say it on their command line or nowhere. A command line tells how a process began, so it counts only
//! where nothing better is known of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use belfry_agents::transcripts::{places, registry};
use belfry_agents::{Agents, Process};
use belfry_platform::process::{self, Identity, Seen};

use crate::sources::environ;

/// Largest entry of Claude Code's list that is read, in bytes. One has about 600.
const LARGEST: u64 = 64 * 1024;

/// Entries of that list that are read.
const MOST: usize = 4096;

/// Descriptors of one process that are looked at.
const DESCRIPTORS: usize = 1024;

/// Flags after which the conversation is named that a process begins with.
const NAMING: &[&str] = &["--session-id", "--resume", "-r", "-s", "--session", "--chat-history-file"];

/// A process that is in a conversation.
pub(super) struct Holder {
    pub(super) process: Identity,
    /// Its terminal: `pts/4`.
    pub(super) terminal: Option<String>,
}

/// The process that is in a conversation, if there is one. Blocks for some milliseconds.
pub(super) fn holder(agents: &Agents, home: &Path, agent: &str, id: &str) -> Option<Holder> {
    let mut homes: BTreeSet<PathBuf> = BTreeSet::new();
    if agent == "claude" {
        homes.insert(home.join(".claude"));
        homes.extend(std::env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from));
    }
    let mut found = None;
    for Seen { identity: process, name, .. } in process::own() {
        let pid = process.pid;
        let argv = process::arguments(pid);
        let known = agents.recognise(Process { name: &name, argv: &argv });
        if known.is_none_or(|known| known.id() != agent) {
            continue;
        }
        let holds = match agent {
            "claude" => {
                let own = environ(pid).and_then(|environ| places::claude_home(|name| environ.var(name)));
                let listed = own.as_deref().and_then(|home| listed(home, process));
                homes.extend(own);
                listed.map_or_else(|| names(&argv, id), |listed| listed == id)
            }
            "codex" => match open_threads(pid) {
                threads if threads.is_empty() => {
                    argv.iter().skip_while(|word| *word != "resume").skip(1).any(|named| named == id)
                }
                threads => threads.iter().any(|thread| thread == id),
            },
            _ => names(&argv, id),
        };
        if holds {
            found = Some(process);
            break;
        }
    }
    // Whatever runs it, an editor say: its list knows it.
    let found = found.or_else(|| homes.iter().find_map(|home| listed_as(home, id)))?;
    Some(Holder { process: found, terminal: terminal(found.pid) })
}

/// Whether a command line begins with that conversation. Of a copy, the one that is copied is not what it is in.
fn names(argv: &[String], id: &str) -> bool {
    let copies = argv.iter().any(|word| word == "--fork-session" || word == "--fork");
    let counts = |flag: &str| NAMING.contains(&flag) && (!copies || flag == "--session-id");
    argv.windows(2).any(|pair| counts(&pair[0]) && pair[1] == id)
        || argv
            .iter()
            .any(|word| word.split_once('=').is_some_and(|(flag, value)| counts(flag) && value == id))
}

/// The conversation that Claude Code's list has for a process, if the entry is really that process's: one that was killed
/// leaves its entry behind, and another may have its id by now.
fn listed(home: &Path, process: Identity) -> Option<String> {
    let entry = entry(&home.join("sessions").join(format!("{}.json", process.pid)))?;
    let same = entry.pid == process.pid && entry.proc_start.parse() == Ok(process.start);
    same.then_some(entry.session_id)
}

/// The living process that the list of that home has in the conversation.
fn listed_as(home: &Path, id: &str) -> Option<Identity> {
    let files = std::fs::read_dir(home.join("sessions")).into_iter().flatten().flatten().take(MOST);
    files.filter_map(|file| entry(&file.path())).find_map(|entry| {
        let process = Identity { pid: entry.pid, start: entry.proc_start.parse().ok()? };
        (entry.session_id == id && process.is_alive()).then_some(process)
    })
}

fn entry(file: &Path) -> Option<belfry_agents::transcripts::RegistryEntry> {
    let meta = std::fs::symlink_metadata(file).ok()?;
    if !meta.is_file() || meta.len() > LARGEST {
        return None;
    }
    registry(&std::fs::read(file).ok()?)
}

/// The threads that a process of Codex has open: each has a lock, and a rollout once something was said.
fn open_threads(pid: u32) -> Vec<String> {
    let descriptors = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let files = descriptors.take(DESCRIPTORS).filter_map(|entry| std::fs::read_link(entry.path()).ok());
    files.filter_map(|file| thread_of(&file)).collect()
}

/// The thread that a lock or a rollout is of. Ids have 36 letters.
fn thread_of(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let inside = |folder: &str| file.ancestors().skip(1).any(|above| above.ends_with(folder));
    if inside("thread-writer-locks") {
        return name.strip_suffix(".lock").map(str::to_owned);
    }
    let stem = name.strip_prefix("rollout-")?.strip_suffix(".jsonl")?;
    let id = stem.get(stem.len().checked_sub(36)?..)?;
    inside("sessions").then(|| id.to_owned())
}

/// What a process reads from, where that is a terminal.
fn terminal(pid: u32) -> Option<String> {
    let link = std::fs::read_link(format!("/proc/{pid}/fd/0")).ok()?;
    let name = link.strip_prefix("/dev").ok()?.to_str()?;
    (name.starts_with("pts/") || name.starts_with("tty")).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_name_the_conversation_that_they_begin_with() {
        let named = |line: &str| {
            let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
            names(&argv, "x")
        };
        for line in [
            "claude --resume x",
            "claude --session-id=x",
            "opencode -s x -m y",
            "gemini -r x",
            "gemini --resume=x",
        ] {
            assert!(named(line), "{line}");
        }
        let others = [
            "claude --model x",
            "claude x",
            "opencode -s x --fork",
            "claude --resume x --fork-session --session-id y",
        ];
        for line in others {
            assert!(!named(line), "{line}");
        }
        assert!(named("claude --resume y --fork-session --session-id x"));
    }

    #[test]
    fn threads_are_told_by_what_is_open() {
        let id = "0190aaaa-0000-7000-8000-000000000001";
        let thread = |file: &str| thread_of(Path::new(file));
        assert_eq!(thread(&format!("/h/.codex/thread-writer-locks/{id}.lock")).as_deref(), Some(id));
        let rollout = format!("/h/.codex/sessions/2026/11/30/rollout-2026-11-30T01-02-03-{id}.jsonl");
        assert_eq!(thread(&rollout).as_deref(), Some(id));
        assert_eq!(thread("/h/.codex/sessions/rollout-1.jsonl"), None);
        assert_eq!(thread("/dev/null"), None);
    }
}
