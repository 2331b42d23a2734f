//! The interface's packages and its build, and the npm packages that tests use.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::exec::run;
use crate::node::Node;
use crate::root::{root, tools};

/// Directories and files of `ui/` that are not sources.
const NOT_SOURCES: &[&str] = &["node_modules", "dist", "dist-test", "test-results", "coverage"];

/// Installs the interface's npm packages when their lock file has changed since the last time.
pub(crate) fn install(node: &Node) -> Result<()> {
    install_packages(node, &root().join("ui"))
}

/// Installs the terminal that ours is compared with.
pub(crate) fn install_reference(node: &Node) -> Result<()> {
    install_packages(node, &root().join("tests/xterm"))
}

fn install_packages(node: &Node, directory: &Path) -> Result<()> {
    let lock = directory.join("package-lock.json");
    let installed = directory.join("node_modules/.belfry-lock.json");
    let wanted = fs::read(&lock).with_context(|| format!("{} cannot be read", lock.display()))?;
    if fs::read(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run(node.npm().current_dir(directory).args(["ci", "--no-audit", "--no-fund"]))?;
    // Inside what `npm ci` deletes first, so a broken installation is never taken for a whole one.
    fs::write(installed, wanted).context("the installed packages cannot be noted")
}

/// Builds `ui/dist` when a source is newer than the last build.
pub(crate) fn build(node: &Node) -> Result<()> {
    let built = tools().join("interface-built");
    let page = root().join("ui/dist/index.html");
    if let (Some(built), Some(page)) = (changed(&built), changed(&page)) {
        // A page newer than our own note is not the one that we built.
        if newest(&root().join("ui"))? <= built && page <= built {
            return Ok(());
        }
    }
    script(node, "build")?;
    fs::create_dir_all(tools()).context("target/tools cannot be made")?;
    fs::write(built, "").context("the interface's build cannot be noted")
}

/// Runs one of the interface's npm scripts.
pub(crate) fn script(node: &Node, name: &str) -> Result<()> {
    run(npm(node).args(["run", "--silent", name]))
}

/// Whether the interface has that script.
pub(crate) fn has_script(name: &str) -> bool {
    fs::read_to_string(root().join("ui/package.json"))
        .ok()
        .and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok())
        .is_some_and(|package| package["scripts"][name].is_string())
}

/// npm, in the interface's directory.
pub(crate) fn npm(node: &Node) -> Command {
    let mut npm = node.npm();
    npm.current_dir(root().join("ui"));
    npm
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// When the newest source was changed.
fn newest(directory: &Path) -> Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    for entry in fs::read_dir(directory).with_context(|| format!("{} cannot be read", directory.display()))? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| NOT_SOURCES.contains(&name)) {
            continue;
        }
        let data = entry.metadata()?;
        let time =
            if data.is_dir() { self::newest(&entry.path())?.max(data.modified()?) } else { data.modified()? };
        newest = newest.max(time);
    }
    Ok(newest)
}
