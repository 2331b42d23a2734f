//! What can go wrong with a git command.

use std::time::Duration;

/// What a git command comes to.
pub type GitResult<T> = Result<T, GitError>;

/// Why a git command gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Git is not on this machine, or the directory is gone.
    #[error("{what} could not be started: {error}")]
    NotStarted {
        /// The command.
        what: String,
        /// Why.
        error: std::io::Error,
    },
    /// It took too long and was ended.
    #[error("{what} did not end within {} s", after.as_secs())]
    Late {
        /// The command.
        what: String,
        /// Its limit.
        after: Duration,
    },
    /// The person stopped it.
    #[error("it was stopped")]
    Stopped,
    /// It printed more than anybody could look at.
    #[error("{what} printed more than 64 MiB")]
    TooMuch {
        /// The command.
        what: String,
    },
    /// Git refused.
    #[error("{what}: {said}")]
    Failed {
        /// The command.
        what: String,
        /// Its exit code; none where a signal ended it.
        code: Option<i32>,
        /// Git's own words, credentials in addresses taken out.
        said: String,
    },
}

/// Longest quotation of git's words, in characters.
const LONGEST: usize = 2000;

impl GitError {
    pub(super) fn failed(what: String, code: Option<i32>, complaints: &[u8]) -> Self {
        let text = String::from_utf8_lossy(complaints);
        // Progress overwrites its line; only what stays is worth telling. `remote:` lines have spaces to clear the line.
        let lines =
            text.lines().map(|line| line.rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or(""));
        let lines: Vec<String> = lines
            .map(|line| {
                line.chars().filter(|letter| !letter.is_control()).collect::<String>().trim_end().to_owned()
            })
            .filter(|line| !line.is_empty() && !line.starts_with("hint:"))
            .collect();
        let said: String = without_credentials(&lines.join("\n"));
        let cut = said.char_indices().nth(LONGEST).map_or(said.len(), |(at, _)| at);
        let said =
            if said.is_empty() { "it failed without a word".to_owned() } else { said[..cut].to_owned() };
        Self::Failed { what, code, said }
    }

    /// Git's own words, where it had some.
    pub fn said(&self) -> Option<&str> {
        match self {
            Self::Failed { said, .. } => Some(said),
            _ => None,
        }
    }
}

/// A text with `user:password@` taken out of every address in it.
pub fn without_credentials(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after
            .find(|letter: char| letter == '/' || letter.is_whitespace() || letter == '\'')
            .unwrap_or(after.len());
        let host = after[..end].rfind('@').map_or(0, |at| at + 1);
        // A user alone is no secret, and ssh needs it: `ssh://git@host`.
        let kept =
            if after[..host].contains(':') || before.ends_with("https://") || before.ends_with("http://") {
                host
            } else {
                0
            };
        out.push_str(&after[kept..end]);
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_told() {
        let said =
            without_credentials("fatal: unable to access 'https://ann:tok@en@host.example/a.git/': no");
        assert_eq!(said, "fatal: unable to access 'https://host.example/a.git/': no");
        assert_eq!(without_credentials("https://token@host/x"), "https://host/x");
        assert_eq!(without_credentials("ssh://git@host/x and git@host:x"), "ssh://git@host/x and git@host:x");
    }

    #[test]
    fn progress_is_no_complaint() {
        let said =
            b"Receiving objects:  10%\rReceiving objects: 100%, done.\nhint: try\nfatal: \x1b[31mno\x1b[0m\n";
        let error = GitError::failed("git clone".into(), Some(128), said);
        assert_eq!(error.said(), Some("Receiving objects: 100%, done.\nfatal: [31mno[0m"));
    }
}
