//! `belfry hook`, as an agent runs it: heard with its run's secret and from nobody else, and never in the agent's way.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use belfry_client::ClientError;
use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::{ErrorCode, Request, Session, SessionId};
use belfry_tests::cli::Belfry;
use belfry_tests::daemon::{TestDaemon, eventually};
use ntest::timeout;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// A session of something called `claude`, which runs each line that it is given. What it was started with is in `env` and
/// `argv`, with the session's name before them.
async fn agent(daemon: &TestDaemon, name: &str) -> Session {
    let script = "#!/bin/sh\nenv >\"$NAME.env\"\nprintf '%s\\n' \"$@\" >\"$NAME.argv\"\n\
                  while read -r line; do eval \"$line\"; done\n";
    daemon.cli().script("claude", script);
    let path = format!("{}:{}", daemon.person().display(), std::env::var("PATH").unwrap());
    let env = |name: &str, value: &str| EnvVar { name: name.to_owned(), value: value.to_owned() };
    let new = NewSession {
        agent: "claude".to_owned(),
        cwd: Some(daemon.person().display().to_string()),
        name: Some(name.to_owned()),
        base_env: Some(vec![env("PATH", &path), env("HOME", &daemon.person().display().to_string())]),
        env: vec![env("NAME", name)],
        ..NewSession::default()
    };
    let session = daemon.new_session(new).await;
    eventually("it runs", || said(daemon, &format!("{name}.argv")).contains("--settings")).await;
    session
}

fn said(daemon: &TestDaemon, name: &str) -> String {
    std::fs::read_to_string(daemon.person().join(name)).unwrap_or_default()
}

/// The file with the secret, as the agent's environment names it.
fn secret_file(daemon: &TestDaemon, name: &str) -> PathBuf {
    let env = said(daemon, &format!("{name}.env"));
    env.lines().find_map(|line| line.strip_prefix("BELFRY_HOOK_FILE=")).expect("it is told where").into()
}

fn command(daemon: &TestDaemon, session: SessionId, secret: &Path, name: &str) -> Command {
    let mut command = daemon.cli().command(&["hook", name]);
    command.env("BELFRY_SESSION", session.to_string()).env("BELFRY_HOOK_FILE", secret);
    command
}

fn start(mut command: Command, payload: &[u8]) -> Child {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(payload);
    child
}

/// Runs a hook, which says nothing and succeeds in any case.
fn hook(daemon: &TestDaemon, session: SessionId, secret: &Path, name: &str, payload: &[u8]) {
    quiet(&start(command(daemon, session, secret, name), payload).wait_with_output().unwrap());
}

