//! `cargo xtask lab`: the mock model server, for trying agents without a model.

use anyhow::Result;

use crate::exec::{cargo, run as execute};

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Arguments for the server.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Serves until it is interrupted.
pub(crate) fn run(options: &Options) -> Result<()> {
    execute(
        cargo()
            .args(["run", "--package", "belfry-tests", "--bin", "belfry-lab", "--"])
            .args(&options.arguments),
    )
}
