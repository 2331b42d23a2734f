//! A script with an agent's name and an agent's files, and what is asked of the daemon about it.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use belfry_client::ClientError;
use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::session::LearntConversation;
use belfry_protocol::{Reply, Request, Session, SessionId, Status, WireError};
use belfry_tests::daemon::{TestDaemon, eventually, session};
use serde_json::{Value, json};

/// It notes what it was started with, and does what it is told.
pub(crate) const SCRIPT: &str = "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$NAME.argv\"\nenv >\"$NAME.env\"\n\
                      while read -r line; do eval \"$line\"; done\n";

pub(crate) fn env(daemon: &TestDaemon) -> Vec<EnvVar> {
    let path = format!("{}:{}", daemon.person().display(), std::env::var("PATH").unwrap());
    let of = |name: &str, value: &str| EnvVar { name: name.to_owned(), value: value.to_owned() };
    vec![of("PATH", &path), of("HOME", daemon.person().to_str().unwrap())]
}

pub(crate) async fn agent(daemon: &TestDaemon, agent: &str, name: &str) -> Session {
    let new = NewSession {
        agent: agent.to_owned(),
        cwd: Some(daemon.person().display().to_string()),
        name: Some(name.to_owned()),
        base_env: Some(env(daemon)),
        env: vec![EnvVar { name: "NAME".to_owned(), value: format!("{}/{name}", daemon.person().display()) }],
        ..NewSession::default()
    };
    let session = daemon.new_session(new).await;
    eventually("it runs", || !said(daemon, &format!("{name}.env")).is_empty()).await;
    session
}

pub(crate) async fn claude(daemon: &TestDaemon, name: &str) -> Session {
    daemon.cli().script("claude", SCRIPT);
    agent(daemon, "claude", name).await
}

pub(crate) fn said(daemon: &TestDaemon, name: &str) -> String {
    std::fs::read_to_string(daemon.person().join(name)).unwrap_or_default()
}

/// The arguments of the newest run, which has taken the place of the one before.
pub(crate) async fn arguments(daemon: &TestDaemon, name: &str, begin: &str) -> String {
    let argv = || said(daemon, &format!("{name}.argv")).replace('\n', " ");
    eventually(begin, || argv().starts_with(begin)).await;
    argv()
}

/// What the agent's hook tells.
pub(crate) async fn hook(daemon: &TestDaemon, session: &Session, name: &str, payload: Value) {
    let env = || said(daemon, &format!("{}.env", session.name));
    let told = |line: &str| line.strip_prefix("BELFRY_HOOK_FILE=").map(str::to_owned);
    eventually("it is told where", || env().lines().any(|line| told(line).is_some())).await;
    let secret = env().lines().find_map(told).unwrap();
    let mut command = daemon.cli().command(&["hook", name]);
    command.env("BELFRY_SESSION", session.id.to_string()).env("BELFRY_HOOK_FILE", secret);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

/// A turn, as far as hooks tell.
pub(crate) async fn turn(daemon: &TestDaemon, session: &Session) {
    let conversation = daemon.show(session.id).await.conversation_id;
    let about = json!({ "session_id": conversation });
    hook(daemon, session, "UserPromptSubmit", about.clone()).await;
    daemon.until(session.id, "it works", |now| now.status == Status::Running).await;
    hook(daemon, session, "Stop", about).await;
}

pub(crate) async fn clear(daemon: &TestDaemon, session: &Session, conversation: &str) {
    hook(daemon, session, "SessionStart", json!({ "session_id": conversation, "source": "clear" })).await;
    let is = |now: &Session| now.conversation_id.as_deref() == Some(conversation);
    daemon.until(session.id, conversation, is).await;
}

/// The transcript that Claude Code would have written.
pub(crate) fn transcript(daemon: &TestDaemon, conversation: &str) -> PathBuf {
    let real = daemon.person().canonicalize().unwrap();
    let folder: String =
        real.to_str().unwrap().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let file = daemon.person().join(".claude/projects").join(folder).join(format!("{conversation}.jsonl"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "{}\n").unwrap();
    file
}

pub(crate) async fn end(daemon: &TestDaemon, session: &Session) -> Session {
    let connection = daemon.connect().await;
    connection.request(Request::KillSession { session: session.id.to_string() }).await.unwrap();
    for end in ["argv", "env"] {
        let _ = std::fs::remove_file(daemon.person().join(format!("{}.{end}", session.name)));
    }
    daemon.until(session.id, "dead", |now| now.status == Status::Dead).await
}

pub(crate) fn to_resume(daemon: &TestDaemon, id: SessionId, cwd: Option<&str>) -> Request {
    Request::ResumeSession {
        session: id.to_string(),
        cwd: cwd.map(str::to_owned),
        base_env: Some(env(daemon)),
    }
}

pub(crate) async fn ask(daemon: &TestDaemon, request: Request) -> Result<Session, WireError> {
    match daemon.connect().await.request(request).await {
        Ok(reply) => Ok(session(reply)),
        Err(ClientError::Failed(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

pub(crate) async fn resume(daemon: &TestDaemon, id: SessionId) -> Result<Session, WireError> {
    ask(daemon, to_resume(daemon, id, None)).await
}

pub(crate) async fn ledger(daemon: &TestDaemon, id: SessionId) -> Vec<LearntConversation> {
    match daemon.connect().await.request(Request::ListLedger { session: id.to_string() }).await.unwrap() {
        Reply::Ledger(ledger) => ledger,
        other => panic!("{other:?}"),
    }
}

/// A session of Claude Code in which something was said, and the conversation that it is in.
pub(crate) async fn spoken(daemon: &TestDaemon) -> (Session, String) {
    let started = claude(daemon, "one").await;
    let conversation = started.conversation_id.clone().unwrap();
    turn(daemon, &started).await;
    (started, conversation)
}

/// The same, written down and ended.
pub(crate) async fn ended(daemon: &TestDaemon) -> (Session, String) {
    let (started, conversation) = spoken(daemon).await;
    transcript(daemon, &conversation);
    end(daemon, &started).await;
    (started, conversation)
}

pub(crate) fn restart(daemon: &TestDaemon, id: SessionId, anew: bool) -> Request {
    Request::RestartSession { session: id.to_string(), anew, base_env: Some(env(daemon)) }
}

/// Claude Code's own list of live sessions, of which it writes an entry for each process.
pub(crate) struct List {
    folder: PathBuf,
    pid: u32,
    start: String,
}

impl List {
    pub(crate) fn of(daemon: &TestDaemon, pid: u32) -> Self {
        let folder = daemon.person().join(".claude/sessions");
        std::fs::create_dir_all(&folder).unwrap();
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let start = stat.rsplit(')').next().unwrap().split_whitespace().nth(19).unwrap().to_owned();
        Self { folder, pid, start }
    }

    pub(crate) fn put(&self, conversation: &str, status: &str) {
        let entry = json!({ "pid": self.pid, "sessionId": conversation, "cwd": "/", "procStart": self.start,
                            "kind": "interactive", "status": status });
        std::fs::write(self.folder.join(format!("{}.json", self.pid)), entry.to_string()).unwrap();
    }
}
