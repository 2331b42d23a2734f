//! Every choice of real agents' dialogs, given through Belfry: each is taken, the dialog goes, and the agent does what was
//! chosen. `cargo xtask test --agents` installs the agents; without them each test says that it is passed over.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use belfry_protocol::ask::{Approves, Ask, AskKind, Choice};
use belfry_protocol::launch::{NewSession, Size};
use belfry_protocol::{ErrorCode, Request, Session, Status};
use belfry_tests::lab::{World, installed, installed_version};

/// A dialog and how to get to it.
struct Case {
    agent: &'static str,
    args: &'static [&'static str],
    /// What is said to the agent.
    say: &'static str,
    kind: AskKind,
    approves: Option<Approves>,
    /// What an allowed call makes, by the beginning of its name.
    makes: Option<&'static str>,
    /// The choices are given in one session each: after the first the agent asks no more.
    once: bool,
    /// Keys that are pressed at the prompt before anything is said.
    keys: &'static [&'static str],
    /// The session is in a directory that the agent does not know.
    stranger: bool,
    /// The agent has an MCP server.
    mcp: bool,
    /// Another version than the one of the day.
    version: Option<&'static str>,
    /// The terminal's columns and rows.
    size: (u16, u16),
}

const COMMAND: Case = Case {
    agent: "",
    args: &[],
    say: "run touch",
    kind: AskKind::Approval,
    approves: Some(Approves::Command),
    makes: Some("made_by_agent"),
    once: false,
    keys: &[],
    stranger: false,
    mcp: false,
    version: None,
    size: (120, 40),
};

const EDIT: Case =
    Case { say: "edit file cwd=CWD", approves: Some(Approves::Edit), makes: Some("notes_"), ..COMMAND };

const QUESTION: Case =
    Case { say: "ask me", kind: AskKind::Question, approves: None, makes: None, ..COMMAND };

const TRUST: Case = Case {
    say: "count what waited",
    kind: AskKind::Trust,
    approves: None,
    makes: None,
    once: true,
    stranger: true,
    ..COMMAND
};

const PLAN: Case = Case { say: "make plan", kind: AskKind::Plan, approves: None, makes: None, ..COMMAND };

const MCP: Case = Case { say: "use mcp", approves: Some(Approves::Mcp), makes: None, mcp: true, ..COMMAND };

