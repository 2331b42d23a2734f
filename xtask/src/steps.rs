//! Says what is being done, and at the end what took long.

use std::time::{Duration, Instant};

use anyhow::Result;

/// The steps done so far and their times.
pub(crate) struct Steps {
    began: Instant,
    done: Vec<(String, Duration)>,
    failed: Vec<String>,
    told: Vec<String>,
}

impl Steps {
    /// None done yet.
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), done: Vec::new(), failed: Vec::new(), told: Vec::new() }
    }

    /// Does one step under a headline.
    pub(crate) fn step<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        eprintln!("\n\u{2500}\u{2500} {name}");
        let began = Instant::now();
        let result = work();
        self.done.push((name.to_owned(), began.elapsed()));
        if result.is_err() {
            eprintln!("\u{2500}\u{2500} {name}: FAILED after {}", shown(began.elapsed()));
        }
        result
    }

    /// Does one step that the following ones do not need. Its failure is told now, and again by [`Steps::verdict`].
    pub(crate) fn attempt(&mut self, name: &str, work: impl FnOnce() -> Result<()>) {
        if let Err(error) = self.step(name, work) {
            eprintln!("{error:#}");
            self.told.push(format!("{name}: {error:#}"));
            self.failed.push(name.to_owned());
        }
    }

    /// Fails when an attempted step has failed.
    pub(crate) fn verdict(&self) -> Result<()> {
        anyhow::ensure!(self.failed.is_empty(), "failed: {}", self.failed.join(", "));
        Ok(())
    }

    /// Notes a part of a step that was timed elsewhere.
    pub(crate) fn note(&mut self, name: String, took: Duration) {
        self.done.push((name, took));
    }

    /// Keeps what must be read at the end, where a log's reader begins.
    pub(crate) fn tell(&mut self, text: String) {
        self.told.push(text);
    }

    /// Prints the longest steps, longest first, and what went wrong.
    pub(crate) fn print(&self) {
        let mut longest: Vec<_> =
            self.done.iter().filter(|(_, took)| *took >= Duration::from_secs(1)).collect();
        longest.sort_by_key(|(_, took)| std::cmp::Reverse(*took));
        eprintln!("\nWhat took long (parts of a step are indented):");
        for (name, took) in longest.iter().take(45) {
            eprintln!("  {:>8}  {name}", shown(*took));
        }
        eprintln!("  {:>8}  in all", shown(self.began.elapsed()));
        for text in &self.told {
            eprintln!("\n{text}");
        }
    }
}

fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{}:{:02} min", seconds / 60, seconds % 60)
    }
}
