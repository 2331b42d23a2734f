//! `belfry hook`: the whole process, from its start to its end, as an agent waits for it.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::sides::Belfry;
use crate::stats::percentile;
use crate::table;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Calls of each.
    #[arg(long, default_value_t = 1000)]
    calls: usize,
}

/// Budget of the 95th percentile, in milliseconds.
const BUDGET: f64 = 10.0;

/// What the hooks of a session are called with.
struct Hook {
    program: PathBuf,
    env: Vec<(&'static str, String)>,
}

/// The run's secret, for hooks to find, as a launch of an agent with hooks puts it there.
fn hook(belfry: &mut Belfry) -> Result<Hook> {
    let session = belfry.session(&["/bin/cat"])?;
    let run = session.runs.first().context("a run")?.id;
    let texts = belfry.home.run(session.id, run).path().join("texts");
    std::fs::create_dir_all(&texts)?;
    let file = texts.join("hook-secret");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600).open(&file)?.write_all(b"measured")?;
    let home = belfry.home.root().context("a home in one directory")?.display().to_string();
    let env = vec![
        ("BELFRY_HOME", home),
        ("BELFRY_SESSION", session.id.to_string()),
        ("BELFRY_HOOK_FILE", file.display().to_string()),
    ];
    Ok(Hook { program: std::env::current_exe()?.with_file_name("belfry"), env })
}

/// Milliseconds from the start of a process, with something on its standard input, to its end.
fn call(program: &Path, arguments: &[&str], env: &[(&str, String)], input: &[u8]) -> Result<f64> {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let began = Instant::now();
    let mut child = command.spawn()?;
    // The other side does not read, and may be gone.
    let _ = child.stdin.take().context("a pipe")?.write_all(input);
    let status = child.wait()?;
    ensure!(status.success(), "{}: {status}", program.display());
    Ok(began.elapsed().as_secs_f64() * 1e3)
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let mut belfry = Belfry::start()?;
    let Hook { program, env } = hook(&mut belfry)?;
    let mut away = env.clone();
    away[0].1 = belfry.home.root().context("a home")?.join("nowhere").display().to_string();
    let payload = |bytes: usize| {
        json!({
            "session_id": "00000000-0000-4000-8000-000000000000",
            "hook_event_name": "working",
            "cwd": "/home/someone/project",
            "tool_name": "Bash",
            "tool_input": { "command": "cargo test --workspace", "description": "Run the tests" },
            "tool_response": { "stdout": "x".repeat(bytes) },
        })
        .to_string()
        .into_bytes()
    };
    let (small, large) = (payload(1000), payload(1_000_000));
    let none = Path::new("/bin/true");
    let named = ["hook", "working"];
    let mut times = vec![Vec::new(); 4];
    for _ in 0..options.calls {
        times[0].push(call(none, &[], &[], &small)?);
        times[1].push(call(&program, &named, &env, &small)?);
        times[2].push(call(&program, &named, &env, &large)?);
        times[3].push(call(&program, &named, &away, &small)?);
    }
    let names = ["/bin/true", "belfry hook, 1 KB", "belfry hook, 1 MB", "belfry hook, no daemon"];
    let times_of_none = times[0].clone();
    let rows = names.iter().zip(&times).map(|(name, times)| {
        let at = |times: &[f64], share| percentile(times, share);
        let shown = |share| format!("{:.2} ms", at(times, share));
        let over = |share| table::ratio(at(times, share), at(&times_of_none, share));
        vec![(*name).to_owned(), shown(0.5), shown(0.95), shown(0.99), over(0.5), over(0.95)]
    });
    let head = ["whole process", "p50", "p95", "p99", "p50 / true", "p95 / true"];
    table::print("A hook, as the agent waits for it", &head, &rows.collect::<Vec<_>>());
    println!("\n  budget: p95 {BUDGET:.0} ms; measured: {:.2} ms", percentile(&times[1], 0.95));
    Ok(())
}