fn quiet(output: &Output) {
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

fn starts(conversation: &str) -> Vec<u8> {
    json!({ "session_id": conversation, "source": "clear", "hook_event_name": "SessionStart" })
        .to_string()
        .into()
}

async fn in_conversation(daemon: &TestDaemon, session: &Session, conversation: &str) {
    let is = |now: &Session| now.conversation_id.as_deref() == Some(conversation);
    daemon.until(session.id, conversation, is).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_hook_is_heard_and_its_secret_is_nowhere_to_be_seen() {
    let daemon = TestDaemon::start().await;
    let session = agent(&daemon, "one").await;
    let file = secret_file(&daemon, "one");
    let secret = std::fs::read_to_string(&file).unwrap();
    assert!(secret.len() >= 32);
    for shown in ["one.env", "one.argv"] {
        assert!(!said(&daemon, shown).contains(&secret), "{shown}");
    }
    let log = std::fs::read_to_string(daemon.home().log_file()).unwrap();
    assert!(!log.contains(&secret));
    // The settings of this launch name the program that runs.
    let argv = said(&daemon, "one.argv");
    let settings = argv.lines().skip_while(|line| *line != "--settings").nth(1).unwrap();
    let settings: Value = serde_json::from_str(&std::fs::read_to_string(settings).unwrap()).unwrap();
    let called = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str().unwrap();
    assert!(called.contains(Belfry::program("belfry").to_str().unwrap()), "{called}");

    // From inside, as the agent runs it.
    let own = format!("echo '{}' | {called}; echo $? >code\n", String::from_utf8(starts("inside")).unwrap());
    let keys = vec![own.trim_end().to_owned(), "Enter".to_owned()];
    let request = Request::SendKeys { session: session.id.to_string(), keys };
    daemon.connect().await.request(request).await.unwrap();
    in_conversation(&daemon, &session, "inside").await;
    eventually("it succeeds", || said(&daemon, "code").trim() == "0").await;

    // What is said may be large, or nonsense, and is no trouble.
    let mut large: Value = serde_json::from_slice(&starts("large")).unwrap();
    large["tool_response"] = json!("x".repeat(5_000_000));
    hook(&daemon, session.id, &file, "SessionStart", large.to_string().as_bytes());
    in_conversation(&daemon, &session, "large").await;
    for garbage in [&b""[..], b"{", b"\xff\0\xff", &b"[".repeat(100_000), &vec![b'x'; 9_000_000]] {
        hook(&daemon, session.id, &file, "PreToolUse", garbage);
    }
    hook(&daemon, session.id, &file, &"N".repeat(5000), b"{}");
    // A new daemon hears them as well.
    let mut daemon = daemon;
    daemon.kill();
    daemon.run().await;
    hook(&daemon, session.id, &file, "SessionStart", &starts("anew"));
    in_conversation(&daemon, &session, "anew").await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_hook_speaks_for_its_own_run_only() {
    let daemon = TestDaemon::start().await;
    let (one, two) = (agent(&daemon, "one").await, agent(&daemon, "two").await);
    let read = |name| std::fs::read_to_string(secret_file(&daemon, name)).unwrap();
    let (secret_of_one, secret_of_two) = (read("one"), read("two"));
    let connection = daemon.connect().await;
    let event = |session: SessionId, secret: &str, payload: Value| Request::HookEvent {
        session,
        secret: secret.to_owned(),
        name: "SessionStart".to_owned(),
        at_ms: 0,
        payload,
    };
    let refused = |outcome: Result<_, ClientError>| match outcome {
        Err(ClientError::Failed(error)) => error.code,
        other => panic!("{other:?}"),
    };
    let payload = || serde_json::from_slice::<Value>(&starts("stolen")).unwrap();
    for wrong in [secret_of_two.as_str(), "", "wrong"] {
        let code = refused(connection.request(event(one.id, wrong, payload())).await);
        assert_eq!(code, ErrorCode::Forbidden);
    }
    let large = json!({ "session_id": "large", "x": "y".repeat(70_000) });
    assert_eq!(refused(connection.request(event(one.id, &secret_of_one, large)).await), ErrorCode::TooMuch);
    let nobody = SessionId::at(1);
    assert_eq!(
        refused(connection.request(event(nobody, &secret_of_one, payload())).await),
        ErrorCode::NoSuchSession
    );

    // From inside another session not even with the right secret.
    let script = format!(
        "export BELFRY_SESSION={} BELFRY_HOOK_FILE='{}'; printf '%s' '{}' | '{}' hook SessionStart; echo tried >tried",
        two.id,
        secret_file(&daemon, "two").display(),
        String::from_utf8(starts("stolen")).unwrap(),
        Belfry::program("belfry").display(),
    );
    let keys = vec![script, "Enter".to_owned()];
    connection.request(Request::SendKeys { session: one.id.to_string(), keys }).await.unwrap();
    eventually("it has tried", || said(&daemon, "tried").contains("tried")).await;
    for session in [&one, &two] {
        assert_eq!(daemon.show(session.id).await.conversation_id, session.conversation_id);
    }

    // The dead are silent.
    connection.request(Request::KillSession { session: one.id.to_string() }).await.unwrap();
    let code = refused(connection.request(event(one.id, &secret_of_one, payload())).await);
    assert_eq!(code, ErrorCode::NotAlive);
    hook(&daemon, one.id, &secret_file(&daemon, "one"), "SessionStart", &starts("stolen"));
    assert_eq!(daemon.show(one.id).await.conversation_id, one.conversation_id);
}

#[tokio::test]
#[timeout(60000)]
async fn a_hook_never_waits_for_long() {
    let mut daemon = TestDaemon::start().await;
    let session = agent(&daemon, "one").await;
    let file = secret_file(&daemon, "one");
    let pid = Pid::from_raw(daemon.pid().cast_signed()).unwrap();
    // The daemon hangs: more hooks than connections can wait for it, and each gives up.
    kill_process(pid, Signal::STOP).unwrap();
    let hung: Vec<Child> = (0..150)
        .map(|_| start(command(&daemon, session.id, &file, "SessionStart"), &starts("late")))
        .collect();
    for child in hung {
        quiet(&child.wait_with_output().unwrap());
    }
    kill_process(pid, Signal::CONT).unwrap();

    // The agent does not end what it says.
    let mut open = command(&daemon, session.id, &file, "Stop").stdin(Stdio::piped()).spawn().unwrap();
    let kept = open.stdin.take();
    assert!(open.wait().unwrap().success());
    drop(kept);

    // Its files are gone, or are none.
    let pipe = daemon.person().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    for odd in [pipe.as_path(), Path::new("/nowhere"), Path::new("/dev/zero"), &daemon.person()] {
        hook(&daemon, session.id, odd, "Stop", b"{}");
    }
    let mut bare = daemon.cli().command(&["hook", "Stop"]);
    quiet(&bare.output().unwrap());
    // It still hears.
    hook(&daemon, session.id, &file, "SessionStart", &starts("after"));
    in_conversation(&daemon, &session, "after").await;

    // There is none, and a hook starts none.
    daemon.kill();
    hook(&daemon, session.id, &file, "Stop", b"{}");
    assert_eq!(belfry_platform::lock::holder(&daemon.home().daemon_lock()), None);
    std::fs::remove_file(daemon.home().daemon_socket()).unwrap();
    hook(&daemon, session.id, &file, "Stop", b"{}");
    assert_eq!(belfry_platform::lock::holder(&daemon.home().daemon_lock()), None);
}
