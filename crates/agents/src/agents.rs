//! The agents that Belfry knows.

use std::path::{Path, PathBuf};

use belfry_protocol::agent::AgentInfo;

use crate::agent::{Agent, Launch};
use crate::recognise::Process;
use crate::{SearchIn, Versions, aider, claude, codex, gemini, opencode, shell, toml_words, user_defined};

pub(crate) struct BuiltIn {
    id: &'static str,
    pub(crate) rules: &'static str,
    launch: Launch,
}

/// In the order in which a form offers them.
pub(crate) const BUILT_IN: &[BuiltIn] = &[
    BuiltIn { id: "claude", rules: include_str!("../rules/claude.toml"), launch: claude::launch },
    BuiltIn { id: "codex", rules: include_str!("../rules/codex.toml"), launch: codex::launch },
    BuiltIn { id: "opencode", rules: include_str!("../rules/opencode.toml"), launch: opencode::launch },
    BuiltIn { id: "gemini", rules: include_str!("../rules/gemini.toml"), launch: gemini::launch },
    BuiltIn { id: "aider", rules: include_str!("../rules/aider.toml"), launch: aider::launch },
    // From their documentation alone: a file each, and no code.
    BuiltIn { id: "copilot", rules: include_str!("../rules/copilot.toml"), launch: user_defined::launch },
    BuiltIn { id: "cursor", rules: include_str!("../rules/cursor.toml"), launch: user_defined::launch },
    BuiltIn { id: "amp", rules: include_str!("../rules/amp.toml"), launch: user_defined::launch },
    BuiltIn { id: "goose", rules: include_str!("../rules/goose.toml"), launch: user_defined::launch },
    BuiltIn { id: "pi", rules: include_str!("../rules/pi.toml"), launch: user_defined::launch },
    BuiltIn { id: "shell", rules: include_str!("../rules/shell.toml"), launch: shell::launch },
];

/// All agents: the built-in ones, and those that the person's files add or change.
#[derive(Clone, Debug)]
pub struct Agents {
    agents: Vec<Agent>,
}

/// A file that is no good; the agent it would change stays as it was.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", file.display())]
pub struct BadRules {
    /// The file.
    pub file: PathBuf,
    /// What is wrong, with the line and the column where that is known.
    pub why: String,
}

impl Agents {
    /// The agents that come with Belfry: `claude`, `codex`, `opencode`, `gemini`, `aider`, `copilot`, `cursor`, `amp`, `goose`,
    /// `pi`, `shell`.
    pub fn built_in() -> Self {
        let agent = |source: &BuiltIn| {
            // A test parses every built-in file, so a bad one cannot be released; it would be left out here.
            Agent::new(source.id.to_owned(), source.rules.parse().ok()?, source.launch).ok()
        };
        Self { agents: BUILT_IN.iter().filter_map(agent).collect() }
    }

    /// The same with the person's own `ID.toml` files of a folder. A file named like a built-in agent replaces only the
    /// keys that it has. Bad files are reported and passed over; a missing folder is no error.
    pub fn with_files(folder: &Path) -> (Self, Vec<BadRules>) {
        let mut agents = Self::built_in();
        let mut bad = Vec::new();
        for file in user_defined::files(folder) {
            match user_defined::read(&file) {
                Ok((id, table)) => {
                    if let Err(why) = agents.add(&id, table) {
                        bad.push(BadRules { file, why });
                    }
                }
                Err(why) => bad.push(BadRules { file, why }),
            }
        }
        (agents, bad)
    }

    fn add(&mut self, id: &str, table: toml::Table) -> Result<(), String> {
        let source = BUILT_IN.iter().find(|source| source.id == id);
        let base = match source {
            Some(source) => toml::from_str(source.rules).map_err(|error| error.to_string())?,
            None => toml::Table::new(),
        };
        let launch = source.map_or(user_defined::launch as Launch, |source| source.launch);
        let file = user_defined::merged(base, table);
        let agent =
            Agent::new(id.to_owned(), file, launch).map_err(|error| toml_words::words(error.message()))?;
        match self.agents.iter_mut().find(|known| known.id() == id) {
            Some(known) => *known = agent,
            None => self.agents.insert(self.agents.len().saturating_sub(1), agent),
        }
        Ok(())
    }

    /// The agent with that id; an empty id is `shell`.
    pub fn get(&self, id: &str) -> Option<&Agent> {
        let id = if id.is_empty() { "shell" } else { id };
        self.agents.iter().find(|agent| agent.id() == id)
    }

    /// All, in the order in which a form offers them, `shell` last.
    pub fn iter(&self) -> impl Iterator<Item = &Agent> {
        self.agents.iter()
    }

    /// The agent that a process is. The shell is never recognised so: any program may be called `sh`.
    pub fn recognise(&self, process: Process<'_>) -> Option<&Agent> {
        self.agents.iter().find(|agent| agent.is(process))
    }

    /// What a form shows, without running anything: versions are those that `versions` knows already.
    pub fn infos(&self, search: SearchIn<'_>, versions: &Versions) -> Vec<AgentInfo> {
        self.agents.iter().map(|agent| agent.info(search, versions)).collect()
    }
}
