//! What was said when.

use belfry_protocol::Status;
use belfry_status::Verdict;

/// What was said from some moment on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// From when, in milliseconds.
    pub from: u64,
    /// The status.
    pub status: Status,
    /// Who decided, what was seen and by which rule.
    pub why: String,
}

/// What was said during a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline(pub Vec<Said>);

impl Timeline {
    /// Takes down what is said now.
    pub fn note(&mut self, verdict: &Verdict, now: u64) {
        // What held for no time at all was never seen.
        while self.0.last().is_some_and(|said| said.from == now) {
            self.0.pop();
        }
        if self.0.last().is_none_or(|said| said.status != verdict.status) {
            let why = format!("{} ({}): {}", verdict.source.word(), verdict.what, verdict.rule.sentence());
            self.0.push(Said { from: now, status: verdict.status, why });
        }
    }

    /// What was said in `from..to`: pieces that follow on each other.
    pub fn within(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, u64, &Said)> {
        let ends = self.0.iter().skip(1).map(|said| said.from).chain([u64::MAX]);
        self.0.iter().zip(ends).filter_map(move |(said, end)| {
            let (from, to) = (said.from.max(from), end.min(to));
            (from < to).then_some((from, to, said))
        })
    }
}
