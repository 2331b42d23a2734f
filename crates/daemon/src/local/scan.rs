//! Which of the machine's processes are sessions of agents that Belfry did not start.
//!
//! Looked for are the person's own processes, by the agents' own names. What runs below a keeper is Belfry's, of whichever
//! home; what runs below another agent is that agent's helper; what has no terminal is a server or a command, unless an
//! editor talks to it.

use std::collections::HashMap;
use std::sync::Arc;

use belfry_agents::{Agents, Process};
use belfry_platform::process::{self, Identity, Seen};

/// Ancestors that are looked at.
const DEPTH: usize = 64;

/// Editors that agents run in, by their short names.
const EDITORS: [&str; 26] = [
    "code",
    "code-insiders",
    "code-oss",
    "codium",
    "vscodium",
    "cursor",
    "windsurf",
    "zed",
    "zed-editor",
    "zeditor",
    "idea",
    "pycharm",
    "webstorm",
    "goland",
    "rustrover",
    "clion",
    "rider",
    "phpstorm",
    "fleet",
    "emacs",
    "vim",
    "nvim",
    "hx",
    "kate",
    "sublime_text",
    "theia",
];

/// An agent that was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) process: Identity,
    /// The agent's id.
    pub(super) agent: String,
    pub(super) argv: Vec<String>,
    pub(super) tty: Option<String>,
    pub(super) cwd: String,
    /// The editor that it was started in.
    pub(super) editor: Option<&'static str>,
    /// The socket of the tmux server that its environment names.
    pub(super) socket: Option<String>,
}

/// What one look at the machine came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    pub(super) agents: Vec<Found>,
    /// tmux servers.
    pub(super) servers: Vec<Identity>,
}

/// What is known of processes that were looked at before.
#[derive(Default)]
pub(super) struct Scanner {
    agents: Option<Arc<Agents>>,
    known: HashMap<Identity, Known>,
}

struct Known {
    /// The name that it had then: another program's is another.
    name: String,
    agent: Option<String>,
    found: Option<Found>,
}

impl Scanner {
    /// Looks at every process. Blocks for some milliseconds.
    pub(super) fn look(&mut self, agents: &Arc<Agents>) -> Machine {
        if self.agents.as_ref().is_none_or(|known| !Arc::ptr_eq(known, agents)) {
            self.known.clear();
            self.agents = Some(Arc::clone(agents));
        }
        let all = process::own();
        let above_us = process::ancestry(std::process::id()).unwrap_or_default();
        let by_pid: HashMap<u32, &Seen> = all.iter().map(|seen| (seen.identity.pid, seen)).collect();
        for seen in &all {
            let same = self.known.get(&seen.identity).is_some_and(|known| known.name == seen.name);
            if !same {
                let argv = process::arguments(seen.identity.pid);
                let agent = agents.recognise(Process { name: &seen.name, argv: &argv });
                let agent = agent.map(|agent| agent.id().to_owned());
                let found = agent.as_deref().and_then(|agent| found(seen, agent, argv));
                self.known.insert(seen.identity, Known { name: seen.name.clone(), agent, found });
            }
        }
        self.known
            .retain(|identity, _| by_pid.get(&identity.pid).is_some_and(|seen| seen.identity == *identity));
        let mut machine = Machine::default();
        for seen in &all {
            if super::tmux::is_server(seen) {
                machine.servers.push(seen.identity);
            }
            let Some(found) = self.known.get(&seen.identity).and_then(|known| known.found.as_ref()) else {
                continue;
            };
            let above = ancestors(seen, &by_pid).filter(|above| !above_us.contains(&above.identity));
            let mut editor = None;
            let mut ours = true;
            for above in above {
                let agent = self.known.get(&above.identity).is_some_and(|known| known.agent.is_some());
                if agent || above.name == "belfry-keeper" {
                    ours = false;
                    break;
                }
                editor = editor.or_else(|| EDITORS.into_iter().find(|editor| *editor == above.name));
            }
            if ours
                && (found.tty.is_some() || editor.is_some())
                && process::is_in_our_world(seen.identity.pid)
            {
                machine.agents.push(Found { editor, ..found.clone() });
            }
        }
        machine
    }
}

fn ancestors<'a>(seen: &'a Seen, by_pid: &'a HashMap<u32, &'a Seen>) -> impl Iterator<Item = &'a Seen> {
    let above = |seen: &&'a Seen| {
        // A parent is older; an id may be another's by now.
        by_pid.get(&seen.parent).copied().filter(|parent| parent.identity.start <= seen.identity.start)
    };
    std::iter::successors(Some(seen), above).skip(1).take(DEPTH)
}

/// What is to be known of it, where it is a session of a person's.
fn found(seen: &Seen, agent: &str, argv: Vec<String>) -> Option<Found> {
    if super::arguments::serves(agent, &argv) {
        return None;
    }
    let pid = seen.identity.pid;
    let environ = crate::sources::environ(pid);
    let var = |name: &str| environ.as_ref().and_then(|environ| environ.var(name));
    let socket = var("TMUX").and_then(|tmux| Some(tmux.split(',').next()?.to_owned()));
    Some(Found {
        process: seen.identity,
        agent: agent.to_owned(),
        argv,
        tty: seen.tty.clone(),
        cwd: process::directory(pid).or_else(|| var("PWD"))?,
        editor: None,
        socket: socket.filter(|socket| socket.starts_with('/')),
    })
}
