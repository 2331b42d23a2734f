//! The same with the real agents.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result};
use belfry_tests::lab::installed;
use belfry_tests::lab::live::{AGENTS, Load, Played, Scenario, play};
use belfry_tests::status_score::{Score, percentile};

use super::print::{matrix, seconds, tell, word};

/// How they are played.
#[derive(Debug, clap::Args)]
pub(crate) struct Live {
    /// With `--live`: only scenarios of this name (`short`, `tour`, `quiet`, `fall`).
    #[arg(long)]
    scenario: Option<String>,
    /// With `--live`: how often all of it is played.
    #[arg(long, default_value_t = 1)]
    rounds: u32,
    /// With `--live`: a directory that gets the journals of what was played.
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// One scenario takes three minutes at most on a quiet machine.
const PATIENCE: Duration = Duration::from_mins(12);

/// Percent of the time in which the status has to be right, where it may follow a change within 150 ms.
const RIGHT: f64 = 99.5;

/// The delay, in milliseconds, that one change in twenty may have at most.
const DELAY: u64 = 150;

pub(super) fn run(options: &Live, agent: Option<&str>, verbose: bool) -> Result<()> {
    let scenarios = match options.scenario.as_deref() {
        Some(name) => {
            let all = [Scenario::Short].into_iter().chain(Scenario::ALL);
            let named: Vec<_> = all.filter(|scenario| scenario.name() == name).collect();
            anyhow::ensure!(!named.is_empty(), "there is no scenario `{name}`");
            named
        }
        None => Scenario::ALL.to_vec(),
    };
    let runtime = tokio::runtime::Runtime::new()?;
    let mut scores = BTreeMap::<String, Score>::new();
    let mut broken = Vec::new();
    let load = Load::new();
    for round in 0..options.rounds {
        for agent in AGENTS.into_iter().filter(|one| agent.is_none_or(|wanted| wanted == *one)) {
            for scenario in &scenarios {
                let agents = installed(agent).map_err(|why| anyhow::anyhow!("{agent}: {why}"))?;
                let keep = options.keep.as_ref().map(|keep| keep.join(round.to_string()));
                let playing = play(agents, agent, *scenario, keep.as_deref());
                let played = runtime
                    .block_on(async { tokio::time::timeout(PATIENCE, playing).await })
                    .context("it took too long")
                    .and_then(|played| played);
                match played {
                    Ok(played) => take(played, &mut scores, &mut broken, verbose),
                    Err(error) => broken.push(format!("{agent} {}: {error:#}", scenario.name())),
                }
            }
        }
    }
    let late = load.late();
    tell("Status of real agents in real sessions", &scores, verbose);
    matrix(&scores);
    println!("\n  {late:.1} % of this program's own wakes came more than 5 ms late");
    for trouble in &broken {
        println!("  broke off: {trouble}");
    }
    verdict(&scores, &broken, Load::is_heavy(late))
}

fn take(played: Played, scores: &mut BTreeMap<String, Score>, broken: &mut Vec<String>, verbose: bool) {
    let Played { name, labels, timeline, broke_off } = played;
    eprintln!("{name}: {:.0} s", labels.ends_s);
    if verbose {
        println!("{name}");
        let mut lines: Vec<(u64, String)> = Vec::new();
        for truth in &labels.truth {
            let status = format!("{:?}", truth.status).to_lowercase();
            let note = truth.note.as_deref().unwrap_or_default();
            let since = seconds(truth.unclear_from());
            lines.push((truth.from(), format!("true: {status:<8}  {note}, unclear from {since:.3}")));
        }
        for said in &timeline.0 {
            lines.push((said.from, format!("said: {:<8}  {}", word(said.status), said.why)));
        }
        lines.sort();
        for (at, line) in lines {
            println!("  {:>9.3}  {line}", seconds(at));
        }
    }
    if let Some(why) = broke_off {
        broken.push(format!("{name}: {why}"));
    }
    scores.entry(labels.agent.clone()).or_default().add(&name, &labels, &timeline, &[]);
}

/// What is to be met. Times are no target where the machine has other things to do.
fn verdict(scores: &BTreeMap<String, Score>, broken: &[String], loaded: bool) -> Result<()> {
    let (mut missed, mut all) = (Vec::new(), Score::default());
    for (agent, score) in scores {
        let kinds = [
            ("missed waiting", score.missed_waiting.len()),
            ("false waiting", score.false_waiting.len()),
            ("false idle", score.false_idle.len()),
        ];
        missed.extend(kinds.iter().filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{agent}: {n} {kind}")));
        all.merge(score.clone());
    }
    if loaded {
        println!("  The machine is loaded: shares of time and delays are no target.");
    } else {
        let share = all.share_in_time();
        if share < RIGHT {
            missed.push(format!("right in {share:.2} % of the time"));
        }
        if let Some(late) = percentile(&all.delays, 95).filter(|late| *late > DELAY) {
            missed.push(format!("p95 {late} ms"));
        }
    }
    missed
        .extend(broken.iter().map(|what| format!("broke off: {}", what.lines().next().unwrap_or_default())));
    anyhow::ensure!(missed.is_empty(), "not as it should be: {}", missed.join(", "));
    Ok(())
}
