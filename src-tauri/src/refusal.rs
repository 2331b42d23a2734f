//! What a command answers when it cannot do what the page asked.

use serde::Serialize;

/// Why, for the page's code. Never renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    /// No daemon answered, and none could be started.
    NoDaemon,
    /// The daemon is there and turned the window away, for instance because its version does not fit.
    Refused,
    /// The link is closed, or a newer one has taken its place.
    LinkClosed,
    /// The arguments of the call make no sense.
    BadRequest,
    /// More input is waiting than the daemon takes.
    TooMuch,
    /// Links of that kind are not opened.
    LinkRefused,
    /// The desktop could not do it.
    Desktop,
}

/// The error of a command: a code for the page, and a sentence for the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Refusal {
    /// What to branch on.
    pub(crate) code: Code,
    /// What happened.
    pub(crate) message: String,
}

impl Refusal {
    /// A refusal with its reason.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
