//! Real agents tell by their hooks and their own files what they do, and what the person has set up of such goes on working.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use belfry_protocol::explain::Explanation;
use belfry_protocol::launch::NewSession;
use belfry_protocol::{Reply, Request, Says, Session, Source};
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

async fn start(world: &World, agent: &str, prompt: &str, args: &[&str]) -> Result<Session> {
    let args = args.iter().map(|argument| (*argument).to_owned()).collect();
    world.start(NewSession { prompt: Some(prompt.to_owned()), args, ..world.new_session(agent) }).await
}

async fn explained(world: &World, session: &Session) -> Result<Explanation> {
    match world.ask(Request::ExplainSession { session: session.id.to_string() }).await? {
        Reply::Explanation(explanation) => Ok(*explanation),
        other => bail!("{other:?}"),
    }
}

/// Waits until a source says that, and that in its words.
async fn until_told(
    world: &World,
    session: &Session,
    source: Source,
    says: Says,
    what: &str,
) -> Result<Explanation> {
    let mut last = None;
    let told = tokio::time::timeout(Duration::from_mins(2), async {
        let mut tick = tokio::time::interval(Duration::from_millis(20));
        loop {
            tick.tick().await;
            let now = explained(world, session).await?;
            let found = now.evidence.iter().any(|evidence| {
                evidence.source == source && evidence.says == Some(says) && evidence.what.contains(what)
            });
            if found {
                return Ok::<_, anyhow::Error>(now);
            }
            last = Some(now);
        }
    });
    if let Ok(told) = told.await {
        return told;
    }
    bail!("never {source:?} {says:?} {what:?}: {last:#?}\n{}", world.screen(session).await?)
}

async fn kill(world: &World, session: &Session) -> Result<()> {
    world.ask(Request::KillSession { session: session.id.to_string() }).await?;
    Ok(())
}

fn no_hooks(explanation: &Explanation) -> bool {
    explanation
        .missing
        .iter()
        .any(|missing| missing.source == Source::Hook && missing.why.contains("could not"))
}

/// Adds hooks of the person's own to settings in their home; each notes its name.
fn own_hooks(file: &Path, names: &[&str], noted: &Path) -> Result<String> {
    let mut settings: Value =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap_or("{}".to_owned()))?;
    for name in names {
        let command = format!("echo {name} >>'{}'", noted.display());
        settings["hooks"][name] = json!([{ "hooks": [{ "type": "command", "command": command }] }]);
    }
    let settings = settings.to_string();
    std::fs::create_dir_all(file.parent().context("a folder")?)?;
    std::fs::write(file, &settings)?;
    Ok(settings)
}

async fn claude() -> Result<()> {
    let Some(world) = world("claude").await? else { return Ok(()) };
    let (file, noted) = (world.home.path.join(".claude/settings.json"), world.home.path.join("noted"));
    let own = own_hooks(&file, &["UserPromptSubmit", "PermissionRequest", "Stop"], &noted)?;
    let session = start(&world, "claude", "run touch", &["--permission-mode", "default"]).await?;
    until_told(&world, &session, Source::Registry, Says::Idle, "idle").await?;
    let asked = until_told(&world, &session, Source::Hook, Says::Asking, "PermissionRequest (Bash)").await?;
    ensure!(asked.missing.iter().all(|missing| missing.source != Source::Hook), "{:?}", asked.missing);
    until_told(&world, &session, Source::Registry, Says::Asking, "permission").await?;
    until_told(&world, &session, Source::Transcript, Says::Working, "calls Bash").await?;
    // A key that comes right after the dialog is lost; an answer waits until keys are read.
    world.until(&session, "waiting", |now| now.status == belfry_protocol::Status::Waiting).await?;
    let answer = Request::AnswerAsk {
        session: session.id.to_string(),
        choice: Some("1".to_owned()),
        text: None,
        fingerprint: None,
    };
    world.ask(answer).await?;
    until_told(&world, &session, Source::Hook, Says::Done, "Stop").await?;
    until_told(&world, &session, Source::Registry, Says::Idle, "idle").await?;
    until_told(&world, &session, Source::Transcript, Says::Done, "turn over").await?;

    // Esc calls no hook; the list of sessions and the transcript know.
    world.send(&session, "slow").await?;
    until_told(&world, &session, Source::Hook, Says::Working, "UserPromptSubmit").await?;
    until_told(&world, &session, Source::Registry, Says::Working, "busy").await?;
    world.until_screen(&session, "word3").await?;
    world.keys(&session, &["Esc"]).await?;
    until_told(&world, &session, Source::Registry, Says::Idle, "idle").await?;
    until_told(&world, &session, Source::Transcript, Says::Idle, "interrupted").await?;

    // Another conversation in the same process.
    let before = world.session(&session).await?.conversation_id;
    ensure!(before.is_some(), "the conversation was named at launch");
    world.keys(&session, &["/clear"]).await?;
    world.until_screen(&session, "/clear").await?;
    world.keys(&session, &["Enter"]).await?;
    world.until(&session, "in another conversation", |now| now.conversation_id != before).await?;
    until_told(&world, &session, Source::Hook, Says::Idle, "SessionStart (clear)").await?;
    world.send(&session, "run ls").await?;
    until_told(&world, &session, Source::Transcript, Says::Done, "turn over").await?;

    let noted = std::fs::read_to_string(noted)?;
    for name in ["UserPromptSubmit", "PermissionRequest", "Stop"] {
        ensure!(noted.contains(name), "the person's own hook for {name} did not run: {noted:?}");
    }
    ensure!(std::fs::read_to_string(file)? == own, "the person's settings were changed");
    kill(&world, &session).await
}

