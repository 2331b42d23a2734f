//! Long messages to real agents: ten kilobytes in many lines arrive whole, once, and count as delivered only then.
//! `cargo xtask test --agents` installs the agents; without them each test says that it is passed over.

#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use belfry_protocol::launch::NewSession;
use belfry_protocol::reply::Delivery;
use belfry_protocol::{Reply, Request, Status};
use belfry_tests::lab::{World, installed};

/// Ten kilobytes; the first line would be a shell's command to some.
fn long() -> String {
    let mut text = "!count these lines".to_owned();
    for n in 0..180 {
        let _ = write!(text, "\nline {n} with ünïcode 🔔, a tab\tand enough words to be long/{n}");
    }
    assert!(text.len() > 10_000);
    text
}

async fn arrives(agent: &str, wraps: bool) -> Result<()> {
    let agents = match installed(agent) {
        Ok(agents) => agents,
        Err(why) => {
            // Past the test harness, which would keep what a passing test prints.
            writeln!(std::io::stderr(), "skipped: {agent}: {why}")?;
            return Ok(());
        }
    };
    let world = World::new(agents).await?;
    let prompt = Some("count the first".to_owned());
    let session = world.start(NewSession { prompt, ..world.new_session(agent) }).await?;
    world.until_screen(&session, "RECEIVED chars=").await?;
    world.until(&session, "idle", |session| session.status == Status::Idle).await?;
    let text = long();
    world.send(&session, &text).await?;
    // Tabs become blanks in some input boxes.
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = plain(&text);
    let fits = |prompt: &str| if wraps { plain(prompt).contains(&wanted) } else { plain(prompt) == wanted };
    let asked = world.until_asked(&session, fits).await;
    let Reply::Messages(listed) =
        world.ask(Request::ListMessages { session: session.id.to_string() }).await?
    else {
        bail!("no messages")
    };
    if let Err(error) = asked {
        let state: Vec<_> = listed.iter().map(|message| (message.delivery, message.why.clone())).collect();
        bail!("{}: {state:?}", error.to_string().chars().take(2000).collect::<String>());
    }
    let now = world.until(&session, "idle", |session| session.status == Status::Idle).await?;
    ensure!(now.queued == 0, "{} wait", now.queued);
    let times = world.lab.seen().iter().filter(|seen| !seen.side && fits(&seen.prompt)).count();
    // An agent that works with the whole conversation says it again.
    ensure!(times >= 1, "{times}");
    let Reply::Messages(listed) =
        world.ask(Request::ListMessages { session: session.id.to_string() }).await?
    else {
        bail!("no messages")
    };
    ensure!(listed.iter().all(|message| message.delivery == Delivery::Delivered), "{:?}", listed[0].why);
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

macro_rules! message {
    ($name:ident, $wraps:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let outcome =
                tokio::time::timeout(Duration::from_mins(5), arrives(stringify!($name), $wraps)).await;
            outcome.expect("it took too long").unwrap();
        }
    };
}

message!(claude, false);
message!(codex, false);
message!(opencode, false);
message!(gemini, false);
message!(aider, true);

/// What begins or ends in a sign that means a command, a shell, a note, a file or a skill to some agent.
const SIGNS: &[&str] = &[
    "@name count this first",
    "/count no command",
    "!count no shell",
    "#count no note",
    "$count no skill",
    "count this for @na",
    "count this like /hel",
    "count this as $skill",
    "count this in #4",
    "@count",
];

/// Each arrives as it was sent; or it is said that it did not.
async fn signs(agent: &str, wraps: bool) -> Result<()> {
    let agents = match installed(agent) {
        Ok(agents) => agents,
        Err(why) => {
            writeln!(std::io::stderr(), "skipped: {agent}: {why}")?;
            return Ok(());
        }
    };
    let world = World::new(agents).await?;
    let prompt = Some("count the first".to_owned());
    let session = world.start(NewSession { prompt, ..world.new_session(agent) }).await?;
    world.until_screen(&session, "RECEIVED chars=").await?;
    world.until(&session, "idle", |session| session.status == Status::Idle).await?;
    for text in SIGNS {
        writeln!(std::io::stderr(), "{agent}: {text}")?;
        world.send(&session, text).await?;
        let fits = |prompt: &str| if wraps { prompt.contains(text) } else { prompt == *text };
        if let Err(error) = world.until_asked(&session, fits).await {
            let request = Request::ListMessages { session: session.id.to_string() };
            let Reply::Messages(listed) = world.ask(request).await? else { bail!("no messages") };
            let state: Vec<_> =
                listed.iter().map(|message| (&message.text, message.delivery, &message.why)).collect();
            bail!("{text}: {error}\n{state:?}");
        }
        world
            .until(&session, "idle", |session| session.status == Status::Idle && session.queued == 0)
            .await?;
    }
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

macro_rules! signs {
    ($name:ident, $agent:expr, $wraps:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let outcome = tokio::time::timeout(Duration::from_mins(8), signs($agent, $wraps)).await;
            outcome.expect("it took too long").unwrap();
        }
    };
}

signs!(claude_signs, "claude", false);
signs!(codex_signs, "codex", false);
signs!(opencode_signs, "opencode", false);
signs!(gemini_signs, "gemini", false);
signs!(aider_signs, "aider", true);

/// At an input box that is a shell's, a message waits: it would run as a command.
async fn waits_for_the_shell(agent: &str) -> Result<()> {
    let agents = match installed(agent) {
        Ok(agents) => agents,
        Err(why) => {
            writeln!(std::io::stderr(), "skipped: {agent}: {why}")?;
            return Ok(());
        }
    };
    let world = World::new(agents).await?;
    let prompt = Some("count the first".to_owned());
    let session = world.start(NewSession { prompt, ..world.new_session(agent) }).await?;
    world.until_screen(&session, "RECEIVED chars=").await?;
    world.until(&session, "idle", |session| session.status == Status::Idle).await?;
    world.keys(&session, &["!"]).await?;
    let request = || Request::ListMessages { session: session.id.to_string() };
    let mut tick = tokio::time::interval(Duration::from_millis(100));
    // Until it is to be seen that the box is one for commands: a message is told so.
    let mut sent = false;
    let held = loop {
        tick.tick().await;
        let screen = world.screen(&session).await?.to_lowercase();
        if !screen.contains("shell") {
            continue;
        }
        if !std::mem::replace(&mut sent, true) {
            world.send(&session, "count this for me").await?;
        }
        let Reply::Messages(listed) = world.ask(request()).await? else { bail!("no messages") };
        if let Some(message) = listed.iter().find(|message| message.text == "count this for me") {
            break message.why.clone().unwrap_or_default();
        }
    };
    ensure!(held.contains("shell mode"), "{held:?}\n{}", world.screen(&session).await?);
    ensure!(!world.screen(&session).await?.contains("count this for me"), "it was typed");
    world.keys(&session, &[if agent == "opencode" || agent == "gemini" { "Esc" } else { "BSpace" }]).await?;
    world.until_asked(&session, |prompt| prompt == "count this for me").await?;
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

macro_rules! shell {
    ($name:ident, $agent:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let outcome = tokio::time::timeout(Duration::from_mins(5), waits_for_the_shell($agent)).await;
            outcome.expect("it took too long").unwrap();
        }
    };
}

shell!(claude_shell_mode, "claude");
shell!(codex_shell_mode, "codex");
shell!(opencode_shell_mode, "opencode");
shell!(gemini_shell_mode, "gemini");
