//! Many sessions: CPU while nothing happens and while all spin, memory, against tmux with as many windows.

use std::time::{Duration, Instant};

use anyhow::Result;
use belfry_protocol::Session;

use crate::processes::{Memory, cpu, memory, settle, wakes};
use crate::sides::{Belfry, Tmux, keepers};
use crate::stats::median;
use crate::table;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many sessions, one run after the other.
    #[arg(long, value_delimiter = ',', default_value = "1,10,100,300")]
    sessions: Vec<usize>,
    /// Seconds of each measurement.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Lines of coloured scrollback in each session of the memory run.
    #[arg(long, default_value_t = 10_000)]
    lines: usize,
}

/// What some processes did in a while.
struct Cost {
    /// Of one core, in percent.
    cpu: f64,
    /// Wakes a second.
    wakes: f64,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let own = std::env::current_exe()?.to_string_lossy().into_owned();
    let idle = [own.as_str(), "program", "idle"];
    let spin = [own.as_str(), "program", "spin"];
    let seconds = Duration::from_secs(options.seconds);
    let kinds = [("idle", idle, ""), ("with a spinner of 200 bytes, 10 times a second", spin, "Thinking")];
    for (title, program, drawn) in kinds {
        let mut rows = Vec::new();
        for &count in &options.sessions {
            rows.extend(ours(count, &program, drawn, seconds)?);
            rows.push(theirs(count, &program, drawn, seconds)?);
        }
        let head = ["", "sessions", "CPU of one core", "wakes/s", "memory (PSS)", "keeper, private"];
        table::print(&format!("Sessions that are {title}, {} s", options.seconds), &head, &rows);
    }
    filled(options, &own)
}

fn watch(pids: &[u32], time: Duration) -> Cost {
    let (cpu_before, wakes_before, began) = (cpu(pids), wakes(pids), Instant::now());
    std::thread::sleep(time);
    let took = began.elapsed().as_secs_f64();
    Cost {
        cpu: (cpu(pids).saturating_sub(cpu_before)).as_secs_f64() / took * 100.0,
        wakes: wakes(pids).saturating_sub(wakes_before) as f64 / took,
    }
}

fn start(count: usize, program: &[&str], drawn: &str) -> Result<(Belfry, Vec<Session>)> {
    let mut belfry = Belfry::start()?;
    let sessions = (0..count).map(|_| belfry.session(program)).collect::<Result<Vec<_>>>()?;
    belfry.until_all_show(&sessions, drawn)?;
    Ok((belfry, sessions))
}

fn ours(count: usize, program: &[&str], drawn: &str, time: Duration) -> Result<Vec<Vec<String>>> {
    let (mut belfry, sessions) = start(count, program, drawn)?;
    let (daemon, keepers) = (belfry.daemon()?, keepers(&sessions));
    let all = [vec![daemon], keepers.clone()].concat();
    settle(&all);
    // Both at once, so that the sum is of one and the same while.
    let halves = std::thread::scope(|scope| {
        let daemon = scope.spawn(|| watch(&[daemon], time));
        let all = watch(&all, time);
        daemon.join().map(|daemon| (daemon, all))
    });
    let Ok((of_daemon, of_all)) = halves else { anyhow::bail!("a measurement panicked") };
    let private: Vec<f64> = keepers.iter().map(|pid| memory(*pid).private as f64).collect();
    let pss = |pids: &[u32]| pids.iter().map(|pid| memory(*pid).proportional).sum::<u64>();
    Ok(vec![
        vec![
            "belfry, daemon and keepers".to_owned(),
            count.to_string(),
            format!("{:.2} %", of_all.cpu),
            format!("{:.1}", of_all.wakes),
            megabytes(pss(&all)),
            format!("{:.0} KB", median(&private)),
        ],
        vec![
            "  the daemon alone".to_owned(),
            String::new(),
            format!("{:.2} %", of_daemon.cpu),
            format!("{:.1}", of_daemon.wakes),
            megabytes(pss(&[daemon])),
            String::new(),
        ],
    ])
}

fn theirs(count: usize, program: &[&str], drawn: &str, time: Duration) -> Result<Vec<String>> {
    let tmux = Tmux::start(program)?;
    for _ in 1..count {
        tmux.window(program)?;
    }
    tmux.until_all_show(0, drawn)?;
    let server = tmux.pid()?;
    settle(&[server]);
    let cost = watch(&[server], time);
    Ok(vec![
        "tmux, detached".to_owned(),
        count.to_string(),
        format!("{:.2} %", cost.cpu),
        format!("{:.1}", cost.wakes),
        megabytes(memory(server).proportional),
        "-".to_owned(),
    ])
}

/// Memory with full scrollback.
fn filled(options: &Options, own: &str) -> Result<()> {
    let count = 100;
    let lines = options.lines.to_string();
    let program = [own, "program", "fill", "--lines", &lines, "--mark", "filled"];
    let mut belfry = Belfry::start()?;
    let empty = belfry.daemon()?;
    let empty = memory(empty);
    drop(belfry);
    let (mut belfry, sessions) = start(count, &program, "filled")?;
    let (daemon, keepers) = (belfry.daemon()?, keepers(&sessions));
    settle(&[vec![daemon], keepers.clone()].concat());
    let daemon = memory(daemon);
    let private: Vec<f64> = keepers.iter().map(|pid| memory(*pid).private as f64).collect();
    drop(belfry);

    let tmux = Tmux::start(&program)?;
    for _ in 1..count {
        tmux.window(&program)?;
    }
    tmux.until_all_show(0, "filled")?;
    settle(&[tmux.pid()?]);
    let server = memory(tmux.pid()?);
    let row = |name: &str, Memory { proportional, private }: Memory| {
        vec![name.to_owned(), megabytes(proportional), megabytes(private)]
    };
    let title =
        format!("Memory of {count} sessions with {} lines of coloured scrollback each", options.lines);
    table::print(
        &title,
        &["", "PSS", "private"],
        &[
            row("belfry, daemon, empty", empty),
            row("belfry, daemon", daemon),
            vec!["belfry, one keeper".to_owned(), String::new(), format!("{:.0} KB", median(&private))],
            row("tmux, server", server),
        ],
    );
    Ok(())
}

fn megabytes(kilobytes: u64) -> String {
    format!("{:.1} MB", kilobytes as f64 / 1024.0)
}
