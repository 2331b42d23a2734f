//! Belfry's own programs.

use std::path::PathBuf;

use anyhow::Result;

use crate::exec::{cargo, run};
use crate::root::target;

/// The packages that make up what a person installs: command line and daemon, keeper, window.
const PACKAGES: &[&str] = &["belfry", "belfry-keeper", "belfry-desktop"];

/// Compiles them.
pub(crate) fn build(release: bool) -> Result<()> {
    let mut build = cargo();
    build.arg("build");
    if release {
        build.arg("--release");
        for package in PACKAGES {
            build.args(["--package", package]);
        }
    } else {
        // Choosing packages would also choose other features of what they depend on, and then everything is compiled
        // twice: once for running and once for the tests.
        build.args(["--workspace", "--bins"]);
    }
    run(&mut build)
}

/// Where they are.
pub(crate) fn directory(release: bool) -> PathBuf {
    target().join(if release { "release" } else { "debug" })
}
