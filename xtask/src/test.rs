//! `cargo xtask test`: every test there is, from a bare checkout.

use std::path::Path;

use anyhow::{Result, bail};

use crate::consent::Consent;
use crate::exec::cargo;
use crate::node::Node;
use crate::steps::Steps;
use crate::system::{self, Purpose};
use crate::tally::Tally;
use crate::{agents, interface, run};

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    consent: Consent,
    /// Run the real agents against the mock model too. The first time this installs about 1 GB.
    #[arg(long)]
    agents: bool,
}

/// Installs what is missing and runs every test. All run, also after a failure; then it fails.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::new();
    let result = all(&mut steps, options.consent, options.agents);
    steps.print();
    result
}

/// The same, as a part of something larger.
pub(crate) fn all(steps: &mut Steps, consent: Consent, agents: bool) -> Result<()> {
    steps.step("System packages for tests", || system::provide(Purpose::Test, consent))?;
    let node = run::build(steps, consent, false)?;
    let agents =
        if agents { Some(steps.step("Real agents", || agents::provide(&node, consent))?) } else { None };
    let tally = steps.step("Rust and whole-system tests", || rust_tests(&node, agents.as_deref()));
    let interface = interface_tests(steps, &node);
    let (tally, rust_passed) = tally?;
    for (program, took) in tally.programs {
        steps.note(format!("  {program}"), took);
    }
    println!("\ntests: {} passed, {} failed", tally.passed, tally.failed);
    if !rust_passed {
        bail!("Rust tests failed.");
    }
    interface
}

fn rust_tests(node: &Node, agents: Option<&Path>) -> Result<(Tally, bool)> {
    let mut test = cargo();
    test.args(["test", "--workspace", "--no-fail-fast"]).env("PATH", node.path());
    if let Some(agents) = agents {
        // The suite of real agents looks at this, and without it passes over what needs a download.
        test.env("BELFRY_LAB_AGENTS", agents);
    }
    Tally::run(&mut test)
}

fn interface_tests(steps: &mut Steps, node: &Node) -> Result<()> {
    let mut result = Ok(());
    for (script, name) in [("test", "Interface: unit tests"), ("test:browser", "Interface: browser tests")] {
        if interface::has_script(script) {
            result = result.and(steps.step(name, || interface::script(node, script)));
        }
    }
    result
}
