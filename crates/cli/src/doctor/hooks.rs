//! What agents call: `belfry hook`, by the path of the program that the daemon is.

use std::path::{Path, PathBuf};

use super::Check;

/// Whether the program that agents are told to call is there and can be run. Sessions are started by the daemon, so it is the
/// daemon's own path that counts; after an update the file it was started from may be gone.
pub(super) fn check(daemon: u32) -> Check {
    let (id, title) = ("hooks", "agents' hooks");
    let Some(program) = program(daemon) else {
        return Check::warning(
            id,
            title,
            "where the daemon's program is cannot be told",
            "Is /proc mounted? Agents' hooks may not be called; status then rests on the screen.",
        );
    };
    let shown = program.display();
    match why_not(&program) {
        None => Check::ok(id, title, format!("call {shown}")),
        Some(why) => Check::failed(
            id,
            title,
            format!("would call {shown}: {why}"),
            "`belfry daemon stop`; sessions go on, and the next command starts the daemon from where it is now. Sessions \
             that run already keep the old path until they are restarted.",
        ),
    }
}

#[cfg(target_os = "linux")]
fn program(daemon: u32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{daemon}/exe")).ok()
}

/// macOS: `proc_pidpath`. Windows: `QueryFullProcessImageName`. Ours is most likely the same.
#[cfg(not(target_os = "linux"))]
fn program(_daemon: u32) -> Option<PathBuf> {
    std::env::current_exe().ok()
}

fn why_not(program: &Path) -> Option<String> {
    // Linux says so of a program whose file was replaced or removed.
    if program.to_str().is_some_and(|path| path.ends_with(" (deleted)")) {
        return Some("it was replaced or removed while the daemon ran".to_owned());
    }
    match std::fs::metadata(program) {
        Ok(metadata) if !metadata.is_file() => Some("it is no file".to_owned()),
        Ok(_) => rustix::fs::access(program, rustix::fs::Access::EXEC_OK)
            .err()
            .map(|error| format!("it cannot be run: {error}")),
        Err(error) => Some(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_program_can_be_called() {
        assert_eq!(why_not(&std::env::current_exe().unwrap()), None);
        for path in ["/bin/sh (deleted)", "/", "/etc/passwd", "/no/such/program"] {
            assert!(why_not(Path::new(path)).is_some(), "{path}");
        }
        assert!(program(std::process::id()).is_some());
    }
}