async fn claude_with_subagents() -> Result<()> {
    let Some(world) = world("claude").await? else { return Ok(()) };
    let session = start(&world, "claude", "subagent", &["--permission-mode", "default"]).await?;
    // Hooks follow each other too quickly for one of them to be seen; what they told stays.
    world
        .until(&session, "at work with a subagent", |now| {
            let doing = now.activity.as_deref().unwrap_or_default().to_lowercase();
            now.status == belfry_protocol::Status::Running && doing.contains("subagent")
        })
        .await?;
    until_told(&world, &session, Source::Hook, Says::Done, "Stop").await?;
    kill(&world, &session).await
}

async fn claude_that_fails() -> Result<()> {
    let Some(world) = world("claude").await? else { return Ok(()) };
    let session = start(&world, "claude", "badreq", &[]).await?;
    until_told(&world, &session, Source::Hook, Says::Failed, "StopFailure").await?;
    until_told(&world, &session, Source::Transcript, Says::Failed, "an error of the model").await?;
    kill(&world, &session).await
}

async fn gemini() -> Result<()> {
    let Some(world) = world("gemini").await? else { return Ok(()) };
    let (file, noted) = (world.home.path.join(".gemini/settings.json"), world.home.path.join("noted"));
    let own = own_hooks(&file, &["BeforeAgent", "AfterAgent"], &noted)?;
    let session = start(&world, "gemini", "run touch", &[]).await?;
    if no_hooks(&explained(&world, &session).await?) {
        // It reads settings of a launch only where root alone can write.
        writeln!(std::io::stderr(), "skipped: gemini takes no hooks here")?;
        return kill(&world, &session).await;
    }
    until_told(&world, &session, Source::Hook, Says::Asking, "Notification (exec)").await?;
    world.until_screen(&session, "Allow execution of").await?;
    for _ in 0..5 {
        world.keys(&session, &["Enter"]).await?;
        let told = until_told(&world, &session, Source::Hook, Says::Done, "AfterAgent");
        if tokio::time::timeout(Duration::from_secs(4), told).await.is_ok() {
            break;
        }
    }
    until_told(&world, &session, Source::Hook, Says::Done, "AfterAgent").await?;
    let noted = std::fs::read_to_string(noted)?;
    ensure!(noted.contains("BeforeAgent") && noted.contains("AfterAgent"), "{noted:?}");
    // It writes the file anew at its start; what hooks are in it stays the person's.
    let hooks = |text: &str| Ok::<_, anyhow::Error>(serde_json::from_str::<Value>(text)?["hooks"].clone());
    ensure!(hooks(&std::fs::read_to_string(file)?)? == hooks(&own)?, "the person's hooks were changed");
    kill(&world, &session).await
}

async fn opencode() -> Result<()> {
    let Some(world) = world("opencode").await? else { return Ok(()) };
    let session = start(&world, "opencode", "run touch", &[]).await?;
    until_told(&world, &session, Source::Hook, Says::Asking, "permission.asked").await?;
    let now = world.session(&session).await?;
    ensure!(now.conversation_id.as_deref().is_some_and(|id| id.starts_with("ses_")), "{now:?}");
    world.until_screen(&session, "Permission required").await?;
    for _ in 0..5 {
        world.keys(&session, &["Enter"]).await?;
        let told = until_told(&world, &session, Source::Hook, Says::Done, "session.");
        if tokio::time::timeout(Duration::from_secs(4), told).await.is_ok() {
            break;
        }
    }
    until_told(&world, &session, Source::Hook, Says::Done, "session.").await?;
    // A subagent is a session of its own, whose end is not the turn's.
    world.send(&session, "subagent").await?;
    until_told(&world, &session, Source::Hook, Says::Working, "session.status busy").await?;
    kill(&world, &session).await
}

async fn aider() -> Result<()> {
    let Some(world) = world("aider").await? else { return Ok(()) };
    let session = start(&world, "aider", "hello", &[]).await?;
    until_told(&world, &session, Source::Hook, Says::Idle, "it waits for input").await?;
    kill(&world, &session).await
}

async fn codex() -> Result<()> {
    let Some(world) = world("codex").await? else { return Ok(()) };
    let session = start(&world, "codex", "run sleep", &["-s", "danger-full-access"]).await?;
    until_told(&world, &session, Source::Transcript, Says::Working, "calls").await?;
    let now = world.session(&session).await?;
    ensure!(now.conversation_id.is_some(), "its thread is not known");
    until_told(&world, &session, Source::Transcript, Says::Done, "task_complete").await?;
    let told = explained(&world, &session).await?;
    ensure!(told.evidence.iter().all(|evidence| evidence.source != Source::Hook), "{told:?}");
    kill(&world, &session).await
}

macro_rules! in_time {
    ($name:ident) => {
        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn tells() {
                let outcome = tokio::time::timeout(std::time::Duration::from_mins(5), super::$name());
                outcome.await.expect("it took too long").unwrap();
            }
        }
    };
}

in_time!(claude);
in_time!(claude_with_subagents);
in_time!(claude_that_fails);
in_time!(gemini);
in_time!(opencode);
in_time!(aider);
in_time!(codex);
