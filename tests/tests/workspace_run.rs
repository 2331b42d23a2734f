//! Commands of a workspace that run beside its agent.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::io::{BufRead as _, Write as _};
use std::net::TcpListener;

use belfry_client::ClientError;
use belfry_protocol::session::{Exit, ProjectDefaults};
use belfry_protocol::workspace::{RunCommand, WorkspaceRequest, WorkspaceRules};
use belfry_protocol::{ErrorCode, Reply, Request, Session, SessionId, Status, WireError};
use belfry_tests::daemon::{TestDaemon, eventually, lives, session};
use ntest::timeout;

/// Says that this program is to be a server, and which port it begins with (0: any).
const SERVES: &str = "TEST_SERVES";

/// A server for the tests below, and no test unless it is asked to be one. Each line that it reads opens one more port, an empty
/// one closes the last.
#[test]
fn serves() {
    if std::env::var_os(SERVES).is_none() {
        return;
    }
    let mut open = vec![TcpListener::bind("127.0.0.1:0").unwrap()];
    let mut out = std::io::stdout();
    loop {
        let ports: Vec<u16> = open.iter().map(|one| one.local_addr().unwrap().port()).collect();
        writeln!(out, "ports {ports:?}").unwrap();
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line).unwrap() == 0 {
            return;
        }
        if line.trim().is_empty() {
            open.pop();
        } else {
            open.push(TcpListener::bind("127.0.0.1:0").unwrap());
        }
    }
}

/// The command of that server, some levels of processes down.
fn server() -> String {
    let program = std::env::current_exe().unwrap();
    format!("{SERVES}=1 '{}' serves --exact --nocapture; exit 3", program.display())
}

fn command(name: &str, command: &str) -> RunCommand {
    RunCommand { name: name.to_owned(), command: command.to_owned() }
}

/// A daemon with a project that has these commands, and a session in it.
async fn started(run: Vec<RunCommand>) -> (TestDaemon, Session) {
    let daemon = TestDaemon::start().await;
    set(&daemon, run).await;
    let agent = daemon.shell(&["cat"]).await;
    assert!(agent.project.is_some());
    (daemon, agent)
}

/// The project's commands are these.
async fn set(daemon: &TestDaemon, run: Vec<RunCommand>) {
    let connection = daemon.connect().await;
    let path = daemon.person().to_str().unwrap().to_owned();
    let Reply::Project(project) = connection.request(Request::AddProject { path, name: None }).await.unwrap()
    else {
        panic!("no project")
    };
    let rules = WorkspaceRules { run, ..WorkspaceRules::default() };
    let defaults = ProjectDefaults { rules: Some(Box::new(rules)), ..ProjectDefaults::default() };
    let change =
        Request::ChangeProject { project: project.id, name: None, position: None, defaults: Some(defaults) };
    connection.request(change).await.unwrap();
}

