//! Real agents against the mock model: everything is killed, the session is resumed, and the model is told again what was said
//! before. Forks go on apart. `cargo xtask test --agents` installs the agents; without them each test says that it is passed
//! over.

#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use belfry_client::ClientError;
use belfry_protocol::conversation::ForkSession;
use belfry_protocol::launch::NewSession;
use belfry_protocol::{ErrorCode, Reply, Request, Session, Status};
use belfry_tests::lab::{World, installed};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// What differs between agents.
#[derive(Clone, Copy)]
struct Case {
    agent: &'static str,
    /// It puts something around what the person said, before the model sees it.
    wraps: bool,
}

const CLAUDE: Case = Case { agent: "claude", wraps: false };
const CODEX: Case = Case { agent: "codex", wraps: false };
const OPENCODE: Case = Case { agent: "opencode", wraps: false };
const GEMINI: Case = Case { agent: "gemini", wraps: false };
const AIDER: Case = Case { agent: "aider", wraps: true };

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

impl Case {
    async fn begin(self, world: &World, prompt: &str) -> Result<Session> {
        let new = NewSession { prompt: Some(prompt.to_owned()), ..world.new_session(self.agent) };
        let session = world.start(new).await?;
        self.answered(world, &session, prompt).await
    }

    /// Says something, and waits until it is answered.
    async fn say(self, world: &World, session: &Session, text: &str) -> Result<Session> {
        world.send(session, text).await?;
        self.answered(world, session, text).await
    }

    async fn answered(self, world: &World, session: &Session, text: &str) -> Result<Session> {
        let fits = |prompt: &str| if self.wraps { prompt.contains(text) } else { prompt == text };
        world.until_asked(session, fits).await?;
        world.until(session, "idle", |now| now.status == Status::Idle && now.queued == 0).await
    }

    /// All that the model was sent with that prompt, but for the prompt itself at its end.
    fn sent_with(self, world: &World, text: &str) -> Result<String> {
        let fits = |prompt: &str| if self.wraps { prompt.contains(text) } else { prompt == text };
        let seen = world.lab.seen();
        let last = seen.iter().rev().find(|seen| !seen.side && fits(&seen.prompt));
        Ok(last.with_context(|| format!("{text:?} was never asked"))?.body.to_string())
    }
}

async fn resume(world: &World, session: &Session) -> Result<Session, ClientError> {
    let request =
        Request::ResumeSession { session: session.id.to_string(), cwd: None, base_env: Some(world.env()) };
    match world.ask(request).await? {
        Reply::Session(session) => Ok(*session),
        other => panic!("{other:?}"),
    }
}

fn to_fork(world: &World, session: &Session, handover: bool) -> Request {
    Request::ForkSession(Box::new(ForkSession {
        session: session.id.to_string(),
        name: None,
        at: None,
        handover,
        base_env: Some(world.env()),
    }))
}

async fn fork(world: &World, session: &Session, handover: bool) -> Result<Session> {
    match world.ask(to_fork(world, session, handover)).await? {
        Reply::Session(session) => Ok(*session),
        other => bail!("{other:?}"),
    }
}

/// Everything dies, and the next thing that the model is sent has all that was said before.
async fn goes_on_after_a_crash(case: Case) -> Result<()> {
    let Some(mut world) = world(case.agent).await? else { return Ok(()) };
    let begun = case.begin(&world, "count the zebras").await?;
    ensure!(begun.conversation_id.is_some(), "it is not known which conversation it is in");
    world.crash().await?;
    let dead = world.until_dead(&begun).await?;
    ensure!(dead.conversation_id == begun.conversation_id, "{:?}", dead.conversation_id);
    let resumed = resume(&world, &begun).await?;
    ensure!(resumed.conversation_id == begun.conversation_id, "{:?}", resumed.conversation_id);
    ensure!(resumed.notice.is_none(), "{:?}", resumed.notice);
    world.until(&begun, "at its prompt", |now| now.status == Status::Idle).await?;
    let after = case.say(&world, &begun, "count the second thing").await?;
    ensure!(after.conversation_id == begun.conversation_id, "{:?}", after.conversation_id);
    let sent = case.sent_with(&world, "count the second thing")?;
    ensure!(sent.contains("count the zebras") && sent.contains("RECEIVED chars="), "{sent}");
    // And once more, for what a resumed run leaves behind.
    world.crash().await?;
    resume(&world, &begun).await?;
    case.say(&world, &begun, "count the third thing").await?;
    let sent = case.sent_with(&world, "count the third thing")?;
    ensure!(sent.contains("count the zebras") && sent.contains("count the second thing"), "{sent}");
    Ok(())
}

