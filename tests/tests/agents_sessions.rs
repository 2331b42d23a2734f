//! Real agents against the mock model, each in a real session: it starts, takes a first prompt and a message, answers,
//! exits. `cargo xtask test --agents` installs the agents; without them each test says that it is passed over.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use belfry_protocol::launch::NewSession;
use belfry_protocol::session::Exit;
use belfry_protocol::{Request, Session, Status};
use belfry_tests::lab::{World, installed};

/// What differs between agents.
struct Case {
    agent: &'static str,
    /// Typed at its prompt, it ends the program.
    leave: &'static str,
    /// It puts something around what the person said, before the model sees it.
    wraps: bool,
}

const SYSTEM: &str = "SYSTEM-PROMPT-MARK-4711";
const SECOND: &str = "/count these two lines\n!and ünïcode \u{1f514}";

async fn converse(case: Case) -> Result<()> {
    let agents = match installed(case.agent) {
        Ok(agents) => agents,
        Err(why) => {
            // Past the test harness, which would keep what a passing test prints.
            writeln!(std::io::stderr(), "skipped: {}: {why}", case.agent)?;
            return Ok(());
        }
    };
    let world = World::new(agents).await?;
    // Gemini reads settings for one launch only from below directories that are root's alone, so that Belfry refuses a system
    // prompt elsewhere, such as in a checkout in `/tmp`.
    let distrusted = case.agent == "gemini" && others_may_write_above(&world.project)?;
    let session = world
        .start(NewSession {
            prompt: Some("count the first".to_owned()),
            system_prompt: (!distrusted).then(|| SYSTEM.to_owned()),
            ..world.new_session(case.agent)
        })
        .await?;
    nothing_confidential_in_arguments(&session)?;

    // The first prompt, typed once the agent is ready. The model is asked exactly what the person said, or, by an agent
    // that puts something around it, that among other things.
    let asked = |text: &'static str| {
        move |prompt: &str| if case.wraps { prompt.contains(text) } else { prompt == text }
    };
    world.until_asked(&session, asked("count the first")).await?;
    world.until_screen(&session, "RECEIVED chars=").await?;
    ensure!(world.lab.saw(SYSTEM) || distrusted, "the system prompt never reached the model");
    world.until(&session, "idle", |session| session.status == Status::Idle).await?;

    // A message: several lines, and a start that would be a command.
    world.send(&session, SECOND).await?;
    if let Err(error) = world.until_asked(&session, asked(SECOND)).await {
        let listed = world.ask(Request::ListMessages { session: session.id.to_string() }).await?;
        anyhow::bail!("{error}: {listed:?}");
    }
    if !case.wraps {
        world.until_screen(&session, &format!("chars={} lines=2", SECOND.chars().count())).await?;
    }
    let now = world.until(&session, "idle", |session| session.status == Status::Idle).await?;
    ensure!(now.queued == 0, "{} messages still wait", now.queued);
    // OpenCode keeps all of its conversations in one database.
    if let Some(id) = now.conversation_id.as_ref().filter(|_| case.agent != "opencode") {
        // Aider's are known by their files.
        let there = Path::new(id).is_absolute() && Path::new(id).exists();
        ensure!(there || has_file_named(&world.home.path, &id[..8]), "no transcript of conversation {id}");
    }

    // It leaves by itself.
    world.keys(&session, &[case.leave]).await?;
    world.until_screen(&session, case.leave).await?;
    let dead = leave(&world, &session).await?;
    ensure!(dead.exit == Some(Exit::Code { code: 0 }), "{:?}", dead.exit);
    ensure!(dead.runs.len() == 1 && dead.runs[0].ended_at.is_some(), "{:?}", dead.runs);
    restart_and_kill(&world, &session).await
}

/// Presses Enter until the program has ended: some take one that comes close behind other keys for a part of the text.
async fn leave(world: &World, session: &Session) -> Result<Session> {
    for _ in 0..5 {
        world.keys(session, &["Enter"]).await?;
        let dead = tokio::time::timeout(Duration::from_secs(4), world.until_dead(session));
        if let Ok(dead) = dead.await {
            return dead;
        }
    }
    world.until_dead(session).await
}

/// A second life of the same session, ended from outside.
async fn restart_and_kill(world: &World, session: &Session) -> Result<()> {
    let id = session.id.to_string();
    world
        .ask(Request::RestartSession { session: id.clone(), anew: false, base_env: Some(world.env()) })
        .await?;
    let alive = world.until(session, "at its prompt again", |session| session.status == Status::Idle).await?;
    ensure!(alive.runs.len() == 2, "{:?}", alive.runs);
    world.ask(Request::KillSession { session: id }).await?;
    let dead = world.until_dead(session).await?;
    // Each either leaves on SIGHUP with a code of its own or dies of a signal.
    ensure!(matches!(dead.exit, Some(Exit::Code { .. } | Exit::Signal { .. })), "{:?}", dead.exit);
    let pid = alive.pid.unwrap_or_default();
    ensure!(!Path::new(&format!("/proc/{pid}/exe")).exists(), "process {pid} lives on");
    Ok(())
}

/// Whether there is a file with that in its name, at any depth.
fn has_file_named(folder: &Path, part: &str) -> bool {
    std::fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        entry.file_name().to_string_lossy().contains(part)
            || (entry.file_type().is_ok_and(|kind| kind.is_dir()) && has_file_named(&entry.path(), part))
    })
}

/// Whether a directory above is writable by every user.
fn others_may_write_above(place: &std::path::Path) -> Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    for directory in place.ancestors() {
        let meta = directory.metadata()?;
        if meta.mode() & 0o022 != 0 || meta.uid() != 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Every user of the machine can read a process's arguments.
fn nothing_confidential_in_arguments(session: &Session) -> Result<()> {
    let shown = session.command.join(" ");
    let pid = session.pid.unwrap_or_default();
    let arguments = std::fs::read(format!("/proc/{pid}/cmdline"))?;
    let arguments = String::from_utf8_lossy(&arguments);
    for text in [SYSTEM, "count the first"] {
        ensure!(!shown.contains(text) && !arguments.contains(text), "{arguments}");
    }
    Ok(())
}

macro_rules! conversation {
    ($name:ident, $case:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let outcome = tokio::time::timeout(Duration::from_mins(5), converse($case)).await;
            outcome.expect("it took too long").unwrap();
        }
    };
}

conversation!(claude, Case { agent: "claude", leave: "/exit", wraps: false });
conversation!(codex, Case { agent: "codex", leave: "/quit", wraps: false });
conversation!(opencode, Case { agent: "opencode", leave: "/exit", wraps: false });
conversation!(gemini, Case { agent: "gemini", leave: "/quit", wraps: false });
conversation!(aider, Case { agent: "aider", leave: "/exit", wraps: true });
