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
