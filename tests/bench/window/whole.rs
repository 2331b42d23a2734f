//! The whole application with its window open and four panes in it: what it costs while nothing happens, and its frames while
//! a divider is dragged and the panes are flooded.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use belfry_tests::window::{Desk, Driven, Process, row, until};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{blocking, load, milliseconds, page};
use crate::processes::{cpu, memory, settle, wakes};
use crate::stats::percentile;
use crate::table;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Sessions while nothing happens.
    #[arg(long, default_value_t = 20)]
    sessions: usize,
    /// Seconds that nothing happens.
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// How often the divider is dragged to and fro.
    #[arg(long, default_value_t = 6)]
    drags: usize,
}

/// Panes of the window.
const PANES: usize = 4;

/// For so long the window counts the seconds since a session has changed.
const COUNTS: Duration = Duration::from_secs(61);

/// From one move of the mouse to the next: what most mice send.
const PACE: Duration = Duration::from_millis(8);

pub(crate) fn run(options: &Options) -> Result<()> {
    blocking(async {
        idle(options).await?;
        drag(options).await
    })
}

/// Opens these sessions in a pane each.
async fn four_panes(window: &Driven, sessions: &[String]) -> Result<()> {
    let click = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: arguments[1] }))";
    for (at, id) in sessions.iter().enumerate().take(PANES) {
        let row_of = row(id);
        window.select(&row_of).await?;
        if at + 1 == PANES {
            // The first one has room for a pane below it, the smaller ones have not.
            window.eval_with(click, vec![json!(row(&sessions[0])), json!(false)]).await?;
        }
        window.eval_with(click, vec![json!(row_of), json!(at > 0)]).await?;
        until("pane", async || Ok((window.count("[data-testid=pane]").await? == at + 1).then_some(())))
            .await?;
    }
    Ok(())
}

async fn idle(options: &Options) -> Result<()> {
    let desk = Desk::new("bench-window").await?;
    // What runs elsewhere on the machine is none of ours.
    desk.configure("[sessions]\nfind = false\n")?;
    let mut sessions = Vec::new();
    for _ in 0..options.sessions {
        // At its prompt: a program that runs is told with the seconds that it does.
        let id = desk.belfry(&["new", "--agent", "shell", "--", "sh", "-c", "seq 1000; exec sh"])?;
        sessions.push(id.trim().to_owned());
    }
    let window = desk.open_driven().await?;
    four_panes(&window, &sessions).await?;
    // The window keeps its layout once that has settled for a moment.
    window.eval_async("setTimeout(arguments[0], 1000)", vec![]).await?;
    window.close(&desk).await?;

    // As a person opens it, which no driver listens to.
    let _window = desk.open_by_hand().await?;
    until("four views", async || {
        let views = desk.sessions()?.iter().filter_map(|session| session["views"].as_u64()).sum::<u64>();
        Ok((views == PANES as u64).then_some(()))
    })
    .await?;
    let mut processes = desk.own_processes();
    for id in &sessions {
        // They have an environment of their own, by which the desk does not find them.
        let pid = desk.session(id)?["runs"][0]["keeper_pid"].as_i64().context("a session has no keeper")?;
        processes.push(Process { pid: i32::try_from(pid)?, program: "belfry-keeper".to_owned() });
    }
    let pids: Vec<u32> = processes.iter().map(|process| process.pid.unsigned_abs()).collect();
    nothing_is_new(&desk).await?;
    settle(&pids);
    let look = || pids.iter().map(|pid| (cpu(&[*pid]), wakes(&[*pid]))).collect::<Vec<_>>();
    let (before, began) = (look(), Instant::now());
    tokio::time::sleep(Duration::from_secs(options.seconds)).await;
    let (after, took) = (look(), began.elapsed().as_secs_f64());

    let mut sums: BTreeMap<&str, (usize, f64, f64, u64)> = BTreeMap::new();
    for (at, process) in processes.iter().enumerate() {
        ensure!(process.is_alive(), "{} ended meanwhile", process.program);
        let used = after[at].0.saturating_sub(before[at].0).as_secs_f64() / took * 100.0;
        let woken = after[at].1.saturating_sub(before[at].1) as f64 / took;
        let memory = memory(pids[at]).proportional;
        for name in [process.program.as_str(), "all"] {
            let sum = sums.entry(name).or_default();
            *sum = (sum.0 + 1, sum.1 + used, sum.2 + woken, sum.3 + memory);
        }
    }
    let rows: Vec<Vec<String>> = sums
        .iter()
        .map(|(name, (count, used, woken, memory))| {
            vec![
                (*name).to_owned(),
                count.to_string(),
                format!("{used:.2} %"),
                format!("{woken:.1}"),
                format!("{:.0} MB", *memory as f64 / 1024.0),
            ]
        })
        .collect();
    let title = format!(
        "Nothing happens, {} sessions, {PANES} panes, {} s (load {})",
        options.sessions,
        options.seconds,
        load()
    );
    table::print(&title, &["", "processes", "CPU of one core", "wakes/s", "memory (PSS)"], &rows);
    Ok(())
}

