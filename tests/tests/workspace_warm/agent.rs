//! Agents that wait at their prompts.

use std::path::{Path, PathBuf};

use belfry_client::{Connection, Incoming};
use belfry_protocol::launch::NewSession;
use belfry_protocol::session::ProjectDefaults;
use belfry_protocol::workspace::{Warm, WorkspaceRequest, WorkspaceRules};
use belfry_protocol::{Event, Reply, Request, Session, SessionId, Status};
use belfry_tests::daemon::{TestDaemon, eventually, lives};
use ntest::timeout;

use super::project::{Project, defaults};

/// Notes its process, stands at its prompt, and notes the lines that it is given.
const AGENT: &str = r#"#!/bin/sh
stty raw -echo
line='────────────────────────────────────────'
report() { printf '\033]7501;state=%s:app=asker\033\\' "$1"; }
prompt() {
  printf '\033[?2026h\033[2J\033[H%s\r\n> \r\n%s\033[2;3H\033[?2026l' "$line" "$line"
  report idle
}
printf '\033]0;asker\007'
echo $$ >started
prompt
stty -raw -echo
while IFS= read -r l; do
  echo "$l" >>typed
  report working
  prompt
done
"#;

async fn project() -> Project {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    daemon.cli().script("asker", AGENT);
    daemon.run().await;
    let rules = WorkspaceRules { warm: Some(Warm::Agent), ..WorkspaceRules::default() };
    let defaults = ProjectDefaults { agent: Some("asker".to_owned()), ..defaults(rules) };
    Project::of(daemon, defaults).await
}

fn wanted(project: &Project) -> NewSession {
    NewSession { agent: "asker".to_owned(), ..project.wanted(&[]) }
}

/// The process of the agent that waits there.
fn process(at: &Path) -> u32 {
    std::fs::read_to_string(at.join("started")).unwrap().trim().parse().unwrap()
}

fn typed(at: &Path, text: &str) -> bool {
    std::fs::read_to_string(at.join("typed")).unwrap_or_default().lines().any(|line| line == text)
}

/// What a window does first.
async fn window(daemon: &TestDaemon) -> Connection {
    let connection = daemon.connect().await;
    connection.request(Request::Subscribe).await.unwrap();
    connection
}

async fn overview(daemon: &TestDaemon) -> Vec<Session> {
    match daemon.connect().await.request(Request::Subscribe).await.unwrap() {
        Reply::Overview { sessions, .. } => sessions,
        other => panic!("{other:?}"),
    }
}

