//! What Belfry knows of each agent: how to find it, how to start it, how to type to it, and how to recognise it.
//!
//! What can be said as data is said in one TOML file an agent (`rules/`); a file in the person's `agents` folder changes
//! one of these or adds another. What needs code is one module an agent, each with a single function from
//! [`LaunchInput`] to [`LaunchPlan`]. Nothing here starts a session or holds a terminal: the daemon does both, and asks
//! this crate how. An agent's own configuration files are never edited; all that a session needs is given by flags,
//! variables and private files of the run.

mod activity;
mod agent;
mod agents;
mod aider;
mod claude;
mod codex;
mod failure;
mod find;
mod gemini;
mod hooks;
mod identity;
mod launch;
mod opencode;
mod overlay;
mod prompt;
mod recognise;
mod rules;
mod screen;
mod shell;
mod sign;
mod told;
mod toml_words;
pub mod transcripts;
mod trust;
mod typing;
mod user_defined;
mod version;

pub use agent::Agent;
pub use agents::{Agents, BadRules};
pub use find::SearchIn;
pub use hooks::{HOOK_FILE, HOOK_FILE_ENV, Heard, HookReader};
pub use identity::{identity_variables, is_identity_variable, scrub};
pub use launch::{
    Conversation, HookLink, LaunchInput, LaunchPlan, LaunchRefused, Link, PrivateFile, PromptDelivery,
};
pub use prompt::{AtPrompt, Look};
pub use recognise::Process;
pub use screen::risk;
pub use screen::{AnswerBy, Blocked, Dialog, Place, Reading, ScreenView};
pub use sign::{Bar, Emitted, Sign, SubKind, SubTask};
pub use told::{Activity, Subagents, Told};
pub use toml_words::words as in_words;
pub use trust::{Questions, Trust};
pub use typing::Typing;
pub use version::{Versions, ask_version};
