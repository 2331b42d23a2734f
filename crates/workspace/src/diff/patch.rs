//! Whole patches, and the parts that they have.

use std::ops::Range;

use belfry_protocol::changes::Between;

use super::{Aside, parse};
use crate::changes::{ChangeResult, Checkout, Ends, PLAIN, Standing};

impl Checkout {
    /// The whole patch, binary files and untracked ones with it: `git apply` makes the one state of the other.
    pub fn patch(
        &self,
        between: &Between,
        base: Option<&str>,
        known: Option<&Ends>,
    ) -> ChangeResult<Vec<u8>> {
        let span = self.span(between, base, known)?;
        let status = if span.files { self.status(&[])? } else { crate::changes::Status::default() };
        // A repository that nobody made a submodule of is no file.
        let new: Vec<&[u8]> = status
            .entries()
            .filter(|(path, standing)| *standing == Standing::Untracked && !path.ends_with(b"/"))
            .map(|(path, _)| path)
            .collect();
        let aside = if new.is_empty() { None } else { Some(Aside::of(self)?) };
        if let Some(aside) = &aside {
            aside.intend(&new)?;
        }
        let command = aside.as_ref().map_or_else(|| self.read(), Aside::read);
        let command = command.args(["diff", "--patch", "--binary", "-U3"]).args(PLAIN);
        Ok(command.arg("--ignore-submodules=dirty").args(span.args()).output()?)
    }
}

/// The hunks of one file's patch: everything before the first, and each with its first line now.
pub(crate) fn hunks(patch: &[u8]) -> (Range<usize>, Vec<(u32, Range<usize>)>) {
    let mut hunks: Vec<(u32, Range<usize>)> = Vec::new();
    let mut at = 0;
    let mut head = 0..patch.len();
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b"@@ ")
            && let Some(hunk) = parse::head(line)
        {
            match hunks.last_mut() {
                Some(last) => last.1.end = at,
                None => head.end = at,
            }
            hunks.push((hunk.new_start, at..patch.len()));
        }
        at += line.len();
    }
    (head, hunks)
}
