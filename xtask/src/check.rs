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

/// Runs the checks, quick ones first, and stops at the first failure.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::new();
    let result = all(&mut steps, options.consent);
    steps.print();
    result
}

/// The same, as a part of something larger.
pub(crate) fn all(steps: &mut Steps, consent: Consent) -> Result<()> {
    steps.step("Formatting", || execute(cargo().args(["fmt", "--all", "--check"])))?;
    steps.step("System packages", || system::provide(Purpose::Build, consent))?;
    let node = steps.step("Node", || Node::provide(consent))?;
    steps.step("Interface: packages", || interface::install(&node))?;
    for (script, name) in [
        ("format:check", "Interface: formatting"),
        ("lint", "Interface: lints"),
        ("check", "Interface: types"),
    ] {
        if interface::has_script(script) {
            steps.step(name, || interface::script(&node, script))?;
        }
    }
    // The lints compile the window, which embeds the interface.
    steps.step("Interface: build", || interface::build(&node))?;
    steps.step("Lints", || {
        execute(cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))
    })?;
    steps.step("Generated types", types::check)?;
    steps.step("Licences and sources", || deny::check(consent))
}
