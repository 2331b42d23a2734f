//! Real agents in a terminal of 40 columns and 12 rows: they wait, Belfry says so, offers only answers that are to be seen
//! whole, and gives none but the right one. And questions that take several answers.
//! `cargo xtask test --agents` installs the agents; without them each test says that it is passed over.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use belfry_protocol::ask::{Ask, Choice};
use belfry_protocol::launch::{NewSession, Size};
use belfry_protocol::{Reply, Request, Session, Status};
use belfry_tests::lab::{World, installed};

const TINY: Size = Size { cols: 40, rows: 12 };

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

async fn start(world: &World, agent: &str, args: &[&str], say: &str, size: Size) -> Result<Session> {
    let args = args.iter().map(|argument| (*argument).to_owned()).collect();
    let prompt = Some(say.replace("CWD", &world.project.to_string_lossy()));
    world.start(NewSession { prompt, args, size: Some(size), ..world.new_session(agent) }).await
}

async fn asked(world: &World, session: &Session) -> Result<Ask> {
    let fits = |session: &Session| session.status == Status::Waiting && session.ask.is_some();
    world.until(session, "asking", fits).await?;
    // What is drawn in pieces stands still.
    let mut tick = tokio::time::interval(Duration::from_millis(100));
    let (mut last, mut still) = (None, 0);
    while still < 15 {
        tick.tick().await;
        let ask = world.session(session).await?.ask;
        still = if ask == last { still + 1 } else { 0 };
        last = ask;
    }
    last.map(|ask| *ask).context("it asks no more")
}

async fn answer(world: &World, session: &Session, choice: &str) -> Result<Session> {
    let ask = world.session(session).await?.ask.context("it asks nothing")?;
    let request = Request::AnswerAsk {
        session: session.id.to_string(),
        choice: Some(choice.to_owned()),
        text: None,
        fingerprint: Some(ask.fingerprint.clone()),
    };
    match world.ask(request).await.with_context(|| format!("{choice} of {ask:?}"))? {
        Reply::Session(session) => Ok(*session),
        other => bail!("{other:?}"),
    }
}

/// What an answer says is on the screen, wrapped or not.
fn is_shown(screen: &str, choice: &Choice) -> bool {
    let plain =
        |text: &str| text.chars().filter(|c| !c.is_whitespace() && !"│┃()".contains(*c)).collect::<String>();
    plain(screen).contains(&plain(&choice.label)) || choice.key == Choice::SUBMIT
}

async fn in_a_tiny_terminal(agent: &str, args: &[&str], say: &str) -> Result<()> {
    let Some(world) = world(agent).await? else { return Ok(()) };
    let session = start(&world, agent, args, say, TINY).await?;
    let ask = asked(&world, &session).await?;
    let screen = world.screen(&session).await?;
    writeln!(std::io::stderr(), "{agent}: {say}: {ask:?}\n{screen}")?;
    for choice in &ask.choices {
        ensure!(is_shown(&screen, choice), "{choice:?}\n{screen}");
    }
    // Who cannot answer it from elsewhere is told what to do.
    let told = ask.obstacle.as_ref().is_some_and(|obstacle| obstacle.contains("taller"));
    ensure!(ask.answerable || told, "{ask:?}");
    let made = || std::fs::read_dir(&world.project).map_or(0, Iterator::count);
    let before = made();
    let refusal = ask.choices.iter().find(|choice| choice.refuses && !choice.takes_text);
    match refusal.filter(|_| ask.answerable) {
        Some(refusal) => {
            answer(&world, &session, &refusal.key).await?;
        }
        None => world.keys(&session, &["Esc"]).await?,
    }
    world.until(&session, "at its prompt", |session| session.status == Status::Idle).await?;
    ensure!(made() == before, "it was refused, and has done something");
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

/// Ticks one by one, submits; and ticks several at once.
async fn several(agent: &str, args: &[&str]) -> Result<()> {
    let Some(world) = world(agent).await? else { return Ok(()) };
    let session = start(&world, agent, args, "ask boxes", Size::DEFAULT).await?;
    let ask = asked(&world, &session).await?;
    ensure!(ask.answerable && ask.choices[0].ticked == Some(false), "{ask:?}");
    let after = answer(&world, &session, "2").await?;
    let now = after.ask.context("it stays open")?;
    ensure!(now.id == ask.id, "another question: {now:?}");
    let ticked = |ask: &Ask| ask.choices.iter().map(|choice| choice.ticked).take(2).collect::<Vec<_>>();
    ensure!(ticked(&now) == [Some(false), Some(true)], "{now:?}");
    // What a client looked at before is not what is there now.
    let stale = Request::AnswerAsk {
        session: session.id.to_string(),
        choice: Some("1".to_owned()),
        text: None,
        fingerprint: Some(ask.fingerprint.clone()),
    };
    ensure!(world.ask(stale).await.is_err(), "a stale answer was given");
    // Exactly these: Red comes, Blue goes.
    answer(&world, &session, "1,").await?;
    review(&world, &session).await?;
    let screen = world.screen(&session).await?;
    ensure!(screen.contains("Red") && !screen.contains("Red, Blue"), "{screen}");
    world.send(&session, "ask boxes").await?;
    asked(&world, &session).await?;
    answer(&world, &session, "1,2").await?;
    review(&world, &session).await?;
    let saw = world.lab.seen().iter().any(|seen| seen.body.to_string().contains("Red, Blue"));
    ensure!(saw, "the model was told something else\n{}", world.screen(&session).await?);
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

/// What was chosen is shown once more, and confirmed.
async fn review(world: &World, session: &Session) -> Result<()> {
    let ask = asked(world, session).await?;
    let choice = ask.choices.first().map_or("enter", |choice| choice.key.as_str()).to_owned();
    answer(world, session, &choice).await?;
    world.until(session, "at its prompt", |session| session.status == Status::Idle).await?;
    Ok(())
}

macro_rules! in_time {
    ($name:ident, $what:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            tokio::time::timeout(Duration::from_mins(5), $what).await.expect("it took too long").unwrap();
        }
    };
}

const MANUAL: &[&str] = &["--permission-mode", "default"];
const ASKS: &[&str] = &["-a", "on-request", "-s", "read-only"];

in_time!(claude_command, in_a_tiny_terminal("claude", MANUAL, "run touch"));
in_time!(claude_edit, in_a_tiny_terminal("claude", MANUAL, "edit file cwd=CWD"));
in_time!(claude_question, in_a_tiny_terminal("claude", MANUAL, "ask me"));
in_time!(codex_command, in_a_tiny_terminal("codex", ASKS, "run touch"));
in_time!(opencode_command, in_a_tiny_terminal("opencode", &[], "run touch"));
in_time!(opencode_edit, in_a_tiny_terminal("opencode", &[], "edit file cwd=CWD"));
in_time!(gemini_command, in_a_tiny_terminal("gemini", &[], "run touch"));
in_time!(gemini_edit, in_a_tiny_terminal("gemini", &[], "edit file cwd=CWD"));
in_time!(aider_edit, in_a_tiny_terminal("aider", &[], "edit file deep"));
in_time!(claude_boxes, several("claude", MANUAL));
in_time!(opencode_boxes, several("opencode", &[]));
