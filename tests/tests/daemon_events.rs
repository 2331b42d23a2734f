//! What clients are told of: one change in one event that agrees with itself, and nothing that only blinks.

use belfry_client::{Connection, Incoming};
use belfry_protocol::reply::{Delivery, Message};
use belfry_protocol::{Event, Reply, Request, Session, SessionId, Status};
use belfry_tests::daemon::{TestDaemon, TestView};
use ntest::timeout;

async fn subscribed(daemon: &TestDaemon) -> Connection {
    let connection = daemon.connect().await;
    assert!(matches!(connection.request(Request::Subscribe).await, Ok(Reply::Overview { .. })));
    connection
}

/// All that is told of a session until that is.
async fn told_until(
    connection: &mut Connection,
    id: SessionId,
    is_so: impl Fn(&Event) -> bool,
) -> Vec<Event> {
    let mut told = Vec::new();
    loop {
        let Incoming::Event(event) = connection.next().await.expect("the connection holds") else { continue };
        let about = match &*event {
            Event::Session { session } => session.id == id,
            Event::Message { session, .. } => *session == id,
            _ => false,
        };
        if about {
            let last = is_so(&event);
            told.push(*event);
            if last {
                return told;
            }
        }
    }
}

fn sessions(told: &[Event]) -> Vec<&Session> {
    let sessions = told.iter().filter_map(|event| match event {
        Event::Session { session } => Some(&**session),
        _ => None,
    });
    sessions.collect()
}

#[tokio::test]
#[timeout(60000)]
async fn a_status_comes_with_its_question_and_goes_with_it() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    daemon.run().await;
    let mut connection = subscribed(&daemon).await;
    let asker = daemon.asker("key").await;
    let asks = |event: &Event| matches!(event, Event::Session { session } if session.status == Status::Waiting && session.ask.as_ref().is_some_and(|ask| ask.answerable));
    let mut told = told_until(&mut connection, asker.id, asks).await;
    let (choice, text, fingerprint) = (Some("1".to_owned()), None, None);
    let answer = Request::AnswerAsk { session: asker.id.to_string(), choice, text, fingerprint };
    daemon.connect().await.request(answer).await.expect("it is answered");
    let idle = |event: &Event| matches!(event, Event::Session { session } if session.status == Status::Idle);
    told.extend(told_until(&mut connection, asker.id, idle).await);
    for session in sessions(&told) {
        let waits = session.status == Status::Waiting;
        // What comes of an answer is about to show.
        let closing = session.reason.as_deref() == Some("its question has just left the screen");
        assert!(waits == session.ask.is_some() || closing, "{session:?}");
        assert!(waits == session.reason.is_some(), "{session:?}");
        assert!(session.activity.is_none() || session.status == Status::Running, "{session:?}");
    }
}

#[tokio::test]
#[timeout(60000)]
async fn a_title_that_blinks_is_told_once() {
    let daemon = TestDaemon::start().await;
    let mut connection = subscribed(&daemon).await;
    // As Codex does at a question; each is shown for longer than titles are kept apart.
    let blinks = "for n in 1 2 3; do printf '\\033]0;[ ! ] Action Required\\007'; sleep 1.1; \
        printf '\\033]0;[ . ] Action Required\\007'; sleep 1.1; done; printf '\\033]0;over\\007'; cat";
    let started = daemon.shell(&["sh", "-c", blinks]).await;
    let over = |event: &Event| matches!(event, Event::Session { session } if session.title.as_deref() == Some("over"));
    let told = told_until(&mut connection, started.id, over).await;
    let mut titles: Vec<_> = sessions(&told).iter().filter_map(|session| session.title.clone()).collect();
    titles.dedup();
    assert_eq!(titles.len(), 2, "{titles:?}");
    // Nor is anything else told of while it blinks: no event is like the one before.
    let told = sessions(&told);
    for pair in told.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
}

#[tokio::test]
#[timeout(60000)]
async fn how_far_a_message_is_is_told() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    daemon.run().await;
    let asker = daemon.asker("key").await;
    daemon.until(asker.id, "it asks", |session| session.status == Status::Waiting).await;
    let mut connection = subscribed(&daemon).await;
    let send = async |text: &str| {
        let request =
            Request::SendMessage { session: asker.id.to_string(), text: text.to_owned(), now: false };
        match daemon.connect().await.request(request).await.unwrap() {
            Reply::Message(Message { id, .. }) => id,
            other => panic!("no message: {other:?}"),
        }
    };
    let (first, second) = (send("taken back").await, send("typed").await);
    daemon.connect().await.request(Request::CancelMessage { message: first }).await.unwrap();
    let (choice, text, fingerprint) = (Some("1".to_owned()), None, None);
    let answer = Request::AnswerAsk { session: asker.id.to_string(), choice, text, fingerprint };
    daemon.connect().await.request(answer).await.expect("it is answered");
    let ends = |event: &Event| matches!(event, Event::Message { message, .. } if message.id == second && !matches!(message.delivery, Delivery::Queued | Delivery::Sending));
    let told = told_until(&mut connection, asker.id, ends).await;
    let of = |id| {
        let messages = told.iter().filter_map(move |event| match event {
            Event::Message { message, .. } if message.id == id => Some(message),
            _ => None,
        });
        messages.collect::<Vec<_>>()
    };
    let back = of(first);
    assert_eq!(back[0].text, "taken back");
    let words: Vec<_> = back.iter().map(|message| (message.delivery, message.why.as_deref())).collect();
    assert_eq!(
        words,
        [(Delivery::Queued, Some("a question is open")), (Delivery::Failed, Some("taken back"))]
    );
    let deliveries: Vec<_> = of(second).iter().map(|message| message.delivery).collect();
    assert_eq!(deliveries[0], Delivery::Queued);
    assert!(deliveries.ends_with(&[Delivery::Sending, Delivery::Delivered]), "{deliveries:?}");
}

#[tokio::test]
#[timeout(60000)]
async fn an_activity_has_its_own_beginning() {
    let daemon = TestDaemon::start().await;
    let shell = daemon.shell(&["bash", "--norc", "--noprofile", "-i"]).await;
    daemon.until(shell.id, "idle", |session| session.status == Status::Idle).await;
    let view = TestView::open(&daemon, shell.id).await;
    let runs = |session: &Session| session.status == Status::Running && session.activity.is_some();
    let before = jiff::Timestamp::now();
    view.input(b"sleep 1000\r").await;
    let first = daemon.until(shell.id, "it runs", runs).await.activity_since.expect("a time");
    assert!(first >= before && first <= jiff::Timestamp::now(), "{before} {first}");
    let explain = Request::ExplainSession { session: shell.id.to_string() };
    let Reply::Explanation(why) = daemon.connect().await.request(explain).await.unwrap() else {
        panic!("no explanation")
    };
    assert_eq!(why.activity_since, Some(first), "both say the same");
    view.input(b"\x03").await;
    let idle = daemon.until(shell.id, "idle", |session| session.status == Status::Idle).await;
    assert_eq!(idle.activity_since, None);
    view.input(b"sleep 1000\r").await;
    let second = daemon.until(shell.id, "it runs again", runs).await.activity_since.expect("a time");
    assert!(second > first && second >= idle.since, "{first} {} {second}", idle.since);
}
