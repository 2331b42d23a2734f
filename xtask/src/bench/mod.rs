//! `cargo xtask bench NAME`: measurements, ours and the other side alternating in one run.
//!
//! The measurements themselves are the program `belfry-bench` of the tests; here it is built, with the programs that it
//! measures, as they are released.

use anyhow::Result;

use crate::exec::{cargo, command, run as execute};
use crate::{programs, root};

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Which one; without it, all.
    name: Option<Bench>,
    /// Flags of that benchmark, after `--`; `-- --help` lists them.
    #[arg(last = true)]
    flags: Vec<String>,
}

/// The benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Bench {
    /// `cat` of a large file, against tmux and a bare PTY.
    Throughput,
    /// Keystroke to echo, against tmux and a bare PTY.
    Echo,
    /// CPU and memory of 1 to 300 sessions, against tmux.
    Scale,
    /// The daemon is killed with 100 sessions.
    Recover,
}

impl Bench {
    const ALL: [Self; 4] = [Self::Throughput, Self::Echo, Self::Scale, Self::Recover];

    fn name(self) -> &'static str {
        match self {
            Self::Throughput => "throughput",
            Self::Echo => "echo",
            Self::Scale => "scale",
            Self::Recover => "recover",
        }
    }
}

/// Measures and prints tables of ratios.
pub(crate) fn run(options: &Options) -> Result<()> {
    build()?;
    let program = programs::directory(true).join("belfry-bench");
    let all = options.name.map_or_else(|| Bench::ALL.to_vec(), |one| vec![one]);
    for bench in all {
        // Not through cargo: its variables would be in the measured programs' environment.
        let mut measure = command(&program);
        measure.arg(bench.name()).args(&options.flags).current_dir(root::root());
        execute(&mut measure)?;
    }
    Ok(())
}

fn build() -> Result<()> {
    let mut build = cargo();
    build.args(["build", "--release", "--package", "belfry", "--package", "belfry-keeper"]);
    build.args([
        "--package",
        "belfry-tests",
        "--bin",
        "belfry",
        "--bin",
        "belfry-keeper",
        "--bin",
        "belfry-bench",
    ]);
    execute(&mut build)
}
