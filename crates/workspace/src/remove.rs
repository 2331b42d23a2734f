//! Taking a workspace away without losing work, and bringing it back.
//!
//! What is removed goes through four states, each written to a record beside it before the next step, so that it can be gone on
//! with from wherever it was cut off:
//!
//! 1. *Moving*: a commit of the whole worktree and all commits that only it has are saved under `refs/belfry/removed/<id>`; the
//!    directory is renamed to `<root>/.removed/<id>/tree`; of a worktree, git's own part stays where it is, locked, led to the new
//!    place, and off its branch, so that the branch is free and `git worktree prune` takes nothing.
//! 2. *Aside*, for a day: everything is there, byte for byte, and [`restore`] renames it back.
//! 3. Where nothing would be lost, it is then deleted. Else *thinned*: what the saved commit's parent has byte for byte and what
//!    tools make anew is deleted, and all else stays for [`KEPT`]; [`restore`] fills in what git has.
//! 4. *Deleting*: by a walk that opens each directory without following links and never leaves the file system.

mod aside;
mod delete;
mod failpoint;
mod finish;
mod git_part;
mod proof;
mod rebuild;
mod record;
mod restore;
mod save;
mod thin;

use std::io;
use std::path::{Path, PathBuf};

use belfry_protocol::workspace::Losses;
use jiff::{SignedDuration, Timestamp};

use crate::losses::{Found, Subject};
use crate::{Git, GitError, Stop};

pub use finish::{Swept, sweep};
pub use proof::{MARKER, mark};
pub use record::{Record, Step, records};
pub use restore::{Restored, restore};
pub(crate) use save::quoted;

/// How long a removed workspace is there with everything in it.
pub const UNDO: SignedDuration = SignedDuration::from_hours(24);
/// How long what would have been lost is there: as long as git itself keeps what nothing leads to.
pub const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Where removed ones lie, under the root of the workspaces.
pub const ASIDE: &str = ".removed";

/// Why a workspace was not removed, or not brought back.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// It must not be, whatever the person says.
    #[error("{0}")]
    Refused(String),
    /// Work would be lost that the person has not been shown.
    #[error("work would be lost that was not shown")]
    WouldLose(Box<Losses>),
    /// Programs work in it.
    #[error("{} works in it", .0.join(", "))]
    Busy(Vec<String>),
    /// There is none.
    #[error("{0}")]
    NotThere(String),
    /// What was moved aside is no longer there, and could not be written anew either. The saved ref, if there is one, stays.
    #[error("{why}{}", .saved.as_ref().map(|saved| format!("; what git could save is kept as {}", saved.name)).unwrap_or_default())]
    Lost {
        /// Why not.
        why: String,
        /// Where what it held is saved; none where nothing of it was.
        saved: Option<Saved>,
    },
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The file system did.
    #[error("{what}: {error}")]
    Files {
        /// What was tried.
        what: String,
        /// How it failed.
        error: io::Error,
    },
}

/// A ref that holds what a removed workspace held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Its whole name.
    pub name: String,
    /// The git command that makes a worktree of it.
    pub command: String,
}

/// What anything here comes to.
pub type Outcome<T> = Result<T, RemoveError>;

/// Says what was tried when the file system failed.
pub(crate) trait Tried<T> {
    fn tried(self, what: impl FnOnce() -> String) -> Outcome<T>;
}

impl<T, E: Into<io::Error>> Tried<T> for Result<T, E> {
    fn tried(self, what: impl FnOnce() -> String) -> Outcome<T> {
        self.map_err(|error| RemoveError::Files { what: what(), error: error.into() })
    }
}

/// The directory of one that was removed.
pub(crate) fn dir_of(root: &Path, id: &str) -> PathBuf {
    root.join(ASIDE).join(id)
}

/// Whether it may be removed: what would be lost was shown, and nobody works in it.
///
/// # Errors
/// [`RemoveError::Refused`], [`RemoveError::Busy`], [`RemoveError::WouldLose`].
pub fn may_be_removed(found: &Found, seen: Option<&str>) -> Outcome<()> {
    if let Some(why) = &found.losses.refused {
        return Err(RemoveError::Refused(why.clone()));
    }
    if !found.losses.processes.is_empty() {
        return Err(RemoveError::Busy(found.losses.processes.clone()));
    }
    if !found.losses.nothing() && seen != Some(found.losses.fingerprint.as_str()) {
        return Err(RemoveError::WouldLose(Box::new(found.losses.clone())));
    }
    Ok(())
}

/// What would be lost, and why it cannot be removed where that is so.
///
/// # Errors
/// Where it is not there, or was stopped.
pub fn look(git: &Git, subject: &Subject, stop: &Stop) -> Outcome<Found> {
    if subject.path.symlink_metadata().is_err() {
        return Err(RemoveError::NotThere(format!("{} is not there", subject.path.display())));
    }
    let refused = match proof::prove(git, subject) {
        Ok(_) => None,
        Err(RemoveError::Refused(why)) => Some(why),
        Err(error) => return Err(error),
    };
    let mut found = crate::losses::losses(git, subject, stop)?;
    found.losses.refused = refused.or(found.losses.refused);
    Ok(found)
}

/// Moves a workspace aside, after what it has was saved. `seen` is the fingerprint of what the person was shown; `now` counts for
/// how long it is kept. One that was removed already is answered with its record.
///
/// # Errors
/// Those of [`may_be_removed`]; then nothing was changed. Others leave it where it was, or moved aside for [`sweep`] to go on with.
pub fn remove(
    git: &Git,
    subject: &Subject,
    seen: Option<&str>,
    now: Timestamp,
    stop: &Stop,
) -> Outcome<Record> {
    record::check_id(&subject.id)?;
    if let Some(record) = record::read(&subject.root, &subject.id)? {
        sweep(git, &subject.root, &subject.id, now, stop)?;
        if let Some(record) = record::read(&subject.root, &subject.id)? {
            return Ok(record);
        }
        if record.step != Step::Moving {
            return Err(RemoveError::NotThere(format!("{} is not there", subject.path.display())));
        }
        // It was rolled back, and is begun anew.
    }
    let found = look(git, subject, stop)?;
    may_be_removed(&found, seen)?;
    let proven = proof::prove(git, subject)?;
    let mut record = Record::begin(subject, &proven, &found, now);
    record.write(&subject.root)?;
    failpoint::reached("remove-begun");
    // Where git cannot read it there is nothing to save by git; then the directory is kept whole.
    if found.unreadable.is_none() && proven.git_dir.is_some() {
        record.saved = Some(save::save(git, subject, &found, now)?);
        record.write(&subject.root)?;
    }
    failpoint::reached("remove-saved");
    git_part::lock(&record)?;
    failpoint::reached("remove-locked");
    aside::move_aside(&proven, &record)?;
    failpoint::reached("remove-moved");
    finish::moved(git, &mut record, &subject.root)?;
    Ok(record)
}
