//! `cargo xtask ci`: what continuous integration runs.

use anyhow::Result;

use crate::consent::Consent;
use crate::steps::Steps;
use crate::{check, fuzz, test};

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    consent: Consent,
}

/// Checks, fuzzing, and tests with the real agents. None keeps another from telling what it finds.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::new();
    let before = free_disk();
    let result = check::all(&mut steps, options.consent)
        .map(|()| steps.attempt("Fuzzing", fuzz::briefly))
        .and_then(|()| test::all(&mut steps, options.consent, true))
        .and_then(|()| steps.verdict());
    // A full disk shows as anything: a linker's bus error, a database that cannot be written.
    steps.tell(format!("Disk free before and after: {before}, {}.", free_disk()));
    steps.print();
    result
}

/// The room on the disk that is built on, as `df` says it.
fn free_disk() -> String {
    let said = std::process::Command::new("df").args(["-h", "--output=avail", "."]).output();
    let said = said.map(|said| String::from_utf8_lossy(&said.stdout).into_owned()).unwrap_or_default();
    said.lines().nth(1).map_or_else(|| "unknown".to_owned(), |free| free.trim().to_owned())
}
