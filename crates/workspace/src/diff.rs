//! Differences between two states: lists of files, one file's lines, and the whole as a patch.

mod aside;
mod file;
mod parse;
mod patch;
mod span;
mod words;

use std::collections::HashSet;

use belfry_protocol::changes::{Between, ChangedFile};

use crate::changes::{ChangeResult, Checkout, Ends, MOST_FILES, list, shown};

pub(crate) use aside::Aside;
pub(crate) use file::path;
pub(crate) use patch::hunks;
pub(crate) use span::Span;

impl Checkout {
    /// The files that differ between two states; at most [`MOST_FILES`].
    pub fn files(
        &self,
        between: &Between,
        base: Option<&str>,
        known: Option<&Ends>,
    ) -> ChangeResult<Vec<ChangedFile>> {
        if *between == Between::Base {
            return Ok(self.look(base, known)?.files);
        }
        let span = self.span(between, base, known)?;
        let listed = list(self.read(), &span.args())?;
        let status = if span.uncommitted { self.status(&[])? } else { crate::changes::Status::default() };
        let mut look = self.gathered(&listed, &status, false);
        if span.files {
            // Those that git does not know, and no others: what is as the other side has it is no difference.
            let all = self.gathered(&listed, &status, true).files;
            let other = listed.iter().filter(|one| one.modes.0 != one.modes.1);
            let modes: HashSet<String> = other.map(|one| shown(&one.path)).collect();
            look.files = all.into_iter().filter(|file| Span::shows(file, &modes)).collect();
        }
        look.files.truncate(MOST_FILES);
        Ok(look.files)
    }
}
