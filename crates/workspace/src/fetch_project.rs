//! Fetching a repository for a new project: a clone by the person's own git and ssh, with what they know.
//!
//! Nothing is in the wanted directory before all of it is there: the clone is made in a hidden directory beside it, which is
//! renamed at the end and deleted where there is no good end.

mod address;
mod progress;
mod words;

use std::path::{Path, PathBuf};

use crate::git::{Git, GitError, Stop};

pub use address::{Address, BadAddress};
pub use progress::{Progress, Step};
pub use words::Trouble;

/// Begins the name of a directory that is being fetched into.
const HIDDEN: &str = ".belfry-fetch-";

/// Why a repository was not fetched. Nothing of it was left behind.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The directory cannot be had.
    #[error("{} {why}", path.display())]
    Directory {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The person stopped it.
    #[error("it was stopped")]
    Stopped,
    /// Git could not fetch it.
    #[error("{trouble}")]
    Git {
        /// What kind of trouble it is.
        trouble: Trouble,
        /// Git's own words, credentials taken out.
        said: String,
    },
}

/// The place that a repository is fetched into; what is in it goes when this goes.
#[derive(Debug)]
pub struct Fetch {
    into: PathBuf,
    hidden: PathBuf,
    /// Directories above that were made for it, the innermost last.
    made: Vec<PathBuf>,
}

impl Fetch {
    /// Takes the place: `into` must be absolute, and not there or an empty directory. `id` tells it from others.
    pub fn begin(into: &Path, id: &str) -> Result<Self, FetchError> {
        let fail = |why: &str| FetchError::Directory { path: into.to_owned(), why: why.to_owned() };
        let (Some(parent), Some(name)) = (into.parent(), into.file_name()) else {
            return Err(fail("is no place for a new directory"));
        };
        if free(into)? {
            // A link to an empty directory: the rename at the end needs the directory itself.
            let real = std::fs::canonicalize(into).ok().filter(|real| real != into);
            if let Some(real) = real.filter(|_| into.is_symlink()) {
                return Self::begin(&real, id);
            }
        } else {
            return Err(fail("is there already and is not empty"));
        }
        let mut made = Vec::new();
        let missing: Vec<&Path> = parent.ancestors().take_while(|dir| !dir.exists()).collect();
        for dir in missing.into_iter().rev() {
            std::fs::create_dir(dir).map_err(|error| fail(&format!("cannot be made: {error}")))?;
            made.push(dir.to_owned());
        }
        let name = name.to_string_lossy();
        let hidden = parent.join(format!("{HIDDEN}{id}-{name}"));
        Ok(Self { into: into.to_owned(), hidden, made })
    }

    /// Where the repository will be.
    pub fn into(&self) -> &Path {
        &self.into
    }

    /// Where it is until then.
    pub fn hidden(&self) -> &Path {
        &self.hidden
    }

    /// Clones, and tells of each step. Blocks.
    pub fn run(
        mut self,
        git: &Git,
        address: &Address,
        stop: &Stop,
        seen: &mut dyn FnMut(Step),
    ) -> Result<PathBuf, FetchError> {
        let at = self.hidden.parent().unwrap_or(Path::new("/")).to_owned();
        let mut progress = Progress::default();
        let cloned = git
            .network(&at)
            .args(["clone", "--progress", "--end-of-options"])
            .arg(address.as_given())
            .arg(&self.hidden)
            .stop(stop)
            .watched(&mut |piece| progress.read(piece, seen));
        match cloned {
            Ok(_) if stop.stopped() => return Err(FetchError::Stopped),
            Ok(_) => {}
            Err(GitError::Stopped) => return Err(FetchError::Stopped),
            Err(error) => {
                let said = error.said().map_or_else(|| error.to_string(), words::last_words);
                return Err(FetchError::Git { trouble: Trouble::of(&error), said });
            }
        }
        let cannot = |why: String| FetchError::Directory { path: self.into.clone(), why };
        if !free(&self.into)? {
            return Err(cannot("was filled by somebody else meanwhile".to_owned()));
        }
        // An empty directory is replaced; one that is not empty by now is not.
        std::fs::rename(&self.hidden, &self.into)
            .map_err(|error| cannot(format!("cannot be put in its place: {error}")))?;
        self.made.clear();
        Ok(self.into.clone())
    }

    /// Deletes what a fetch that was killed has left: `hidden` as it was told. Anything else is left alone.
    pub fn sweep(hidden: &Path) {
        let ours = hidden.file_name().is_some_and(|name| name.to_string_lossy().starts_with(HIDDEN));
        if ours && hidden.is_absolute() && hidden.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
            let _ = std::fs::remove_dir_all(hidden);
        }
    }
}

impl Drop for Fetch {
    fn drop(&mut self) {
        // What git started and did not end in time may write once more.
        for _ in 0..3 {
            match std::fs::remove_dir_all(&self.hidden) {
                Err(error) if error.kind() == std::io::ErrorKind::DirectoryNotEmpty => {}
                _ => break,
            }
        }
        for dir in self.made.iter().rev() {
            // Only where nobody has put anything in it.
            let _ = std::fs::remove_dir(dir);
        }
    }
}

/// Whether a directory can be made there: nothing, or an empty directory.
fn free(path: &Path) -> Result<bool, FetchError> {
    let fail = |why: String| FetchError::Directory { path: path.to_owned(), why };
    match std::fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if path.is_symlink() {
                return Err(fail("is a link that leads nowhere".to_owned()));
            }
            Ok(true)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            Err(fail(if path.exists() { "is a file" } else { "would lie in a file" }.to_owned()))
        }
        Err(error) => Err(fail(format!("cannot be looked at: {error}"))),
    }
}

#[cfg(test)]
mod tests;
