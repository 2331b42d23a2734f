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

/// Whether files can be watched: agents' own session files and transcripts, and the person's rules.
#[cfg(target_os = "linux")]
pub(super) fn watches(directory: &std::path::Path) -> Check {
    use rustix::fs::inotify;
    let (id, title) = ("inotify", "watching files");
    let limit = |name: &str| {
        let text = std::fs::read_to_string(format!("/proc/sys/fs/inotify/{name}")).ok()?;
        text.trim().parse::<u64>().ok()
    };
    let (watches, instances) = (limit("max_user_watches"), limit("max_user_instances"));
    // Trying tells more than the limits: they are shared by all programs of the user, and editors take many.
    let tried = inotify::init(inotify::CreateFlags::CLOEXEC).map_err(|error| (error, "instances")).and_then(
        |queue| {
            let watched = inotify::add_watch(&queue, directory, inotify::WatchFlags::DELETE_SELF);
            watched.map_err(|error| (error, "watches"))
        },
    );
    if let Err((error, which)) = tried {
        return Check::failed(
            id,
            title,
            format!("no more can be watched ({error}), so status rests on the screen alone"),
            format!(
                "Raise fs.inotify.max_user_{which} with sysctl, or end a program that watches many files."
            ),
        );
    }
    judge(id, title, watches, instances)
}

/// Watches for a few hundred sessions: a few directories for each.
#[cfg(target_os = "linux")]
const ENOUGH_WATCHES: u64 = 8192;
/// The daemon needs two; the others are for the person's other programs.
#[cfg(target_os = "linux")]
const ENOUGH_INSTANCES: u64 = 32;

#[cfg(target_os = "linux")]
fn judge(id: &'static str, title: &'static str, watches: Option<u64>, instances: Option<u64>) -> Check {
    let (Some(watches), Some(instances)) = (watches, instances) else {
        return Check::ok(id, title, "works; its limits are not told");
    };
    let found = format!("{watches} watches, {instances} instances for all your programs");
    let low = match (watches < ENOUGH_WATCHES, instances < ENOUGH_INSTANCES) {
        (false, false) => return Check::ok(id, title, found),
        (true, false) => format!("fs.inotify.max_user_watches={ENOUGH_WATCHES}"),
        (false, true) => format!("fs.inotify.max_user_instances={ENOUGH_INSTANCES}"),
        (true, true) => format!(
            "fs.inotify.max_user_watches={ENOUGH_WATCHES} fs.inotify.max_user_instances={ENOUGH_INSTANCES}"
        ),
    };
    Check::warning(id, title, found, format!("sysctl -w {low} for many sessions beside an editor."))
}

/// macOS: FSEvents and kqueue need no limit of their own.
#[cfg(not(target_os = "linux"))]
pub(super) fn watches(_directory: &std::path::Path) -> Check {
    Check::ok("inotify", "watching files", "this system sets no limit of its own")
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::super::State;
    use super::*;

    #[test]
    fn low_limits_are_told_with_what_to_set() {
        assert_eq!(judge("i", "t", Some(65536), Some(128)).state, State::Ok);
        assert_eq!(judge("i", "t", None, Some(1)).state, State::Ok);
        let low = judge("i", "t", Some(100), Some(2));
        assert_eq!(low.state, State::Warning);
        let next = low.next.unwrap();
        assert!(next.contains("max_user_watches=8192") && next.contains("max_user_instances=32"), "{next}");
    }

    #[test]
    fn what_cannot_be_watched_fails() {
        assert_eq!(watches(std::path::Path::new("/no/such/directory")).state, State::Failed);
        assert_ne!(watches(std::path::Path::new("/")).state, State::Failed);
    }
}
