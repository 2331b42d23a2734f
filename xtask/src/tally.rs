//! Reads along while cargo's tests run: how many passed, and which test programs took long.

use std::io::{BufRead, BufReader, Write};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::exec::shown;

/// Lines that are told again of one program's failures, and characters of each: enough for a panic and a screen.
const TOLD_LINES: usize = 80;
const TOLD_LINE: usize = 300;

/// What cargo's tests said in all.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed.
    pub(crate) failed: u64,
    /// Each test program and its time.
    pub(crate) programs: Vec<(String, Duration)>,
    /// The arguments by which cargo runs each failed program alone.
    pub(crate) targets: Vec<Vec<String>>,
    /// What each failed program told of its failures.
    pub(crate) failures: Vec<String>,
    running: String,
    telling: Option<Vec<String>>,
}

impl Tally {
    /// Runs cargo's tests, showing all that they print, and says whether they passed.
    pub(crate) fn run(&mut self, command: &mut Command) -> Result<bool> {
        let (reader, writer) = std::io::pipe().context("no pipe for the tests' output")?;
        command.stdout(writer.try_clone()?).stderr(writer);
        let mut child = command.spawn().with_context(|| format!("{} cannot be started", shown(command)))?;
        // The command keeps its copies of the pipe's end; without this the reading below would never end.
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let mut out = std::io::stdout();
        for line in BufReader::new(reader).split(b'\n') {
            let line = line?;
            out.write_all(&line)?;
            out.write_all(b"\n")?;
            self.read(&String::from_utf8_lossy(&line));
        }
        Ok(child.wait()?.success())
    }

    fn read(&mut self, line: &str) {
        let line = line.trim();
        if line == "failures:" {
            // A program lists what the failed tests printed, then under the same word their names.
            let heading = || vec![format!("{}:", self.running)];
            self.telling.get_or_insert_with(heading);
        } else if line.starts_with("test result: ") {
            self.failures.extend(self.telling.take().map(|lines| lines.join("\n  ")));
        } else if let Some(lines) = &mut self.telling
            && lines.len() < TOLD_LINES
            && !line.is_empty()
        {
            lines.push(line.chars().take(TOLD_LINE).collect());
        }
        if let Some(program) = line.strip_prefix("Running ").or_else(|| line.strip_prefix("Doc-tests ")) {
            // `Running tests/kill.rs (target/debug/deps/kill-0123456789abcdef)`
            let path = program.rsplit('/').next().unwrap_or(program).trim_end_matches(')');
            let name = path.rsplit_once('-').map_or(path, |(name, _)| name);
            name.clone_into(&mut self.running);
        } else if let Some(target) = line.strip_prefix("`-p ").and_then(|rest| rest.strip_suffix('`')) {
            // In cargo's list at the end: `-p belfry-keeper --test wire`
            self.targets.push(["-p"].into_iter().chain(target.split(' ')).map(str::to_owned).collect());
        } else if let Some(result) = line.strip_prefix("test result: ") {
            let number = |word: &str| -> u64 {
                let mut parts = result.split([';', '.']).map(str::trim);
                parts.find_map(|part| part.strip_suffix(word)?.trim().parse().ok()).unwrap_or(0)
            };
            self.passed += number("passed");
            self.failed += number("failed");
            let took =
                result.rsplit("finished in ").next().and_then(|took| took.strip_suffix('s')?.parse().ok());
            if let Some(took) = took {
                self.programs.push((self.running.clone(), Duration::from_secs_f64(took)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_times() {
        let mut tally = Tally::default();
        for line in [
            "     Running unittests src/lib.rs (target/debug/deps/belfry_journal-0123456789abcdef)",
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.25s",
            "     Running tests/kill.rs (target/debug/deps/kill-0123456789abcdef)",
            "failures:",
            "",
            "---- survives stdout ----",
            "it did not",
            "",
            "failures:",
            "    survives",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 12.50s",
            "error: 1 target failed:",
            "    `-p belfry-keeper --test kill`",
        ] {
            tally.read(line);
        }
        assert_eq!(tally.targets, [["-p", "belfry-keeper", "--test", "kill"]]);
        assert_eq!(tally.failures, ["kill:\n  ---- survives stdout ----\n  it did not\n  survives"]);
        assert_eq!((tally.passed, tally.failed), (12 + 3, 2));
        let programs = [("belfry_journal".to_owned(), 0.25), ("kill".to_owned(), 12.5)]
            .map(|(name, took)| (name, Duration::from_secs_f64(took)));
        assert_eq!(tally.programs, programs);
    }
}
