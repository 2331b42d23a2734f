//! Our own programs, what they link with, and git.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Check;

/// Below it, git has known ways to run code of a repository that is only looked at (CVE-2025-48384 and its siblings).
const GIT_SAFE: (u32, u32, u32) = (2, 49, 1);

const WEBKIT: &str = "libwebkit2gtk-4.1.so.0";

pub(super) fn binaries() -> Check {
    let (id, title) = ("programs", "programs");
    let Some(own) = std::env::current_exe().ok() else {
        return Check::warning(id, title, "this program's own place is not known", "Is /proc mounted?");
    };
    match (beside("belfry-keeper"), beside("belfry-desktop")) {
        (None, _) => Check::failed(
            id,
            title,
            format!("belfry-keeper is not beside {}, so no session can start", own.display()),
            "Install Belfry again, or build it with `cargo xtask run`.",
        ),
        (Some(_), None) => Check::ok(
            id,
            title,
            format!(
                "belfry {} at {}, with its keeper; no window here",
                env!("CARGO_PKG_VERSION"),
                own.display()
            ),
        ),
        (Some(_), Some(_)) => Check::ok(
            id,
            title,
            format!("belfry {} at {}, keeper, window", env!("CARGO_PKG_VERSION"), own.display()),
        ),
    }
}

/// A program of ours, beside this one.
fn beside(name: &str) -> Option<PathBuf> {
    let path =
        std::env::current_exe().ok()?.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    path.is_file().then_some(path)
}

pub(super) fn libraries() -> Check {
    let (id, title) = ("libraries", "system libraries");
    let mut missing = Vec::new();
    let mut looked = 0;
    for program in ["belfry", "belfry-keeper", "belfry-desktop"].iter().filter_map(|name| beside(name)) {
        let Some(text) = output(Command::new("ldd").arg(&program)) else { continue };
        looked += 1;
        missing.extend(
            text.lines().filter(|line| line.contains("not found")).map(|line| line.trim().to_owned()),
        );
    }
    missing.sort();
    missing.dedup();
    match (looked, missing.is_empty()) {
        (0, _) => Check::ok(id, title, "not looked at: this system has no ldd"),
        (_, true) => Check::ok(id, title, "all that our programs link with are there"),
        (_, false) => Check::failed(
            id,
            title,
            missing.join(", "),
            "Install the packages that have them; `cargo xtask run` names and installs them on known systems.",
        ),
    }
}

/// The window's engine. Only the window needs it.
pub(super) fn webkit() -> Check {
    let (id, title) = ("webkit", "window's engine");
    if !cfg!(target_os = "linux") {
        return Check::ok(id, title, "part of this system");
    }
    let listed = output(Command::new("/sbin/ldconfig").arg("-p"))
        .or_else(|| output(Command::new("ldconfig").arg("-p")))
        .is_some_and(|text| text.contains(WEBKIT));
    let there = listed
        || [
            "/usr/lib",
            "/usr/lib64",
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/local/lib",
        ]
        .iter()
        .any(|dir| Path::new(dir).join(WEBKIT).exists());
    let next = "Debian, Ubuntu: libwebkit2gtk-4.1-0. Fedora: webkit2gtk4.1. Arch: webkit2gtk-4.1.";
    match (there, beside("belfry-desktop").is_some()) {
        (true, _) => Check::ok(id, title, format!("WebKitGTK ({WEBKIT})")),
        (false, true) => {
            Check::failed(id, title, format!("{WEBKIT} is missing, so the window cannot open"), next)
        }
        (false, false) => {
            Check::warning(id, title, format!("{WEBKIT} is missing; only the window needs it"), next)
        }
    }
}

pub(super) fn git() -> Check {
    let (id, title) = ("git", "git");
    let Some(text) = output(Command::new("git").arg("--version")) else {
        return Check::warning(id, title, "not found", "Install git: branches and worktrees need it.");
    };
    let version = text.trim().trim_start_matches("git version ").to_owned();
    match numbers(&version) {
        Some(found) if found >= GIT_SAFE => Check::ok(id, title, version),
        Some(_) => {
            let (major, minor, patch) = GIT_SAFE;
            Check::warning(
                id,
                title,
                version,
                format!(
                    "Versions before {major}.{minor}.{patch} have holes that a hostile repository can use, unless your \
                     system's package has the fixes."
                ),
            )
        }
        None => {
            Check::warning(id, title, format!("its version `{version}` is not understood"), "Is `git` git?")
        }
    }
}

fn numbers(version: &str) -> Option<(u32, u32, u32)> {
    let mut parts = version.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    Some((parts.next()?.ok()?, parts.next()?.ok()?, parts.next().and_then(Result::ok).unwrap_or(0)))
}

/// What a program that always ends prints.
fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(numbers("2.39.5"), Some((2, 39, 5)));
        assert_eq!(numbers("2.50.1 (Apple Git-155)"), Some((2, 50, 1)));
        assert_eq!(numbers("2.49"), Some((2, 49, 0)));
        assert_eq!(numbers("unknown"), None);
        assert!(numbers("2.100.0") > Some(GIT_SAFE));
    }
}
