//! What real agents wrote down of real conversations is read back: what was asked and answered, tools and what they gave, what
//! was used. `cargo xtask test --agents` installs the agents; without them each test says that it is passed over.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use belfry_protocol::launch::NewSession;
use belfry_protocol::transcript::{Conversation, Entry, Note, Said};
use belfry_protocol::{Request, Session, Status};
use belfry_tests::lab::{World, installed};
use belfry_transcripts::{Budget, Homes, Item, Reader, find, found};

/// What differs between agents.
struct Case {
    agent: &'static str,
    /// So that it asks before it runs a command.
    args: &'static [&'static str],
    /// It has tools; Aider's model writes what it wants into its answer.
    tools: bool,
}

/// A conversation as it is read.
struct Read {
    about: Conversation,
    entries: Vec<Entry>,
}

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
    let args = case.args.iter().map(|argument| (*argument).to_owned()).collect();
    let new =
        NewSession { prompt: Some("count the first".to_owned()), args, ..world.new_session(case.agent) };
    let session = world.start(new).await?;
    world.until_asked(&session, |prompt| prompt.contains("count the first")).await?;
    world.until_screen(&session, "RECEIVED chars=").await?;
    idle(&world, &session).await?;
    for prompt in ["run touch", "edit file cwd=", "todo"] {
        let prompt = format!(
            "{prompt}{}",
            if prompt.ends_with('=') { world.project.to_string_lossy() } else { "".into() }
        );
        world.send(&session, &prompt).await?;
        world.until_asked(&session, |asked| asked.contains(&prompt)).await?;
        idle(&world, &session).await?;
    }
    keep(&world, case.agent)?;

    let homes =
        Homes::of(|name| world.home.env.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone()))
            .with_aider(world.session(&session).await?.conversation_id.map(PathBuf::from));
    let all = found(&homes);
    let ours: Vec<_> = all.iter().filter(|found| found.subagent.is_none()).collect();
    ensure!(ours.len() == 1, "one conversation: {ours:?}");
    ensure!(find(case.agent, &ours[0].id, &homes).as_ref() == Some(ours[0]), "found by its id");
    if let Some(id) = world.session(&session).await?.conversation_id {
        ensure!(case.agent == "aider" || id == ours[0].id, "{id} is {}", ours[0].id);
    }
    let read = read(ours[0])?;
    check(&case, &world, &read).with_context(|| format!("{:#?}\n{:#?}", read.about, read.entries))?;
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

/// Until the turn is over. What the agent asks is allowed.
async fn idle(world: &World, session: &Session) -> Result<()> {
    for _ in 0..20 {
        let now = world
            .until(session, "idle or asking", |session| {
                matches!(session.status, Status::Idle | Status::Waiting)
            })
            .await?;
        if now.status == Status::Idle && now.queued == 0 {
            return Ok(());
        }
        if now.status == Status::Waiting {
            world.keys(session, &["Enter"]).await?;
            let answered = world.until(session, "answered", |session| session.status != Status::Waiting);
            // Keys in the first moments of a dialog are ignored.
            let _ = tokio::time::timeout(Duration::from_secs(3), answered).await;
        }
    }
    bail!("it never comes to rest:\n{}", world.screen(session).await?)
}

fn read(found: &belfry_transcripts::Found) -> Result<Read> {
    let mut reader = Reader::open(found, None)?;
    let mut entries = std::collections::BTreeMap::new();
    let mut take = |item| {
        if let Item::Entry(entry) = item {
            entries.insert(entry.seq, entry);
        }
    };
    ensure!(reader.read(Budget::ALL, &mut take)?.caught_up, "it ends");
    let about = reader.summary().conversation(found);
    Ok(Read { about, entries: entries.into_values().collect() })
}

fn check(case: &Case, world: &World, read: &Read) -> Result<()> {
    let Read { about, entries } = read;
    ensure!(about.unread.is_none(), "all of it can be read");
    ensure!(about.prompts == 4, "{} prompts", about.prompts);
    ensure!(about.first_prompt.as_deref() == Some("count the first"), "the first prompt");
    ensure!(about.last_prompt.as_deref() == Some("todo"), "the last prompt");
    ensure!(!about.title.is_empty() && about.model.is_some(), "title and model");
    let cwd = about.cwd.as_deref().map(PathBuf::from);
    // A history that Aider was told to keep elsewhere says nothing of it.
    ensure!(case.agent == "aider" || cwd == Some(world.project.clone()), "the directory");
    ensure!(about.started_at.is_some_and(|began| began <= about.updated_at), "its dates");
    ensure!(about.usage.input > 0 && about.usage.output > 0 && about.usage.context.is_some(), "what it used");
    ensure!(
        entries
            .iter()
            .any(|entry| matches!(&entry.said, Said::Answer(text) if text.text.contains("RECEIVED"))),
        "an answer"
    );
    let prompts: Vec<_> = entries.iter().filter(|entry| matches!(entry.said, Said::Prompt(_))).collect();
    ensure!(prompts.len() == 4, "{prompts:?}");
    ensure!(
        !entries.iter().any(|entry| matches!(entry.said, Said::Note { note: Note::Unread, .. })),
        "nothing is left out"
    );
    ensure!(entries.windows(2).all(|pair| pair[0].seq < pair[1].seq), "in order");
    if !case.tools {
        return Ok(());
    }
    let calls: Vec<_> = entries
        .iter()
        .filter_map(|entry| if let Said::Tool(call) = &entry.said { Some(call) } else { None })
        .collect();
    let shell =
        calls.iter().find(|call| call.about.as_deref().is_some_and(|about| about.starts_with("touch ")));
    let shell = shell.context("the command")?;
    let edit = calls.iter().find(|call| call.files.iter().any(|file| file.contains("notes_")));
    let edit = edit.context("the edit")?;
    ensure!(edit.diff.as_ref().is_some_and(|diff| diff.text.contains("+beta")), "what it changes");
    for call in [shell, edit] {
        let result = entries.iter().any(
            |entry| matches!(&entry.said, Said::Result { call: of, failed: false, .. } if *of == call.call),
        );
        ensure!(result, "the result of {}", call.name);
    }
    ensure!(
        case.agent == "gemini" || entries.iter().any(|entry| matches!(entry.said, Said::Todos { .. })),
        "its list"
    );
    Ok(())
}

/// Copies of the agents' files for somebody who wants to see them.
fn keep(world: &World, agent: &str) -> Result<()> {
    let Some(into) = std::env::var_os("BELFRY_KEEP_TRANSCRIPTS") else { return Ok(()) };
    for from in [&world.home.path, &world.project] {
        let name = from.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let into = PathBuf::from(&into).join(format!("{agent}-{name}"));
        std::process::Command::new("cp").arg("-r").args([from, &into]).status()?;
    }
    Ok(())
}

macro_rules! transcript {
    ($name:ident, $case:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let outcome = tokio::time::timeout(Duration::from_mins(5), converse($case)).await;
            outcome.expect("it took too long").unwrap();
        }
    };
}

transcript!(claude, Case { agent: "claude", args: &["--permission-mode", "default"], tools: true });
transcript!(codex, Case { agent: "codex", args: &["-a", "on-request"], tools: true });
transcript!(opencode, Case { agent: "opencode", args: &[], tools: true });
transcript!(gemini, Case { agent: "gemini", args: &[], tools: true });
transcript!(aider, Case { agent: "aider", args: &[], tools: false });