/// Waits until no session has changed for so long that the window still counts its seconds.
async fn nothing_is_new(desk: &Desk) -> Result<()> {
    let deadline = Instant::now() + COUNTS * 3;
    loop {
        let sessions = desk.sessions()?;
        let changed =
            sessions.iter().filter_map(|session| session["since"].as_str()?.parse::<Timestamp>().ok());
        let newest = changed.max().context("there are no sessions")?;
        let left = COUNTS.saturating_sub(Timestamp::now().duration_since(newest).unsigned_abs());
        if left.is_zero() {
            return Ok(());
        }
        ensure!(Instant::now() < deadline, "sessions go on changing");
        tokio::time::sleep(left.min(Duration::from_secs(1))).await;
    }
}

async fn drag(options: &Options) -> Result<()> {
    let desk = Desk::new("bench-divider").await?.drawn_as_for_a_person();
    let own = std::env::current_exe()?.to_string_lossy().into_owned();
    let start = |program: &[&str]| -> Result<Vec<String>> {
        let one = |_| {
            let id = desk
                .belfry(&[&["new", "--agent", "shell", "--", own.as_str(), "program"], program].concat())?;
            Ok(id.trim().to_owned())
        };
        (0..PANES).map(one).collect()
    };
    let mut rows = Vec::new();
    for (name, program) in [
        ("quiet", ["fill", "--lines", "1000", "--mark", "filled"].as_slice()),
        ("each prints 250 KB/s", &["flood", "--kilobytes", "250"]),
        ("each prints all it can", &["flood"]),
    ] {
        let sessions = start(program)?;
        let window = desk.open_driven().await?;
        four_panes(&window, &sessions).await?;
        let frames = dragged(&desk, &window, options.drags, false).await?;
        rows.push(frames_row(&format!("panes {name}, nothing dragged"), &frames));
        let frames = dragged(&desk, &window, options.drags, true).await?;
        rows.push(frames_row(&format!("panes {name}, divider dragged"), &frames));
        for id in &sessions {
            desk.belfry(&["rm", "--now", "--kill", id])?;
        }
        window.close(&desk).await?;
    }
    let title = format!("Frames of the window, {PANES} panes (load {})", load());
    table::print(&title, &["", "p50", "p95", "p99", "worst", "over 25 ms"], &rows);
    Ok(())
}

fn frames_row(name: &str, frames: &[f64]) -> Vec<String> {
    let at = |share| format!("{:.0} ms", percentile(frames, share));
    let late = frames.iter().filter(|frame| **frame > 25.0).count() as f64 / frames.len() as f64;
    vec![name.to_owned(), at(0.5), at(0.95), at(0.99), at(1.0), format!("{:.1} %", late * 100.0)]
}

/// Drags the first divider to and fro, or holds the mouse still for as long; the times from frame to frame.
async fn dragged(desk: &Desk, window: &Driven, times: usize, moves: bool) -> Result<Vec<f64>> {
    let (x, y) = window.on_screen(desk, &window.eval(page::DIVIDER).await?).await?;
    let swing: Vec<i64> = (0..30).chain((-30..30).rev()).chain(-30..0).map(|step| step * 5).collect();
    let mut places = Vec::new();
    for _ in 0..times {
        places.extend(swing.iter().map(|step| (x + if moves { *step } else { 0 }, y)));
    }
    // What was opened is drawn, as far as the panes ever come to rest.
    window.eval_async(page::CALM, vec![json!(10_000)]).await?;
    window.eval(page::COUNT_FRAMES).await?;
    if moves {
        desk.drag_along(&places, PACE)?;
    } else {
        tokio::time::sleep(PACE * u32::try_from(places.len())?).await;
    }
    let counted: Value = window.eval(page::COUNTED_FRAMES).await?;
    let stops = counted["places"].as_u64().context("the page counted nothing")?;
    ensure!(stops > 2 || !moves, "the divider was seen at {stops} places only");
    milliseconds(&counted["frames"])
}
