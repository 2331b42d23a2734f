//! Debian's package tools.

use std::process::Command;

use anyhow::{Context, Result};

use crate::exec::{command, output, run};

/// Those of `needed` that are not installed.
pub(super) fn missing<'a>(needed: &[&'a str]) -> Result<Vec<&'a str>> {
    // It fails when one of the packages is unknown, and still tells about the others.
    let told = command("dpkg-query")
        .args(["--show", "--showformat", "${Package} ${db:Status-Status}\n"])
        .args(needed)
        .output()
        .context("dpkg-query cannot be started")?;
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let installed = |package: &&str| told.lines().any(|line| line == format!("{package} installed"));
    Ok(needed.iter().copied().filter(|package| !installed(package)).collect())
}

/// Installs packages, as root or through sudo, with apt's own progress.
pub(super) fn install(packages: &[&str]) -> Result<()> {
    run(as_root("apt-get").args(["update", "--quiet"])).context("the package lists cannot be renewed")?;
    run(as_root("apt-get").args(["install", "--yes", "--no-install-recommends"]).args(packages))
}

fn as_root(program: &str) -> Command {
    let mut root = if output(command("id").arg("-u")).is_some_and(|user| user == "0") {
        let mut root = command("env");
        root.arg("DEBIAN_FRONTEND=noninteractive");
        root
    } else {
        let mut sudo = command("sudo");
        // For the password.
        sudo.stdin(std::process::Stdio::inherit()).args(["env", "DEBIAN_FRONTEND=noninteractive"]);
        sudo
    };
    root.arg(program);
    root
}
