//! The real agents that the suite `tests/tests/agents_*.rs` runs, pinned in `tests/lab/agents`, installed in `target/lab`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::consent::Consent;
use crate::exec::{command, run};
use crate::node::Node;
use crate::root::{root, target};
use crate::system::{self, Purpose};

/// What is pinned: one file for npm's tools, one for Python's.
const PINS: [&str; 3] = ["package.json", "package-lock.json", "aider.txt"];

/// Those of the npm packages that put their program in place by a script; no other package's script is run.
const SCRIPTED: [&str; 2] = ["@anthropic-ai/claude-code", "opencode-ai"];

/// Where the suite finds them; the variable that tells it is `BELFRY_LAB_AGENTS`.
pub(crate) fn provide(node: &Node, consent: Consent) -> Result<PathBuf> {
    let directory = target().join("lab");
    if !is_current(&directory) {
        install(&directory, node, consent)?;
    }
    Ok(directory)
}

fn is_current(directory: &Path) -> bool {
    let same = |name: &str| {
        let installed = fs::read(directory.join("installed").join(name)).ok();
        installed.is_some() && installed == fs::read(pins().join(name)).ok()
    };
    PINS.iter().all(|name| same(name))
}

fn install(directory: &Path, node: &Node, consent: Consent) -> Result<()> {
    consent.ask("The real agents are missing: about 600 MB to download, 2 GB in target/lab")?;
    system::provide(Purpose::Agents, consent)?;
    fs::create_dir_all(directory.join("installed")).context("target/lab cannot be made")?;
    for name in PINS {
        fs::copy(pins().join(name), directory.join(name))
            .with_context(|| format!("{name} cannot be copied"))?;
    }
    let npm = |arguments: &[&str]| {
        let mut npm = node.npm();
        run(npm.current_dir(directory).args(arguments))
    };
    // Not `npm ci`: it wants every system's binary packages in the lock file, and some are not in every registry.
    npm(&["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    npm(&[&["rebuild", "--ignore-scripts=false"], SCRIPTED.as_slice()].concat())?;
    let mut installed = vec![PINS[0], PINS[1]];
    match aider(directory) {
        Ok(()) => installed.push(PINS[2]),
        // The suite says that it passes Aider over.
        Err(error) => eprintln!("Aider is not installed, it needs Python 3.10 to 3.12 with venv: {error:#}"),
    }
    for name in installed {
        fs::copy(pins().join(name), directory.join("installed").join(name))?;
    }
    Ok(())
}

fn aider(directory: &Path) -> Result<()> {
    let aider = directory.join("aider");
    run(command("python3").args(["-m", "venv", "--clear"]).arg(&aider))?;
    run(command(aider.join("bin/pip"))
        .args(["install", "--quiet", "--no-deps", "--disable-pip-version-check", "--requirement"])
        .arg(directory.join("aider.txt")))
}

fn pins() -> PathBuf {
    root().join("tests/lab/agents")
}