async fn listed(daemon: &TestDaemon) -> Vec<SessionId> {
    let list = Request::ListSessions { status: Vec::new(), all: true, after: None };
    match daemon.connect().await.request(list).await.unwrap() {
        Reply::Sessions(sessions) => sessions.into_iter().map(|session| session.id).collect(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
#[timeout(120000)]
async fn it_is_unseen_until_it_is_taken_and_in_no_list_until_it_is_spoken_to() {
    let project = project().await;
    let ahead = project.warm().await;
    let pid = process(&ahead);
    assert!(overview(&project.daemon).await.is_empty() && listed(&project.daemon).await.is_empty());

    // Somebody who looks on hears nothing of what waits, and all of what is taken.
    let mut watcher = window(&project.daemon).await;
    let taken = project.daemon.new_session(wanted(&project)).await;
    assert_eq!((PathBuf::from(&taken.cwd), taken.pid, taken.unspoken), (ahead.clone(), Some(pid), true));
    assert_eq!(taken.name, "asker in shop");
    loop {
        if let Incoming::Event(event) = watcher.next().await.unwrap()
            && let Event::Session { session } = *event
        {
            assert_eq!((session.id, session.unspoken), (taken.id, true));
            break;
        }
    }
    assert_eq!(overview(&project.daemon).await.len(), 1);
    assert!(listed(&project.daemon).await.is_empty());

    // Left without a word it waits for the next.
    project.ask(WorkspaceRequest::Leave { session: taken.id }).await;
    assert_eq!(project.warm().await, ahead);
    assert!(overview(&project.daemon).await.is_empty());
    let again = project.daemon.new_session(wanted(&project)).await;
    assert_eq!((again.id, again.pid), (taken.id, Some(pid)));

    // Its first message makes it one like any other.
    let send =
        Request::SendMessage { session: again.id.to_string(), text: "Mend the roof".to_owned(), now: false };
    project.daemon.connect().await.request(send).await.unwrap();
    let spoken = project.daemon.until(again.id, "spoken to", |session| !session.unspoken).await;
    assert_eq!(spoken.name, "Mend the roof");
    eventually("it arrives", || typed(&ahead, "Mend the roof")).await;
    assert_eq!(listed(&project.daemon).await, [again.id]);
    project.ask(WorkspaceRequest::Leave { session: again.id }).await;
    assert!(project.daemon.show(again.id).await.alive(), "it is nobody's to give back");
    assert_ne!(project.warm().await, ahead);
}

#[tokio::test]
#[timeout(120000)]
async fn a_prompt_is_given_to_it_and_what_is_typed_counts_too() {
    let project = project().await;
    let ahead = project.warm().await;
    let new = NewSession { prompt: Some("Paint the fence".to_owned()), ..wanted(&project) };
    let session = project.daemon.new_session(new).await;
    assert_eq!((session.pid, session.unspoken), (Some(process(&ahead)), false));
    assert_eq!(
        (session.name.as_str(), session.branch.as_deref()),
        ("Paint the fence", Some("paint-the-fence"))
    );
    eventually("it arrives", || typed(&ahead, "Paint the fence")).await;

    let ahead = project.warm().await;
    let _window = window(&project.daemon).await;
    let session = project.daemon.new_session(wanted(&project)).await;
    let keys = |keys: &[&str]| Request::SendKeys {
        session: session.id.to_string(),
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
    };
    let connection = project.daemon.connect().await;
    connection.request(keys(&["hello"])).await.unwrap();
    assert!(project.daemon.show(session.id).await.unspoken);
    connection.request(keys(&["Enter"])).await.unwrap();
    project.daemon.until(session.id, "spoken to", |session| !session.unspoken).await;
    eventually("it arrives", || typed(&ahead, "hello")).await;
}

#[tokio::test]
#[timeout(120000)]
async fn for_another_launch_only_its_directory_is_of_use() {
    let project = project().await;
    let ahead = project.warm().await;
    let waited = process(&ahead);
    let new = NewSession { args: vec!["--other".to_owned()], ..wanted(&project) };
    let session = project.running(new).await;
    assert_eq!(PathBuf::from(&session.cwd), ahead);
    assert_ne!(session.pid, Some(waited));
    assert!(!lives(waited) && !session.unspoken);
}

#[tokio::test]
#[timeout(120000)]
async fn none_outlives_the_daemon_nor_the_client_that_took_it() {
    let mut project = project().await;
    let ahead = project.warm().await;
    // Taken by somebody who then goes.
    let connection = window(&project.daemon).await;
    let Ok(Reply::Session(taken)) = connection.request(Request::NewSession(Box::new(wanted(&project)))).await
    else {
        panic!("no session")
    };
    assert!(taken.unspoken);
    drop(connection);
    assert_eq!(project.warm().await, ahead);
    let pid = process(&ahead);
    assert!(lives(pid));
    project.daemon.kill();
    project.daemon.run().await;
    eventually("it ends", || !lives(pid)).await;
    let again = project.warm().await;
    // Without a window nobody would find it in no list.
    let session = project.daemon.new_session(wanted(&project)).await;
    assert_eq!((PathBuf::from(&session.cwd), session.pid), (again.clone(), Some(process(&again))));
    assert_eq!((session.status, session.unspoken), (Status::Idle, false));
}
