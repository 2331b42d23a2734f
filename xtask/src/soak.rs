//! `cargo xtask soak`: the kill loop of the tests, for as long as one likes.

use anyhow::Result;

use crate::exec::{cargo, run as execute};
use crate::programs;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How long.
    #[arg(long, default_value_t = 60)]
    minutes: u32,
}

/// Runs the loop.
pub(crate) fn run(options: &Options) -> Result<()> {
    programs::build(false)?;
    execute(
        cargo()
            .args(["test", "--package", "belfry-tests", "--test", "daemon_kill_loop", "--"])
            .args(["--nocapture", "nothing_is_lost_whatever_is_killed"])
            .env("BELFRY_SOAK_MINUTES", options.minutes.to_string()),
    )
}
