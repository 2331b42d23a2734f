//! Questions of real agents with several answers or in several parts, and the same question twice: each is answered as it is
//! asked, once. `cargo xtask test --agents` installs the agents; without them each test says that it is passed over.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use belfry_protocol::ask::{Ask, AskKind, Choice};
use belfry_protocol::launch::NewSession;
use belfry_protocol::{AskId, ErrorCode, Request, Session, Status};
use belfry_tests::lab::{World, installed};
use serde_json::{Value, json};

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

async fn start(world: &World, agent: &str, args: &[&str], say: Option<&str>) -> Result<Session> {
    let args = args.iter().map(|argument| (*argument).to_owned()).collect();
    let prompt = say.map(str::to_owned);
    world.start(NewSession { prompt, args, ..world.new_session(agent) }).await
}

/// The question after that one, once it can be answered.
async fn asked(world: &World, session: &Session, after: Option<AskId>) -> Result<Ask> {
    let fits = |session: &Session| {
        let next = |ask: &Ask| ask.answerable && Some(ask.id) != after;
        session.status == Status::Waiting && session.ask.as_deref().is_some_and(next)
    };
    let waits = world.until(session, "asking", fits).await?;
    waits.ask.map(|ask| *ask).context("it asks")
}

fn request(session: &Session, ask: &Ask, choice: Option<&str>, text: Option<&str>) -> Request {
    Request::AnswerAsk {
        session: session.id.to_string(),
        choice: choice.map(str::to_owned),
        text: text.map(str::to_owned),
        fingerprint: Some(ask.fingerprint.clone()),
    }
}

async fn answer(
    world: &World,
    session: &Session,
    ask: &Ask,
    choice: Option<&str>,
    text: Option<&str>,
) -> Result<()> {
    let said = format!("{choice:?} {text:?} of {ask:?}");
    let given = world.ask(request(session, ask, choice, text)).await.map(|_| ());
    if given.is_err() {
        writeln!(std::io::stderr(), "{}", world.screen(session).await?)?;
    }
    given.context(said)
}

async fn over(world: &World, session: &Session) -> Result<()> {
    world.until(session, "at its prompt", |session| session.status == Status::Idle).await?;
    Ok(())
}

/// What the model was told last that has these words in it.
fn told(world: &World, words: &str) -> bool {
    world.lab.seen().iter().any(|seen| seen.body.to_string().contains(words))
}

/// The same command is to be approved twice: at once, or again when the first is over.
async fn twice(agent: &str, args: &[&str], say: &str) -> Result<()> {
    let Some(world) = world(agent).await? else { return Ok(()) };
    let session = start(&world, agent, args, Some(say)).await?;
    let first = asked(&world, &session, None).await?;
    answer(&world, &session, &first, Some("1"), None).await?;
    let second = asked(&world, &session, Some(first.id)).await?;
    ensure!((&second.text, &second.detail) == (&first.text, &first.detail), "{first:?} {second:?}");
    let stale = world.ask(request(&session, &first, Some("1"), None)).await;
    ensure!(stale.as_ref().is_err_and(|error| error.code() == Some(ErrorCode::Changed)), "{stale:?}");
    answer(&world, &session, &second, Some("1"), None).await?;
    over(&world, &session).await?;
    let made = std::fs::read_to_string(world.project.join("made_twice.txt"))?;
    ensure!(made.lines().count() == 2, "{made:?}");
    Ok(())
}

/// Boxes in a list that shows some of its answers at a time.
async fn gemini_boxes() -> Result<()> {
    let Some(world) = world("gemini").await? else { return Ok(()) };
    let session = start(&world, "gemini", &[], Some("ask boxes")).await?;
    let ask = asked(&world, &session, None).await?;
    let ticked = |ask: &Ask| ask.choices.iter().map(|choice| choice.ticked).take(2).collect::<Vec<_>>();
    ensure!(ticked(&ask) == [Some(false); 2], "{ask:?}");
    answer(&world, &session, &ask, Some("2"), None).await?;
    let now = asked(&world, &session, None).await?;
    ensure!(now.id == ask.id && ticked(&now) == [Some(false), Some(true)], "{now:?}");
    // What a client looked at before is not what is there now.
    let stale = world.ask(request(&session, &ask, Some("1"), None)).await;
    ensure!(stale.is_err(), "a stale answer was given");
    // Exactly that: Red comes, Blue goes.
    answer(&world, &session, &now, Some("1,"), None).await?;
    over(&world, &session).await?;
    ensure!(told(&world, "Red") && !told(&world, "Red, Blue"), "{}", world.screen(&session).await?);
    for choice in ["1,2", "All of the above,"] {
        world.send(&session, "ask boxes").await?;
        let ask = asked(&world, &session, None).await?;
        answer(&world, &session, &ask, Some(choice), None).await?;
        over(&world, &session).await?;
        let screen = world.screen(&session).await?;
        ensure!(screen.matches("Red, Blue").count() > usize::from(choice != "1,2"), "{choice}\n{screen}");
    }
    Ok(())
}

