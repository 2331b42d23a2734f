//! What clients ask for in bulk and of the past: many changes at once, the trash, sessions like others, history, the window.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::collections::{HashMap, HashSet};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Instant;

use belfry_client::{ConnectOptions, Incoming, IncomingStream, Requests, connect};
use belfry_protocol::ask::AskOutcome;
use belfry_protocol::history::Happened;
use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::{ErrorCode, Event, Reply, Request, Session, SessionId, Status};
use belfry_tests::daemon::{PATIENCE, TestDaemon, session};
use ntest::timeout;

const MANY: usize = 100;

/// Follows events into the state that a window would show.
struct Follower {
    requests: Requests,
    incoming: IncomingStream,
    sessions: HashMap<SessionId, Session>,
}

impl Follower {
    async fn new(daemon: &TestDaemon) -> Self {
        let (requests, mut incoming) = daemon.connect().await.split();
        let overview = incoming.subscribe(&requests).await.unwrap();
        let sessions = overview.sessions.into_iter().map(|one| (one.id, one)).collect();
        Self { requests, incoming, sessions }
    }

    /// Asks for all at once, and waits for every answer; what is told meanwhile is followed.
    async fn all(&mut self, requests: Vec<Request>) -> Vec<Reply> {
        let began = Instant::now();
        let answers = requests.into_iter().map(|request| {
            let requests = self.requests.clone();
            tokio::spawn(async move { requests.request(request).await.unwrap() })
        });
        let answers: Vec<_> = answers.collect();
        let mut replies = Vec::new();
        for answer in answers {
            replies.push(tokio::time::timeout(PATIENCE, answer).await.unwrap().unwrap());
        }
        assert!(began.elapsed() < PATIENCE);
        replies
    }

    async fn until(&mut self, what: &str, is_so: impl Fn(&HashMap<SessionId, Session>) -> bool) {
        let wait = async {
            while !is_so(&self.sessions) {
                let Incoming::Event(event) = self.incoming.next().await.unwrap() else { continue };
                match *event {
                    Event::Session { session } => {
                        self.sessions.insert(session.id, *session);
                    }
                    Event::SessionRemoved { id } => {
                        self.sessions.remove(&id);
                    }
                    _ => {}
                }
            }
        };
        assert!(tokio::time::timeout(PATIENCE, wait).await.is_ok(), "never: {what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[timeout(180_000)]
async fn a_hundred_sessions_are_changed_at_once() {
    let mut daemon = TestDaemon::start().await;
    let mut window = Follower::new(&daemon).await;
    let new = || Request::NewSession(Box::new(daemon.shell_request(&["cat"])));
    let made = window.all((0..MANY).map(|_| new()).collect()).await;
    let ids: Vec<SessionId> = made.into_iter().map(|reply| session(reply).id).collect();
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), MANY, "also of those of one millisecond");

    let path = daemon.person().display().to_string();
    let Reply::Project(project) =
        window.requests.request(Request::AddProject { path, name: None }).await.unwrap()
    else {
        panic!("no project");
    };
    let moved = ids.iter().zip(0_u32..).map(|(id, n)| Request::MoveSession {
        session: id.to_string(),
        project: Some(project.id),
        group: None,
        position: Some(f64::from(1000 - n)),
    });
    window.all(moved.collect()).await;
    let each = |make: &dyn Fn(SessionId) -> Request| ids.iter().map(|id| make(*id)).collect::<Vec<_>>();
    let archive =
        |archived| move |id: SessionId| Request::ArchiveSession { session: id.to_string(), archived };
    window.all(each(&archive(true))).await;
    window
        .until("all are moved and archived", |all| {
            ids.iter().zip(0_u32..).all(|(id, n)| {
                let Some(one) = all.get(id) else { return false };
                (one.project, one.position) == (Some(project.id), f64::from(1000 - n))
                    && one.archived_at.is_some()
            })
        })
        .await;
    window.all(each(&archive(false))).await;

    let remove =
        |kill, now| move |id: SessionId| Request::RemoveSession { session: id.to_string(), now, kill };
    let kill = |id: SessionId| Request::KillSession { session: id.to_string() };
    for reply in window.all(each(&kill)).await {
        assert_eq!(session(reply).status, Status::Dead);
    }
    let trashed = window.all(each(&remove(false, false))).await;
    assert!(trashed.iter().all(|reply| *reply == Reply::Removed { trashed: true }));
    window.until("all are in the trash", |all| ids.iter().all(|id| all[id].trashed_at.is_some())).await;
    let restore = |id: SessionId| Request::RestoreSession { session: id };
    for reply in window.all(each(&restore)).await {
        assert_eq!(session(reply).trashed_at, None);
    }
    window.until("all are back", |all| ids.iter().all(|id| all[id].trashed_at.is_none())).await;
    let (last, gone) = ids.split_last().unwrap();
    window.all(gone.iter().map(|id| remove(true, true)(*id)).collect()).await;
    window.until("the list is short", |all| all.len() == 1 && all.contains_key(last)).await;

    daemon.kill();
    daemon.run().await;
    let after = Follower::new(&daemon).await.sessions;
    assert_eq!(after.keys().collect::<Vec<_>>(), [last]);
    let left = &after[last];
    assert_eq!((left.status, left.project, left.archived_at), (Status::Dead, Some(project.id), None));
}

#[tokio::test]
#[timeout(60000)]
async fn the_trash_counts_from_when_a_session_was_put_there() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["true"]).await;
    daemon.until(started.id, "dead", |session| session.status == Status::Dead).await;
    let connection = daemon.connect().await;
    let remove = || Request::RemoveSession { session: started.id.to_string(), now: false, kill: false };
    assert_eq!(connection.request(remove()).await.unwrap(), Reply::Removed { trashed: true });
    let first = daemon.show(started.id).await.trashed_at.unwrap();
    assert_eq!(connection.request(remove()).await.unwrap(), Reply::Removed { trashed: true });
    assert_eq!(daemon.show(started.id).await.trashed_at, Some(first));
    // A day that begins anew is one that was put there anew.
    connection.request(Request::RestoreSession { session: started.id }).await.unwrap();
    connection.request(remove()).await.unwrap();
    assert!(daemon.show(started.id).await.trashed_at.unwrap() > first);
}

