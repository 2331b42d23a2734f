//! `cargo xtask ci`: what continuous integration runs.

use anyhow::Result;

use crate::consent::Consent;
use crate::steps::Steps;
use crate::{check, test};

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    consent: Consent,
}

/// Tests and checks. A failed test does not keep the checks from telling what they find, nor the other way round.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::new();
    let checked = check::all(&mut steps, options.consent);
    if let Err(error) = &checked {
        eprintln!("\n{error:#}");
    }
    let tested = test::all(&mut steps, options.consent, false);
    steps.print();
    checked.and(tested)
}
