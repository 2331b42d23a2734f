//! An agent as data: the TOML files in `rules/`, and the person's own.

use serde::Deserialize;

use belfry_protocol::agent::{AgentCan, AgentTakes};

use crate::overlay::Overlay;
use crate::screen::ScreenRules;
use crate::sign::SignRule;
use crate::trust::TrustTable;

/// One agent's file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rules {
    /// Shown name. A file that changes a built-in agent need not have one.
    #[serde(default)]
    pub(crate) name: String,
    /// Names of the program, the first found wins.
    #[serde(default)]
    pub(crate) programs: Vec<String>,
    /// Where else to look, `~/` for the home directory.
    #[serde(default)]
    pub(crate) places: Vec<String>,
    /// The command that installs it.
    #[serde(default)]
    pub(crate) install: Option<String>,
    /// Arguments that print its version; none means that it has none.
    #[serde(default)]
    pub(crate) version: Vec<String>,
    /// Short process names by which it is known while it runs (`comm` on Linux).
    #[serde(default)]
    pub(crate) processes: Vec<String>,
    /// Ends of script paths, for agents that run in an interpreter: `node …/@openai/codex/bin/codex.js`.
    #[serde(default)]
    pub(crate) scripts: Vec<String>,
    /// What a launch can be given.
    #[serde(default)]
    pub(crate) takes: Takes,
    /// What can be done with its conversations.
    #[serde(default)]
    pub(crate) can: Can,
    /// What it says where it refuses to start, and what that means.
    #[serde(default)]
    pub(crate) refusals: Vec<Refusal>,
    /// Arguments of every launch, before all others.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Variables of every launch.
    #[serde(default)]
    pub(crate) env: std::collections::BTreeMap<String, String>,
    /// For an agent that the person defines: how it takes what a launch can be given.
    #[serde(default)]
    pub(crate) flags: Flags,
    /// Variables by which it tells its children who they are.
    #[serde(default, rename = "identity")]
    _identity: Identity,
    /// How to type to it.
    #[serde(default)]
    pub(crate) typing: TypingRules,
    /// How its screens are read. This and what follows is checked here and kept by version ([`crate::overlay`]).
    #[serde(default, rename = "screen")]
    _screen: ScreenRules,
    /// What its signals mean.
    #[serde(default, rename = "sign")]
    _sign: Vec<SignRule>,
    /// How far its sources are to be trusted.
    #[serde(default, rename = "trust")]
    _trust: TrustTable,
    /// What differs between versions.
    #[serde(default, rename = "versions")]
    _versions: Vec<Overlay>,
}

/// See [`AgentTakes`].
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Takes {
    prompt: bool,
    model: bool,
    system_prompt: bool,
}

impl From<Takes> for AgentTakes {
    fn from(takes: Takes) -> Self {
        Self { prompt: takes.prompt, model: takes.model, system_prompt: takes.system_prompt }
    }
}

/// See [`AgentCan`]. Of an agent that has [`Flags`], it follows from those whether it can resume and fork.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Can {
    resume: bool,
    fork: bool,
    fork_earlier: bool,
    history: bool,
    find: bool,
}

impl Rules {
    /// What can be done with its conversations.
    pub(crate) fn can(&self) -> AgentCan {
        let Can { resume, fork, fork_earlier, history, find } = self.can;
        AgentCan {
            resume: resume || !self.flags.resume.is_empty(),
            fork: fork || !self.flags.fork.is_empty(),
            fork_earlier,
            history,
            find,
        }
    }
}

/// One way in which it refuses to start.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Refusal {
    /// A text that is then among the last that it printed.
    pub(crate) find: String,
    /// Why, in a few words, as the session's reason.
    pub(crate) say: String,
}

/// Arguments with a place for the value, such as `["--model", "{}"]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Flags {
    pub(crate) model: Vec<String>,
    /// `{}` is the path of a file that holds the text.
    pub(crate) system_prompt_file: Vec<String>,
    /// `{}` is a fresh UUID.
    pub(crate) conversation: Vec<String>,
    /// `{}` is the conversation's id.
    pub(crate) resume: Vec<String>,
    /// `{from}` is the id of the conversation that is copied, `{}` a fresh UUID for the copy.
    pub(crate) fork: Vec<String>,
}

/// Names and beginnings of names.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Identity {
    pub(crate) names: Vec<String>,
    pub(crate) prefixes: Vec<String>,
    /// Variables that are not about identity, but that it sets for its children to keep their output plain. Removed with
    /// exactly these values, where one of the names above is present.
    pub(crate) companions: std::collections::BTreeMap<String, String>,
    /// The same for all that begin so, whatever the value.
    pub(crate) companion_prefixes: Vec<String>,
}

/// See [`crate::Typing`].
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TypingRules {
    /// Least pause between the end of a paste and Enter, in milliseconds.
    pub(crate) pause_ms: u64,
    /// The same for each 1024 bytes, where that is more.
    pub(crate) pause_ms_per_kb: u64,
    /// A first `/`, `!`, `#`, `$` or `@` means a command unless a blank stands before it.
    pub(crate) guard_first: bool,
    /// A last word that begins so opens a list, from which Enter would pick something; a blank after it closes the list.
    pub(crate) guard_last: bool,
    /// Lines are given as one only in braces lines of their own (Aider without bracketed paste).
    pub(crate) braces: bool,
}

impl Default for TypingRules {
    /// The pauses that worked for all five agents, measured: 200 ms, and 50 ms a kilobyte.
    fn default() -> Self {
        Self { pause_ms: 200, pause_ms_per_kb: 50, guard_first: true, guard_last: true, braces: false }
    }
}
