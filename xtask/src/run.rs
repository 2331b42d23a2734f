//! `cargo xtask run`: from a bare checkout to the open window.

use anyhow::{Result, bail};

use crate::consent::Consent;
use crate::exec::{command, run as execute};
use crate::node::Node;
use crate::steps::Steps;
use crate::system::{self, Purpose};
use crate::{interface, programs};

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    consent: Consent,
    /// Compile with optimisations.
    #[arg(long)]
    release: bool,
    /// Build, and do not open the window.
    #[arg(long)]
    build_only: bool,
}

/// Installs what is missing, builds everything and opens the window.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::new();
    build(&mut steps, options.consent, options.release)?;
    if options.build_only {
        return Ok(());
    }
    let no_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().all(|name| std::env::var_os(name).is_none());
    if cfg!(target_os = "linux") && no_display {
        bail!(
            "Everything is built, but there is no display to open the window on (DISPLAY and WAYLAND_DISPLAY are not set)."
        );
    }
    steps
        .step("Belfry", || execute(&mut command(programs::directory(options.release).join("belfry-desktop"))))
}

/// Everything up to the window.
pub(crate) fn build(steps: &mut Steps, consent: Consent, release: bool) -> Result<Node> {
    steps.step("System packages", || system::provide(Purpose::Build, consent))?;
    let node = steps.step("Node", || Node::provide(consent))?;
    steps.step("Interface: packages", || interface::install(&node))?;
    steps.step("Interface: build", || interface::build(&node))?;
    steps.step("Programs", || programs::build(release))?;
    Ok(node)
}
