//! Real agents against the mock model: an idle one is put to sleep, a message wakes it, and the model is told again what was
//! said before. `cargo xtask test --agents` installs the agents; without them each test says that it is passed over.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use belfry_protocol::{Reply, Request, Session, Status};
use belfry_tests::lab::{World, installed};

/// What was asked before, whatever an agent puts around it.
const FIRST: &str = "count the zebras";
const SECOND: &str = "count the second thing";

async fn asked(world: &World, session: &Session, text: &str) -> Result<Session> {
    world.until_asked(session, |prompt| prompt.contains(text)).await?;
    let idle = |now: &Session| now.alive() && now.status == Status::Idle && now.queued == 0;
    world.until(session, "idle", idle).await
}

/// It sleeps, a message wakes it, and it is typed once into the conversation that was.
async fn sleeps_and_wakes(agent: &str) -> Result<()> {
    let agents = match installed(agent) {
        Ok(agents) => agents,
        Err(why) => {
            // Past the test harness, which would keep what a passing test prints.
            writeln!(std::io::stderr(), "skipped: {agent}: {why}")?;
            return Ok(());
        }
    };
    let world = World::new(agents).await?;
    let new =
        belfry_protocol::launch::NewSession { prompt: Some(FIRST.to_owned()), ..world.new_session(agent) };
    let session = world.start(new).await?;
    let before = asked(&world, &session, FIRST).await?;
    let request = Request::HibernateSession { session: session.id.to_string() };
    // An agent may still tidy up behind its turn: that is seen in its background, and over in moments.
    let mut tick = tokio::time::interval(Duration::from_millis(250));
    let mut tries = 0;
    let asleep = loop {
        tick.tick().await;
        match world.ask(request.clone()).await {
            Ok(Reply::Session(asleep)) => break *asleep,
            Ok(other) => anyhow::bail!("{other:?}"),
            Err(error) if tries < 40 => {
                writeln!(std::io::stderr(), "{agent}: {error}")?;
                tries += 1;
            }
            Err(error) => return Err(error).context("it stays awake"),
        }
    };
    ensure!(asleep.hibernated() && asleep.conversation_id == before.conversation_id, "{asleep:?}");
    let run = asleep.runs.first().context("a run")?;
    writeln!(std::io::stderr(), "{agent}: left with {:?}", run.exit)?;

    world.send(&session, SECOND).await?;
    let after = asked(&world, &session, SECOND).await?;
    ensure!(after.conversation_id == before.conversation_id && after.runs.len() == 2, "{after:?}");
    let seen = world.lab.seen();
    let with: Vec<_> = seen.iter().filter(|seen| !seen.side && seen.prompt.contains(SECOND)).collect();
    ensure!(with.len() == 1, "it was typed {} times", with.len());
    let sent = with[0].body.to_string();
    ensure!(sent.contains(FIRST) && sent.contains("RECEIVED chars="), "{sent}");
    Ok(())
}

macro_rules! with_agent {
    ($name:ident, $agent:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let outcome = tokio::time::timeout(Duration::from_mins(8), sleeps_and_wakes($agent)).await;
            outcome.expect("it took too long").unwrap();
        }
    };
}

with_agent!(claude_sleeps_and_wakes, "claude");
with_agent!(codex_sleeps_and_wakes, "codex");
with_agent!(opencode_sleeps_and_wakes, "opencode");
with_agent!(gemini_sleeps_and_wakes, "gemini");
with_agent!(aider_sleeps_and_wakes, "aider");
