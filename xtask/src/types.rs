//! The TypeScript types that are generated from the protocol and committed.

use anyhow::Result;

use crate::exec::{cargo, run as execute};

/// Writes them.
pub(crate) fn run() -> Result<()> {
    execute(generator().env("BELFRY_WRITE_TS", "1"))
}

/// Fails when the committed ones differ.
pub(crate) fn check() -> Result<()> {
    execute(&mut generator())
}

fn generator() -> std::process::Command {
    let mut test = cargo();
    test.args(["test", "--quiet", "--package", "belfry-protocol", "--features", "ts", "typescript"]);
    test
}
