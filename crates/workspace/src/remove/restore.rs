//! Bringing a removed workspace back to where it was.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::finish::{forget_record, move_back};
use super::{Outcome, Record, RemoveError, Step, Swept, failpoint, git_part, record, sweep, thin};
use crate::{Git, Stop};

/// One that is back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Where.
    pub path: PathBuf,
    /// What is not as it was, in one sentence.
    pub notice: Option<String>,
}

/// Brings it back with all that is still there: on the first day everything, byte for byte; later all but what tools make anew.
///
/// # Errors
/// [`RemoveError::NotThere`] where it is gone for good, [`RemoveError::Refused`] where something else is in its place by now.
pub fn restore(git: &Git, root: &Path, id: &str, now: Timestamp, stop: &Stop) -> Outcome<Restored> {
    let gone = || RemoveError::NotThere("it is gone for good".to_owned());
    let begun = record::read(root, id)?.ok_or_else(gone)?;
    if begun.step == Step::Deleting {
        return Err(gone());
    }
    // Whatever was cut off first; but its day does not end on the way back.
    let before = begun.removed_at.min(now);
    let mut record = match sweep(git, root, id, before, stop)? {
        Swept::Kept(record) => *record,
        Swept::Back(record) => return Ok(Restored { path: record.path, notice: record.notice }),
        Swept::Gone => return Err(gone()),
    };
    if record.path.symlink_metadata().is_ok() {
        return Err(RemoveError::Refused(format!(
            "there is something else at {} by now; move that away first",
            record.path.display()
        )));
    }
    if record.step == Step::Thinned {
        thin::fill(git, &record, root)?;
    }
    record.step = Step::Restoring;
    record.write(root)?;
    failpoint::reached("restore-begun");
    let notice = go_on(git, &mut record, root)?;
    Ok(Restored { path: record.path, notice })
}

/// The steps from there on, each of which can be done again.
pub(super) fn go_on(git: &Git, record: &mut Record, root: &Path) -> Outcome<Option<String>> {
    if record.tree(root).symlink_metadata().is_ok() {
        move_back(root, record)?;
        failpoint::reached("restore-moved");
    }
    let notice = git_part::lead_back(git, record)?;
    failpoint::reached("restore-led-back");
    git_part::unlock(record)?;
    git_part::forget_ref(git, record, root)?;
    failpoint::reached("restore-unlocked");
    let made_anew = record.notice.take();
    forget_record(root, record)?;
    Ok(notice.or(made_anew))
}
