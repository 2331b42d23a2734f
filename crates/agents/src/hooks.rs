//! Hooks: commands that an agent runs when something happens. Belfry has each agent run `belfry hook NAME`, for one launch.
//!
//! What a hook says is telemetry. Esc and the answer to a question send none, they come late, twice and out of order, and
//! whatever the agent runs could send them as well.

mod aider;
mod claude;
mod gemini;
mod opencode;
mod reader;
pub(crate) mod settings;

pub use reader::{Heard, HookReader};

use serde_json::Value;

/// Names the file, for `belfry hook`. Not the secret itself: an environment is printed sooner or later, on a screen, into a
/// transcript, to a model.
pub const HOOK_FILE_ENV: &str = "BELFRY_HOOK_FILE";

/// The file among a run's texts that holds its secret.
pub const HOOK_FILE: &str = "hook-secret";

/// A text of a payload.
fn text<'a>(payload: &'a Value, key: &str) -> &'a str {
    payload[key].as_str().unwrap_or_default()
}