async fn run(daemon: &TestDaemon, of: SessionId, name: &str) -> Result<Session, WireError> {
    let wanted = WorkspaceRequest::Run { session: of.to_string(), name: name.to_owned() };
    match daemon.connect().await.request(Request::Workspace(Box::new(wanted))).await {
        Ok(reply) => Ok(session(reply)),
        Err(ClientError::Failed(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

async fn kill(daemon: &TestDaemon, of: SessionId) {
    daemon.connect().await.request(Request::KillSession { session: of.to_string() }).await.unwrap();
}

async fn keys(daemon: &TestDaemon, of: SessionId, keys: &[&str]) {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    daemon.connect().await.request(Request::SendKeys { session: of.to_string(), keys }).await.unwrap();
}

async fn all(daemon: &TestDaemon) -> Vec<Session> {
    let list = Request::ListSessions { status: Vec::new(), all: true, after: None };
    match daemon.connect().await.request(list).await.unwrap() {
        Reply::Sessions(sessions) => sessions,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
#[timeout(60000)]
async fn a_command_runs_beside_its_agent_and_once() {
    let (daemon, agent) = started(vec![command("dev", "pwd; echo session $BELFRY_SESSION; cat")]).await;
    let (one, other) = tokio::join!(run(&daemon, agent.id, "dev"), run(&daemon, agent.id, "dev"));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one.id, other.id, "one of a name at a time");
    let of = one.runs_for.clone().unwrap();
    assert_eq!((of.session, of.name.as_str()), (agent.id, "dev"));
    assert_eq!((one.agent.as_str(), &one.cwd, one.project), ("shell", &agent.cwd, agent.project));
    daemon.until_screen(one.id, &agent.cwd).await;
    daemon.until_screen(one.id, &format!("session {}", one.id)).await;
    // Asked for beside it, the agent is meant.
    assert_eq!(run(&daemon, one.id, "dev").await.unwrap().id, one.id);

    // Ended and started again it is the same session.
    kill(&daemon, one.id).await;
    daemon.until(one.id, "ended", |session| session.status == Status::Dead).await;
    let again = run(&daemon, agent.id, "dev").await.unwrap();
    assert_eq!((again.id, again.runs.len()), (one.id, 2));
    // With another command it is another.
    set(&daemon, vec![command("dev", "echo changed; cat")]).await;
    assert_eq!(run(&daemon, agent.id, "dev").await.unwrap().id, one.id, "what runs goes on");
    kill(&daemon, one.id).await;
    daemon.until(one.id, "ended", |session| session.status == Status::Dead).await;
    let changed = run(&daemon, agent.id, "dev").await.unwrap();
    assert_ne!(changed.id, one.id);
    daemon.until_screen(changed.id, "changed").await;
    assert!(all(&daemon).await.iter().all(|session| session.id != one.id));
}

#[tokio::test]
#[timeout(60000)]
async fn what_is_no_command_is_refused_with_what_there_is() {
    let (daemon, agent) = started(vec![command("dev", "cat"), command("setup", "echo no")]).await;
    let error = run(&daemon, agent.id, "test").await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert!(error.next.as_ref().is_some_and(|next| next.contains("`dev`")), "{error:?}");
    assert_eq!(run(&daemon, agent.id, "setup").await.unwrap_err().code, ErrorCode::BadRequest);
    let remove = Request::RemoveSession { session: agent.id.to_string(), now: false, kill: true };
    daemon.connect().await.request(remove).await.unwrap();
    assert_eq!(run(&daemon, agent.id, "dev").await.unwrap_err().code, ErrorCode::BadRequest);
    assert_eq!(run(&daemon, SessionId::at(1), "dev").await.unwrap_err().code, ErrorCode::NoSuchSession);
}

#[tokio::test]
#[timeout(60000)]
async fn ports_are_found_as_they_open_and_close() {
    let (mut daemon, agent) = started(vec![command("dev", &server())]).await;
    let dev = run(&daemon, agent.id, "dev").await.unwrap();
    let one = daemon.until(dev.id, "a port", |session| session.listening.len() == 1).await;
    keys(&daemon, dev.id, &["more", "Enter"]).await;
    let two = daemon.until(dev.id, "two ports", |session| session.listening.len() == 2).await;
    assert!(two.listening.contains(&one.listening[0]) && two.listening.is_sorted());
    keys(&daemon, dev.id, &["Enter"]).await;
    daemon.until(dev.id, "one port", |session| session.listening == one.listening).await;
    // The next daemon finds them too.
    daemon.kill();
    daemon.run().await;
    daemon.until(dev.id, "found again", |session| session.listening == one.listening).await;
    kill(&daemon, dev.id).await;
    daemon.until(dev.id, "none", |session| !session.alive() && session.listening.is_empty()).await;
}

#[tokio::test]
#[timeout(60000)]
async fn it_calls_nobody_but_for_an_end_that_nobody_wanted() {
    let run_commands = vec![
        command("asks", "printf 'Another port? [y/N] '; read -r answer; exit 3"),
        command("killed", "cat"),
        command("left", "cat"),
    ];
    let (daemon, agent) = started(run_commands).await;
    let notified = async || match daemon.connect().await.request(Request::ListNotifications).await.unwrap() {
        Reply::Notifications(listed) => listed,
        other => panic!("{other:?}"),
    };
    let asks = run(&daemon, agent.id, "asks").await.unwrap();
    let killed = run(&daemon, agent.id, "killed").await.unwrap();
    let left = run(&daemon, agent.id, "left").await.unwrap();
    daemon.until(asks.id, "it asks", |session| session.status == Status::Waiting).await;
    kill(&daemon, killed.id).await;
    daemon.until_screen(left.id, "").await;
    keys(&daemon, left.id, &["C-c"]).await;
    daemon.until(left.id, "interrupted", |session| session.status == Status::Dead).await;
    keys(&daemon, asks.id, &["n", "Enter"]).await;
    let dead = daemon.until(asks.id, "dead", |session| session.status == Status::Dead).await;
    assert_eq!(dead.exit, Some(Exit::Code { code: 3 }));
    // What calls comes after a moment of its own; the others had theirs before.
    let mut listed = notified().await;
    while listed.is_empty() {
        listed = notified().await;
    }
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0].session, Some(asks.id));
}

#[tokio::test]
#[timeout(60000)]
async fn it_goes_with_its_agent() {
    let (daemon, agent) = started(vec![command("dev", "cat")]).await;
    let dev = run(&daemon, agent.id, "dev").await.unwrap();
    let pid = daemon.until(dev.id, "it runs", |session| session.pid.is_some()).await.pid.unwrap();
    let remove = Request::RemoveSession { session: agent.id.to_string(), now: false, kill: true };
    daemon.connect().await.request(remove).await.unwrap();
    eventually("the command ends", || !lives(pid)).await;
    assert!(all(&daemon).await.iter().all(|session| session.id != dev.id));
    assert!(!daemon.home().session_dir(dev.id).exists());
}

#[tokio::test]
#[timeout(60000)]
async fn the_command_line_lists_starts_and_shows() {
    let (daemon, agent) = started(vec![command("dev", &server()), command("test", "echo fine")]).await;
    let id = agent.id.to_string();
    let said = daemon.cli().run(&["run", &id]).ok().stdout;
    assert!(said.contains("dev") && said.contains("echo fine"), "{said}");
    let dev = daemon.cli().run(&["run", &id, "dev"]).ok().stdout;
    let started: SessionId = dev.trim().parse().unwrap();
    let shown = daemon.until(started, "a port", |session| !session.listening.is_empty()).await;
    let listed = daemon.cli().run(&["run", &id, "--json"]).ok().json();
    assert_eq!(listed[0]["session"], serde_json::json!(started));
    assert_eq!(listed[0]["listening"], serde_json::json!(shown.listening));
    assert_eq!((&listed[0]["trusted"], &listed[1]["status"]), (&true.into(), &serde_json::Value::Null));
    assert!(daemon.cli().run(&["run", &id]).ok().stdout.contains(&shown.listening[0].to_string()));
    let unknown = daemon.cli().run(&["run", &id, "nothing", "--json"]).exits(1);
    assert_eq!(unknown.error_code(), "not_found");
    daemon.cli().run(&["run", "nobody"]).exits(3);
}

/// What a repository brings does not run before somebody has trusted it, and the way there is the one that is told.
#[tokio::test]
#[timeout(60000)]
async fn a_command_that_a_repository_brings_has_to_be_trusted() {
    let daemon = TestDaemon::start().await;
    let top = daemon.person().join("it's a shop");
    std::fs::create_dir(&top).unwrap();
    for args in [["init", "-q"], ["add", "."]] {
        std::fs::write(top.join(".belfry.toml"), "[run]\ndev = \"echo it runs; cat\"\n").unwrap();
        let ran = std::process::Command::new("git").args(args).current_dir(&top).status().unwrap();
        assert!(ran.success());
    }
    let new = belfry_protocol::launch::NewSession {
        cwd: Some(top.to_str().unwrap().to_owned()),
        ..daemon.shell_request(&["cat"])
    };
    let agent = daemon.new_session(new).await;
    let error = run(&daemon, agent.id, "dev").await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Untrusted, "{error:?}");
    let next = error.next.unwrap();
    let word = next.split("belfry trust ").nth(1).unwrap().trim_end_matches('`');
    // As a person pastes it.
    let pasted = daemon.cli().command(&["trust", "--yes"]);
    let program = pasted.get_program().to_owned();
    let line = format!("exec \"$0\" trust --yes {word}");
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(line).arg(program).env_clear();
    shell.envs(pasted.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let said = shell.output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let runs = run(&daemon, agent.id, "dev").await.unwrap();
    daemon.until_screen(runs.id, "it runs").await;
}
