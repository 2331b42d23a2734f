//! The real window on a virtual screen: starting it, switching sessions, and keys, each until it is painted.

mod page;
pub(crate) mod whole;

use anyhow::{Context, Result, ensure};
use belfry_tests::window::{Desk, until};
use serde_json::{Value, json};

use crate::stats::{median, percentile};
use crate::table;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Sessions in the list when the window starts.
    #[arg(long, default_value_t = 20)]
    listed: usize,
    /// Sessions that are switched between.
    #[arg(long, default_value_t = 100)]
    sessions: usize,
    /// Starts.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Keystrokes.
    #[arg(long, default_value_t = 300)]
    keys: usize,
}

/// Starts the window again and again.
pub(crate) fn start(options: &Options) -> Result<()> {
    blocking(async {
        let desk = Desk::new("bench-start").await?.drawn_as_for_a_person();
        for number in 0..options.listed {
            desk.start_shell(&format!("session {number}"))?;
        }
        // The first start also reads everything from the disk.
        desk.open_driven().await?.close(&desk).await?;
        let (mut first, mut listed) = (Vec::new(), Vec::new());
        for round in 0..options.rounds {
            let window = desk.open_driven().await?;
            let process = desk.processes("belfry-desktop").first().context("the window's process")?.pid;
            let began = started(process)?;
            let times = until("first paint", async || {
                let times = window.eval(page::FIRST_PAINT).await?;
                Ok(times.is_object().then_some(times))
            })
            .await?;
            let at = |name: &str| times[name].as_f64().with_context(|| format!("no time of {name}"));
            first.push(at("painted")? - began);
            ensure!(times["rows"].as_u64() == Some(options.listed as u64), "{times}");
            listed.push(at("listed")? - began);
            eprintln!(
                "{}/{}: {:.0} ms, listed {:.0} ms",
                round + 1,
                options.rounds,
                first[round],
                listed[round]
            );
            window.close(&desk).await?;
        }
        let row = |name: &str, times: &[f64]| {
            vec![
                name.to_owned(),
                format!("{:.0} ms", median(times)),
                format!("{:.0} ms", percentile(times, 1.0)),
            ]
        };
        let title = format!("Starting the window, warm, with {} sessions", options.listed);
        let rows = [row("process to first paint", &first), row("process to the page being ready", &listed)];
        table::print(&title, &["", "median", "worst"], &rows);
        Ok(())
    })
}

/// Shows each session in turn, and types into one.
pub(crate) fn switch(options: &Options) -> Result<()> {
    blocking(async {
        let desk = Desk::new("bench-switch").await?.drawn_as_for_a_person();
        let mut marks = Vec::new();
        let script = "i=0; while [ $i -lt 300 ]; do echo \"line $i of $1\"; i=$((i+1)); done; printf '%s' \"$1\"; exec cat";
        for number in 0..options.sessions {
            let mark = format!("here-is-{number}-");
            let id = desk.belfry(&["new", "--agent", "shell", "--", "sh", "-c", script, "sh", &mark])?;
            marks.push(json!({ "id": id.trim(), "mark": mark }));
        }
        let window = desk.open_driven().await?;
        let run = async |script: &str, arguments: Vec<Value>| {
            window.eval_async(&format!("{}{script}", page::SHARED), arguments).await
        };
        let before = load();
        let mut switches = Vec::new();
        // Three rounds in different orders: the second and third find a few recent ones still alive.
        for step in [1, 37, 11] {
            let order: Vec<Value> =
                (0..marks.len()).map(|index| marks[index * step % marks.len()].clone()).collect();
            for piece in order.chunks(10) {
                switches.extend(milliseconds(&run(page::SWITCH, vec![json!(piece)]).await?)?);
            }
        }
        ensure!(switches.len() == options.sessions * 3, "only {} switches were seen", switches.len());
        let script = "stty raw -echo; printf here-is-echo-; exec cat";
        let echo = desk.belfry(&["new", "--agent", "shell", "--", "sh", "-c", script])?;
        let id = echo.trim();
        run(page::SWITCH, vec![json!([{ "id": id, "mark": "here-is-echo-" }])]).await?;
        let mut keys = Vec::new();
        while keys.len() < options.keys {
            keys.extend(milliseconds(&run(page::KEYS, vec![json!(id), json!(20)]).await?)?);
        }
        let floor = run(page::FLOOR, vec![json!(id), json!(100)]).await?;
        let row = |name: &str, times: &[f64]| {
            let at = |share| format!("{:.1} ms", percentile(times, share));
            vec![name.to_owned(), at(0.5), at(0.95), at(0.99)]
        };
        let title = format!("In the window, {} sessions, to painted (load {before})", options.sessions);
        let rows = [row("switching to a session", &switches), row("keystroke to its echo", &keys)];
        table::print(&title, &["", "p50", "p95", "p99"], &rows);
        // Without these nobody can tell a slow window from a slow screen.
        let title = format!("The same web view's own floor (load {})", load());
        let rows = [
            row("from frame to frame, idle", &milliseconds(&floor["frame"])?),
            row("one letter changed, to painted", &milliseconds(&floor["letter"])?),
            row("a terminal's rows changed, to painted", &milliseconds(&floor["rows"])?),
        ];
        table::print(&title, &["", "p50", "p95", "p99"], &rows);
        Ok(())
    })
}

/// The list of times that a script answers with; it answers with words where it failed.
fn milliseconds(answer: &Value) -> Result<Vec<f64>> {
    let times = answer.as_array().with_context(|| format!("the page says {answer}"))?;
    Ok(times.iter().filter_map(Value::as_f64).collect())
}

/// How many processes want to run, over the last minute.
fn load() -> String {
    let told = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    told.split(' ').next().unwrap_or("unknown").to_owned()
}

fn blocking(work: impl Future<Output = Result<()>>) -> Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// When a process began, in milliseconds since the epoch, to 10 ms.
fn started(pid: i32) -> Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name in parentheses may have blanks; the start is the 20th field after it, in hundredths since boot.
    let mut fields = stat.rsplit(')').next().context("a strange stat")?.split_whitespace();
    let ticks: f64 = fields.nth(19).context("a short stat")?.parse()?;
    let uptime = std::fs::read_to_string("/proc/uptime")?;
    let uptime: f64 = uptime.split(' ').next().context("a strange uptime")?.parse()?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs_f64();
    Ok((now - uptime + ticks / 100.0) * 1e3)
}
