//! An open question of a session.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::AskId;

/// What kind of question it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    /// Whether the agent may do something; [`Ask::approves`] says what.
    Approval,
    /// Whether a plan is to be carried out.
    Plan,
    /// The agent wants to know something from the person.
    Question,
    /// Whether a directory, hooks or a server are to be trusted.
    Trust,
    /// Signing in, or which key to use.
    Login,
    /// Any other dialog with choices.
    Choice,
    /// Enter goes on.
    Enter,
    /// A program wants a line or a key: a password, `[y/N]`.
    Input,
}

/// What an approval is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Approves {
    /// A command of a shell.
    Command,
    /// A change of a file.
    Edit,
    /// A fetch from the network.
    Fetch,
    /// A tool of an MCP server.
    Mcp,
    /// Something else.
    Other,
}

/// How much there is to lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Nothing speaks of any: it refuses, reads, or asks for words.
    #[default]
    Low,
    /// It changes something, or allows more than this once.
    Medium,
    /// It can destroy, publish or give away: `rm -rf`, `sudo`, a force push, all approvals switched off.
    High,
}

/// One answer that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Choice {
    /// What `belfry answer` takes and the card shows as its key: `1`, `y`, …
    pub key: String,
    /// As the dialog words it.
    pub label: String,
    /// The dialog's own words about it, under or beside the label.
    #[serde(default)]
    pub description: Option<String>,
    /// How much there is to lose by it.
    pub risk: Risk,
    /// It refuses or leaves the dialog.
    #[serde(default)]
    pub refuses: bool,
    /// It opens a field for a text: given with `belfry answer --text`.
    #[serde(default)]
    pub takes_text: bool,
    /// Where several can be chosen, whether this one is. Giving it ticks it, or unticks it, and the question stays open until
    /// [`Choice::SUBMIT`] is given. None for a choice without a box.
    #[serde(default)]
    pub ticked: Option<bool>,
}

impl Choice {
    /// The key of the choice that gives all the ticked ones for the answer.
    pub const SUBMIT: &str = "s";
}

/// What the question is about, as far as the dialog shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct AskDetail {
    /// The command.
    pub command: Option<String>,
    /// The file or directory.
    pub path: Option<String>,
    /// The address.
    pub url: Option<String>,
    /// The tool, and the server it is of.
    pub tool: Option<String>,
    /// Anything else that the dialog shows of it, such as a change's lines or a plan: at most 4 KB.
    pub body: Option<String>,
}

/// How a question ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AskOutcome {
    /// Through Belfry.
    Answered,
    /// By keys in the terminal.
    InTerminal,
    /// It went away by itself.
    Gone,
    /// The program ended.
    Ended,
}

/// A typed question from a session to the person, with its choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Ask {
    /// Its id.
    pub id: AskId,
    /// What kind it is.
    pub kind: AskKind,
    /// What is approved, for approvals.
    #[serde(default)]
    pub approves: Option<Approves>,
    /// The question in the dialog's words.
    pub text: String,
    /// The answers, in the dialog's order; empty where only a text or a key is wanted, or where they could not be read.
    pub choices: Vec<Choice>,
    /// A text can be given.
    pub takes_text: bool,
    /// What it is about.
    pub detail: AskDetail,
    /// How risky what is asked for looks.
    pub risk: Risk,
    /// What the risk rests on, in a few words.
    #[serde(default)]
    pub risk_reason: Option<String>,
    /// Stays the same while the same dialog is open and shows the same; an answer that names another one is refused. The same
    /// question asked again has another one.
    pub fingerprint: String,
    /// Whether Belfry can answer it: the dialog is on the screen and its keys are known.
    pub answerable: bool,
    /// Where it cannot be answered as it is, and that can be helped: what is in the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub obstacle: Option<String>,
    /// When it opened.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub opened_at: Timestamp,
}
