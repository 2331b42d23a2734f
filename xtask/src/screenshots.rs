//! `cargo xtask screenshots`: a picture of every part of the window, dark and light, wide and narrow.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::consent::Consent;
use crate::exec::{command, run as execute};
use crate::node::Node;
use crate::root::{root, target};
use crate::system::{self, Purpose};
use crate::{agents, interface, programs};

/// The ones of the pretended daemon that the README shows, as they are called in `docs/`.
const SHOWN: &[(&str, &str)] = &[("palette-dark.png", "palette.png"), ("grid-dark.png", "grid.png")];

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    consent: Consent,
    /// Where they go; `target/screenshots` where it is not said.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Put those that the README shows into `docs/` as well, and take those of the real window with real agents in it.
    #[arg(long)]
    docs: bool,
}

/// Makes them. They are made by the test that looks at the same scenes, against a daemon that only pretends, so that each
/// picture shows the same sessions.
pub(crate) fn run(options: &Options) -> Result<()> {
    system::provide(Purpose::Test, options.consent)?;
    let node = Node::provide(options.consent)?;
    interface::install(&node)?;
    let out = options.out.clone().unwrap_or_else(|| target().join("screenshots"));
    fs::create_dir_all(&out).with_context(|| format!("{} cannot be made", out.display()))?;
    let out = out.canonicalize().context("the directory for the pictures cannot be found")?;
    execute(interface::npm(&node).args(["run", "--silent", "pictures"]).env("BELFRY_PICTURES", &out))?;
    if options.docs {
        SHOWN.iter().try_for_each(|(from, to)| copy(&out.join(from), &root().join("docs").join(to)))?;
        real_window(&node, options.consent)?;
    }
    println!("{}", out.display());
    Ok(())
}

fn real_window(node: &Node, consent: Consent) -> Result<()> {
    let agents = agents::provide(node, consent)?;
    interface::build(node)?;
    programs::build(false)?;
    let docs = root().join("docs");
    execute(
        command(programs::directory(false).join("belfry-lab"))
            .arg("picture")
            .args([docs.join("window.png"), docs.join("window-light.png")])
            .env("PATH", node.path())
            .env("BELFRY_LAB_AGENTS", agents),
    )
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("{} cannot be copied to {}", from.display(), to.display()))?;
    Ok(())
}
