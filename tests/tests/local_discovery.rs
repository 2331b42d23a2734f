//! Agents that Belfry did not start: found by themselves, judged by their own files, and left alone.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use belfry_client::{Connection, Incoming};
use belfry_protocol::session::Kind;
use belfry_protocol::{ErrorCode, Event, Reply, Request, Session, Status};
use belfry_tests::cli::{Belfry, Outer};
use belfry_tests::daemon::{PATIENCE, TestDaemon, lives};
use belfry_tests::tmux::Tmux;

/// What plays Claude Code: it lists itself as that does, and says what it is told to.
const PLAYED: &str = r#"#!/bin/sh
mkdir -p "$HOME/.claude/sessions"
file="$HOME/.claude/sessions/$$.json"
start=$(cut -d' ' -f22 /proc/$$/stat)
say() { printf '{"pid":%d,"sessionId":"%s","cwd":"%s","procStart":"%s","kind":"interactive","status":"%s"%s}' \
  $$ "$CONVERSATION" "$PWD" "$start" "$1" "$2" > "$file"; }
trap 'rm -f "$file"; exit 143' TERM
say idle
echo ready
while read -r word; do case $word in
  ask) say waiting ',"waitingFor":"permission prompt"' ;;
  try) "$BELFRY" kill "$OTHER" 2>&1; echo tried ;;
  *) say "$word" ;;
esac; done
"#;

const CONVERSATION: &str = "0b5c0000-1111-4222-8333-444455556666";

