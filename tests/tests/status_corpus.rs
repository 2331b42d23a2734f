//! The status is right in every labelled recording of a real agent, in whatever pieces its output arrives, and nearly as
//! right by the screen alone. `cargo xtask bench status --verbose` says what is wrong where one of these fails.

use std::fmt::Write as _;

use anyhow::Result;
use belfry_agents::Agents;
use belfry_tests::status_score::{Chunks, Options, Score, corpus, percentile, replay};

/// Random pieces of each recording: a tenth of a second for all of them.
const CUTS: u64 = 3;

/// As recorded, and in random pieces.
fn scores(screens_only: bool) -> Result<[Score; 2]> {
    let agents = Agents::built_in();
    let [mut whole, mut cut] = [Score::default(), Score::default()];
    for case in corpus(None)? {
        let agent = agents.get(&case.labels.agent).expect("an agent of ours");
        let recording = case.recording()?;
        let cuts = (1..=CUTS).map(|cut| Chunks::Random(u64::from(std::process::id()) * CUTS + cut));
        for chunks in std::iter::once(Chunks::Recorded).chain(cuts) {
            let (timeline, asks) = replay(&recording, &case.labels, agent, Options { chunks, screens_only });
            let name = format!("{} {chunks:?}", case.name);
            let score = if chunks == Chunks::Recorded { &mut whole } else { &mut cut };
            score.add(&name, &case.labels, &timeline, &asks);
        }
    }
    Ok([whole, cut])
}

/// What is wrong, in words.
fn faults(score: &Score) -> String {
    let mut out = String::new();
    let kinds = [
        ("missed waiting", &score.missed_waiting),
        ("false waiting", &score.false_waiting),
        ("false idle", &score.false_idle),
    ];
    for (kind, slips) in kinds {
        for slip in slips {
            let _ = writeln!(
                out,
                "{kind}: {} at {} ms for {} ms: {}",
                slip.case,
                slip.from,
                slip.to - slip.from,
                slip.said.why
            );
        }
    }
    for (case, at, faults) in &score.misread {
        let _ = writeln!(out, "misread: {case} at {at} ms: {}", faults.join("; "));
    }
    out
}

#[test]
#[ntest::timeout(300_000)]
fn the_status_is_right() {
    let scores = scores(false).expect("the recordings can be replayed");
    // Random pieces are up to 20 ms late by themselves.
    for (score, latest) in scores.iter().zip([150, 170]) {
        let faults = faults(score);
        assert!(faults.is_empty(), "{faults}");
        assert!(score.share_in_time() >= 99.5, "{:.2} % of the time", score.share_in_time());
        let late = percentile(&score.delays, 95).unwrap_or_default();
        assert!(late <= latest, "one in twenty changes is {late} ms late and more");
    }
}

#[test]
#[ntest::timeout(300_000)]
fn the_screen_alone_is_nearly_enough() {
    for score in scores(true).expect("the recordings can be replayed") {
        assert!(score.share_in_time() >= 97.0, "{:.2} % of the time", score.share_in_time());
        assert!(score.missed_waiting.is_empty(), "{}", faults(&score));
    }
}
