//! How far a branch and its base are apart.

use super::{Base, Checkout};
use crate::git::{GitError, GitResult};

/// A branch's newest commit, its base's, and what lies between them. Holds for as long as neither moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The branch's newest commit.
    pub head: String,
    /// The base's.
    pub base: String,
    /// The commit that the branch's changes are counted from: where the two parted.
    pub from: String,
    /// Commits that the base has not.
    pub ahead: u32,
    /// Commits of the base that the branch has not.
    pub behind: u32,
}

impl Checkout {
    /// Reckons them, where what is known does not hold any more.
    pub(crate) fn ends(&self, base: &Base, known: Option<&Ends>) -> GitResult<Ends> {
        let head = match self.head_commit() {
            Some(head) => Some(head),
            // Files do not tell: there is no commit yet, or the refs are kept in another form.
            None => self.commit_of("HEAD")?,
        };
        let Some(head) = head else {
            // Nothing is committed: all of the base is still to come.
            let from = self.empty_tree();
            return Ok(Ends { head: String::new(), base: base.commit.clone(), from, ahead: 0, behind: 0 });
        };
        if let Some(known) = known.filter(|known| known.head == head && known.base == base.commit) {
            return Ok(known.clone());
        }
        if head == base.commit {
            return Ok(Ends { from: head.clone(), base: head.clone(), head, ahead: 0, behind: 0 });
        }
        // One process for all three: the commits of either side, and where they begin.
        let text = self
            .read()
            .args(["rev-list", "--left-right", "--boundary", &format!("{head}...{}", base.commit), "--"])
            .output()?;
        let (mut ahead, mut behind, mut begins) = (0_u32, 0_u32, Vec::new());
        for line in text.split(|byte| *byte == b'\n') {
            match line.split_first() {
                Some((b'<', _)) => ahead = ahead.saturating_add(1),
                Some((b'>', _)) => behind = behind.saturating_add(1),
                Some((b'-', id)) => begins.push(String::from_utf8_lossy(id).into_owned()),
                _ => {}
            }
        }
        let from = match begins.as_slice() {
            [one] => one.clone(),
            // The two have been merged before, or have nothing in common.
            _ => self.parted(&head, &base.commit)?,
        };
        Ok(Ends { head, base: base.commit.clone(), from, ahead, behind })
    }

    fn parted(&self, head: &str, base: &str) -> GitResult<String> {
        match self.read().args(["merge-base", head, base]).text() {
            Ok(from) => Ok(from),
            Err(GitError::Failed { code: Some(1), .. }) => Ok(base.to_owned()),
            Err(error) => Err(error),
        }
    }
}