#[tokio::test]
#[timeout(60000)]
async fn a_session_like_another_has_all_that_was_asked_for_and_no_conversation() {
    let daemon = TestDaemon::start().await;
    // It shows what it was started with, and says each time it is typed to.
    let agent = daemon.cli().script(
        "claude",
        "#!/bin/sh\nprintf 'secret %s model' \"$SECRET\"; for a in \"$@\"; do case $a in best|--extra) printf ' %s' \"$a\";; esac; done\n\
         echo \" in $PWD\"; cat\n",
    );
    let dir = daemon.person().join("work");
    std::fs::create_dir(&dir).unwrap();
    let path = agent.rsplit_once('/').unwrap().0.to_owned();
    let variable = |name: &str, value: &str| EnvVar { name: name.to_owned(), value: value.to_owned() };
    let base_env = Some(vec![variable("PATH", &format!("{path}:/usr/bin:/bin"))]);
    let new = NewSession {
        agent: "claude".to_owned(),
        cwd: Some(dir.display().to_string()),
        name: Some("the one".to_owned()),
        model: Some("best".to_owned()),
        system_prompt: Some("be brief".to_owned()),
        args: vec!["--extra".to_owned()],
        env: vec![variable("SECRET", "s3cret")],
        base_env: base_env.clone(),
        ..daemon.shell_request(&[])
    };
    let first = daemon.new_session(new.clone()).await;
    let connection = daemon.connect().await;
    let duplicate =
        |id: SessionId| Request::DuplicateSession { session: id.to_string(), base_env: base_env.clone() };
    let second = session(connection.request(duplicate(first.id)).await.unwrap());
    let shown = format!("secret s3cret model best --extra in {}", dir.display());
    for one in [&first, &second] {
        daemon.until_screen(one.id, "s3cret model best --extra in").await;
        let screen = daemon.screen(one.id, false, 0).await.text.replace('\n', "");
        assert!(screen.contains(&shown), "{screen}");
    }
    assert_eq!(second.name, "the one 2");
    assert_ne!(second.id, first.id);
    assert_ne!(second.conversation_id, first.conversation_id);
    assert_eq!(
        (&second.agent, &second.cwd, &second.model, &second.env_names, (second.cols, second.rows)),
        (&first.agent, &first.cwd, &first.model, &first.env_names, (first.cols, first.rows))
    );
    let file = daemon.home().session_dir(second.id).join("launch.json");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(std::fs::read_to_string(file).unwrap().contains("be brief"));
    let third = session(connection.request(duplicate(second.id)).await.unwrap());
    assert_eq!(third.name, "the one 3");

    // The first prompt was for the first.
    let asked = NewSession { name: None, prompt: Some("do it".to_owned()), ..new };
    let asked = daemon.new_session(asked).await;
    let like = session(connection.request(duplicate(asked.id)).await.unwrap());
    let file = daemon.home().session_dir(like.id).join("launch.json");
    let file: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!((&file["new"]["prompt"], &file["new"]["model"]), (&serde_json::Value::Null, &"best".into()));
    assert_eq!(like.name, "do it 2");
    let nobody = connection.request(duplicate(SessionId::at(1))).await.unwrap_err();
    assert_eq!(nobody.code(), Some(ErrorCode::NoSuchSession));
}

