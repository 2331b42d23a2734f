//! To and from the remote: push, pull, and taking back what stands in the middle.
//!
//! Nothing of it writes the repository's configuration, which all its working trees share: a branch's upstream is where it was
//! pushed to under its own name, as the remote-tracking refs tell.

mod pull;
mod push;

use crate::changes::{ChangeResult, Checkout};
use crate::git::GitError;

/// Where a branch is pushed to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upstream {
    /// The remote.
    pub remote: Option<String>,
    /// Its address, without credentials.
    pub address: Option<String>,
    /// The branch there: `origin/fix`; none where it is not there yet, or was never fetched.
    pub branch: Option<String>,
    /// That one's commit.
    pub commit: Option<String>,
    /// Commits that it has not.
    pub unpushed: Option<u32>,
}

impl Checkout {
    /// Where the branch is pushed to, by the person's settings.
    pub fn upstream(&self, branch: Option<&str>) -> ChangeResult<Upstream> {
        let Some(remote) = self.remote(branch)? else { return Ok(Upstream::default()) };
        let address = self.read().args(["remote", "get-url", "--push", "--end-of-options", &remote]).text();
        let mut upstream = Upstream {
            address: address.ok().map(|address| crate::git::without_credentials(&address)),
            remote: Some(remote.clone()),
            ..Upstream::default()
        };
        let Some(branch) = branch else { return Ok(upstream) };
        let full = format!("refs/remotes/{remote}/{branch}");
        let commit = match self.resolve(&full) {
            Some(commit) => Some(commit),
            None => self.commit_of(&full)?,
        };
        if let Some(commit) = commit {
            let span = format!("{commit}..HEAD");
            let count = self.read().args(["rev-list", "--count", &span, "--"]).text()?;
            upstream.unpushed = count.parse().ok();
            upstream.branch = Some(format!("{remote}/{branch}"));
            upstream.commit = Some(commit);
        }
        Ok(upstream)
    }

    /// The remote that a branch belongs to: as the person has set it, else `origin`, else the only one.
    fn remote(&self, branch: Option<&str>) -> ChangeResult<Option<String>> {
        let known = self.read().arg("remote").text()?;
        let known: Vec<&str> = known.lines().filter(|name| !name.starts_with('-')).collect();
        let mut keys = Vec::new();
        if let Some(branch) = branch {
            keys.push(format!("branch.{branch}.pushRemote"));
        }
        keys.push("remote.pushDefault".to_owned());
        if let Some(branch) = branch {
            keys.push(format!("branch.{branch}.remote"));
        }
        for key in keys {
            match self.read().args(["config", "--get", "--end-of-options", &key]).text() {
                Ok(remote) if known.contains(&remote.as_str()) => return Ok(Some(remote)),
                Ok(_) | Err(GitError::Failed { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let found = known.iter().find(|name| **name == "origin").or(known.first());
        Ok(found.map(|name| (*name).to_owned()))
    }
}
