//! Directories, their modes, and room on the disk.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use belfry_platform::Home;

use super::Check;

/// Below this, journals and the database may soon fail to be written.
const LITTLE_ROOM: u64 = 1 << 30;
/// Below this, starting a session is likely to fail.
const NO_ROOM: u64 = 100 << 20;

pub(super) fn check(home: &Home) -> Vec<Check> {
    let mut checks = vec![private("state", "state directory", home.state_dir())];
    checks.push(private("runtime", "runtime directory", home.runtime_dir()));
    checks.push(database_file(home));
    checks.push(room(home));
    checks.push(memory(home));
    checks
}

fn private(id: &'static str, title: &'static str, path: &Path) -> Check {
    let shown = path.display();
    let metadata = match std::fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return match belfry_platform::directory::create_private(path) {
                Ok(_) => Check::ok(id, title, format!("{shown}, made just now")),
                Err(error) => Check::failed(
                    id,
                    title,
                    error.to_string(),
                    "Make it possible to write there, or set BELFRY_HOME.",
                ),
            };
        }
        Err(error) => {
            return Check::failed(
                id,
                title,
                format!("{shown}: {error}"),
                "Make it possible to read it, or set BELFRY_HOME.",
            );
        }
    };
    let mode = metadata.permissions().mode() & 0o7777;
    let us = rustix::process::geteuid().as_raw();
    if !metadata.is_dir() {
        return Check::failed(id, title, format!("{shown} is no directory"), format!("Move {shown} away."));
    }
    if metadata.uid() != us {
        let found = format!("{shown} belongs to user {}, not to you", metadata.uid());
        return Check::failed(id, title, found, format!("Move {shown} away, or set BELFRY_HOME."));
    }
    if mode & 0o077 != 0 {
        let found = format!("others can get into {shown} (mode {mode:o})");
        return Check::failed(id, title, found, format!("chmod 700 '{shown}'"));
    }
    if rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_err() {
        return Check::failed(
            id,
            title,
            format!("{shown} cannot be written"),
            "Is the disk mounted read-only?",
        );
    }
    Check::ok(id, title, format!("{shown}, only for you"))
}

/// Only its outside; what is in it is the daemon's to check.
fn database_file(home: &Home) -> Check {
    let (id, title) = ("database_file", "database file");
    let path = home.database();
    let Ok(metadata) = std::fs::symlink_metadata(&path) else {
        return Check::ok(id, title, "none yet; the daemon makes it");
    };
    let mode = metadata.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let found = format!("others can read {} (mode {mode:o})", path.display());
        return Check::failed(id, title, found, format!("chmod 600 '{}'", path.display()));
    }
    Check::ok(id, title, format!("{}, {} KB, only for you", path.display(), metadata.len() / 1024))
}

fn room(home: &Home) -> Check {
    let (id, title) = ("room", "room on the disk");
    let path = home.state_dir();
    let next = "Free some: a full disk makes sessions keep only the end of their output, in memory.";
    match rustix::fs::statvfs(path) {
        Ok(stat) => {
            let free = stat.f_bavail * stat.f_frsize;
            let found = format!("{} MB free under {}", free >> 20, path.display());
            match free {
                0..NO_ROOM => Check::failed(id, title, found, next),
                NO_ROOM..LITTLE_ROOM => Check::warning(id, title, found, next),
                _ => Check::ok(id, title, found),
            }
        }
        Err(error) => Check::warning(id, title, format!("not known: {error}"), "Does the directory exist?"),
    }
}

fn memory(home: &Home) -> Check {
    let (id, title) = ("private_storage", "private sessions");
    match home.private_dir() {
        Ok(path) => Check::ok(id, title, format!("kept in memory only, under {}", path.display())),
        Err(error) => Check::warning(
            id,
            title,
            error.to_string(),
            "Private sessions are refused until /dev/shm or the runtime directory is a tmpfs.",
        ),
    }
}
