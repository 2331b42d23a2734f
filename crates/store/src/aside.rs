//! Files beside the database: set-aside ones and copies.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::{Result, StoreError};

/// The path with something added to its file name.
pub(crate) fn beside(path: &Path, added: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(added);
    name.into()
}

/// A moment as part of a file name.
pub(crate) fn stamp(now: Timestamp) -> String {
    now.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Makes the file, empty and for its owner alone, or takes others' rights away from one that is there. SQLite gives the
/// rights of this file to those that it makes beside it. The file is not opened by us while SQLite has it open: closing any
/// descriptor of it would drop the process's locks.
pub(crate) fn make_private(path: &Path) -> Result<()> {
    let wrong = |error| StoreError::File { path: path.to_owned(), error };
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) if error.kind() == std::io::ErrorKind::StorageFull => return Err(StoreError::DiskFull),
        Err(error) if error.kind() == std::io::ErrorKind::ReadOnlyFilesystem => {
            return Err(StoreError::ReadOnly);
        }
        Err(error) => return Err(wrong(error)),
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(path).map_err(wrong)?.permissions().mode();
        if mode & 0o077 != 0 {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & 0o700)).map_err(wrong)?;
        }
    }
    Ok(())
}

/// Renames the database and the files that belong to it. Nothing is deleted.
pub(crate) fn set_aside(path: &Path, now: Timestamp) -> Result<PathBuf> {
    let stamp = stamp(now);
    let free = |n: u32| {
        let added = if n == 0 { format!(".damaged-{stamp}") } else { format!(".damaged-{stamp}-{n}") };
        Some(beside(path, &added)).filter(|to| !to.exists())
    };
    let to = (0..1000).find_map(free).unwrap_or_else(|| beside(path, ".damaged"));
    // The write-ahead log first: were we killed in between, the database without its log would be opened and found sound
    // but old, whereas a log without its database is never read.
    for end in ["-wal", "-shm", ""] {
        let from = beside(path, end);
        match std::fs::rename(&from, beside(&to, end)) {
            Err(error) if end.is_empty() || error.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::File { path: from, error });
            }
            _ => {}
        }
    }
    Ok(to)
}