async fn history(daemon: &TestDaemon, session: &Session, limit: u32) -> Vec<Happened> {
    let request = Request::ListHistory { session: session.id.to_string(), limit };
    match daemon.connect().await.request(request).await.unwrap() {
        Reply::History(all) => all,
        other => panic!("no history: {other:?}"),
    }
}

#[tokio::test]
#[timeout(60000)]
async fn history_tells_of_changes_and_of_questions_also_of_private_sessions() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    daemon.run().await;
    for private in [false, true] {
        let started = daemon.new_session(NewSession { private, ..daemon.asker_request("key") }).await;
        let waits = |session: &Session| session.ask.as_ref().is_some_and(|ask| ask.answerable);
        let asking = daemon.until(started.id, "it asks", waits).await;
        let ask = asking.ask.unwrap();
        let open = history(&daemon, &started, 100).await;
        let found = open.iter().find_map(|happened| match happened {
            Happened::Ask(past) => Some(past),
            Happened::Status(_) => None,
        });
        let found = found.unwrap();
        assert_eq!((found.ask, found.outcome, found.about.as_deref()), (ask.id, None, Some("touch x")));

        let answer = Request::AnswerAsk {
            session: started.id.to_string(),
            choice: Some("2".to_owned()),
            text: None,
            fingerprint: None,
        };
        let connection = daemon.connect().await;
        connection.request(answer).await.unwrap();
        connection.request(Request::KillSession { session: started.id.to_string() }).await.unwrap();
        let all = history(&daemon, &started, 100).await;
        assert!(all.is_sorted_by_key(|happened| std::cmp::Reverse(happened.at())), "newest first: {all:?}");
        let Some(Happened::Status(dead)) = all.first() else { panic!("{all:?}") };
        assert_eq!(dead.to, Status::Dead);
        let asks: Vec<_> = all
            .iter()
            .filter_map(|happened| match happened {
                Happened::Ask(past) if past.ask == ask.id => Some(past),
                _ => None,
            })
            .collect();
        let [past] = asks.as_slice() else { panic!("{all:?}") };
        assert_eq!(
            (past.outcome, past.answer.as_deref()),
            (Some(AskOutcome::Answered), Some("Yes, and always"))
        );
        assert!(past.ended_at.unwrap() >= past.at);
        assert_eq!(past.answered_by.as_deref(), Some("person (test)"));
        assert_eq!(history(&daemon, &started, 1).await, all[..1]);
        assert!(history(&daemon, &started, 0).await.is_empty());
    }
}

#[tokio::test]
#[timeout(60000)]
async fn an_open_window_is_told_to_come_to_the_front() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    daemon.run().await;
    let focus = |session: Option<&Session>, next| Request::FocusWindow {
        session: session.map(|session| session.id.to_string()),
        next,
    };
    // Somebody who only follows events is no window.
    let follower = Follower::new(&daemon).await;
    let none = follower.requests.request(focus(None, false)).await.unwrap_err();
    assert_eq!(none.code(), Some(ErrorCode::NotFound));

    let window = connect(daemon.home(), &ConnectOptions::new("desktop")).await.unwrap();
    let (requests, mut incoming) = window.split();
    incoming.subscribe(&requests).await.unwrap();
    let asks = |session: &Session| session.ask.is_some();
    let (first, second) = (daemon.asker("key").await, daemon.asker("key").await);
    let quiet = daemon.shell(&["cat"]).await;
    for one in [&first, &second] {
        daemon.until(one.id, "it asks", asks).await;
    }
    let first_asked = daemon.show(first.id).await.ask.unwrap().opened_at;
    let second_asked = daemon.show(second.id).await.ask.unwrap().opened_at;
    let (oldest, newest) = if first_asked <= second_asked { (&first, &second) } else { (&second, &first) };

    let connection = daemon.connect().await;
    assert_eq!(session(connection.request(focus(None, true)).await.unwrap()).id, oldest.id);
    let mute = Request::MarkSession {
        session: oldest.id.to_string(),
        pinned: None,
        muted: Some(true),
        snooze_seconds: None,
    };
    connection.request(mute).await.unwrap();
    assert_eq!(session(connection.request(focus(None, true)).await.unwrap()).id, newest.id);
    assert_eq!(session(connection.request(focus(Some(&quiet), false)).await.unwrap()).id, quiet.id);
    assert_eq!(connection.request(focus(None, false)).await.unwrap(), Reply::Done);
    let mut told = Vec::new();
    while told.len() < 4 {
        if let Incoming::Event(event) = incoming.next().await.unwrap()
            && let Event::FocusWindow { session } = *event
        {
            told.push(session);
        }
    }
    assert_eq!(told, [Some(oldest.id), Some(newest.id), Some(quiet.id), None]);
}
