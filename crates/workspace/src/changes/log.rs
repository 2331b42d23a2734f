//! Commits.

use std::collections::HashSet;

use belfry_protocol::changes::Commit;
use jiff::Timestamp;

use super::{Base, Checkout};
use crate::git::GitResult;

/// Commits that are told.
const MOST: &str = "--max-count=200";

impl Checkout {
    /// The commits that the base has not, newest first.
    pub fn commits(&self, base: Option<&Base>) -> GitResult<Vec<Commit>> {
        let Some(base) = base else { return Ok(Vec::new()) };
        if self.head_commit().is_none() && self.commit_of("HEAD")?.is_none() {
            return Ok(Vec::new());
        }
        let text = self
            .read()
            .args(["-c", "log.showSignature=false", "log", "-z", MOST, "--no-color", "--no-decorate"])
            .args(["--no-show-signature", "--format=%H%x1f%an%x1f%at%x1f%s"])
            .args([&format!("{}..HEAD", base.commit), "--"])
            .text()?;
        let mut commits: Vec<Commit> = text.split('\0').filter_map(commit).collect();
        if !commits.is_empty() {
            let unpushed = self.unpushed()?;
            for commit in &mut commits {
                commit.pushed = !unpushed.contains(&commit.id);
            }
        }
        Ok(commits)
    }

    /// The newest commits of the branch that no remote has; where there are more than is told, all of those count as pushed.
    fn unpushed(&self) -> GitResult<HashSet<String>> {
        let text = self.read().args(["rev-list", MOST, "HEAD", "--not", "--remotes", "--"]).text()?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Whether some remote has the newest commit.
    pub(crate) fn head_is_pushed(&self) -> GitResult<bool> {
        let text =
            self.read().args(["rev-list", "--max-count=1", "HEAD", "--not", "--remotes", "--"]).text()?;
        Ok(text.is_empty())
    }

    /// When the newest commit was made; none where there is none.
    pub fn last_commit_at(&self) -> Option<Timestamp> {
        let text =
            self.read().args(["log", "-1", "--no-show-signature", "--format=%ct", "HEAD", "--"]).text();
        Timestamp::from_second(text.ok()?.parse().ok()?).ok()
    }
}

fn commit(text: &str) -> Option<Commit> {
    let mut parts = text.splitn(4, '\x1f');
    let (id, author, at, subject) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let plain = |text: &str| text.chars().filter(|letter| !letter.is_control()).take(300).collect::<String>();
    Some(Commit {
        id: id.trim().to_owned(),
        subject: plain(subject),
        author: plain(author),
        at: Timestamp::from_second(at.parse().ok()?).unwrap_or_default(),
        pushed: false,
    })
}
