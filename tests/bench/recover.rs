//! The daemon is killed: time until the next one has every screen right.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use belfry_protocol::Session;
use rustix::process::{Pid, Signal, kill_process};

use crate::processes::settle;
use crate::sides::Belfry;
use crate::stats::median;
use crate::table;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many sessions.
    #[arg(long, default_value_t = 100)]
    sessions: usize,
    /// Lines that each has printed.
    #[arg(long, default_value_t = 10_000)]
    lines: usize,
    /// Kills.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let own = std::env::current_exe()?.to_string_lossy().into_owned();
    let lines = options.lines.to_string();
    let mut belfry = Belfry::start()?;
    let mut sessions: Vec<(Session, String)> = Vec::new();
    for number in 0..options.sessions {
        let mark = format!("screen-{number}-is-right");
        let program = [own.as_str(), "program", "fill", "--lines", &lines, "--mark", &mark];
        sessions.push((belfry.session(&program)?, mark));
    }
    let mut expected = Vec::new();
    for (session, mark) in &sessions {
        belfry.until_all_show(std::slice::from_ref(session), mark)?;
        expected.push(belfry.screen(session.id)?);
    }
    // Checkpoints of what was printed are written first, as they would be in use.
    settle(&[belfry.daemon()?]);
    let (mut answers, mut whole) = (Vec::new(), Vec::new());
    for round in 0..options.rounds {
        let pid = i32::try_from(belfry.daemon()?)?;
        kill_process(Pid::from_raw(pid).context("the daemon's pid")?, Signal::KILL)?;
        let began = Instant::now();
        belfry.reconnect()?;
        answers.push(began.elapsed().as_secs_f64() * 1e3);
        for ((session, _), expected) in sessions.iter().zip(&expected) {
            let screen = belfry.screen(session.id)?;
            ensure!(screen == *expected, "the screen of {} is not right:\n{screen}", session.id);
        }
        whole.push(began.elapsed().as_secs_f64() * 1e3);
        eprintln!("{}/{}: {:.0} ms", round + 1, options.rounds, whole[round]);
    }
    let row = |name: &str, values: &[f64]| {
        let worst = values.iter().copied().fold(f64::NAN, f64::max);
        vec![name.to_owned(), format!("{:.0} ms", median(values)), format!("{worst:.0} ms")]
    };
    let title = format!("The daemon is killed with {} sessions of {} lines", options.sessions, options.lines);
    table::print(
        &title,
        &["", "median", "worst"],
        &[row("the next one answers", &answers), row("it has every screen right", &whole)],
    );
    Ok(())
}