async fn each_choice(case: Case) -> Result<()> {
    let found = match case.version {
        Some(version) => installed_version(case.agent, version),
        None => installed(case.agent),
    };
    let agents = match found {
        Ok(agents) => agents,
        Err(why) => {
            // Past the test harness, which would keep what a passing test prints.
            writeln!(std::io::stderr(), "skipped: {}: {why}", case.agent)?;
            return Ok(());
        }
    };
    let world = World::new(agents).await?;
    if case.mcp {
        world.add_mcp()?;
    }
    let mut session = start(&world, &case).await?;
    let mut given = 0;
    let mut count = 2;
    while given < count {
        let ask = asked(&world, &session, &case, count).await?;
        count = ask.choices.len();
        // What ends the asking comes last.
        let mut choices: Vec<&Choice> = ask.choices.iter().collect();
        choices.sort_by_key(|choice| lasts(choice));
        let choice = choices[given];
        writeln!(std::io::stderr(), "{}: {}: {:?}", case.agent, case.say, choice.label)?;
        take(&world, &session, &case, &ask, choice, given % 2 == 0)
            .await
            .with_context(|| format!("{}: {}: `{}`", case.agent, case.say, choice.label))?;
        given += 1;
        if given < count {
            if case.once || lasts(choice) {
                world.ask(Request::KillSession { session: session.id.to_string() }).await?;
                session = start(&world, &case).await?;
            } else {
                world.send(&session, &said(&world, &case)).await?;
            }
        }
    }
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

async fn start(world: &World, case: &Case) -> Result<Session> {
    let args = case.args.iter().map(|argument| (*argument).to_owned()).collect();
    let size = Some(Size { cols: case.size.0, rows: case.size.1 });
    let mut new = NewSession { args, size, ..world.new_session(case.agent) };
    if case.stranger {
        // One that was trusted is no stranger any more.
        let name =
            format!("stranger-{}", std::fs::read_dir(world.project.join("..")).map_or(0, Iterator::count));
        new.cwd = Some(world.repository(&name)?.to_string_lossy().into_owned());
    }
    if case.keys.is_empty() {
        new.prompt = Some(said(world, case));
        return world.start(new).await;
    }
    let session = world.start(new).await?;
    world.until(&session, "at its prompt", |session| session.status == Status::Idle).await?;
    // It shows its prompt a moment before it takes keys, and what is typed in between is lost.
    for press in 0.. {
        world.keys(&session, case.keys).await?;
        let shown = tokio::time::timeout(Duration::from_secs(5), world.until_screen(&session, "Plan mode ("));
        if shown.await.is_ok() {
            break;
        }
        ensure!(press < 4, "it is not in its plan mode:\n{}", world.screen(&session).await?);
    }
    world.send(&session, &said(world, case)).await?;
    Ok(session)
}

/// What is said to the agent. The mock model knows its directory from there.
fn said(world: &World, case: &Case) -> String {
    case.say.replace("CWD", &world.project.to_string_lossy())
}

/// Whether the agent would not ask again after it.
fn lasts(choice: &Choice) -> bool {
    let label = choice.label.to_lowercase();
    [
        "ask again",
        "always",
        "all edits",
        "session",
        "auto",
        "future",
        "for these files",
        "don't ask",
        "parent",
    ]
    .iter()
    .any(|word| label.contains(word))
}

async fn asked(world: &World, session: &Session, case: &Case, at_least: usize) -> Result<Ask> {
    // A loaded machine draws a dialog in pieces.
    let whole = |ask: &Ask| ask.answerable && ask.choices.len() >= at_least;
    let asking = world
        .until(session, "asking", |session| {
            session.status == Status::Waiting && session.ask.as_deref().is_some_and(whole)
        })
        .await?;
    let ask = *asking.ask.context("it asks")?;
    ensure!((ask.kind, ask.approves) == (case.kind, case.approves), "{ask:?}");
    Ok(ask)
}

/// Answers, and looks whether that did what it says.
async fn take(
    world: &World,
    session: &Session,
    case: &Case,
    ask: &Ask,
    choice: &Choice,
    by_key: bool,
) -> Result<()> {
    let before = made(world, case)?;
    let choice_refuses = choice.refuses;
    let words = if by_key { &choice.key } else { &choice.label };
    let text = choice.takes_text.then(|| "Green, as grass".to_owned());
    let request = |fingerprint: &str| Request::AnswerAsk {
        session: session.id.to_string(),
        choice: Some(words.clone()),
        text: text.clone(),
        fingerprint: Some(fingerprint.to_owned()),
    };
    // Of another dialog, nothing is answered.
    let stale = world.ask(request("0000000000000000")).await;
    ensure!(stale.as_ref().is_err_and(|error| error.code() == Some(ErrorCode::Changed)), "{stale:?}");
    let mut fingerprint = ask.fingerprint.clone();
    let mut tries = 0;
    while let Err(error) = world.ask(request(&fingerprint)).await {
        let now = world.session(session).await?.ask.filter(|now| now.id == ask.id);
        // More of it may have been drawn since, or be on its way to us: nothing was typed, and a person would answer again.
        let changed = error.code() == Some(ErrorCode::Changed);
        let more = now.filter(|_| changed && tries < 5);
        let Some(more) = more else {
            anyhow::bail!("{error}: {ask:?}\n{}", world.screen(session).await?);
        };
        tries += 1;
        fingerprint = more.fingerprint;
    }
    let mut last = Some(ask.id);
    loop {
        let after = world
            .until(session, "over", |session| {
                session.ask.as_ref().is_none_or(|now| Some(now.id) != last)
                    && session.status != Status::Running
            })
            .await?;
        let Some(next) = after.ask.filter(|_| after.status == Status::Waiting) else { break };
        // It asks on, whether that is meant.
        last = Some(next.id);
        writeln!(std::io::stderr(), "  then: {:?} {:?}", next.text, next.choices)?;
        if next.answerable
            && let Some(choice) = next.choices.iter().find(|choice| choice.refuses == choice_refuses)
        {
            let request = Request::AnswerAsk {
                session: session.id.to_string(),
                choice: Some(choice.key.clone()),
                text: None,
                fingerprint: Some(next.fingerprint.clone()),
            };
            match world.ask(request).await {
                // Some dialogs are drawn once more while they go, and some in two pieces: what is there now is looked at anew.
                Err(error) if error.code() == Some(ErrorCode::Changed) => last = None,
                Err(error) => return Err(error.into()),
                Ok(_) => {}
            }
        }
    }
    let over = |session: &Session| {
        session.status == Status::Idle || (choice_refuses && session.status == Status::Dead)
    };
    world.until(session, "at its prompt", over).await?;
    if case.makes.is_some() {
        let new = made(world, case)? - before;
        let expected = usize::from(!choice.refuses);
        ensure!(
            new == expected,
            "it made {new} files where {expected} were allowed\n{}",
            world.screen(session).await?
        );
    }
    Ok(())
}

fn made(world: &World, case: &Case) -> Result<usize> {
    let Some(makes) = case.makes else { return Ok(0) };
    let files = std::fs::read_dir(&world.project)?.flatten();
    Ok(files.filter(|file| file.file_name().to_string_lossy().starts_with(makes)).count())
}

macro_rules! choices {
    ($name:ident, $case:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let outcome = tokio::time::timeout(Duration::from_mins(8), each_choice($case)).await;
            outcome.expect("it took too long").unwrap();
        }
    };
}

