//! How a command fails: an exit code for scripts, and a sentence for people.

use belfry_protocol::{ErrorCode, WireError};

/// Why the process ends with something else than 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing more can be printed since the reader left; not a failure that anybody could read about.
    ReaderGone,
    /// It failed.
    Failed,
    /// It was asked wrongly.
    Usage,
    /// No such session.
    NoSession,
    /// It would lose something, or what was checked has changed.
    Refused,
    /// There is no daemon, and none could be started.
    NoDaemon,
    /// Waited for too long.
    Timeout,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::ReaderGone => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NoSession => 3,
            Self::Refused => 4,
            Self::NoDaemon => 5,
            Self::Timeout => 124,
        }
    }

    fn of(code: ErrorCode) -> Self {
        match code {
            ErrorCode::BadRequest | ErrorCode::Ambiguous => Self::Usage,
            ErrorCode::NoSuchSession => Self::NoSession,
            ErrorCode::StillAlive
            | ErrorCode::StillOpen
            | ErrorCode::Changed
            | ErrorCode::ConversationLive
            | ErrorCode::WouldLose
            | ErrorCode::Busy
            | ErrorCode::Forbidden => Self::Refused,
            ErrorCode::Version => Self::NoDaemon,
            _ => Self::Failed,
        }
    }
}

/// A failed command.
#[derive(Debug)]
pub(crate) struct Failure {
    pub exit: Exit,
    /// A stable word for programs; the daemon's own codes, and a few of the command line's.
    pub code: String,
    pub message: String,
    pub kept: Option<String>,
    pub next: Option<String>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, code: &str, message: impl Into<String>) -> Self {
        Self { exit, code: code.to_owned(), message: message.into(), kept: None, next: None }
    }

    /// A plain failure.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(Exit::Failed, "failed", message)
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", message)
    }

    /// Whether the daemon refused with this code.
    pub(crate) fn is(&self, code: ErrorCode) -> bool {
        self.code == word(code)
    }

    pub(crate) fn kept(mut self, kept: impl Into<String>) -> Self {
        self.kept = Some(kept.into());
        self
    }

    pub(crate) fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }

    /// The same, said of one of several.
    pub(crate) fn of(mut self, which: &str) -> Self {
        self.message = format!("{which}: {}", self.message);
        self
    }

    /// Prints it to the standard error and gives the exit code. That nobody reads it is no reason to fail otherwise.
    pub(crate) fn report(&self, json: bool) -> u8 {
        use std::io::Write;
        if self.exit == Exit::ReaderGone {
            return self.exit.code();
        }
        let text = if json {
            let error = serde_json::json!({ "error": {
                "code": self.code, "message": self.message, "kept": self.kept, "next": self.next,
            }});
            crate::print::harmless(&error.to_string()).into_owned()
        } else {
            let mut text = format!("belfry: {}", crate::print::plain(&self.message));
            for more in [&self.kept, &self.next].into_iter().flatten() {
                text.push_str("\n        ");
                text.push_str(&crate::print::plain(more));
            }
            text
        };
        let _ = writeln!(std::io::stderr(), "{text}");
        self.exit.code()
    }
}

/// A code as the protocol writes it.
fn word(code: ErrorCode) -> String {
    let value = serde_json::to_value(code).ok();
    value.as_ref().and_then(|value| value.as_str()).unwrap_or("internal").to_owned()
}

impl From<WireError> for Failure {
    fn from(error: WireError) -> Self {
        // The daemon words them for whoever shows them, in the middle of a line too.
        let sentence = |text: String| crate::context::sentence(&text);
        Self {
            exit: Exit::of(error.code),
            code: word(error.code),
            message: sentence(error.message),
            kept: error.kept.map(sentence),
            next: error.next.map(sentence),
        }
    }
}

impl From<std::io::Error> for Failure {
    /// Errors of the command's own output; others are given a sentence where they happen.
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::new(Exit::ReaderGone, "reader_gone", "Nobody reads the output.");
        }
        Self::failed(format!("The output cannot be written: {error}."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_follow_the_contract() {
        for (code, exit) in [
            (ErrorCode::NoSuchSession, 3),
            (ErrorCode::Ambiguous, 2),
            (ErrorCode::BadRequest, 2),
            (ErrorCode::StillAlive, 4),
            (ErrorCode::Changed, 4),
            (ErrorCode::NotAlive, 1),
            (ErrorCode::Unsupported, 1),
            (ErrorCode::Version, 5),
        ] {
            let failure = Failure::from(WireError::new(code, "x"));
            assert_eq!(failure.exit.code(), exit, "{code:?}");
        }
        assert_eq!(Failure::from(WireError::new(ErrorCode::NoSuchSession, "x")).code, "no_such_session");
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let error = std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        assert_eq!(Failure::from(error).exit.code(), 0);
    }
}
