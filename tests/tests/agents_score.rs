//! The status of each real agent in a short session, against what the script and the mock model know to be true: no question
//! missed, none made up, never idle while it works. `cargo xtask bench status --live` plays much more, and measures times.
//! `cargo xtask test --agents` installs the agents; without them each test says that it is passed over.

#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

use anyhow::{Result, ensure};
use belfry_protocol::Status;
use belfry_tests::lab::installed;
use belfry_tests::lab::live::{Played, Scenario, play};
use belfry_tests::status_score::{Score, Slip};

async fn is_right(agent: &str) -> Result<()> {
    let agents = match installed(agent) {
        Ok(agents) => agents,
        Err(why) => {
            // Past the test harness, which would keep what a passing test prints.
            writeln!(std::io::stderr(), "skipped: {agent}: {why}")?;
            return Ok(());
        }
    };
    let Played { name, labels, timeline, broke_off } = play(agents, agent, Scenario::Short, None).await?;
    ensure!(broke_off.is_none(), "{broke_off:?}");
    let mut score = Score::default();
    score.add(&name, &labels, &timeline, &[]);
    let faults = faults(&score);
    ensure!(faults.is_empty(), "{faults}\nsaid: {:#?}\ntrue: {:#?}", timeline.0, labels.truth);
    // All of it was told, whatever the machine had to do besides.
    for status in [Status::Idle, Status::Running, Status::Waiting, Status::Dead] {
        ensure!(timeline.0.iter().any(|said| said.status == status), "never {status:?}: {:#?}", timeline.0);
    }
    Ok(())
}

fn faults(score: &Score) -> String {
    let mut out = String::new();
    let kinds = [
        ("missed waiting", &score.missed_waiting),
        ("false waiting", &score.false_waiting),
        ("false idle", &score.false_idle),
    ];
    for (kind, Slip { from, to, said, .. }) in
        kinds.iter().flat_map(|(kind, slips)| slips.iter().map(move |slip| (kind, slip.clone())))
    {
        let _ = writeln!(out, "{kind}: from {from} to {to} ms: {}", said.why);
    }
    out
}

macro_rules! score {
    ($name:ident) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let outcome = tokio::time::timeout(Duration::from_mins(10), is_right(stringify!($name))).await;
            outcome.expect("it took too long").unwrap();
        }
    };
}

score!(claude);
score!(codex);
score!(opencode);
score!(gemini);
score!(aider);
