//! What calls the person: once for each question, not where they look, and not longer than there is a reason.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use belfry_client::{Connection, Incoming};
use belfry_protocol::launch::{NewSession, Size};
use belfry_protocol::{
    Event, Notification, NotificationId, NotificationKind, Reply, Request, Session, SessionId, Status,
};
use belfry_tests::daemon::{PATIENCE, TestDaemon, TestView, kill};
use ntest::timeout;
use serde_json::{Value, json};

/// Takes a line at its prompt, works on it until it may go on, and is at its prompt again.
const WORKER: &str = r#"#!/bin/sh
stty raw -echo
line='────────────────────────────────────────'
report() { printf '\033]7501;state=%s:app=asker\033\\' "$1"; }
prompt() {
  printf '\033[?2026h\033[2J\033[H%s\r\n> \r\n%s\033[2;3H\033[?2026l' "$line" "$line"
  report "$1"
}
printf '\033]0;asker\007'
prompt idle
stty -raw -echo
read -r _
report working
until [ -e go ]; do sleep 0.02; done
prompt done
exec cat
"#;

/// What it calls the end of its work.
const DONE: &str = r#"
[[sign]]
name = "done"
source = "program"
app = "asker"
state = "done"
says = "done"
"#;

async fn started() -> TestDaemon {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    let rules = daemon.home().config_dir().join("agents/asker.toml");
    let told = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, told + DONE).unwrap();
    daemon.run().await;
    daemon
}

async fn set(daemon: &TestDaemon, path: &str, value: Value) {
    let request = Request::ChangeSetting { path: path.to_owned(), value };
    daemon.connect().await.request(request).await.unwrap();
}

async fn listed(daemon: &TestDaemon) -> Vec<Notification> {
    match daemon.connect().await.request(Request::ListNotifications).await.unwrap() {
        Reply::Notifications(listed) => listed,
        other => panic!("no notifications: {other:?}"),
    }
}

/// Everything that a client is told of notifications.
struct Calls {
    connection: Connection,
    come: Vec<Notification>,
    gone: Vec<NotificationId>,
    read: Vec<NotificationId>,
}

impl Calls {
    async fn of(daemon: &TestDaemon) -> Self {
        let connection = daemon.connect().await;
        connection.request(Request::Subscribe).await.unwrap();
        Self { connection, come: Vec::new(), gone: Vec::new(), read: Vec::new() }
    }

    async fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let wait = async {
            while !is_so(self) {
                let Incoming::Event(event) = self.connection.next().await.expect("the connection holds")
                else {
                    continue;
                };
                match *event {
                    Event::Notification { notification } => self.come.push(*notification),
                    Event::NotificationGone { id } => self.gone.push(id),
                    Event::NotificationsRead { up_to } => self.read.push(up_to),
                    _ => {}
                }
            }
        };
        let waited = tokio::time::timeout(PATIENCE, wait).await;
        assert!(waited.is_ok(), "never: {what}; calls: {:?}, gone: {:?}", self.come, self.gone);
    }

    /// The call of that session.
    async fn call_of(&mut self, session: SessionId) -> Notification {
        self.until("it calls", |calls| calls.come.iter().any(|call| call.session == Some(session))).await;
        self.come.iter().find(|call| call.session == Some(session)).unwrap().clone()
    }

    /// Waits until another session has called that began to ask later: whoever is silent by then has not called.
    async fn pass(&mut self, daemon: &TestDaemon) {
        let later = ask(daemon, daemon.asker_request("key")).await;
        self.call_of(later.id).await;
    }

    fn called(&self, session: SessionId) -> bool {
        self.come.iter().any(|call| call.session == Some(session))
    }
}

/// Starts one that asks, and waits until it does.
async fn ask(daemon: &TestDaemon, new: NewSession) -> Session {
    let started = daemon.new_session(new).await;
    let asks = |session: &Session| session.ask.as_ref().is_some_and(|ask| ask.answerable);
    daemon.until(started.id, "it asks", asks).await
}

async fn answer(daemon: &TestDaemon, session: &Session, choice: &str) {
    let request = Request::AnswerAsk {
        session: session.id.to_string(),
        choice: Some(choice.to_owned()),
        text: None,
        fingerprint: session.ask.as_ref().map(|ask| ask.fingerprint.clone()),
    };
    daemon.connect().await.request(request).await.unwrap();
}

#[tokio::test]
#[timeout(90000)]
async fn a_question_calls_once_and_is_taken_back_when_it_is_answered() {
    let mut daemon = started().await;
    set(&daemon, "notifications.done", json!(false)).await;
    let mut calls = Calls::of(&daemon).await;
    let session = ask(&daemon, daemon.asker_request("key")).await;
    let call = calls.call_of(session.id).await;
    assert_eq!(
        (call.kind, call.quiet, call.read, call.over),
        (NotificationKind::Waiting, false, false, false)
    );
    assert_eq!(call.title, format!("{} waits for you", session.name));
    assert_eq!(call.text, "Do you want to proceed?\ntouch x");
    let about = call.ask.clone().unwrap();
    let open = session.ask.as_ref().unwrap();
    assert_eq!((about.id, &about.fingerprint), (open.id, &open.fingerprint));
    assert_eq!((about.allow.as_deref(), about.deny.as_deref()), (Some("1"), Some("3")));
    assert_eq!(listed(&daemon).await, [Notification { sound: true, ..call.clone() }]);

    // The next daemon knows that it has called.
    daemon.kill();
    daemon.run().await;
    let mut calls = Calls::of(&daemon).await;
    calls.pass(&daemon).await;
    assert!(!calls.called(session.id), "it has called before");
    answer(&daemon, &session, "1").await;
    calls.until("it is taken back", |calls| calls.gone.contains(&call.id)).await;
    let kept = listed(&daemon).await.into_iter().find(|kept| kept.id == call.id).unwrap();
    assert!(kept.read && kept.over);
}

