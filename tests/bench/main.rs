//! Measurements of the real programs, ours and others alternating in one run. `cargo xtask bench` builds and runs this.

mod echo;
mod hook;
#[cfg(target_os = "linux")]
mod index;
mod link;
mod material;
mod processes;
mod program;
mod recover;
mod scale;
mod sides;
mod stats;
mod status;
mod table;
mod throughput;
#[cfg(target_os = "linux")]
mod window;
#[cfg(target_os = "linux")]
mod workspace;

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
    /// Shows each of 100 sessions in the real window, and types into one, until painted.
    #[cfg(target_os = "linux")]
    Switch(window::Options),
    /// Starts the real window.
    #[cfg(target_os = "linux")]
    Start(window::Options),
    /// The real window with four panes: CPU and memory of all while nothing happens, and frames while a divider is dragged.
    #[cfg(target_os = "linux")]
    Window(window::whole::Options),
    /// How often the status is right in labelled recordings of real agents.
    Status(status::Options),
    /// Whole processes of `belfry hook`.
    Hook(hook::Options),
    /// The search index over thousands of conversations.
    #[cfg(target_os = "linux")]
    Index(index::Options),
    /// Workspaces of a large repository, against plain git.
    #[cfg(target_os = "linux")]
    Workspace(workspace::Options),
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
        #[cfg(target_os = "linux")]
        What::Switch(options) => window::switch(&options),
        #[cfg(target_os = "linux")]
        What::Start(options) => window::start(&options),
        #[cfg(target_os = "linux")]
        What::Window(options) => window::whole::run(&options),
        What::Status(options) => status::run(&options),
        What::Hook(options) => hook::run(&options),
        #[cfg(target_os = "linux")]
        What::Index(options) => index::run(&options),
        #[cfg(target_os = "linux")]
        What::Workspace(options) => workspace::run(&options),
        What::Program(options) => program::run(&options),
    }
}
