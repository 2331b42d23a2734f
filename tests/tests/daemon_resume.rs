//! Resuming: in the right conversation, never twice, and never without saying what is in the way. The agents are scripts with
//! an agent's name and an agent's files.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use belfry_client::ClientError;
use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::session::{Exit, LearntConversation};
use belfry_protocol::{ErrorCode, Reply, Request, Session, SessionId, Status, WireError};
use belfry_tests::daemon::{TestDaemon, eventually, kill, lives, session};
use ntest::timeout;
use serde_json::{Value, json};

/// It notes what it was started with, and does what it is told.
const SCRIPT: &str = "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$NAME.argv\"\nenv >\"$NAME.env\"\n\
                      while read -r line; do eval \"$line\"; done\n";

fn env(daemon: &TestDaemon) -> Vec<EnvVar> {
    let path = format!("{}:{}", daemon.person().display(), std::env::var("PATH").unwrap());
    let of = |name: &str, value: &str| EnvVar { name: name.to_owned(), value: value.to_owned() };
    vec![of("PATH", &path), of("HOME", daemon.person().to_str().unwrap())]
}

async fn agent(daemon: &TestDaemon, agent: &str, name: &str) -> Session {
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

async fn claude(daemon: &TestDaemon, name: &str) -> Session {
    daemon.cli().script("claude", SCRIPT);
    agent(daemon, "claude", name).await
}

fn said(daemon: &TestDaemon, name: &str) -> String {
    std::fs::read_to_string(daemon.person().join(name)).unwrap_or_default()
}

/// The arguments of the newest run, which has taken the place of the one before.
async fn arguments(daemon: &TestDaemon, name: &str, begin: &str) -> String {
    let argv = || said(daemon, &format!("{name}.argv")).replace('\n', " ");
    eventually(begin, || argv().starts_with(begin)).await;
    argv()
}

/// What the agent's hook tells.
async fn hook(daemon: &TestDaemon, session: &Session, name: &str, payload: Value) {
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
async fn turn(daemon: &TestDaemon, session: &Session) {
    let conversation = daemon.show(session.id).await.conversation_id;
    let about = json!({ "session_id": conversation });
    hook(daemon, session, "UserPromptSubmit", about.clone()).await;
    daemon.until(session.id, "it works", |now| now.status == Status::Running).await;
    hook(daemon, session, "Stop", about).await;
}

async fn clear(daemon: &TestDaemon, session: &Session, conversation: &str) {
    hook(daemon, session, "SessionStart", json!({ "session_id": conversation, "source": "clear" })).await;
    let is = |now: &Session| now.conversation_id.as_deref() == Some(conversation);
    daemon.until(session.id, conversation, is).await;
}

/// The transcript that Claude Code would have written.
fn transcript(daemon: &TestDaemon, conversation: &str) -> PathBuf {
    let real = daemon.person().canonicalize().unwrap();
    let folder: String =
        real.to_str().unwrap().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let file = daemon.person().join(".claude/projects").join(folder).join(format!("{conversation}.jsonl"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "{}\n").unwrap();
    file
}

async fn end(daemon: &TestDaemon, session: &Session) -> Session {
    let connection = daemon.connect().await;
    connection.request(Request::KillSession { session: session.id.to_string() }).await.unwrap();
    for end in ["argv", "env"] {
        let _ = std::fs::remove_file(daemon.person().join(format!("{}.{end}", session.name)));
    }
    daemon.until(session.id, "dead", |now| now.status == Status::Dead).await
}

fn to_resume(daemon: &TestDaemon, id: SessionId, cwd: Option<&str>) -> Request {
    Request::ResumeSession {
        session: id.to_string(),
        cwd: cwd.map(str::to_owned),
        base_env: Some(env(daemon)),
    }
}

async fn ask(daemon: &TestDaemon, request: Request) -> Result<Session, WireError> {
    match daemon.connect().await.request(request).await {
        Ok(reply) => Ok(session(reply)),
        Err(ClientError::Failed(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

async fn resume(daemon: &TestDaemon, id: SessionId) -> Result<Session, WireError> {
    ask(daemon, to_resume(daemon, id, None)).await
}

async fn ledger(daemon: &TestDaemon, id: SessionId) -> Vec<LearntConversation> {
    match daemon.connect().await.request(Request::ListLedger { session: id.to_string() }).await.unwrap() {
        Reply::Ledger(ledger) => ledger,
        other => panic!("{other:?}"),
    }
}

/// A session of Claude Code in which something was said, and the conversation that it is in.
async fn spoken(daemon: &TestDaemon) -> (Session, String) {
    let started = claude(daemon, "one").await;
    let conversation = started.conversation_id.clone().unwrap();
    turn(daemon, &started).await;
    (started, conversation)
}

/// The same, written down and ended.
async fn ended(daemon: &TestDaemon) -> (Session, String) {
    let (started, conversation) = spoken(daemon).await;
    transcript(daemon, &conversation);
    end(daemon, &started).await;
    (started, conversation)
}

fn restart(daemon: &TestDaemon, id: SessionId, anew: bool) -> Request {
    Request::RestartSession { session: id.to_string(), anew, base_env: Some(env(daemon)) }
}

/// Claude Code's own list of live sessions, of which it writes an entry for each process.
struct List {
    folder: PathBuf,
    pid: u32,
    start: String,
}

impl List {
    fn of(daemon: &TestDaemon, pid: u32) -> Self {
        let folder = daemon.person().join(".claude/sessions");
        std::fs::create_dir_all(&folder).unwrap();
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let start = stat.rsplit(')').next().unwrap().split_whitespace().nth(19).unwrap().to_owned();
        Self { folder, pid, start }
    }

    fn put(&self, conversation: &str, status: &str) {
        let entry = json!({ "pid": self.pid, "sessionId": conversation, "cwd": "/", "procStart": self.start,
                            "kind": "interactive", "status": status });
        std::fs::write(self.folder.join(format!("{}.json", self.pid)), entry.to_string()).unwrap();
    }
}

#[tokio::test]
#[timeout(90000)]
async fn a_session_goes_on_in_the_conversation_that_it_was_in_last() {
    let daemon = TestDaemon::start().await;
    let (started, first) = spoken(&daemon).await;
    clear(&daemon, &started, "0190-second").await;
    let how = |ledger: Vec<LearntConversation>| -> Vec<(String, String)> {
        ledger.into_iter().map(|line| (line.id, line.how)).collect()
    };
    let of = |id: &str, how: &str| (id.to_owned(), how.to_owned());
    let wanted = [of("0190-second", "hook"), of(&first, "launch")];
    assert_eq!(how(ledger(&daemon, started.id).await), wanted);
    turn(&daemon, &started).await;
    transcript(&daemon, "0190-second");
    transcript(&daemon, &first);

    assert_eq!(resume(&daemon, started.id).await.unwrap_err().code, ErrorCode::StillAlive);
    end(&daemon, &started).await;
    let resumed = resume(&daemon, started.id).await.unwrap();
    assert_eq!((resumed.id, resumed.runs.len()), (started.id, 2));
    assert_eq!(resumed.conversation_id.as_deref(), Some("0190-second"));
    arguments(&daemon, "one", "--resume 0190-second --settings").await;
    assert_eq!(how(ledger(&daemon, started.id).await), wanted, "it is in the same one as before");

    // A restart goes on as well, unless it is to be a new one.
    end(&daemon, &started).await;
    ask(&daemon, restart(&daemon, started.id, false)).await.unwrap();
    arguments(&daemon, "one", "--resume 0190-second").await;
    end(&daemon, &started).await;
    let anew = ask(&daemon, restart(&daemon, started.id, true)).await.unwrap();
    let third = anew.conversation_id.unwrap();
    arguments(&daemon, "one", &format!("--session-id {third}")).await;
    assert_eq!(how(ledger(&daemon, started.id).await)[0], of(&third, "launch"));

    // By the command line, which says what it did.
    end(&daemon, &started).await;
    let shown = daemon.cli().run(&["show", "one", "--json"]).ok().json();
    assert_eq!(shown["conversations"].as_array().map(Vec::len), Some(3));
    assert!(daemon.cli().run(&["show", "one"]).ok().stdout.contains("0190-second since"));
}

#[tokio::test]
#[timeout(90000)]
async fn nothing_is_lost_where_nothing_was_said() {
    let daemon = TestDaemon::start().await;
    let started = claude(&daemon, "one").await;
    end(&daemon, &started).await;
    let resumed = resume(&daemon, started.id).await.unwrap();
    assert_ne!(resumed.conversation_id, started.conversation_id);
    assert_eq!(resumed.notice, None);
    arguments(&daemon, "one", "--session-id").await;
    // Cleared, and nothing said since.
    turn(&daemon, &started).await;
    clear(&daemon, &started, "0190-cleared").await;
    end(&daemon, &started).await;
    resume(&daemon, started.id).await.unwrap();
    arguments(&daemon, "one", "--session-id").await;
    // A shell has no conversation.
    let shell = daemon.shell(&["cat"]).await;
    end(&daemon, &shell).await;
    assert!(resume(&daemon, shell.id).await.unwrap().alive());
}

#[tokio::test]
#[timeout(90000)]
async fn what_is_in_the_way_is_said_before_anything_is_started() {
    let daemon = TestDaemon::start().await;
    let (started, conversation) = spoken(&daemon).await;
    end(&daemon, &started).await;

    // The transcript is gone.
    let error = resume(&daemon, started.id).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConversationGone, "{error:?}");
    assert!(error.message.contains("no transcript of it in"), "{error:?}");
    assert!(error.next.unwrap().contains("belfry restart"));
    assert_eq!(daemon.show(started.id).await.runs.len(), 1, "nothing was started");
    let ran = daemon.cli().run(&["resume", "one", "--json"]).exits(1);
    assert_eq!(ran.error_code(), "conversation_gone");
    // The way out that was named.
    let anew = ask(&daemon, restart(&daemon, started.id, false)).await.unwrap();
    assert!(anew.notice.clone().unwrap().contains("a new conversation"), "{:?}", anew.notice);
    assert_ne!(anew.conversation_id.as_deref(), Some(conversation.as_str()));
    arguments(&daemon, "one", "--session-id").await;

    // Another directory than the one that the transcript is filed under.
    turn(&daemon, &started).await;
    let conversation = anew.conversation_id.unwrap();
    transcript(&daemon, &conversation);
    let moved = daemon.person().join("moved");
    std::fs::create_dir(&moved).unwrap();
    end(&daemon, &started).await;
    let missing = daemon.person().join("missing");
    let error = ask(&daemon, to_resume(&daemon, started.id, missing.to_str())).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::BadDirectory);
    // And no program.
    std::fs::remove_file(daemon.person().join("claude")).unwrap();
    let nowhere = Request::ResumeSession {
        session: started.id.to_string(),
        cwd: None,
        base_env: Some(
            env(&daemon)
                .into_iter()
                .map(|one| {
                    if one.name == "PATH" { EnvVar { value: "/nonexistent".to_owned(), ..one } } else { one }
                })
                .collect(),
        ),
    };
    let error = ask(&daemon, nowhere).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::MissingProgram);
    assert_eq!(daemon.show(started.id).await.conversation_id, Some(conversation), "it is as it was");
}

#[tokio::test]
#[timeout(90000)]
async fn a_directory_that_was_moved_can_be_named() {
    let daemon = TestDaemon::start().await;
    let (old, new) = (daemon.person().join("old"), daemon.person().join("new"));
    std::fs::create_dir(&old).unwrap();
    let request = NewSession { cwd: Some(old.display().to_string()), ..daemon.shell_request(&["cat"]) };
    let started = daemon.new_session(request).await;
    end(&daemon, &started).await;
    std::fs::rename(&old, &new).unwrap();
    let error = resume(&daemon, started.id).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::BadDirectory);
    assert!(error.next.unwrap().contains("--cwd"));
    let resumed = ask(&daemon, to_resume(&daemon, started.id, new.to_str())).await.unwrap();
    assert_eq!(resumed.cwd, new.display().to_string());
    end(&daemon, &started).await;
    resume(&daemon, started.id).await.unwrap();
}

/// An agent of the same name that Belfry did not start.
struct Elsewhere(Child);

impl Elsewhere {
    fn start(daemon: &TestDaemon, program: &str, args: &[&str]) -> Self {
        daemon.cli().script(program, "#!/bin/sh\nexec 3<&0\nwhile read -r line <&3; do :; done\n");
        let child = Command::new(daemon.person().join(program))
            .args(args)
            .env("HOME", daemon.person())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        Self(child)
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
#[timeout(90000)]
async fn a_conversation_that_goes_on_elsewhere_is_not_resumed() {
    let daemon = TestDaemon::start().await;
    let (started, conversation) = ended(&daemon).await;

    let elsewhere = Elsewhere::start(&daemon, "claude", &["--resume", &conversation]);
    let pid = elsewhere.0.id();
    let named = || std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    eventually("it has its name", || named().trim() == "claude").await;
    let error = resume(&daemon, started.id).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConversationLive, "{error:?}");
    assert!(error.message.contains(&format!("process {pid}")), "{error:?}");
    assert_eq!(daemon.cli().run(&["resume", "one", "--json"]).exits(4).error_code(), "conversation_live");

    // Its list says that it is in another one by now.
    let list = List::of(&daemon, pid);
    list.put("0190-other", "idle");
    daemon.cli().script("claude", SCRIPT);
    resume(&daemon, started.id).await.unwrap();
    end(&daemon, &started).await;
    list.put(&conversation, "idle");
    assert_eq!(resume(&daemon, started.id).await.unwrap_err().code, ErrorCode::ConversationLive);
    drop(elsewhere);
    resume(&daemon, started.id).await.unwrap();
}

#[tokio::test]
#[timeout(90000)]
async fn of_two_that_resume_a_conversation_at_once_one_does() {
    let daemon = TestDaemon::start().await;
    let (one, two) = (claude(&daemon, "one").await, claude(&daemon, "two").await);
    for started in [&one, &two] {
        clear(&daemon, started, "0190-shared").await;
        turn(&daemon, started).await;
        end(&daemon, started).await;
    }
    transcript(&daemon, "0190-shared");
    let any = |daemon: &TestDaemon| Request::ResumeConversation {
        agent: "claude".to_owned(),
        id: "0190-shared".to_owned(),
        cwd: Some(daemon.person().display().to_string()),
        name: None,
        base_env: Some(env(daemon)),
    };
    for _ in 0..4 {
        let outcomes = tokio::join!(
            resume(&daemon, one.id),
            resume(&daemon, two.id),
            ask(&daemon, any(&daemon)),
            resume(&daemon, one.id),
        );
        let outcomes = [outcomes.0, outcomes.1, outcomes.2, outcomes.3];
        let won: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).collect();
        assert_eq!(won.len(), 1, "{outcomes:?}");
        let lost = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
        assert!(
            lost.clone()
                .all(|error| { matches!(error.code, ErrorCode::ConversationLive | ErrorCode::StillAlive) })
        );
        end(&daemon, won[0]).await;
    }
    let live = ask(&daemon, any(&daemon)).await.unwrap();
    let error = ask(&daemon, any(&daemon)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConversationLive);
    assert!(error.message.contains(&live.name), "{error:?}");
}

#[tokio::test]
#[timeout(90000)]
async fn a_late_word_of_a_file_does_not_bring_a_conversation_back() {
    let daemon = TestDaemon::start().await;
    let started = claude(&daemon, "one").await;
    let first = started.conversation_id.clone().unwrap();
    let list = List::of(&daemon, started.pid.unwrap());
    list.put(&first, "idle");
    clear(&daemon, &started, "0190-second").await;
    list.put(&first, "busy");
    daemon.until(started.id, "the list is heard", |now| now.status == Status::Running).await;
    assert_eq!(daemon.show(started.id).await.conversation_id.as_deref(), Some("0190-second"));
    // One that no hook has told of is news.
    list.put("0190-third", "idle");
    let is = |now: &Session| now.conversation_id.as_deref() == Some("0190-third");
    daemon.until(started.id, "another one", is).await;
    assert_eq!(ledger(&daemon, started.id).await[0].how, "registry");
}

#[tokio::test]
#[timeout(90000)]
async fn an_agent_that_refuses_to_start_says_why() {
    let daemon = TestDaemon::start().await;
    let (started, _) = ended(&daemon).await;
    daemon.cli().script("claude", "#!/bin/sh\necho \"No conversation found with session ID: $2\"\nexit 1\n");
    resume(&daemon, started.id).await.unwrap();
    let dead = daemon.until(started.id, "dead", |now| now.status == Status::Dead).await;
    assert_eq!(dead.exit, Some(Exit::Code { code: 1 }));
    assert!(dead.reason.unwrap().contains("no conversation"));
}

#[tokio::test]
#[timeout(90000)]
async fn a_conversation_survives_everything_that_dies() {
    let mut daemon = TestDaemon::start().await;
    let (started, _) = spoken(&daemon).await;
    clear(&daemon, &started, "0190-second").await;
    turn(&daemon, &started).await;
    transcript(&daemon, "0190-second");
    daemon.kill();
    kill(started.runs[0].keeper_pid.unwrap());
    kill(started.pid.unwrap());
    eventually("all is gone", || !lives(started.pid.unwrap())).await;
    // Even the database: the run's own note knows it.
    for suffix in ["", "-wal", "-shm"] {
        let mut file = daemon.home().database().into_os_string();
        file.push(suffix);
        let _ = std::fs::remove_file(file);
    }
    daemon.run().await;
    daemon.until(started.id, "dead", |now| now.status == Status::Dead).await;
    assert_eq!(daemon.show(started.id).await.conversation_id.as_deref(), Some("0190-second"));
    let _ = std::fs::remove_file(daemon.person().join("one.argv"));
    resume(&daemon, started.id).await.unwrap();
    arguments(&daemon, "one", "--resume 0190-second").await;
}

/// The machine goes down with all that runs, and comes up again.
async fn reboot(daemon: &mut TestDaemon, sessions: &[&Session], was: &str) {
    let mut files = Vec::new();
    for session in sessions {
        let run = daemon.home().run(session.id, session.runs[0].id);
        files.push(run.meta());
    }
    daemon.kill();
    for session in sessions {
        kill(session.runs[0].keeper_pid.unwrap());
        kill(session.pid.unwrap());
        eventually("all is gone", || !lives(session.pid.unwrap())).await;
    }
    std::fs::remove_dir_all(daemon.home().runtime_dir()).unwrap();
    for file in files {
        let mut meta: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        meta["boot_id"] = was.into();
        std::fs::write(&file, meta.to_string()).unwrap();
    }
}

#[tokio::test]
#[timeout(90000)]
async fn after_a_reboot_all_that_was_alive_comes_back() {
    let mut daemon = TestDaemon::start().await;
    let mut sessions = Vec::new();
    for name in ["one", "two", "three"] {
        let started = claude(&daemon, name).await;
        turn(&daemon, &started).await;
        transcript(&daemon, started.conversation_id.as_ref().unwrap());
        sessions.push(daemon.show(started.id).await);
    }
    let ended = daemon.shell(&["true"]).await;
    daemon.until(ended.id, "dead", |now| now.status == Status::Dead).await;
    let all: Vec<&Session> = sessions.iter().collect();
    reboot(&mut daemon, &all, "the boot before").await;
    daemon.run().await;
    for started in &sessions {
        daemon.until(started.id, "dead", |now| now.exit == Some(Exit::MachineRestarted)).await;
    }
    let mut command = daemon.cli().command(&["resume", "--all", "--json"]);
    command.envs(env(&daemon).into_iter().map(|one| (one.name, one.value)));
    let ran = command.output().unwrap();
    let resumed: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(resumed.as_array().map(Vec::len), Some(3), "{resumed}");
    for started in &sessions {
        let now = daemon.until(started.id, "alive", |now| now.alive() && now.runs.len() == 2).await;
        assert_eq!(now.conversation_id, started.conversation_id);
    }
    assert!(!daemon.show(ended.id).await.alive());
    assert_eq!(daemon.cli().run(&["resume", "--all", "--json"]).ok().json(), json!([]));
}

#[tokio::test]
#[timeout(90000)]
async fn after_a_reboot_it_comes_back_by_itself_where_that_is_set() {
    let mut daemon = TestDaemon::start().await;
    let (started, conversation) = spoken(&daemon).await;
    transcript(&daemon, &conversation);
    let started = daemon.show(started.id).await;
    // Where the login shell finds it, whose environment it is then.
    let place = daemon.person().join(".local/bin");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::copy(daemon.person().join("claude"), place.join("claude")).unwrap();
    let connection = daemon.connect().await;
    let value = json!({ "now": "the boot before", "before": null });
    connection.request(Request::PutSetting { name: "daemon.boots".to_owned(), value }).await.unwrap();
    let set = Request::ChangeSetting { path: "sessions.resume_after_reboot".to_owned(), value: true.into() };
    connection.request(set).await.unwrap();
    drop(connection);
    reboot(&mut daemon, &[&started], "the boot before").await;
    daemon.run().await;
    let now = daemon.until(started.id, "alive", |now| now.alive() && now.runs.len() == 2).await;
    assert_eq!(now.conversation_id, started.conversation_id);
}