#[tokio::test]
#[timeout(90000)]
async fn who_looks_and_what_is_muted_or_private() {
    let daemon = started().await;
    let mut calls = Calls::of(&daemon).await;
    // It waits until the view is there.
    let seen = daemon.new_session(daemon.asker_request("draft")).await;
    let size = Size { cols: 80, rows: 24 };
    let asked = daemon.new_session(daemon.asker_request("key")).await;
    let _view = TestView::open_with(&daemon, asked.id, size, true, 1 << 20).await;
    let muted = daemon.new_session(daemon.asker_request("key")).await;
    let mark = Request::MarkSession {
        session: muted.id.to_string(),
        pinned: None,
        muted: Some(true),
        snooze_seconds: None,
    };
    daemon.connect().await.request(mark).await.unwrap();
    let private = ask(&daemon, NewSession { private: true, ..daemon.asker_request("key") }).await;
    let call = calls.call_of(private.id).await;
    assert_eq!(
        (call.title.as_str(), call.text.as_str(), &call.ask),
        ("A private session", "It waits for you.", &None)
    );
    calls.pass(&daemon).await;
    for silent in [&seen, &asked, &muted] {
        assert!(!calls.called(silent.id), "{} has called", silent.name);
    }
    // Nothing of the private one is on the disk.
    let mut daemon = daemon;
    daemon.stop().await;
    let store = belfry_store::Store::open(&daemon.home().database(), jiff::Timestamp::now()).unwrap().store;
    let kept = store.notifications().unwrap();
    assert!(!kept.is_empty() && kept.iter().all(|kept| kept.notification.session != Some(private.id)));
}

#[tokio::test]
#[timeout(90000)]
async fn an_end_calls_where_nobody_made_it() {
    let daemon = started().await;
    let mut calls = Calls::of(&daemon).await;
    let ended = daemon.shell(&["sh", "-c", "exit 0"]).await;
    let by_person = daemon.shell(&["sleep", "1000"]).await;
    daemon.connect().await.request(Request::KillSession { session: by_person.id.to_string() }).await.unwrap();
    let died = daemon.shell(&["sleep", "1000"]).await;
    kill(died.pid.unwrap());
    let call = calls.call_of(died.id).await;
    assert_eq!((call.kind, call.text.as_str()), (NotificationKind::Died, "SIGKILL"));
    calls.pass(&daemon).await;
    assert!(!calls.called(ended.id) && !calls.called(by_person.id));
    daemon.connect().await.request(Request::MarkSeen { session: died.id }).await.unwrap();
    calls.until("it is taken back", |calls| calls.gone.contains(&call.id)).await;
}

#[tokio::test]
#[timeout(90000)]
async fn a_turn_that_is_over_calls_and_quiet_is_quiet() {
    let daemon = started().await;
    let worker = daemon.cli().script("worker", WORKER);
    set(&daemon, "agents.asker.path", json!(worker)).await;
    set(&daemon, "notifications.done_after_seconds", json!(0)).await;
    set(&daemon, "notifications.do_not_disturb", json!(true)).await;
    let mut calls = Calls::of(&daemon).await;
    let session = daemon.asker("key").await;
    daemon.until(session.id, "it is at its prompt", |session| session.status == Status::Idle).await;
    let message = Request::SendMessage { session: session.id.to_string(), text: "do it".into(), now: false };
    daemon.connect().await.request(message).await.unwrap();
    daemon.until(session.id, "it works", |session| session.status == Status::Running).await;
    daemon.cli().write("go", "");
    let call = calls.call_of(session.id).await;
    assert_eq!((call.kind, call.quiet, call.sound), (NotificationKind::Done, true, false));
    assert!(call.text.starts_with("Its turn took "), "{}", call.text);

    daemon.connect().await.request(Request::MarkNotificationsRead { up_to: None }).await.unwrap();
    calls.until("it is read", |calls| calls.read.contains(&call.id)).await;
    assert!(listed(&daemon).await.iter().all(|kept| kept.read));
    assert_eq!(daemon.show(session.id).await.status, Status::Idle);

    daemon
        .connect()
        .await
        .request(Request::TestNotification { kind: NotificationKind::Blocked })
        .await
        .unwrap();
    let is_test = |call: &Notification| call.session.is_none();
    calls.until("the test is told", |calls| calls.come.iter().any(is_test)).await;
    let test = calls.come.iter().find(|call| is_test(call)).unwrap();
    assert!(test.sound && !test.quiet && test.kind == NotificationKind::Blocked);
    assert!(!listed(&daemon).await.iter().any(is_test), "it is not kept");
}