const MANUAL: &[&str] = &["--permission-mode", "default"];

choices!(claude_command, Case { agent: "claude", args: MANUAL, ..COMMAND });
choices!(claude_edit, Case { agent: "claude", args: MANUAL, ..EDIT });
choices!(claude_question, Case { agent: "claude", args: MANUAL, ..QUESTION });
choices!(
    claude_plan,
    Case { agent: "claude", args: &["--permission-mode", "plan"], say: "full plan", once: true, ..PLAN }
);
choices!(
    claude_fetch,
    Case {
        agent: "claude",
        args: MANUAL,
        say: "fetch it",
        approves: Some(Approves::Fetch),
        makes: None,
        ..COMMAND
    }
);
choices!(codex_command, Case { agent: "codex", args: &["-a", "on-request"], ..COMMAND });
choices!(claude_trust, Case { agent: "claude", ..TRUST });
choices!(codex_trust, Case { agent: "codex", ..TRUST });
choices!(gemini_trust, Case { agent: "gemini", ..TRUST });
choices!(codex_question, Case { agent: "codex", keys: &["S-Tab"], ..QUESTION });
choices!(codex_plan, Case { agent: "codex", keys: &["S-Tab"], once: true, ..PLAN });
choices!(opencode_command, Case { agent: "opencode", ..COMMAND });
choices!(opencode_edit, Case { agent: "opencode", ..EDIT });
choices!(opencode_question, Case { agent: "opencode", ..QUESTION });
choices!(gemini_command, Case { agent: "gemini", ..COMMAND });
choices!(gemini_edit, Case { agent: "gemini", ..EDIT });
choices!(gemini_question, Case { agent: "gemini", ..QUESTION });
choices!(aider_edit, Case { agent: "aider", kind: AskKind::Approval, once: true, ..EDIT });

const OLDER: Option<&str> = Some("2.1.197");

choices!(claude_mcp, Case { agent: "claude", args: MANUAL, ..MCP });
choices!(claude_2_1_197_command, Case { agent: "claude", args: MANUAL, version: OLDER, ..COMMAND });
choices!(claude_2_1_197_edit, Case { agent: "claude", args: MANUAL, version: OLDER, ..EDIT });
choices!(claude_2_1_197_question, Case { agent: "claude", args: MANUAL, version: OLDER, ..QUESTION });
choices!(claude_2_1_197_mcp, Case { agent: "claude", args: MANUAL, version: OLDER, ..MCP });
choices!(claude_2_1_197_trust, Case { agent: "claude", version: OLDER, ..TRUST });
choices!(
    claude_2_1_197_plan,
    Case {
        agent: "claude",
        args: &["--permission-mode", "plan"],
        say: "full plan",
        once: true,
        version: OLDER,
        ..PLAN
    }
);
choices!(codex_mcp, Case { agent: "codex", ..MCP });
choices!(codex_edit, Case { agent: "codex", args: &["-a", "on-request", "-s", "read-only"], ..EDIT });
choices!(gemini_mcp, Case { agent: "gemini", ..MCP });
choices!(opencode_mcp, Case { agent: "opencode", ..MCP });

/// What most people's terminals begin with.
const SMALL: (u16, u16) = (80, 24);

choices!(claude_command_80x24, Case { agent: "claude", args: MANUAL, size: SMALL, ..COMMAND });
choices!(codex_command_80x24, Case { agent: "codex", args: &["-a", "on-request"], size: SMALL, ..COMMAND });
choices!(gemini_command_80x24, Case { agent: "gemini", size: SMALL, ..COMMAND });
choices!(opencode_command_80x24, Case { agent: "opencode", size: SMALL, ..COMMAND });
choices!(opencode_question_80x24, Case { agent: "opencode", size: SMALL, ..QUESTION });
choices!(aider_edit_80x24, Case { agent: "aider", kind: AskKind::Approval, once: true, size: SMALL, ..EDIT });
