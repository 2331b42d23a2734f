//! Measurements of the real programs, ours and others alternating in one run. `cargo xtask bench` builds and runs this.

mod echo;
mod link;
mod material;
mod processes;
mod program;
mod recover;
mod scale;
mod sides;
mod stats;
mod table;
mod throughput;

use clap::{Parser, Subcommand};

/// Measures, and prints tables of ratios.
#[derive(Debug, Parser)]
#[command(name = "belfry-bench")]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// `cat` of a large file: bare PTY, tmux and a session, with and without a view.
    Throughput(throughput::Options),
    /// Keystroke to echo: bare PTY, tmux and a session, alone and beside many busy ones.
    Echo(echo::Options),
    /// CPU and memory of many sessions, idle and with spinners, against tmux.
    Scale(scale::Options),
    /// The daemon is killed; time until the next one has every screen right.
    Recover(recover::Options),
    /// What runs inside the measured terminals.
    #[command(hide = true)]
    Program(program::Options),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().what {
        What::Throughput(options) => throughput::run(&options),
        What::Echo(options) => echo::run(&options),
        What::Scale(options) => scale::run(&options),
        What::Recover(options) => recover::run(&options),
        What::Program(options) => program::run(&options),
    }
}
