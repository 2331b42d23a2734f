//! Nothing is typed while a real agent shows a dialog: a digit or Enter would answer it. What was to be typed waits, and
//! goes out when the person has answered.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::{Request, Session, Status};
use belfry_tests::lab::{World, installed};

const PROMPT: &str = "count what waited";

async fn world(agent: &str) -> Result<Option<World>> {
    match installed(agent) {
        Ok(agents) => Ok(Some(World::new(agents).await?)),
        Err(why) => {
            // Past the test harness, which would keep what a passing test prints.
            writeln!(std::io::stderr(), "skipped: {agent}: {why}")?;
            Ok(None)
        }
    }
}

/// Starts the agent where it asks something first; the keys answer that, each until the screen shows
/// what is beside it, and then Enter.
async fn prompt_waits(agent: &str, dialog: &str, keys: &[(&str, &str)], env: &[(&str, &str)]) -> Result<()> {
    let Some(world) = world(agent).await? else { return Ok(()) };
    let stranger = world.repository("stranger")?;
    let env = env.iter().map(|(name, value)| EnvVar { name: (*name).to_owned(), value: (*value).to_owned() });
    let session = world
        .start(NewSession {
            cwd: Some(stranger.to_string_lossy().into_owned()),
            prompt: Some(PROMPT.to_owned()),
            env: env.collect(),
            ..world.new_session(agent)
        })
        .await?;
    world.until_screen(&session, dialog).await?;
    // It is quiet, and anything that waits for that alone would be typed now.
    world.until(&session, "quiet", quiet).await?;
    settled(&world, &session).await?;
    ensure!(!world.screen(&session).await?.contains(PROMPT), "it was typed into the dialog");
    for (key, leads_to) in keys {
        press(&world, &session, key, |screen| screen.contains(leads_to)).await?;
    }
    world.keys(&session, &["Enter"]).await?;
    world.until_asked(&session, |prompt| prompt.contains(PROMPT)).await?;
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

/// Presses a key until it has had its effect: agents ignore keys in the first moments of a dialog.
async fn press(world: &World, session: &Session, key: &str, done: impl Fn(&str) -> bool) -> Result<()> {
    for _ in 0..10 {
        world.keys(session, &[key]).await?;
        let mut tick = tokio::time::interval(Duration::from_millis(50));
        for _ in 0..40 {
            tick.tick().await;
            if done(&world.screen(session).await?) {
                return Ok(());
            }
        }
    }
    bail!("{key} has no effect:\n{}", world.screen(session).await?)
}

/// Until the screen has stood still for two seconds: keys that come before an agent reads them are taken later, all at
/// once, and two of them choose another answer than one.
async fn settled(world: &World, session: &Session) -> Result<()> {
    let mut tick = tokio::time::interval(Duration::from_millis(100));
    let (mut last, mut still) = (String::new(), 0);
    while still < 20 {
        tick.tick().await;
        let screen = world.screen(session).await?;
        still = if screen == last { still + 1 } else { 0 };
        last = screen;
    }
    Ok(())
}

/// Lets the agent ask for leave to run a command, and sends a message meanwhile.
async fn message_waits(agent: &str, dialog: &str, args: &[&str]) -> Result<()> {
    let Some(world) = world(agent).await? else { return Ok(()) };
    let args = args.iter().map(|argument| (*argument).to_owned()).collect();
    let session = world
        .start(NewSession { prompt: Some("run touch".to_owned()), args, ..world.new_session(agent) })
        .await?;
    world.until_screen(&session, dialog).await?;
    world.until(&session, "quiet", quiet).await?;
    settled(&world, &session).await?;
    world.send(&session, PROMPT).await?;
    world.until(&session, "queued", |session| session.queued == 1).await?;
    let screen = world.screen(&session).await?;
    ensure!(screen.contains(dialog) && !screen.contains(PROMPT), "{screen}");
    press(&world, &session, "Enter", |screen| !screen.contains(dialog)).await?;
    world.until_asked(&session, |prompt| prompt.contains(PROMPT)).await?;
    let made = std::fs::read_dir(&world.project)?.flatten();
    let made = made.filter(|file| file.file_name().to_string_lossy().starts_with("made_by_agent")).count();
    ensure!(made == 1, "the command was allowed and made {made} files");
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

fn quiet(session: &Session) -> bool {
    matches!(session.status, Status::Idle | Status::Waiting)
}

macro_rules! in_time {
    ($name:ident, $what:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            tokio::time::timeout(Duration::from_mins(5), $what).await.expect("it took too long").unwrap();
        }
    };
}

in_time!(claude_trust, prompt_waits("claude", "Quick safety check", &[("Down", "❯ Yes")], &[]));
in_time!(codex_trust, prompt_waits("codex", "Trust this folder?", &[], &[]));
in_time!(gemini_trust, prompt_waits("gemini", "Do you trust the files", &[], &[]));
in_time!(aider_asks, prompt_waits("aider", "(Y)es/(N)o", &[("y", "]: y")], &[("AIDER_GITIGNORE", "true")]));
in_time!(
    claude_permission,
    message_waits("claude", "Do you want to proceed?", &["--permission-mode", "default"])
);
in_time!(codex_permission, message_waits("codex", "Would you like to run", &["-a", "on-request"]));
in_time!(opencode_permission, message_waits("opencode", "Permission required", &[]));
in_time!(gemini_permission, message_waits("gemini", "Allow execution of", &[]));
