//! `cargo xtask check`: everything that can be told without running the programs.

use anyhow::Result;

use crate::consent::Consent;
use crate::exec::{cargo, run as execute};
use crate::node::Node;
use crate::steps::Steps;
use crate::system::{self, Purpose};
use crate::{deny, interface, types};

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    consent: Consent,
}

/// Runs every check, quick ones first, and fails at the end when one has failed.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::new();
    let result = all(&mut steps, options.consent).and_then(|()| steps.verdict());
    steps.print();
    result
}

/// The same, as a part of something larger: what failed is in the steps' verdict.
pub(crate) fn all(steps: &mut Steps, consent: Consent) -> Result<()> {
    steps.attempt("Formatting", || execute(cargo().args(["fmt", "--all", "--check"])));
    steps.step("System packages", || system::provide(Purpose::Build, consent))?;
    let node = steps.step("Node", || Node::provide(consent))?;
    steps.step("Interface: packages", || interface::install(&node))?;
    for (script, name) in [
        ("format:check", "Interface: formatting"),
        ("lint", "Interface: lints"),
        ("check", "Interface: types"),
    ] {
        if interface::has_script(script) {
            steps.attempt(name, || interface::script(&node, script));
        }
    }
    // The lints compile the window, which embeds the interface.
    steps.step("Interface: build", || interface::build(&node))?;
    steps.attempt("Lints", || {
        execute(cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--keep-going",
            "--",
            "--deny",
            "warnings",
        ]))
    });
    steps.attempt("Generated types", types::check);
    steps.attempt("Licences and sources", || deny::check(consent));
    Ok(())
}
