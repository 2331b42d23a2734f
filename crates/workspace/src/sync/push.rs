//! Pushing.

use std::time::Duration;

use crate::changes::{ChangeError, ChangeResult, Checkout};
use crate::git::Stop;

/// How long a push may take with its hooks.
const LIMIT: Duration = Duration::from_mins(30);

impl Checkout {
    /// Pushes the branch under its own name. With `force` also where the remote's branch would lose commits, as long as those are
    /// the ones that were fetched last.
    pub fn push(&self, force: bool, stop: &Stop) -> ChangeResult<()> {
        let status = self.status(&[])?;
        let Some(branch) = status.head.branch.filter(|_| status.head.commit.is_some()) else {
            return Err(ChangeError::refused("no branch is checked out that has a commit"));
        };
        let upstream = self.upstream(Some(&branch))?;
        let Some(remote) = upstream.remote else {
            return Err(ChangeError::refused("the repository has no remote to push to"));
        };
        let full = format!("refs/heads/{branch}");
        let mut command = self.git.write_with_hooks(self.root()).limit(LIMIT).stop(stop);
        command = command.args(["-c", "push.autoSetupRemote=false", "push", "--no-progress"]);
        if force {
            let last = upstream.commit.unwrap_or_default();
            command = command.arg(format!("--force-with-lease={full}:{last}"));
        }
        Ok(command.args(["--end-of-options", &remote, &format!("{full}:{full}")]).run()?)
    }
}
