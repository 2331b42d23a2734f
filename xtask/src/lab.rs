//! `cargo xtask lab`: the mock model server, for trying agents without a model.

use anyhow::Result;

use crate::agents;
use crate::consent::Consent;
use crate::exec::{cargo, run as execute};
use crate::node::Node;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    consent: Consent,
    /// Install the real agents first, and say where they are.
    #[arg(long)]
    agents: bool,
    /// A port; then a home to lay out, and the projects that agents may trust in it.
    #[arg(trailing_var_arg = true)]
    arguments: Vec<String>,
}

/// Serves until it is interrupted.
pub(crate) fn run(options: &Options) -> Result<()> {
    if options.agents {
        let node = Node::provide(options.consent)?;
        let agents = agents::provide(&node, options.consent)?;
        eprintln!("The agents are in {0}/node_modules/.bin and {0}/aider/bin.", agents.display());
    }
    execute(
        cargo()
            .args(["run", "--quiet", "--package", "belfry-tests", "--bin", "belfry-lab", "--"])
            .args(&options.arguments),
    )
}
