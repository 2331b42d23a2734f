//! Running other programs.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::root::root;

/// A program, run in the checkout's root, without the traces that `cargo run` leaves in our environment.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        let of_our_crate = name.to_str().is_some_and(|name| {
            ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_PRIMARY"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        });
        if of_our_crate {
            command.env_remove(name);
        }
    }
    // Cargo puts its own directories in front; a window started from here must not load libraries from them.
    if let Some(libraries) = std::env::var_os("LD_LIBRARY_PATH") {
        let foreign = |path: &Path| {
            !path.starts_with(crate::root::target())
                && !path
                    .components()
                    .any(|part| part.as_os_str() == ".rustup" || part.as_os_str() == "rustlib")
        };
        match std::env::join_paths(std::env::split_paths(&libraries).filter(|path| foreign(path))) {
            Ok(kept) if !kept.is_empty() => command.env("LD_LIBRARY_PATH", kept),
            _ => command.env_remove("LD_LIBRARY_PATH"),
        };
    }
    command
}

/// The cargo that runs us.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs it, showing what it prints, and fails when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{} cannot be started", shown(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs it quietly and returns what it printed, or `None` when it is missing or fails.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether a program of that name is on the path.
pub(crate) fn on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|directory| directory.join(program).is_file()))
}

/// The command line as a person would type it, for messages.
pub(crate) fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|part| part.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
