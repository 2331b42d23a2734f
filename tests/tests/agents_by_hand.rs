//! Real agents that are started by hand in a shell's session. `cargo xtask test --agents` installs them; without them each test
//! says that it is passed over.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use belfry_protocol::launch::NewSession;
use belfry_protocol::reply::{Delivery, QueuedMessage};
use belfry_protocol::{Reply, Request, Session, Status};
use belfry_tests::lab::{World, installed};

async fn listed(world: &World, of: &Session) -> Result<Vec<QueuedMessage>> {
    match world.ask(Request::ListMessages { session: of.id.to_string() }).await? {
        Reply::Messages(listed) => Ok(listed),
        other => bail!("{other:?}"),
    }
}

/// Its own signs tell of it, it takes a message, and what is queued for it when it ends is not run by the shell.
async fn is_watched(agent: &str, name: &str) -> Result<()> {
    let agents = match installed(agent) {
        Ok(agents) => agents,
        Err(why) => {
            // Past the test harness, which would keep what a passing test prints.
            writeln!(std::io::stderr(), "skipped: {agent}: {why}")?;
            return Ok(());
        }
    };
    let world = World::new(agents).await?;
    let args = ["bash", "--norc", "--noprofile", "-i"].map(str::to_owned).to_vec();
    let shell = world.start(NewSession { args, ..world.new_session("shell") }).await?;
    world.until(&shell, "the shell", |session| session.status == Status::Idle).await?;
    world.keys(&shell, &[agent, "Enter"]).await?;
    let own = |session: &Session| {
        session.status == Status::Idle
            && !matches!(session.source.as_str(), "foreground" | "shell" | "process")
    };
    world.until(&shell, "the agent's prompt", own).await?;
    let Reply::Explanation(why) =
        world.ask(Request::ExplainSession { session: shell.id.to_string() }).await?
    else {
        bail!("no explanation")
    };
    let started = format!("{name} was started by hand");
    ensure!(why.evidence.iter().any(|one| one.what.contains(&started)), "{:?}", why.evidence);
    world.send(&shell, "count the first").await?;
    world.until_screen(&shell, "RECEIVED chars=").await?;
    world.until(&shell, "its prompt again", own).await?;
    let first = listed(&world, &shell).await?;
    ensure!(first[0].delivery == Delivery::Delivered, "{:?}", first[0].why);
    // A draft keeps the next one waiting until the agent is gone.
    world.keys(&shell, &["draft"]).await?;
    world.until_screen(&shell, "draft").await?;
    world.send(&shell, "touch oops").await?;
    world.until(&shell, "it waits", |session| session.queued == 1).await?;
    let mut end = std::process::Command::new("pkill");
    end.args(["-KILL", "-P"]).arg(shell.pid.unwrap_or(0).to_string());
    ensure!(end.status()?.success(), "it cannot be ended");
    world.until(&shell, "the shell", |session| session.queued == 0 && session.source == "foreground").await?;
    let second = listed(&world, &shell).await?;
    ensure!(second[1].delivery == Delivery::Failed, "{:?}", second[1].why);
    world.send(&shell, "touch by-shell").await?;
    world.until(&shell, "it is out", |session| session.queued == 0).await?;
    let project = std::path::PathBuf::from(&shell.cwd);
    while !project.join("by-shell").exists() {
        tokio::task::yield_now().await;
    }
    ensure!(!project.join("oops").exists(), "the shell has run it");
    Ok(())
}

macro_rules! guest {
    ($name:ident, $shown:literal) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let outcome =
                tokio::time::timeout(Duration::from_mins(3), is_watched(stringify!($name), $shown)).await;
            outcome.expect("it took too long").unwrap();
        }
    };
}

guest!(claude, "Claude Code");
guest!(codex, "Codex");
guest!(opencode, "OpenCode");
guest!(gemini, "Gemini CLI");
guest!(aider, "Aider");
