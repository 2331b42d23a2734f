//! Limits of the system.

use rustix::process::{Resource, getrlimit};

use super::Check;

/// Open files that the daemon needs for some hundreds of sessions: a few for each, and the rest for clients.
const ENOUGH_FILES: u64 = 4096;

pub(super) fn processes() -> Check {
    let (id, title) = ("limits", "open files");
    match getrlimit(Resource::Nofile).maximum {
        Some(most) if most < ENOUGH_FILES => Check::warning(
            id,
            title,
            format!("at most {most} for one process"),
            "Raise the hard limit (`ulimit -Hn`) for more than about a hundred sessions.",
        ),
        Some(most) => Check::ok(id, title, format!("up to {most} for one process")),
        None => Check::ok(id, title, "no limit"),
    }
}
