//! Whether something runs in a session's background that would end with its program.
//!
//! An agent has helpers that are always there: itself once more (a launcher, a worker), servers of its tools, our own hooks. They
//! are started as it starts, and none of them is a shell. Everything else below it is work that somebody wants: a server, a
//! watcher, a test run. What was left to the keeper, because whoever started it has ended, is such work too. In doubt it is
//! work, and the session stays awake.

use belfry_agents::Agents;
use belfry_platform::process::{self, Identity, Member};
use belfry_protocol::Session;

/// How long after an agent's process began its helpers have begun, in milliseconds. The slowest agent takes ten seconds to its
/// prompt, and package runners fetch a tool's server first.
const HELPERS_BEGIN: u64 = 30_000;

/// Shells, which agents run commands in.
const SHELLS: &[&str] = &["sh", "bash", "zsh", "fish", "dash", "ksh", "pwsh", "nu", "tcsh", "csh"];

/// A process, as far as this goes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Below {
    pid: u32,
    parent: u32,
    /// When it started, in milliseconds of any clock.
    started: u64,
    name: String,
    /// It is an agent's program.
    agent: bool,
}

/// The name of something that runs in the background of a session; none where nothing does. Reads the system's list of
/// processes: not for a thread that others wait for.
pub(super) fn runs(session: &Session, agents: &Agents) -> Option<String> {
    let program = session.pid?;
    let keeper = session.runs.first().and_then(|run| run.keeper_pid)?;
    let started = |identity: Identity| process::started_at(identity).unwrap_or(u64::MAX);
    let below: Vec<Below> = process::descendants(keeper)
        .into_iter()
        .filter(|member| !member.zombie)
        .map(|Member { identity, parent, name, .. }| Below {
            pid: identity.pid,
            parent,
            started: started(identity),
            name,
            agent: crate::client::is_agent(identity, agents),
        })
        .collect();
    background(keeper, program, &below).map(|name| crate::session::clean::line(name, 40))
}

fn background(keeper: u32, program: u32, below: &[Below]) -> Option<&str> {
    let children = |of: u32| below.iter().filter(move |process| process.parent == of);
    if let Some(left) = children(keeper).find(|process| process.pid != program && !is_ours(process)) {
        return Some(&left.name);
    }
    let mut agents: Vec<&Below> = children(keeper).filter(|process| process.pid == program).collect();
    while let Some(agent) = agents.pop() {
        for child in children(agent.pid).filter(|child| !is_ours(child)) {
            let early = child.started <= agent.started.saturating_add(HELPERS_BEGIN);
            if !early || SHELLS.contains(&child.name.trim_start_matches('-')) {
                return Some(&child.name);
            }
            if child.agent {
                agents.push(child);
            }
        }
    }
    None
}

/// A hook of ours, or what carries our tools.
fn is_ours(process: &Below) -> bool {
    process.name == "belfry"
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEEPER: u32 = 1;
    const PROGRAM: u32 = 2;

    fn below(pid: u32, parent: u32, started: u64, name: &str, agent: bool) -> Below {
        Below { pid, parent, started, name: name.to_owned(), agent }
    }

    fn with(more: &[Below]) -> Option<String> {
        let mut all = vec![below(PROGRAM, KEEPER, 1000, "node", true)];
        all.extend_from_slice(more);
        background(KEEPER, PROGRAM, &all).map(str::to_owned)
    }

    #[test]
    fn helpers_are_no_work() {
        assert_eq!(with(&[]), None);
        let worker = below(3, PROGRAM, 1500, "codex", true);
        let server = below(4, 3, 5000, "node", false);
        let of_server = below(5, 4, 900_000, "sh", false);
        assert_eq!(with(&[worker, server, of_server]), None);
        assert_eq!(with(&[below(3, PROGRAM, 900_000, "belfry", false)]), None);
    }

    #[test]
    fn everything_else_is() {
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(with(&[below(3, PROGRAM, 2000, "bash", false)]), some("bash"), "a shell, however early");
        assert_eq!(with(&[below(3, PROGRAM, 900_000, "vite", false)]), some("vite"), "what came later");
        assert_eq!(with(&[below(3, PROGRAM, 900_000, "claude", true)]), some("claude"), "an agent too");
        assert_eq!(with(&[below(3, KEEPER, 1500, "node", false)]), some("node"), "what was left");
        let worker = below(3, PROGRAM, 1500, "codex", true);
        assert_eq!(with(&[worker, below(4, 3, 2000, "zsh", false)]), some("zsh"), "of a worker");
    }
}
