//! What stands in the middle.

use super::Checkout;

impl Checkout {
    /// A merge, rebase or such that was begun and is not done, by the marks that git leaves for itself.
    pub fn operation(&self) -> Option<&'static str> {
        let marks = [
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("MERGE_HEAD", "merge"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
            ("REVERT_HEAD", "revert"),
            ("BISECT_LOG", "bisect"),
        ];
        let there = |mark: &str| self.git_dir().join(mark).exists();
        let (mark, name) = marks.into_iter().find(|(mark, _)| there(mark))?;
        let mail = mark == "rebase-apply" && there("rebase-apply/applying");
        Some(if mail { "am" } else { name })
    }
}
