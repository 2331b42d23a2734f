//! Commits that the person makes.

use std::time::Duration;

use crate::changes::{ChangeError, ChangeResult, Checkout};
use crate::git::GitError;

/// How long a commit may take with its hooks, which may run tests, and with signing, which may ask the person for a passphrase in
/// a window of its own and waits for ever where they are away.
const LIMIT: Duration = Duration::from_mins(5);
/// Longest message, in bytes.
const LONGEST: usize = 64 << 10;

impl Checkout {
    /// Commits what is staged, or with `all` everything; with `amend` in place of the newest commit.
    pub fn commit(&self, message: &str, all: bool, amend: bool) -> ChangeResult<()> {
        if message.trim().is_empty() || message.len() > LONGEST || message.contains('\0') {
            return Err(ChangeError::invalid("a commit needs a message, of at most 64 KiB"));
        }
        let status = self.status(&[])?;
        if status.conflicted() {
            return Err(ChangeError::refused(
                "there are conflicts, which have to be settled and staged first",
            ));
        }
        if amend {
            if status.head.commit.is_none() {
                return Err(ChangeError::refused("there is no commit yet that could be changed"));
            }
            if self.head_is_pushed()? {
                return Err(ChangeError::refused(
                    "the newest commit is pushed already, and others may have it: make a new one",
                ));
            }
        }
        // What was chosen is chosen again where the commit is refused.
        let before = if all { self.write().arg("write-tree").text().ok() } else { None };
        if all {
            self.write().args(["add", "--all", "--", "."]).run()?;
        }
        let mut command = self.git.write_with_hooks(self.root()).limit(LIMIT).args(["commit", "--quiet"]);
        command = command.args(["--cleanup=whitespace", "--file=-"]).env("GPG_TTY", "");
        if amend {
            command = command.arg("--amend");
        }
        let made = command.input(message.as_bytes().to_vec()).run();
        if let (Err(_), Some(tree)) = (&made, before) {
            let _ = self.write().args(["read-tree", "--reset", &tree]).run();
        }
        made.map_err(|error| match error {
            GitError::Late { .. } => ChangeError::refused(
                "the commit was not done within five minutes: a hook, or signing, waits for something",
            ),
            other if other.said() == Some("it failed without a word") => {
                ChangeError::refused("nothing is staged")
            }
            other => other.into(),
        })
    }
}
