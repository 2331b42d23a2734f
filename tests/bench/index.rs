//! The search index over many conversations and terminals: the first one, an increment, queries as they are typed, memory. The other side of a query is
//! `grep` over the same files.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use belfry_index::{Index, Line, Run, Shown};
use belfry_protocol::search::{List, Search};
use belfry_protocol::{RunId, SessionId};
use belfry_tests::lab::synthetic::{self, AGENTS, Amount, Words};
use belfry_transcripts::{Budget, found};
use jiff::Timestamp;

use crate::stats::percentile;
use crate::table;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Conversations, of all agents together.
    #[arg(long, default_value_t = 10_000)]
    conversations: usize,
    /// Megabytes of all of them.
    #[arg(long, default_value_t = 5000)]
    megabytes: u64,
    /// Only these agents' formats.
    #[arg(long, value_delimiter = ',')]
    agents: Vec<String>,
    /// Runs whose terminals showed something.
    #[arg(long, default_value_t = 200)]
    runs: u64,
    /// Lines that each of them showed.
    #[arg(long, default_value_t = 5000)]
    lines: u64,
    /// Words that are searched for, each typed letter by letter.
    #[arg(long, default_value_t = 60)]
    queries: u64,
    /// Where the conversations are written, and taken from where they are there already; else a directory that is removed.
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// A step of an update, as the daemon makes them: some tens of milliseconds.
const STEP: Budget = Budget { bytes: 4 * 1024 * 1024, entries: 2000 };
/// Budget of the 95th percentile of a query, in milliseconds.
const BUDGET: f64 = 50.0;

pub(crate) fn run(options: &Options) -> Result<()> {
    let place = tempfile::Builder::new().prefix("belfry-bench-index-").tempdir()?;
    let home = options.keep.clone().unwrap_or_else(|| place.path().join("home"));
    if !home.is_dir() {
        write(options, &home)?;
    }
    let homes = synthetic::homes(&home);
    let began = Instant::now();
    let all = found(&homes);
    let listed = began.elapsed().as_secs_f64() * 1e3;
    let bytes = size(&home)?;
    println!("{} conversations, {:.2} GB; listed in {listed:.0} ms", all.len(), bytes as f64 / 1e9);

    let file = place.path().join("index.db");
    let (mut index, _) = Index::open(&file)?;
    let resting = memory("VmRSS")?;
    fs::write("/proc/self/clear_refs", "5")
        .context("this wants the memory's high mark of its own process")?;
    let mut update = index.compare(&all)?;
    let busy = cpu()?;
    let (first, steps) = go_on(&mut index, &mut update)?;
    let busy = cpu()? - busy;
    ensure!(update.failed().is_empty(), "{:?}", update.failed().first());
    let peak = memory("VmHWM")? - resting;
    let index_bytes = size(place.path())? - if options.keep.is_some() { 0 } else { bytes };
    let show = |name: &str, value: String| vec![name.to_owned(), value];
    let mut rows = vec![
        show("first index", format!("{first:.1} s")),
        show("  its CPU time", format!("{busy:.1} s")),
        show("  of the conversations, a second of it", format!("{:.0} MB", bytes as f64 / 1e6 / busy)),
        show("  a step, p50 / p95 / most", three(&steps)),
        show("  memory above the process's own", format!("{:.0} MB", peak / 1024.0)),
        show(
            "  the index's size, of the conversations'",
            format!("{:.0} %", 100.0 * index_bytes as f64 / bytes as f64),
        ),
    ];

    let mut nothing = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        let update = index.compare(&found(&homes))?;
        ensure!(update.is_done(), "nothing has changed");
        nothing.push(began.elapsed().as_secs_f64() * 1e3);
    }
    rows.push(show("nothing new, p50", format!("{:.0} ms", percentile(&nothing, 0.5))));
    if let Some(grown) =
        all.iter().filter(|found| found.agent == "claude").max_by_key(|found| found.stamp.bytes)
    {
        let mut times = Vec::new();
        for number in 0..50 {
            let mut out = fs::OpenOptions::new().append(true).open(grown.file())?;
            writeln!(out, r#"{{"type":"user","message":{{"role":"user","content":"one more {number}"}}}}"#)?;
            let began = Instant::now();
            let now = belfry_transcripts::find("claude", &grown.id, &homes).context("it is there")?;
            let mut update = Index::only(now);
            index.step(&mut update, STEP)?;
            times.push(began.elapsed().as_secs_f64() * 1e3);
        }
        rows.push(show("one more line in the largest, p50 / p95 / most", three(&times)));
    }
    terminals(options, &mut index, &mut rows)?;
    table::print("The index", &["", ""], &rows);
    queries(options, &index, &home)
}

