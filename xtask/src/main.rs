//! Belfry's tooling. `cargo xtask --help` lists what it does; each command is a module of its own.

mod agents;
mod bench;
mod browser;
mod check;
mod ci;
mod consent;
mod deny;
mod exec;
mod fuzz;
mod icons;
mod interface;
mod lab;
mod node;
mod package;
mod programs;
mod root;
mod run;
mod screenshots;
mod soak;
mod sounds;
mod steps;
mod system;
mod tally;
mod test;
mod types;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Builds, runs and tests Belfry, and installs what that needs.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, propagate_version = false)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build everything and open the window.
    Run(run::Options),
    /// Run every test.
    Test(test::Options),
    /// Formatting, lints, licences, types.
    Check(check::Options),
    /// What continuous integration runs: check, then test.
    Ci(ci::Options),
    /// Generate the TypeScript types of the protocol.
    Ts,
    /// Make the sounds of notifications.
    Sounds,
    /// Make the tray's pictures from their drawings.
    Icons,
    /// Make a picture of every part of the window, dark and light, wide and narrow.
    Screenshots(screenshots::Options),
    /// Kill daemons and views at random for a long time, and lose nothing.
    Soak(soak::Options),
    /// Fuzz what reads bytes that others wrote.
    Fuzz(fuzz::Options),
    /// Serve the mock models that agents are tested against.
    Lab(lab::Options),
    /// Measure, ours and the other side alternating.
    Bench(bench::Options),
    /// Make the .deb and .rpm packages.
    Package(package::Options),
}

fn main() -> ExitCode {
    match perform(Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where a task of ours failed is no news to anyone; what failed is.
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform(task: Task) -> anyhow::Result<()> {
    match task {
        Task::Run(options) => run::run(&options),
        Task::Test(options) => test::run(&options),
        Task::Check(options) => check::run(&options),
        Task::Ci(options) => ci::run(&options),
        Task::Ts => types::run(),
        Task::Sounds => sounds::run(),
        Task::Icons => icons::run(),
        Task::Screenshots(options) => screenshots::run(&options),
        Task::Soak(options) => soak::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Lab(options) => lab::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Package(options) => package::run(&options),
    }
}
