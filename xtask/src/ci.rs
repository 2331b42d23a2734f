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
    let result = check::all(&mut steps, options.consent)
        .map(|()| steps.attempt("Fuzzing", fuzz::briefly))
        .and_then(|()| test::all(&mut steps, options.consent, true))
        .and_then(|()| steps.verdict());
    steps.print();
    result
}
