//! The interface's tests in a real browser. They wait more than they work, so they run beside something else.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::exec::shown;
use crate::interface;
use crate::node::Node;
use crate::root::{root, target};

/// Characters that are told again of each failure.
const TOLD: usize = 600;

/// The tests, running.
pub(crate) struct Running {
    child: Child,
    began: Instant,
    log: PathBuf,
    results: PathBuf,
}

/// What came of them.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// How long they took, the second try not counted.
    pub(crate) took: Duration,
    /// What failed at the first try, in words.
    pub(crate) failures: Vec<String>,
}

impl Running {
    /// Builds the page that they open, and starts them.
    pub(crate) fn start(node: &Node) -> Result<Self> {
        interface::script(node, "build:test")?;
        let (log, results) = (target().join("browser-tests.log"), target().join("browser-tests.json"));
        let _ = fs::remove_file(&results);
        let out = File::create(&log).with_context(|| format!("{} cannot be written", log.display()))?;
        let mut tests = vitest(node, &results);
        tests.stdout(out.try_clone()?).stderr(out);
        let began = Instant::now();
        let child = tests.spawn().with_context(|| format!("{} cannot be started", shown(&tests)))?;
        Ok(Self { child, began, log, results })
    }

    /// Waits for them and shows what they printed. Files with a failure are tried once more, alone.
    pub(crate) fn finish(mut self, node: &Node, outcome: &mut Outcome) -> Result<()> {
        let status = self.child.wait().context("the tests cannot be waited for")?;
        outcome.took = self.began.elapsed();
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        println!("{log}");
        // One test alone is tried again by its runner, which fails nothing.
        outcome.failures = log.lines().filter(|line| line.contains("(retry x")).map(plain).collect();
        if status.success() {
            return Ok(());
        }
        let results = fs::read_to_string(&self.results).context("the tests left no results")?;
        let (files, failures) = failed(&serde_json::from_str(&results).context("the tests' results")?);
        outcome.failures.extend(failures);
        ensure!(!files.is_empty(), "they failed ({status}), and no test did");
        println!("\nUNSTEADY? once more: {}", files.join(", "));
        crate::exec::run(vitest(node, &self.results).args(&files))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // What goes wrong meanwhile ends this program: a browser must not stay behind. Of one that has ended this is nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn vitest(node: &Node, results: &Path) -> Command {
    let mut npm = interface::npm(node);
    npm.args(["exec", "--", "vitest", "run", "--config", "vitest.browser.config.ts"]);
    npm.args(["--reporter=default", "--reporter=json"]);
    npm.arg(format!("--outputFile.json={}", results.display()));
    npm
}

/// Without colours and marks.
fn plain(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.map(|part| part.split_once('m').map_or(part, |(_, text)| text)).fold(first, |all, part| all + part)
}

/// The files that have a failure, as paths in the interface's directory, and each failure.
fn failed(results: &Value) -> (Vec<String>, Vec<String>) {
    let (mut files, mut failures) = (Vec::new(), Vec::new());
    for file in results["testResults"].as_array().into_iter().flatten() {
        if file["status"] == "passed" {
            continue;
        }
        let path = file["name"].as_str().unwrap_or_default();
        let ui = root().join("ui");
        let shown = Path::new(path).strip_prefix(&ui).unwrap_or(Path::new(path)).display().to_string();
        let tests = file["assertionResults"].as_array().into_iter().flatten();
        let of_tests = tests.filter(|test| test["status"] == "failed").map(|test| {
            let why = test["failureMessages"][0].as_str().unwrap_or_default();
            format!("{shown}: {}: {why}", test["fullName"].as_str().unwrap_or_default())
        });
        let of_file = file["message"].as_str().filter(|message| !message.is_empty());
        let told = of_tests.chain(of_file.map(|message| format!("{shown}: {message}")));
        failures.extend(told.map(|text| text.chars().take(TOLD).collect()));
        files.push(shown);
    }
    (files, failures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_colours() {
        assert_eq!(plain("  \u{1b}[32m\u{2713}\u{1b}[39m is kept"), "  \u{2713} is kept");
    }

    #[test]
    fn files_and_failures() {
        let test = |name: &str, status: &str| serde_json::json!({ "fullName": name, "status": status, "failureMessages": ["Error: late"] });
        let results = serde_json::json!({ "testResults": [
            { "name": root().join("ui/tests/a.browser.test.ts"), "status": "passed",
              "assertionResults": [test("dark", "passed")], "message": "" },
            { "name": root().join("ui/tests/b.browser.test.ts"), "status": "failed",
              "assertionResults": [test("light", "passed"), test("narrow", "failed")], "message": "" },
            { "name": root().join("ui/tests/c.browser.test.ts"), "status": "failed",
              "assertionResults": [], "message": "no such module" },
        ] });
        let (files, failures) = failed(&results);
        assert_eq!(files, ["tests/b.browser.test.ts", "tests/c.browser.test.ts"]);
        let told =
            ["tests/b.browser.test.ts: narrow: Error: late", "tests/c.browser.test.ts: no such module"];
        assert_eq!(failures, told);
    }
}
