//! `cargo xtask fuzz`: coverage-guided fuzzing of what reads bytes that others wrote.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::exec::cargo;
use crate::root::{root, target};

/// The targets, as `fuzz/Cargo.toml` names them.
const TARGETS: &[&str] = &["frame_decoder", "journal_reader", "terminal", "transcripts"];

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How long for each target.
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// Only this one.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(TARGETS))]
    target: Option<String>,
}

/// Fuzzes each target for a while.
pub(crate) fn run(options: &Options) -> Result<()> {
    let chosen = |name: &&&str| options.target.as_deref().is_none_or(|only| only == **name);
    TARGETS.iter().filter(chosen).try_for_each(|name| fuzz(name, options.seconds))
}

/// Each of them for a moment, as continuous integration does.
pub(crate) fn briefly() -> Result<()> {
    TARGETS.iter().try_for_each(|name| fuzz(name, 20))
}

fn fuzz(name: &str, seconds: u32) -> Result<()> {
    // New inputs go to the first directory; the committed corpus is only read.
    let found = target().join("fuzz-corpus").join(name);
    let crashes = target().join("ci-output/fuzz");
    for directory in [&found, &crashes] {
        fs::create_dir_all(directory).with_context(|| format!("{} cannot be made", directory.display()))?;
    }
    let log = crashes.join(format!("{name}.log"));
    let file = fs::File::create(&log).with_context(|| format!("{} cannot be written", log.display()))?;
    let mut command = cargo();
    command
        .current_dir(root().join("fuzz"))
        .args(["run", "--quiet", "--release", "--bin", name])
        .arg("--target-dir")
        .arg(target().join("fuzz"))
        .arg("--")
        .arg(&found)
        .arg(root().join("fuzz/corpus").join(name))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/{name}-", crashes.display()))
        .arg("-print_final_stats=1")
        .stdout(file.try_clone()?)
        .stderr(file);
    let status = command.status().context("cargo cannot be started")?;
    // It tells of every new input, thousands of lines: the file keeps them.
    let said = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    if !status.success() {
        println!("{}", lines[lines.len().saturating_sub(60)..].join("\n"));
        bail!("{name}: what broke it is in {}", crashes.display());
    }
    let runs = lines.iter().rev().find(|line| line.starts_with("Done ")).unwrap_or(&"done");
    println!("{name}: {runs}");
    Ok(())
}
