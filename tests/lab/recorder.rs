//! `belfry-lab record`.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use belfry_tests::lab::record::{Wanted, record};
use clap::Parser;

/// Records a real agent that plays a scenario against the mock model.
#[derive(Debug, Parser)]
#[command(name = "belfry-lab record")]
struct Arguments {
    /// `claude`, `codex`, `gemini`, `opencode` or `aider`.
    #[arg(long)]
    agent: String,
    /// The agent's version.
    #[arg(long)]
    version: String,
    /// The agent's program.
    #[arg(long)]
    program: PathBuf,
    /// `tour`, `traps`, `forged`, `nested` or `long`.
    #[arg(long, default_value = "tour")]
    scenario: String,
    /// Columns and rows.
    #[arg(long, default_value = "120x40")]
    size: String,
    /// The terminal has a light ground.
    #[arg(long)]
    light: bool,
    /// Where the home and the project are made; removed first.
    #[arg(long)]
    folder: PathBuf,
    /// Where the recording goes.
    #[arg(long, default_value = "tests/corpus/status")]
    out: PathBuf,
    /// More arguments for the agent.
    #[arg(last = true)]
    args: Vec<String>,
}

pub(super) async fn run() -> Result<()> {
    let arguments = Arguments::parse_from(std::env::args().skip(1));
    let (cols, rows) = arguments.size.split_once('x').context("a size is `120x40`")?;
    let wanted = Wanted {
        agent: arguments.agent,
        version: arguments.version,
        program: arguments.program,
        args: arguments.args,
        scenario: arguments.scenario,
        size: (cols.parse()?, rows.parse()?),
        light: arguments.light,
        folder: arguments.folder,
        out: arguments.out,
    };
    let path = record(&wanted).await?;
    println!("{}", path.display());
    Ok(())
}
