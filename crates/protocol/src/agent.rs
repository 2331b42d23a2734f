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
