//! `cargo xtask test`: every test there is, from a bare checkout.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::browser::{Outcome, Running};
use crate::consent::Consent;
use crate::exec::{cargo, command, run as execute};
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
    let result = all(&mut steps, options.consent, options.agents).and_then(|()| steps.verdict());
    steps.print();
    result
}

/// The same, as a part of something larger: what failed is in the steps' verdict.
pub(crate) fn all(steps: &mut Steps, consent: Consent, agents: bool) -> Result<()> {
    steps.step("System packages for tests", || system::provide(Purpose::Test, consent))?;
    let node = run::build(steps, consent, false)?;
    steps.attempt("Reference terminal", || interface::install_reference(&node));
    let mut installed = None;
    if agents {
        steps.attempt("Real agents", || {
            installed = Some(agents::provide(&node, consent)?);
            Ok(())
        });
    }
    // The browser's tests wait more than they work: what the others need is compiled meanwhile.
    let mut browser = None;
    steps.attempt("Interface: browser tests, begun", || {
        browser = Some(Running::start(&node)?);
        Ok(())
    });
    steps.attempt("Interface: unit tests", || interface::script(&node, "test"));
    steps.attempt("Rust tests, compiled", compile_tests);
    let mut outcome = Outcome::default();
    if let Some(browser) = browser {
        steps.attempt("Interface: browser tests, ended", || browser.finish(&node, &mut outcome));
    }
    steps.note("  browser".to_owned(), outcome.took);
    for failure in outcome.failures {
        steps.tell(format!("at the first try {failure}"));
    }
    let mut tally = Tally::default();
    steps.attempt("Rust and whole-system tests", || rust_tests(&node, installed.as_deref(), &mut tally));
    for (program, took) in &tally.programs {
        steps.note(format!("  {program}"), *took);
    }
    for failure in &tally.failures {
        steps.tell(format!("at the first try {failure}"));
    }
    steps.tell(format!("tests: {} passed, {} failed", tally.passed, tally.failed));
    Ok(())
}

/// Compiles what they run, behind everything else that the machine has to do.
fn compile_tests() -> Result<()> {
    let cargo = cargo();
    let mut compile = command(if cfg!(unix) { OsStr::new("nice") } else { cargo.get_program() });
    if cfg!(unix) {
        compile.args(["-n", "10"]).arg(cargo.get_program());
    }
    execute(compile.args(["test", "--workspace", "--no-run"]))
}

fn rust_tests(node: &Node, agents: Option<&Path>, tally: &mut Tally) -> Result<()> {
    let mut test = cargo();
    test.args(["test", "--workspace", "--no-fail-fast"]).env("PATH", node.path());
    // A backtrace of an asynchronous test names the runtime, not the place, and buries the message at the end of a log.
    test.env("RUST_BACKTRACE", "0");
    if let Some(agents) = agents {
        // The suite of real agents looks at this, and without it passes over what needs a download.
        test.env("BELFRY_LAB_AGENTS", agents);
    }
    if tally.run(&mut test)? {
        return Ok(());
    }
    let targets = std::mem::take(&mut tally.targets);
    if targets.is_empty() || targets.len() > SECOND_TRIES {
        bail!("some failed");
    }
    second_try(&test, &targets)
}

/// Test programs that get a second try. More than these is no accident of a busy machine.
const SECOND_TRIES: usize = 4;

/// Runs failed test programs once more, each alone: these tests start hundreds of real processes, and a machine that stalls
/// can make one miss its time limit. What passes only now is named, since it is a fault of the test or of the program.
fn second_try(first: &Command, targets: &[Vec<String>]) -> Result<()> {
    let mut unsteady = Vec::new();
    for target in targets {
        let mut test = cargo();
        test.arg("test");
        // By the whole workspace's features, as at first: those of one package alone would compile everything anew.
        match target.iter().position(|argument| argument == "--test") {
            Some(at) => test.arg("--workspace").args(&target[at..]),
            None => test.args(target),
        };
        test.envs(first.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let shown = target.join(" ");
        anyhow::ensure!(test.status()?.success(), "failed twice: {shown}");
        unsteady.push(shown);
    }
    println!("\nUNSTEADY, passed at the second try only: {}", unsteady.join(", "));
    Ok(())
}
