//! Going on with what was begun, and doing what its time has come for.

use std::fs::File;
use std::path::Path;

use jiff::Timestamp;

use super::{
    Outcome, Record, RemoveError, Step, Tried as _, aside, dir_of, failpoint, git_part, rebuild, record, thin,
};
use crate::losses::losses_at;
use crate::{Git, Stop};

/// What has become of one that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swept {
    /// It is there, and can be had back.
    Kept(Box<Record>),
    /// It is where it was: it had not been moved yet, or was on its way back.
    Back(Box<Record>),
    /// It is gone for good.
    Gone,
}

/// After the directory was moved.
pub(super) fn moved(git: &Git, record: &mut Record, root: &Path) -> Outcome<()> {
    git_part::lead_away(git, record, root)?;
    failpoint::reached("remove-led-away");
    record.step = Step::Aside;
    record.write(root)
}

/// Goes on with one that was removed, from wherever it was cut off, and deletes of it what its time has come for.
///
/// # Errors
/// Those of git and the file system; the next call goes on from there.
pub fn sweep(git: &Git, root: &Path, id: &str, now: Timestamp, stop: &Stop) -> Outcome<Swept> {
    let Some(mut record) = record::read(root, id)? else { return Ok(Swept::Gone) };
    let tree_is_there = record.tree(root).symlink_metadata().is_ok();
    match record.step {
        Step::Moving if tree_is_there => moved(git, &mut record, root)?,
        // It is nowhere: somebody deleted it where it was moved to. What was saved of it is all that there is.
        Step::Moving if !rebuild::is_back(&record) => {
            if let Some(place) = git_part::place_of_ref(&record, root) {
                record.saved = git_part::tip(git, &place, &record.ref_name())?;
            }
            moved(git, &mut record, root)?;
        }
        Step::Moving => {
            git_part::unlock(&record)?;
            let mut saved = record.clone();
            // Whether the commit was made is not known: the ref says.
            saved.saved = saved.saved.or_else(|| Some(String::new()));
            // A repository that is gone has no ref either.
            let _ = git_part::forget_ref(git, &saved, root);
            forget_record(root, &record)?;
            return Ok(Swept::Back(Box::new(record)));
        }
        Step::Restoring => {
            let restored = super::restore::go_on(git, &mut record, root)?;
            record.notice = restored;
            return Ok(Swept::Back(Box::new(record)));
        }
        Step::Aside | Step::Thinning | Step::Thinned | Step::Deleting => {}
    }
    if matches!(record.step, Step::Aside) && now >= record.undo_until() {
        end_of_day(git, &mut record, root, stop)?;
    } else if record.step == Step::Thinning {
        thinned(git, &mut record, root, stop)?;
    }
    if record.step == Step::Thinned && now >= record.kept_until() {
        record.step = Step::Deleting;
        record.write(root)?;
    }
    if record.step == Step::Deleting {
        delete(git, &record, root, stop)?;
        return Ok(Swept::Gone);
    }
    Ok(Swept::Kept(Box::new(record)))
}

fn end_of_day(git: &Git, record: &mut Record, root: &Path, stop: &Stop) -> Outcome<()> {
    if record.tree(root).symlink_metadata().is_err() {
        // Deleted by somebody else. What was saved of it stays for as long as of any other.
        record.step = Step::Thinned;
        record.until = record.kept_until();
        return record.write(root);
    }
    let found = losses_at(git, &record.subject(root), &record.tree(root), stop)?;
    // What was found then does not count: whatever came in between the look and the move is found now.
    let nothing = found.unreadable.is_none() && found.losses.refused.is_none() && found.nothing_but_caches();
    record.step = if nothing { Step::Deleting } else { Step::Thinning };
    record.until = record.kept_until();
    record.write(root)?;
    failpoint::reached("day-over");
    if nothing { Ok(()) } else { thinned(git, record, root, stop) }
}

fn thinned(git: &Git, record: &mut Record, root: &Path, stop: &Stop) -> Outcome<()> {
    if record.tree(root).symlink_metadata().is_err() {
        record.step = Step::Thinned;
        return record.write(root);
    }
    let found = losses_at(git, &record.subject(root), &record.tree(root), stop)?;
    if found.unreadable.is_none() && found.losses.refused.is_none() {
        thin::thin(git, record, root, &found, stop)?;
        failpoint::reached("thinned");
        if !found.caches.is_empty() {
            let names: Vec<String> =
                found.caches.iter().map(|cache| cache.display().to_string()).take(5).collect();
            record.notice = Some(format!("{} is to be made anew", names.join(", ")));
        }
    }
    record.step = Step::Thinned;
    record.write(root)
}

fn delete(git: &Git, record: &Record, root: &Path, stop: &Stop) -> Outcome<()> {
    let what = || format!("{} cannot be deleted", record.tree(root).display());
    let dir = File::open(dir_of(root, &record.id)).tried(what)?;
    // Before the repository goes with the directory, where it lies in it.
    if record.common_dir.is_none() {
        let _ = git_part::forget_ref(git, record, root);
    }
    super::delete::delete(&dir, "tree".as_ref(), stop).tried(what)?;
    failpoint::reached("deleted-tree");
    // A repository that is gone, or cannot be read, has nothing to forget.
    if record.common_dir.as_ref().is_some_and(|common| common.is_dir()) {
        git_part::forget(git, record, root)?;
        failpoint::reached("deleted-git-part");
        git_part::forget_branch(git, record)?;
        git_part::forget_ref(git, record, root)?;
    }
    failpoint::reached("deleted-ref");
    forget_record(root, record)
}

/// The record goes last.
pub(super) fn forget_record(root: &Path, record: &Record) -> Outcome<()> {
    let path = dir_of(root, &record.id);
    let what = || format!("{} cannot be deleted", path.display());
    if path.join("tree").symlink_metadata().is_ok() {
        return Err(RemoveError::Refused(format!("{} still holds something", path.display())));
    }
    for entry in std::fs::read_dir(&path).tried(what)?.flatten() {
        if entry.file_name() != "record.json" {
            std::fs::remove_file(entry.path()).tried(what)?;
        }
    }
    std::fs::remove_file(path.join("record.json")).tried(what)?;
    std::fs::remove_dir(&path).tried(what)
}

pub(super) use aside::move_back;