/// A daemon that looks around, and a program that is called `claude`.
async fn looks_around() -> (TestDaemon, PathBuf) {
    let mut daemon = TestDaemon::stopped();
    let program = daemon.person().join("claude");
    std::fs::write(&program, PLAYED).expect("the program is written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&program, mode).expect("the program can be run");
    run(&mut daemon).await;
    (daemon, program)
}

async fn run(daemon: &mut TestDaemon) {
    let mut command = daemon.command();
    command.env_remove("BELFRY_ALONE").env("TMUX_TMPDIR", Tmux::folder(daemon.cli()));
    daemon.run_as(command).await;
}

/// Waits until the session that works in this test's own directory is so.
async fn until(
    connection: &mut Connection,
    cwd: &str,
    what: &str,
    is_so: impl Fn(&Session) -> bool,
) -> Session {
    let mut last = None;
    let wait = async {
        loop {
            let incoming = connection.next().await.expect("the connection holds");
            let Incoming::Event(event) = incoming else { continue };
            let Event::Session { session } = *event else { continue };
            if session.cwd == cwd {
                if is_so(&session) {
                    return *session;
                }
                last = Some(session);
            }
        }
    };
    match tokio::time::timeout(PATIENCE, wait).await {
        Ok(session) => session,
        Err(late) => panic!("never: {what} ({late}); last: {last:?}"),
    }
}

async fn subscribed(daemon: &TestDaemon) -> Connection {
    let connection = daemon.connect().await;
    assert!(matches!(connection.request(Request::Subscribe).await, Ok(Reply::Overview { .. })));
    connection
}

fn code(error: Result<Reply, belfry_client::ClientError>) -> ErrorCode {
    match error {
        Err(belfry_client::ClientError::Failed(error)) => error.code,
        other => panic!("{other:?}"),
    }
}

fn start(belfry: &Belfry, program: &std::path::Path, more: &[(&str, &str)]) -> Outer {
    let env = [&[("CONVERSATION", CONVERSATION)], more].concat();
    let outer = Outer::run_program(belfry, program.as_os_str(), (80, 24), &[], &env);
    outer.until("ready");
    outer
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(90000)]
async fn an_agent_in_another_terminal_is_found_judged_and_ended() {
    let (daemon, program) = looks_around().await;
    let cwd = daemon.person().to_string_lossy().into_owned();
    let mut connection = subscribed(&daemon).await;
    let outer = start(daemon.cli(), &program, &[]);
    let found = until(&mut connection, &cwd, "it is found", |one| one.status == Status::Idle).await;
    assert_eq!((found.kind, found.agent.as_str()), (Kind::Local, "claude"));
    assert_eq!(found.pid, Some(u32::try_from(outer.pid()).unwrap()));
    assert_eq!(found.conversation_id.as_deref(), Some(CONVERSATION));
    let local = found.local.clone().expect("where it is");
    assert!(local.place.starts_with("another terminal (pts/"), "{}", local.place);
    for (word, status) in [("busy", Status::Running), ("ask", Status::Waiting), ("idle", Status::Idle)] {
        outer.type_bytes(format!("{word}\n").as_bytes());
        let now = until(&mut connection, &cwd, word, |one| one.status == status).await;
        assert_eq!((now.id, now.source.as_str()), (found.id, "registry"));
    }
    let (cli, id) = (daemon.cli(), found.id.to_string());
    assert!(!cli.run(&["ls"]).ok().stdout.contains("claude"), "it is none of the list");
    assert!(cli.run(&["ls", "--all"]).ok().stdout.contains("claude in home"));
    assert_eq!(cli.run(&["show", &id, "--json"]).ok().json()["kind"], "local");
    assert!(cli.run(&["explain", &id]).ok().stdout.contains("its session file"));
    assert_eq!(cli.run(&["keys", "--json", &id, "x"]).exits(1).error_code(), "unsupported");
    assert_eq!(cli.run(&["adopt", &id, "--json"]).exits(1).error_code(), "unsupported");
    let end = |pid| connection.request(Request::EndLocal { session: id.clone(), pid });
    assert_eq!(code(end(1).await), ErrorCode::Changed);
    let pid = found.pid.unwrap();
    assert!(lives(pid));
    cli.run(&["end", &id]).ok();
    assert!(!lives(pid));
    let mut gone = false;
    let wait = async {
        while !gone {
            if let Incoming::Event(event) = connection.next().await.expect("the connection holds") {
                gone = matches!(*event, Event::SessionRemoved { id } if id == found.id);
            }
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect("it is forgotten");
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(90000)]
async fn an_agent_in_tmux_is_found_and_adopted_and_is_one_session_at_a_time() {
    let (mut daemon, program) = looks_around().await;
    let cwd = daemon.person().to_string_lossy().into_owned();
    let mut connection = subscribed(&daemon).await;
    let more = [("CONVERSATION".to_owned(), CONVERSATION.to_owned())];
    let tmux = Tmux::start_with(daemon.cli(), "s", (80, 24), &["sh"], &more);
    tmux.run(&["send-keys", "-t", "main", &format!("cd '{cwd}'; {}", program.display()), "Enter"]);
    let found = until(&mut connection, &cwd, "it is in tmux", |one| {
        one.status == Status::Idle && one.local.as_ref().is_some_and(|local| local.place == "tmux main:0.0")
    });
    let found = found.await;
    let screen = daemon.screen(found.id, false, 0).await;
    assert_eq!(screen.text.trim_end(), tmux.screen("main"));
    daemon.kill();
    run(&mut daemon).await;
    let mut connection = subscribed(&daemon).await;
    let again = until(&mut connection, &cwd, "it is found again", |one| one.kind == Kind::Local).await;
    assert_eq!(again.id, found.id, "it is the same session, whoever finds it");
    let request = Request::AdoptSession { target: found.id.to_string() };
    let adopted = belfry_tests::daemon::session(connection.request(request).await.unwrap());
    assert_eq!((adopted.kind, adopted.name.as_str()), (Kind::Managed, "claude in home"));
    let Reply::Sessions(all) =
        connection.request(Request::ListSessions { status: vec![], all: true, after: None }).await.unwrap()
    else {
        panic!("no list")
    };
    let here: Vec<_> = all.iter().filter(|one| one.cwd == cwd).map(|one| one.kind).collect();
    assert_eq!(here, [Kind::Managed]);
    // Forgotten here, it is found there again.
    daemon.cli().run(&["rm", &adopted.id.to_string(), "--now"]).ok();
    let back = until(&mut connection, &cwd, "it is back", |one| one.kind == Kind::Local).await;
    assert_eq!(back.id, found.id);
}

/// An agent that is known to be one is not the person, wherever it runs.
#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(90000)]
async fn an_agent_elsewhere_cannot_end_what_is_here() {
    let (daemon, program) = looks_around().await;
    let cwd = daemon.person().to_string_lossy().into_owned();
    let other = daemon.shell(&["cat"]).await;
    let mut connection = subscribed(&daemon).await;
    let belfry = Belfry::program("belfry");
    let env = [("BELFRY", belfry.to_str().unwrap()), ("OTHER", &other.id.to_string())];
    let outer = start(daemon.cli(), &program, &env);
    until(&mut connection, &cwd, "it is found", |one| one.kind == Kind::Local && one.pid.is_some()).await;
    outer.type_bytes(b"try\n");
    outer.until("tried");
    let said = outer.lines().concat();
    assert!(said.contains("only that session's"), "{said}");
    assert!(daemon.show(other.id).await.alive());
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(60000)]
async fn what_is_ours_or_a_helper_is_not_found_and_nothing_is_where_that_is_set() {
    let (daemon, program) = looks_around().await;
    let path = program.to_str().unwrap();
    let managed = daemon.shell(&[path]).await;
    daemon.until_screen(managed.id, "ready").await;
    // One that answers once and no more, and one that an agent has started.
    let helper = format!("({path} & ) ; sleep 1000");
    let outer = Outer::run_program(daemon.cli(), program.as_os_str(), (80, 24), &["-p", "x"], &[]);
    outer.until("ready");
    let _below = daemon.shell(&["sh", "-c", &helper]).await;
    let cwd = daemon.person().to_string_lossy().into_owned();
    let here = || {
        let listed = daemon.cli().run(&["ls", "--all", "--json"]).ok().json();
        let listed = listed.as_array().expect("a list");
        listed.iter().filter(|one| one["cwd"] == cwd.as_str() && one["kind"] == "local").count()
    };
    assert_eq!(here(), 0);
    let shown = start(daemon.cli(), &program, &[]);
    assert_eq!(here(), 1);
    daemon.cli().run(&["settings", "set", "sessions.find", "false"]).ok();
    assert_eq!(here(), 0);
    drop(shown);
}
