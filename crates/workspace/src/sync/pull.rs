//! Bringing the base's new commits into the branch.

use std::time::Duration;

use belfry_protocol::changes::Onto;
use jiff::Timestamp;

use crate::changes::{Base, ChangeError, ChangeResult, Checkout};
use crate::git::{GitError, Stop};

/// How long a rebase of many commits, or a merge, may take with its hooks.
const LIMIT: Duration = Duration::from_mins(10);

impl Checkout {
    /// Fetches the base and rebases onto it or merges it. What is not committed is put aside by git and comes back after it, and is
    /// kept by a checkpoint of `session` first.
    pub fn pull(
        &self,
        base: Option<&str>,
        onto: Onto,
        (session, now): (&str, Timestamp),
        stop: &Stop,
    ) -> ChangeResult<()> {
        if let Some(operation) = self.operation() {
            return Err(ChangeError::refused(format!(
                "a {operation} stands in the middle: end it or take it back first"
            )));
        }
        let status = self.status(&[])?;
        if status.conflicted() {
            return Err(ChangeError::refused("there are conflicts, which have to be settled first"));
        }
        if status.head.commit.is_none() {
            return Err(ChangeError::refused("there is no commit yet"));
        }
        let Some(base) = self.base(base)? else {
            return Err(ChangeError::refused("there is no base to bring in: the repository has no remote"));
        };
        self.fetch_base(&base, stop)?;
        let commit = base.full.as_deref().map_or(Ok(None), |full| self.commit_of(full))?;
        let commit = commit.unwrap_or_else(|| base.commit.clone());
        let what = match onto {
            Onto::Rebase => "rebasing",
            Onto::Merge => "merging",
        };
        self.make_checkpoint(session, &format!("before {what} {}", base.name), now)?;
        let command = self.git.write_with_hooks(self.root()).limit(LIMIT).env("GPG_TTY", "");
        let command = match onto {
            Onto::Rebase => command
                .args(["-c", "rebase.updateRefs=false", "-c", "rebase.autoSquash=false"])
                .args(["rebase", "--autostash", "--end-of-options", &commit]),
            Onto::Merge => {
                let message =
                    format!("Merge {} into {}", base.name, status.head.branch.as_deref().unwrap_or("HEAD"));
                let command = command.args(["merge", "--no-edit", "--ff", "--autostash", "-m", &message]);
                command.args(["--end-of-options", &commit])
            }
        };
        let done = command.run();
        let conflicts = self.status(&[])?.conflicted();
        match done {
            Ok(()) if conflicts => Err(ChangeError::Conflict(format!(
                "{} is in, and what was not committed does not go with it: settle the files that are marked",
                base.name
            ))),
            Err(GitError::Failed { said, .. }) if conflicts || self.operation().is_some() => {
                Err(ChangeError::Conflict(said))
            }
            done => Ok(done?),
        }
    }

    /// Fetches the base, where it is a remote's branch.
    fn fetch_base(&self, base: &Base, stop: &Stop) -> ChangeResult<()> {
        let Some(path) = base.full.as_deref().and_then(|full| full.strip_prefix("refs/remotes/")) else {
            return Ok(());
        };
        let remotes = self.read().arg("remote").text()?;
        let found = remotes
            .lines()
            .filter_map(|remote| Some((remote, path.strip_prefix(remote)?.strip_prefix('/')?)))
            .max_by_key(|(remote, _)| remote.len());
        // The remote was removed; what was fetched last is still there.
        let Some((remote, branch)) = found.filter(|(remote, _)| !remote.starts_with('-')) else {
            return Ok(());
        };
        let what = format!("+refs/heads/{branch}:refs/remotes/{remote}/{branch}");
        let command = self.git.network(self.root()).stop(stop);
        let command = command.args(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"]);
        let command = command.args(["--recurse-submodules=no", "--end-of-options", remote, &what]);
        Ok(command.run()?)
    }

    /// Takes a merge, rebase or such that stands in the middle back. What is there is kept by a checkpoint of `session` first.
    pub fn abort(&self, session: &str, now: Timestamp) -> ChangeResult<()> {
        let Some(operation) = self.operation() else {
            return Err(ChangeError::refused("nothing stands in the middle"));
        };
        self.make_checkpoint(session, &format!("before taking the {operation} back"), now)?;
        let how: &[&str] = match operation {
            "bisect" => &["bisect", "reset"],
            other => &[other, "--abort"],
        };
        Ok(self.git.write(self.root()).args(how).run()?)
    }
}
