//! Licences, sources and known faults of what Belfry depends on.

use anyhow::Result;

use crate::consent::Consent;
use crate::exec::{cargo, command, output, run};
use crate::root::tools;

/// The cargo-deny that `deny.toml` is written for.
const VERSION: &str = "0.20.2";

/// Checks `deny.toml`'s rules. Advisories are left out where their database cannot be reached.
pub(crate) fn check(consent: Consent) -> Result<()> {
    let program = provide(consent)?;
    // Given the configuration by name: otherwise it would look in the directory of each crate first.
    let deny = || {
        let mut deny = command(&program);
        deny.args(["--log-level", "warn", "--config", "deny.toml"]);
        deny
    };
    run(deny().args(["check", "bans", "licenses", "sources"]))?;
    if output(deny().args(["fetch", "db"])).is_none() {
        eprintln!("Advisories were not checked: their database cannot be reached from here.");
        return Ok(());
    }
    run(deny().args(["check", "advisories"]))
}

fn provide(consent: Consent) -> Result<std::path::PathBuf> {
    let program = tools().join("bin/cargo-deny");
    let found = output(command(&program).arg("--version"));
    if found.is_some_and(|found| found.ends_with(VERSION)) {
        return Ok(program);
    }
    consent.ask(&format!(
        "cargo-deny {VERSION} is missing; it goes into target/tools and takes a few minutes"
    ))?;
    let building = tools().join("building");
    run(cargo()
        .args(["install", "cargo-deny", "--locked", "--debug", "--version", VERSION])
        .arg("--root")
        .arg(tools())
        .env("CARGO_TARGET_DIR", &building)
        // Compiled in a hurry and run for seconds: what makes it small or fast does not pay here.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0"))?;
    // Only the program is of use, and this is hundreds of megabytes.
    std::fs::remove_dir_all(building).ok();
    Ok(program)
}
