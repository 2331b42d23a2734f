//! `cargo xtask bench NAME`: measurements, ours and the other side alternating in one run.
//!
//! Each benchmark is a module of its own in this directory and a variant of [`Bench`].

use anyhow::{Result, bail};

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Which one.
    #[command(subcommand)]
    bench: Option<Bench>,
}

/// The benchmarks.
#[derive(Debug, clap::Subcommand)]
enum Bench {}

/// Measures and prints a table of ratios.
pub(crate) fn run(options: &Options) -> Result<()> {
    match options.bench {
        Some(ref bench) => match *bench {},
        None => bail!("Say which benchmark to run; `cargo xtask bench --help` lists them."),
    }
}
