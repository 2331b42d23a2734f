//! How often the status is right: recordings of real agents, labelled and replayed through the daemon's own code, or the real
//! agents in real sessions.

#[cfg(target_os = "linux")]
mod live;
mod print;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use belfry_agents::Agents;
use belfry_tests::status_score::{Chunks, Options as How, Score, corpus, replay};

use self::print::{matrix, seconds, tell, word};

/// How.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Play the real agents, in real sessions of a real daemon, against the mock model.
    #[cfg(target_os = "linux")]
    #[arg(long)]
    live: bool,
    #[cfg(target_os = "linux")]
    #[command(flatten)]
    played: live::Live,
    /// Only this agent.
    #[arg(long)]
    agent: Option<String>,
    /// Only recordings whose name has this in it; also tells everything that was said.
    #[arg(long)]
    name: Option<String>,
    /// With nothing but the screen, the output and the keys: no title, report, mode, notification.
    #[arg(long)]
    screens_only: bool,
    /// Replay each also in so many random pieces.
    #[arg(long, default_value_t = 5)]
    chunks: u64,
    /// The first of the seeds by which pieces are cut.
    #[arg(long)]
    seed: Option<u64>,
    /// Tell what was said wrongly, and why.
    #[arg(long)]
    verbose: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    #[cfg(target_os = "linux")]
    if options.live {
        return live::run(&options.played, options.agent.as_deref(), options.verbose);
    }
    let seed = options.seed.unwrap_or_else(|| u64::from(std::process::id()));
    let agents = Agents::built_in();
    let (mut whole, mut cut) = (BTreeMap::<String, Score>::new(), BTreeMap::<String, Score>::new());
    for case in corpus(options.agent.as_deref())? {
        if options.name.as_ref().is_some_and(|name| !case.name.contains(name.as_str())) {
            continue;
        }
        let agent =
            agents.get(&case.labels.agent).with_context(|| format!("{}: no such agent", case.name))?;
        let recording = case.recording()?;
        for number in 0..=options.chunks {
            let (chunks, scores) = match number {
                0 => (Chunks::Recorded, &mut whole),
                _ => (Chunks::Random(seed + number), &mut cut),
            };
            let how = How { chunks, screens_only: options.screens_only };
            let (timeline, asks) = replay(&recording, &case.labels, agent, how);
            if options.name.is_some() && number == 0 {
                println!("{}", case.name);
                for said in &timeline.0 {
                    println!("  {:>9.3}  {:<8}  {}", seconds(said.from), word(said.status), said.why);
                }
            }
            scores.entry(case.labels.agent.clone()).or_default().add(
                &case.name,
                &case.labels,
                &timeline,
                &asks,
            );
        }
    }
    let signals = if options.screens_only { "screens only" } else { "all signals of the terminal" };
    tell(&format!("Status, {signals}, as recorded"), &whole, options.verbose);
    if options.chunks > 0 {
        let last = seed + options.chunks;
        tell(&format!("The same in random pieces (seeds {} to {last})", seed + 1), &cut, options.verbose);
    }
    matrix(&whole);
    Ok(())
}
