//! What is known of an agent on this machine.

use serde::{Deserialize, Serialize};

/// An agent that Belfry knows, and whether it is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AgentInfo {
    /// Its id: `claude`, `codex`, `opencode`, `gemini`, `aider`, `shell`, or one the person defined.
    pub id: String,
    /// Shown name.
    pub name: String,
    /// Absolute path of the program, where it was found.
    pub program: Option<String>,
    /// Its version as it prints it, once asked.
    pub version: Option<String>,
    /// The command that installs it.
    pub install: Option<String>,
    /// What a launch can be given.
    pub takes: AgentTakes,
    /// What can be done with its conversations.
    #[serde(default)]
    pub can: AgentCan,
}

/// What can be given at launch, so that a form shows only what has an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AgentTakes {
    /// A first prompt.
    pub prompt: bool,
    /// A model.
    pub model: bool,
    /// A system prompt.
    pub system_prompt: bool,
}

/// What can be done with an agent's conversations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct AgentCan {
    /// One goes on after its program has ended.
    pub resume: bool,
    /// A session can begin with a copy of one.
    pub fork: bool,
    /// A copy can end at an earlier turn.
    pub fork_earlier: bool,
    /// Past ones are found and read.
    pub history: bool,
    /// Which one a process is in can be told of those that Belfry did not start.
    pub find: bool,
}