/// Both go on, and neither sees what the other is told.
async fn forks_go_apart(case: Case) -> Result<()> {
    let Some(world) = world(case.agent).await? else { return Ok(()) };
    let original = case.begin(&world, "count the zebras").await?;
    let copy = fork(&world, &original, false).await?;
    ensure!(copy.forked_from == Some(original.id) && copy.started_by.is_none(), "{copy:?}");
    let copy = case.say(&world, &copy, "count only in the copy").await?;
    case.say(&world, &original, "count only in the original").await?;
    case.say(&world, &copy, "count again in the copy").await?;
    let first = case.sent_with(&world, "count only in the copy")?;
    ensure!(first.contains("count the zebras") && first.contains("RECEIVED chars="), "{first}");
    let sent = case.sent_with(&world, "count only in the original")?;
    ensure!(sent.contains("count the zebras") && !sent.contains("in the copy"), "{sent}");
    let sent = case.sent_with(&world, "count again in the copy")?;
    ensure!(sent.contains("count only in the copy") && !sent.contains("in the original"), "{sent}");
    let (one, other) = (world.session(&original).await?, world.session(&copy).await?);
    ensure!(other.conversation_id.is_some() && one.conversation_id != other.conversation_id, "{other:?}");
    ensure!(one.conversation_id == original.conversation_id, "{one:?}");
    Ok(())
}

/// Without a fork: the refusal names the way out, and that leads there.
async fn hands_over(case: Case) -> Result<()> {
    let Some(world) = world(case.agent).await? else { return Ok(()) };
    let original = case.begin(&world, "count the zebras").await?;
    let refused = world.ask(to_fork(&world, &original, false)).await;
    let Err(ClientError::Failed(error)) = refused else { bail!("{refused:?}") };
    ensure!(error.code == ErrorCode::Unsupported, "{error:?}");
    ensure!(error.next.as_deref().is_some_and(|next| next.contains("--handover")), "{error:?}");
    let new = fork(&world, &original, true).await?;
    ensure!(new.forked_from == Some(original.id), "{new:?}");
    // Gemini asks whether the text's directory is to be trusted.
    let asked = || world.lab.seen().iter().any(|seen| !seen.side && seen.prompt.contains("Read the file"));
    let now = world.until(&new, "asked", |now| now.status == Status::Waiting || asked()).await?;
    if now.status == Status::Waiting {
        let session = new.id.to_string();
        let choice = Some("1".to_owned());
        world.ask(Request::AnswerAsk { session, choice, text: None, fingerprint: None }).await?;
    }
    world.until_asked(&new, |prompt| prompt.contains("Read the file")).await?;
    let file = world.belfry_home().session_dir(new.id).join("handover/conversation.md");
    let text = std::fs::read_to_string(&file)?;
    ensure!(text.contains("count the zebras"), "{text}");
    Ok(())
}

/// What was cleared is over: the new conversation goes on, and not the one before.
async fn a_cleared_conversation_stays_cleared(case: Case, hooks: bool) -> Result<()> {
    let Some(mut world) = world(case.agent).await? else { return Ok(()) };
    if !hooks {
        // Gemini CLI takes no settings of ours from below a folder that others may write in, which is so on most machines.
        let folder = world.project.parent().context("the project lies in the world's folder")?;
        std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o777))?;
    }
    let begun = case.begin(&world, "count the zebras").await?;
    world.keys(&begun, &["/clear"]).await?;
    world.until_screen(&begun, "/clear").await?;
    let other = |now: &Session| now.conversation_id.is_some() && now.conversation_id != begun.conversation_id;
    for press in 0..5 {
        world.keys(&begun, &["Enter"]).await?;
        let cleared = tokio::time::timeout(Duration::from_secs(5), world.until(&begun, "cleared", other));
        if cleared.await.is_ok() {
            break;
        }
        ensure!(press < 4, "it was never cleared:\n{}", world.screen(&begun).await?);
    }
    let second = case.say(&world, &begun, "count the lions").await?;
    ensure!(second.conversation_id != begun.conversation_id, "{second:?}");
    world.crash().await?;
    let resumed = resume(&world, &begun).await?;
    ensure!(resumed.conversation_id == second.conversation_id, "{resumed:?}");
    case.say(&world, &begun, "count the tigers").await?;
    let sent = case.sent_with(&world, "count the tigers")?;
    ensure!(sent.contains("count the lions") && !sent.contains("zebras"), "{sent}");
    Ok(())
}

