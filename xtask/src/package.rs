//! `cargo xtask package`: the .deb and .rpm, with everything in them.

use std::fs;

use anyhow::{Context, Result};

use crate::consent::Consent;
use crate::exec::run as execute;
use crate::root::{root, target, tools};
use crate::run;
use crate::steps::Steps;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    consent: Consent,
}

/// Builds with optimisations and bundles. Needs neither dpkg's nor rpm's tools.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::new();
    let node = run::build(&mut steps, options.consent, true)?;
    let bundler = tools().join("bundler");
    steps.step("Bundler", || {
        fs::create_dir_all(&bundler).context("target/tools/bundler cannot be made")?;
        for file in ["package.json", "package-lock.json"] {
            fs::copy(root().join("xtask/bundler").join(file), bundler.join(file))
                .with_context(|| format!("xtask/bundler/{file} cannot be copied"))?;
        }
        execute(node.npm().current_dir(&bundler).args(["ci", "--no-audit", "--no-fund"]))
    })?;
    steps.step("Packages", || {
        let mut tauri = crate::exec::command(bundler.join("node_modules/.bin/tauri"));
        execute(tauri.env("PATH", node.path()).args(["bundle", "--bundles", "deb,rpm"]))
    })?;
    steps.print();
    eprintln!("\nThe packages are in {}", target().join("release/bundle").display());
    Ok(())
}
