//! The score's tables.

use std::collections::BTreeMap;

use belfry_tests::status_score::{Score, Slip, TrueStatus, percentile};

use crate::table;

/// Slips shorter than this are not told of, in milliseconds.
const SHORT: u64 = 50;

pub(super) fn tell(title: &str, scores: &BTreeMap<String, Score>, verbose: bool) {
    let head = [
        "agent",
        "minutes",
        "in time %",
        "right %",
        "missed waiting",
        "false waiting",
        "false idle",
        "longest ms",
        "changes",
        "p50 ms",
        "p95 ms",
        "questions read",
    ];
    let mut all = Score::default();
    let mut rows = Vec::new();
    for (agent, score) in scores {
        rows.push(row(agent, score));
        all.merge(score.clone());
    }
    rows.push(row("all", &all));
    table::print(title, &head, &rows);
    if verbose {
        let named = [
            ("missed waiting", &all.missed_waiting),
            ("false waiting", &all.false_waiting),
            ("false idle", &all.false_idle),
        ];
        for (name, slips) in named {
            for slip in slips {
                println!("  {name}: {}", line(slip));
            }
        }
        for slip in all.slips.iter().filter(|slip| slip.to - slip.from >= SHORT) {
            println!("  {}", line(slip));
        }
        for (case, at, faults) in &all.misread {
            println!("  {case} {:.3}: misread: {}", seconds(*at), faults.join("; "));
        }
    }
}

fn row(agent: &str, score: &Score) -> Vec<String> {
    let longest = score.false_idle.iter().map(|slip| slip.to - slip.from).max();
    let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    vec![
        agent.to_owned(),
        format!("{:.1}", score.scored as f64 / 60_000.0),
        format!("{:.2}", score.share_in_time()),
        format!("{:.2}", score.share_right()),
        score.missed_waiting.len().to_string(),
        score.false_waiting.len().to_string(),
        score.false_idle.len().to_string(),
        number(longest),
        score.delays.len().to_string(),
        number(percentile(&score.delays, 50)),
        number(percentile(&score.delays, 95)),
        if score.asks == 0 {
            "-".to_owned()
        } else {
            format!("{}/{}", score.asks - score.misread.len(), score.asks)
        },
    ]
}

fn line(slip: &Slip) -> String {
    format!(
        "{} {:.3} to {:.3} ({} ms): {} and not {}: {}",
        slip.case,
        seconds(slip.from),
        seconds(slip.to),
        slip.to - slip.from,
        word(slip.said.status),
        truth(slip.truth),
        slip.said.why
    )
}

/// What was true by rows, what was said by columns, in seconds.
pub(super) fn matrix(scores: &BTreeMap<String, Score>) {
    let mut all = Score::default();
    for score in scores.values() {
        all.merge(score.clone());
    }
    let said: std::collections::BTreeSet<_> = all.matrix.keys().map(|(_, said)| said.as_str()).collect();
    let truths: std::collections::BTreeSet<_> = all.matrix.keys().map(|(truth, _)| truth.as_str()).collect();
    let head: Vec<_> = std::iter::once("true \\ said").chain(said.iter().copied()).collect();
    let rows: Vec<_> = truths
        .iter()
        .map(|truth| {
            let cell = |said: &&str| {
                let time = all.matrix.get(&((*truth).to_owned(), (*said).to_owned()));
                time.map_or_else(|| "-".to_owned(), |time| format!("{:.1}", *time as f64 / 1000.0))
            };
            std::iter::once((*truth).to_owned()).chain(said.iter().map(cell)).collect()
        })
        .collect();
    table::print("What was true and what was said, in seconds", &head, &rows);
}

pub(super) fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

pub(super) fn word(status: belfry_protocol::Status) -> String {
    format!("{status:?}").to_lowercase()
}

fn truth(status: TrueStatus) -> String {
    format!("{status:?}").to_lowercase()
}