/// What terminals showed, told as the daemon tells it: a thousand lines at once, and a screen.
fn terminals(options: &Options, index: &mut Index, rows: &mut Vec<Vec<String>>) -> Result<()> {
    let mut dice = Words::new(7);
    let now = Timestamp::now().as_millisecond();
    let (mut bytes, mut times) = (0, Vec::new());
    let busy = cpu()?;
    for number in 0..options.runs {
        let run =
            Run { session: SessionId::at(number), run: RunId::at(number), agent: "shell", cwd: "/p/app" };
        let mut lines: Vec<Line> = Vec::new();
        for line in 0..options.lines {
            let words: Vec<String> = (0..8).map(|_| dice.word()).collect();
            let text = words.join(" ");
            bytes += text.len();
            let at = now - (number * 3_600_000 + line * 500).cast_signed();
            lines.push(Line { text, offset: line * 60, at });
        }
        for lines in lines.chunks(1000) {
            let began = Instant::now();
            let screen = Some(&lines[..lines.len().min(40)]);
            index.show(&run, &Shown { lines, screen, ..Shown::default() })?;
            times.push(began.elapsed().as_secs_f64() * 1e3);
        }
    }
    let busy = cpu()? - busy;
    let mut add = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    add("lines of terminals", format!("{}, {:.0} MB", options.runs * options.lines, bytes as f64 / 1e6));
    add("  CPU time of taking them in, with making them up", format!("{busy:.1} s"));
    add("  a thousand of them, p50 / p95 / most", three(&times));
    Ok(())
}

fn write(options: &Options, home: &Path) -> Result<()> {
    let agents: Vec<&str> = AGENTS
        .into_iter()
        .filter(|agent| options.agents.is_empty() || options.agents.iter().any(|one| one == agent))
        .collect();
    let share = agents.len();
    for (number, agent) in agents.into_iter().enumerate() {
        let amount = Amount {
            conversations: options.conversations / share,
            bytes: options.megabytes * 1_000_000 / share as u64,
            seed: 4711 + number as u64,
        };
        synthetic::write(home, agent, amount)?;
    }
    Ok(())
}

/// Seconds of all of it, milliseconds of each step.
fn go_on(index: &mut Index, update: &mut belfry_index::Update) -> Result<(f64, Vec<f64>)> {
    let (began, mut steps) = (Instant::now(), Vec::new());
    while !update.is_done() {
        let step = Instant::now();
        index.step(update, STEP)?;
        steps.push(step.elapsed().as_secs_f64() * 1e3);
    }
    Ok((began.elapsed().as_secs_f64(), steps))
}

fn queries(options: &Options, index: &Index, home: &Path) -> Result<()> {
    let now = Timestamp::now();
    let mut dice = Words::new(1);
    let (mut typed, mut whole, mut two, mut greps) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for number in 0..options.queries {
        let (word, other) = (dice.word(), dice.word());
        let ask = |text: &str| -> Result<f64> {
            let began = Instant::now();
            index.search(&Search { text: text.to_owned(), scrollback: true, ..Search::default() }, now)?;
            Ok(began.elapsed().as_secs_f64() * 1e3)
        };
        for end in 1..word.len() {
            typed.push(ask(&word[..end])?);
        }
        whole.push(ask(&format!("{word} "))?);
        two.push(ask(&format!("{word} {other}"))?);
        if number < 3 {
            let began = Instant::now();
            let mut grep = Command::new("grep");
            grep.args(["-r", "-l", "-a", "-F", "-e", &word]).arg(home).stdout(Stdio::null()).status()?;
            greps.push(began.elapsed().as_secs_f64() * 1e3);
        }
    }
    let mut lists = Vec::new();
    for number in 0..options.queries {
        let text = (number % 2 == 1).then(|| dice.word());
        let began = Instant::now();
        index.list(&List { text, ..List::default() })?;
        lists.push(began.elapsed().as_secs_f64() * 1e3);
    }
    let grep = percentile(&greps, 0.5);
    let row = |name: &str, times: &[f64]| {
        let at = |share| percentile(times, share);
        let cells = [at(0.5), at(0.95), at(1.0)].map(|time| format!("{time:.1} ms"));
        let [p50, p95, most] = cells;
        vec![name.to_owned(), p50, p95, most, format!("{:.0}", grep / at(0.5))]
    };
    let rows = [
        row("the beginning of a word, at each letter", &typed),
        row("a word", &whole),
        row("two words", &two),
        row("a page of the list", &lists),
        row("grep -r -F over the same files", &greps),
    ];
    table::print("A search", &["", "p50", "p95", "most", "grep / it"], &rows);
    println!(
        "\n  budget: p95 {BUDGET:.0} ms; measured: {:.1} ms",
        percentile(&typed, 0.95).max(percentile(&two, 0.95))
    );
    Ok(())
}

fn three(times: &[f64]) -> String {
    let at = |share| percentile(times, share);
    format!("{:.1} / {:.1} / {:.1} ms", at(0.5), at(0.95), at(1.0))
}

/// CPU time of this process, in seconds.
fn cpu() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(") ").context("what the kernel says of this process")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    // User and system time, in ticks of 10 ms.
    let ticks: f64 =
        fields.get(11..13).context("its times")?.iter().filter_map(|field| field.parse::<f64>().ok()).sum();
    Ok(ticks / 100.0)
}

/// Of this process, in KB.
fn memory(field: &str) -> Result<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line =
        status.lines().find(|line| line.starts_with(field)).context("what the kernel says of its memory")?;
    Ok(line.split_whitespace().nth(1).context("a number")?.parse()?)
}

fn size(directory: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}
