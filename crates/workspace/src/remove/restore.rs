//! Bringing a removed workspace back to where it was.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::finish::{forget_record, move_back};
use super::{Outcome, Record, RemoveError, Step, Swept, failpoint, git_part, rebuild, record, sweep, thin};
use crate::losses::Subject;
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
/// Where its record is gone, what is known of it otherwise must do.
///
/// # Errors
/// [`RemoveError::NotThere`] where it is gone for good, [`RemoveError::Lost`] where somebody else deleted what was moved aside and
/// it cannot be written anew from what was saved, which then stays; [`RemoveError::Refused`] where something else is in its place by now.
pub fn restore(git: &Git, subject: &Subject, now: Timestamp, stop: &Stop) -> Outcome<Restored> {
    let gone = || RemoveError::NotThere("it is gone for good".to_owned());
    let (root, id) = (subject.root.as_path(), subject.id.as_str());
    let begun = match record::read(root, id)? {
        Some(record) => record,
        None => rebuild::record(git, subject, now)?.ok_or_else(gone)?,
    };
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
    if record.tree(root).symlink_metadata().is_err() {
        rebuild::rebuild(git, &mut record, root)?;
    } else if record.step == Step::Thinned {
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
    let aside = |record: &Record| record.tree(root).symlink_metadata().is_ok();
    if !aside(record) && !rebuild::is_back(record) {
        rebuild::rebuild(git, record, root)?;
    }
    if aside(record) {
        move_back(root, record)?;
        failpoint::reached("restore-moved");
    }
    let mut notices: Vec<String> = git_part::lead_back(git, record)?.into_iter().collect();
    failpoint::reached("restore-led-back");
    git_part::unlock(record)?;
    // The ref goes when what it holds is there, and not because it should be.
    match rebuild::missing(git, record, root)? {
        None => git_part::forget_ref(git, record, root)?,
        Some(missing) => notices.push(missing),
    }
    failpoint::reached("restore-unlocked");
    notices.extend(record.notice.take());
    forget_record(root, record)?;
    Ok((!notices.is_empty()).then(|| notices.join("; ")))
}
