//! `cargo xtask bench NAME`: measurements, ours and the other side alternating in one run.
//!
//! The measurements themselves are the program `belfry-bench` of the tests; here it is built, with the programs that it
//! measures, as they are released.

use anyhow::Result;

use crate::consent::Consent;
use crate::exec::{cargo, command, run as execute};
use crate::node::Node;
use crate::{agents, programs, root};

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Which one; without it, all.
    name: Option<Bench>,
    /// Measure ahead of everything else that runs (`chrt`, which needs the right to): for a machine that is not quiet.
    #[arg(long)]
    realtime: bool,
    #[command(flatten)]
    consent: Consent,
    /// Flags of that benchmark; `--help` after its name lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
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
    /// Showing each of 100 sessions in the real window, and typing into one, to painted.
    Switch,
    /// Starting the real window with 20 sessions, to first paint.
    Start,
    /// The real window with four panes: CPU and memory while nothing happens, frames while a divider is dragged.
    Window,
    /// How often the status is right, in labelled recordings of real agents; with `--live`, in real sessions of them.
    Status,
    /// Whole processes of `belfry hook`, against one that does nothing.
    Hook,
    /// The search index over thousands of conversations, against `grep`.
    Index,
    /// Workspaces of a large repository, against plain git.
    Workspace,
}

impl Bench {
    const ALL: [Self; 11] = [
        Self::Throughput,
        Self::Echo,
        Self::Scale,
        Self::Recover,
        Self::Switch,
        Self::Start,
        Self::Window,
        Self::Status,
        Self::Hook,
        Self::Index,
        Self::Workspace,
    ];

    fn needs_window(self) -> bool {
        matches!(self, Self::Switch | Self::Start | Self::Window)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Throughput => "throughput",
            Self::Echo => "echo",
            Self::Scale => "scale",
            Self::Recover => "recover",
            Self::Switch => "switch",
            Self::Start => "start",
            Self::Window => "window",
            Self::Status => "status",
            Self::Hook => "hook",
            Self::Index => "index",
            Self::Workspace => "workspace",
        }
    }
}

/// Measures and prints tables of ratios.
pub(crate) fn run(options: &Options) -> Result<()> {
    let all = options.name.map_or_else(|| Bench::ALL.to_vec(), |one| vec![one]);
    let live = options.flags.iter().any(|flag| flag == "--live");
    if let [Bench::Status] = all[..]
        && !live
    {
        return status(&options.flags);
    }
    build(all.iter().any(|bench| bench.needs_window()))?;
    let program = programs::directory(true).join("belfry-bench");
    let agents = if live {
        let node = Node::provide(options.consent)?;
        Some((node.path(), agents::provide(&node, options.consent)?))
    } else {
        None
    };
    for bench in all {
        // Not through cargo: its variables would be in the measured programs' environment.
        let mut measure = if options.realtime {
            let mut ahead = command("chrt");
            ahead.args(["--rr", "1"]).arg(&program);
            ahead
        } else {
            command(&program)
        };
        measure.arg(bench.name()).args(&options.flags).current_dir(root::root());
        if let Some((path, agents)) = &agents {
            measure.env("PATH", path).env("BELFRY_LAB_AGENTS", agents);
        }
        execute(&mut measure)?;
    }
    Ok(())
}

/// Recordings bring their time with them: it measures none, so that nothing needs to be built as it is released.
fn status(flags: &[String]) -> Result<()> {
    let run = ["run", "--quiet", "--package", "belfry-tests", "--bin", "belfry-bench", "--", "status"];
    execute(cargo().args(run).args(flags))
}

fn build(window: bool) -> Result<()> {
    let mut build = cargo();
    build.args(["build", "--release"]);
    for package in ["belfry", "belfry-keeper", "belfry-tests"] {
        build.args(["--package", package]);
    }
    for program in ["belfry", "belfry-keeper", "belfry-bench"] {
        build.args(["--bin", program]);
    }
    if window {
        // Its page must be built already; `cargo xtask run` does that.
        build.args(["--package", "belfry-desktop", "--bin", "belfry-desktop"]);
    }
    execute(&mut build)
}