/// Several questions, which are reviewed in the end, and one that wants words.
async fn gemini_questions() -> Result<()> {
    let Some(world) = world("gemini").await? else { return Ok(()) };
    let session = start(&world, "gemini", &[], Some("ask many")).await?;
    let colour = asked(&world, &session, None).await?;
    answer(&world, &session, &colour, Some("Blue"), None).await?;
    let size = asked(&world, &session, Some(colour.id)).await?;
    ensure!(size.text.contains("size"), "{size:?}");
    answer(&world, &session, &size, None, Some("As large as can be")).await?;
    let review = asked(&world, &session, Some(size.id)).await?;
    ensure!(review.kind == AskKind::Enter, "{review:?}");
    let body = review.detail.body.clone().unwrap_or_default();
    ensure!(body.contains("Blue") && body.contains("As large as can be"), "{review:?}");
    answer(&world, &session, &review, Some("enter"), None).await?;
    over(&world, &session).await?;
    ensure!(told(&world, "As large as can be"), "{}", world.screen(&session).await?);
    world.send(&session, "ask words").await?;
    let words = asked(&world, &session, None).await?;
    ensure!(words.choices.is_empty() && words.takes_text, "{words:?}");
    answer(&world, &session, &words, None, Some("the mock")).await?;
    over(&world, &session).await?;
    ensure!(told(&world, "the mock"), "{}", world.screen(&session).await?);
    Ok(())
}

/// Four answers, of which three are to be seen at a time, and a text of one's own below them.
async fn gemini_long_list() -> Result<()> {
    let Some(world) = world("gemini").await? else { return Ok(()) };
    let session = start(&world, "gemini", &[], Some("ask among four")).await?;
    let ask = asked(&world, &session, None).await?;
    let field = ask.choices.iter().find(|choice| choice.takes_text).context("a field")?;
    answer(&world, &session, &ask, Some(&field.key), Some("Purple")).await?;
    over(&world, &session).await?;
    ensure!(told(&world, "Purple"), "{}", world.screen(&session).await?);
    world.send(&session, "ask among four").await?;
    let ask = asked(&world, &session, None).await?;
    answer(&world, &session, &ask, Some("3"), None).await?;
    over(&world, &session).await?;
    ensure!(told(&world, "Green"), "{}", world.screen(&session).await?);
    Ok(())
}

/// Servers of the model context protocol that a project brings along.
fn add_servers(world: &World, names: &[&str]) -> Result<()> {
    let server = json!({ "command": "/bin/cat" });
    let servers: serde_json::Map<_, _> =
        names.iter().map(|name| ((*name).to_owned(), server.clone())).collect();
    std::fs::write(world.project.join(".mcp.json"), json!({ "mcpServers": servers }).to_string())?;
    let _ = std::fs::remove_dir_all(world.project.join(".claude"));
    Ok(())
}

/// Until the agent has noted what was chosen; where it says so.
async fn noted(world: &World, session: &Session) -> Result<Value> {
    over(world, session).await?;
    let file = world.project.join(".claude/settings.local.json");
    Ok(std::fs::read(file).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default())
}

async fn claude_servers() -> Result<()> {
    let Some(world) = world("claude").await? else { return Ok(()) };
    add_servers(&world, &["first", "other", "third"])?;
    let session = start(&world, "claude", &[], None).await?;
    let ask = asked(&world, &session, None).await?;
    ensure!(
        ask.kind == AskKind::Trust && ask.choices.iter().filter(|one| one.ticked.is_some()).count() == 3,
        "{ask:?}"
    );
    // One is unticked, and ticked again.
    answer(&world, &session, &ask, Some("2"), None).await?;
    let now = asked(&world, &session, None).await?;
    ensure!(now.choices[1].ticked == Some(false), "{now:?}");
    answer(&world, &session, &now, Some("1,3"), None).await?;
    let settings = noted(&world, &session).await?;
    ensure!(settings["enabledMcpjsonServers"] == json!(["first", "third"]), "{settings}");
    ensure!(settings["disabledMcpjsonServers"] == json!(["other"]), "{settings}");
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    // As they are.
    add_servers(&world, &["first", "other"])?;
    let session = start(&world, "claude", &[], None).await?;
    let ask = asked(&world, &session, None).await?;
    answer(&world, &session, &ask, Some(Choice::SUBMIT), None).await?;
    let settings = noted(&world, &session).await?;
    ensure!(settings["enabledMcpjsonServers"] == json!(["first", "other"]), "{settings}");
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

async fn claude_server() -> Result<()> {
    let Some(world) = world("claude").await? else { return Ok(()) };
    for place in 0..3 {
        add_servers(&world, &["first"])?;
        let session = start(&world, "claude", &[], None).await?;
        let ask = asked(&world, &session, None).await?;
        ensure!(ask.kind == AskKind::Trust, "{ask:?}");
        let choice = ask.choices.get(place).with_context(|| format!("{ask:?}"))?.clone();
        answer(&world, &session, &ask, Some(&choice.label), None).await?;
        let settings = noted(&world, &session).await?;
        let enabled = settings["enabledMcpjsonServers"] == json!(["first"])
            || settings["enableAllProjectMcpServers"] == json!(true);
        ensure!(enabled != choice.refuses, "{choice:?}: {settings}");
        world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    }
    Ok(())
}

macro_rules! in_time {
    ($name:ident, $what:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            tokio::time::timeout(Duration::from_mins(6), $what).await.expect("it took too long").unwrap();
        }
    };
}

const MANUAL: &[&str] = &["--permission-mode", "default"];
const ASKS: &[&str] = &["-a", "on-request"];

in_time!(boxes, gemini_boxes());
in_time!(questions, gemini_questions());
in_time!(long_list, gemini_long_list());
in_time!(servers, claude_servers());
in_time!(server, claude_server());
in_time!(claude_same, twice("claude", MANUAL, "run same"));
in_time!(claude_again, twice("claude", MANUAL, "run again"));
in_time!(codex_same, twice("codex", ASKS, "run same"));
in_time!(codex_again, twice("codex", ASKS, "run again"));
in_time!(opencode_same, twice("opencode", &[], "run same"));
in_time!(opencode_again, twice("opencode", &[], "run again"));
in_time!(gemini_same, twice("gemini", &[], "run same"));
in_time!(gemini_again, twice("gemini", &[], "run again"));
