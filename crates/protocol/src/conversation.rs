//! How a session comes to go on in a conversation, or to begin with a copy of one.

use serde::{Deserialize, Serialize};

use crate::launch::EnvVar;

/// Which conversation is to go on, and where: see [`crate::Request::ResumeConversation`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ResumeConversation {
    /// The agent's id.
    pub agent: String,
    /// The agent's own id of the conversation; of Aider, the path of its history file.
    pub id: String,
    /// The directory; none: the one that it belongs to, as far as that can be found.
    #[serde(default)]
    pub cwd: Option<String>,
    /// The new session's name.
    #[serde(default)]
    pub name: Option<String>,
    /// In a copy of it, in a new session: the conversation is not touched, and may go on elsewhere. An agent that has no fork is
    /// refused with [`crate::ErrorCode::Unsupported`].
    #[serde(default)]
    pub fork: bool,
    /// In a new conversation, whose first prompt has it read a text of what was said: works in any directory, and with every
    /// agent that takes a prompt. The conversation itself is only read.
    #[serde(default)]
    pub handover: bool,
    /// As in [`crate::launch::NewSession::base_env`].
    #[serde(default)]
    pub base_env: Option<Vec<EnvVar>>,
}

/// Which session is forked, and how: see [`crate::Request::ForkSession`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ForkSession {
    /// Of which.
    pub session: String,
    /// The new session's name; none: like the other's.
    #[serde(default)]
    pub name: Option<String>,
    /// At which entry of the transcript, by the agent's own id of it; none: at the latest.
    #[serde(default)]
    pub at: Option<String>,
    /// Start a new conversation, whose first prompt has it read a text of what was said before.
    #[serde(default)]
    pub handover: bool,
    /// As in [`crate::launch::NewSession::base_env`].
    #[serde(default)]
    pub base_env: Option<Vec<EnvVar>>,
}