/// An agent in a terminal that is none of ours has it: the refusal says where.
async fn is_not_resumed_twice(case: Case, resumes: fn(&str) -> Vec<String>) -> Result<()> {
    let Some(world) = world(case.agent).await? else { return Ok(()) };
    let begun = case.begin(&world, "count the zebras").await?;
    let id = begun.conversation_id.clone().context("a conversation")?;
    world.ask(Request::KillSession { session: begun.id.to_string() }).await?;
    world.until_dead(&begun).await?;

    let pair = native_pty_system()
        .openpty(PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 })
        .map_err(|error| anyhow::anyhow!("{error:#}"))?;
    let mut command = CommandBuilder::new(case.agent);
    command.env_clear();
    command.env("TERM", "xterm-256color");
    for variable in world.env() {
        command.env(variable.name, variable.value);
    }
    command.env("PWD", &world.project);
    command.args(resumes(&id));
    command.cwd(&world.project);
    let mut child = pair.slave.spawn_command(command).map_err(|error| anyhow::anyhow!("{error:#}"))?;
    drop(pair.slave);
    let mut output = pair.master.try_clone_reader().map_err(|error| anyhow::anyhow!("{error:#}"))?;
    let printed = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&printed);
    std::thread::spawn(move || {
        let mut piece = [0; 4096];
        while let Ok(count @ 1..) = output.read(&mut piece) {
            kept.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&piece[..count]);
        }
    });
    let shows = |text: &[u8]| {
        let printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
        printed.windows(text.len()).any(|window| window == text)
    };

    // From the moment on in which it is that program, until it shows what was said.
    let pid = child.process_id().context("a process")?;
    let mut tick = tokio::time::interval(Duration::from_millis(100));
    while !std::fs::read_to_string(format!("/proc/{pid}/cmdline"))?.contains(&id) {
        tick.tick().await;
    }
    loop {
        let refused = resume(&world, &begun).await;
        let Err(ClientError::Failed(error)) = refused else { bail!("{refused:?}") };
        ensure!(error.code == ErrorCode::ConversationLive, "{error:?}");
        ensure!(error.message.contains("another terminal (pts/"), "{error:?}");
        if shows(b"zebras") {
            break;
        }
        tick.tick().await;
    }
    let _ = child.kill();
    let _ = child.wait();
    drop(pair.master);
    resume(&world, &begun).await?;
    case.say(&world, &begun, "count the second thing").await?;
    let sent = case.sent_with(&world, "count the second thing")?;
    ensure!(sent.contains("count the zebras"), "{sent}");
    Ok(())
}

macro_rules! with_agent {
    ($name:ident, $test:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let outcome = tokio::time::timeout(Duration::from_mins(8), $test).await;
            outcome.expect("it took too long").unwrap();
        }
    };
}

with_agent!(claude_goes_on_after_a_crash, goes_on_after_a_crash(CLAUDE));
with_agent!(codex_goes_on_after_a_crash, goes_on_after_a_crash(CODEX));
with_agent!(opencode_goes_on_after_a_crash, goes_on_after_a_crash(OPENCODE));
with_agent!(gemini_goes_on_after_a_crash, goes_on_after_a_crash(GEMINI));
with_agent!(aider_goes_on_after_a_crash, goes_on_after_a_crash(AIDER));
with_agent!(claude_forks, forks_go_apart(CLAUDE));
with_agent!(codex_forks, forks_go_apart(CODEX));
with_agent!(opencode_forks, forks_go_apart(OPENCODE));
with_agent!(gemini_hands_over, hands_over(GEMINI));
with_agent!(aider_hands_over, hands_over(AIDER));
with_agent!(claude_stays_cleared, a_cleared_conversation_stays_cleared(CLAUDE, true));
with_agent!(gemini_stays_cleared, a_cleared_conversation_stays_cleared(GEMINI, true));
with_agent!(gemini_stays_cleared_without_hooks, a_cleared_conversation_stays_cleared(GEMINI, false));
with_agent!(
    claude_is_not_resumed_twice,
    is_not_resumed_twice(CLAUDE, |id| vec!["--resume".to_owned(), id.to_owned()])
);
with_agent!(
    codex_is_not_resumed_twice,
    is_not_resumed_twice(CODEX, |id| vec!["resume".to_owned(), "--no-daemon".to_owned(), id.to_owned()])
);
with_agent!(
    opencode_is_not_resumed_twice,
    is_not_resumed_twice(OPENCODE, |id| vec!["-s".to_owned(), id.to_owned()])
);
