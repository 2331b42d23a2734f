//! What happened to a session, for a person to read later.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ask::{Ask, AskKind, AskOutcome};
use crate::explain::StatusChange;
use crate::ids::AskId;

/// One thing that happened to a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "happened", rename_all = "snake_case")]
pub enum Happened {
    /// Its status changed.
    Status(StatusChange),
    /// It asked something.
    Ask(PastAsk),
}

impl Happened {
    /// When; of a question, when it was asked.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Status(change) => change.at,
            Self::Ask(ask) => ask.at,
        }
    }
}

/// A question that was asked, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PastAsk {
    /// When it was asked.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub at: Timestamp,
    /// Its id.
    pub ask: AskId,
    /// What kind of question it was.
    pub kind: AskKind,
    /// The question in the dialog's words.
    pub text: String,
    /// What it was about: the command, the file, the address or the tool.
    pub about: Option<String>,
    /// When it ended; none while it is open.
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub ended_at: Option<Timestamp>,
    /// How it ended; none while it is open.
    pub outcome: Option<AskOutcome>,
    /// The label of the choice that was given through Belfry; never a text, which may be a password.
    pub answer: Option<String>,
    /// Who gave it: `person`, with the kind of client where that is known.
    pub answered_by: Option<String>,
}

impl PastAsk {
    /// A question that is open.
    pub fn of(ask: &Ask) -> Self {
        let detail = &ask.detail;
        let about = [&detail.command, &detail.path, &detail.url, &detail.tool].into_iter().flatten().next();
        Self {
            at: ask.opened_at,
            ask: ask.id,
            kind: ask.kind,
            text: ask.text.clone(),
            about: about.cloned(),
            ended_at: None,
            outcome: None,
            answer: None,
            answered_by: None,
        }
    }
}
