//! Where a program is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where installers put programs, though a `PATH` need not name it yet. They come after `PATH` and after an agent's own
/// places.
const USUAL: &[&str] = &[
    "~/.local/bin",
    "~/.npm-global/bin",
    "~/.bun/bin",
    "~/.cargo/bin",
    "/usr/local/bin",
    "/opt/homebrew/bin",
];

/// Where programs are looked for: parts of the environment that a session would be started with.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchIn<'a> {
    /// `PATH`.
    pub path: Option<&'a OsStr>,
    /// `HOME`, for the places where installers put programs that no `PATH` names yet.
    pub home: Option<&'a Path>,
    /// `SHELL`, else the one of the account.
    pub shell: Option<&'a OsStr>,
}

impl SearchIn<'_> {
    /// The first executable file of that name. Relative entries of `PATH` are passed over: which file they name depends on
    /// the directory, and a repository could hold one.
    pub fn program(&self, name: &str, more: &[String]) -> Option<PathBuf> {
        let listed = self.path.map(std::env::split_paths).into_iter().flatten();
        let more = more.iter().map(String::as_str).chain(USUAL.iter().copied());
        let usual = more.filter_map(|place| match place.strip_prefix("~/") {
            Some(rest) => self.home.map(|home| home.join(rest)),
            None => Some(PathBuf::from(place)),
        });
        listed
            .chain(usual)
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join(name))
            .find(|file| executable(file))
    }
}

/// Whether the file can be run by somebody.
#[cfg(unix)]
pub(crate) fn executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Windows: PATHEXT decides; until that is done, any file.
#[cfg(not(unix))]
pub(crate) fn executable(file: &Path) -> bool {
    file.is_file()
}
