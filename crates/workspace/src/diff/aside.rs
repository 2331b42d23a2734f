//! An index beside the repository's own, to try things in: what is staged stays as it is, and no lock of the repository is taken.

use std::ffi::OsStr;
use std::fs::{File, FileTimes};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::changes::Checkout;
use crate::git::{GitCommand, GitResult};

/// The variable that names git's index.
const INDEX: &str = "GIT_INDEX_FILE";

/// A copy of the index.
pub(crate) struct Aside {
    checkout: Checkout,
    index: PathBuf,
    _dir: TempDir,
}

impl Aside {
    /// Copies it.
    pub(crate) fn of(checkout: &Checkout) -> io::Result<Self> {
        let dir = TempDir::with_prefix("belfry-index-")?;
        let index = dir.path().join("index");
        let own = checkout.git_dir().join("index");
        match std::fs::copy(&own, &index) {
            Ok(_) => {
                // Git takes a file that is as young as the index for one that may have changed since; the copy must not look
                // younger than what it is of.
                let times = FileTimes::new().set_modified(own.metadata()?.modified()?);
                File::options().write(true).open(&index)?.set_times(times)?;
            }
            // Nothing was ever staged.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(Self { checkout: checkout.clone(), index, _dir: dir })
    }

    /// A command that looks.
    pub(crate) fn read(&self) -> GitCommand {
        self.checkout.read().env(INDEX, &self.index)
    }

    /// A command that changes this index.
    pub(crate) fn write(&self) -> GitCommand {
        self.checkout.write().env(INDEX, &self.index)
    }

    /// Has files in it that git does not know yet, as empty, so that `git diff` tells of them.
    pub(crate) fn intend(&self, paths: &[&[u8]]) -> GitResult<()> {
        // By hundreds: an argument list has an end. Git 2.25 can read them, but leaves out what is ignored without a word.
        for some in paths.chunks(200) {
            let paths = some.iter().map(|path| OsStr::from_bytes(path));
            self.write().args(["add", "--intent-to-add", "--force", "--"]).args(paths).run()?;
        }
        Ok(())
    }
}
