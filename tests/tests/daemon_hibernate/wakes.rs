//! What sleeps is there again when it is wanted.

use belfry_protocol::{Request, Status};
use belfry_tests::daemon::{TestView, eventually, lives};
use ntest::timeout;
use serde_json::Value;

use crate::agent::{at_its_prompt, daemon, hibernate, lines, send, sleeps, spoken};

#[tokio::test]
#[timeout(90000)]
async fn a_message_wakes_it_in_its_conversation_and_is_typed_once() {
    let mut daemon = daemon().await;
    let before = spoken(&daemon, "one", &[]).await;
    let conversation = before.conversation_id.clone().unwrap();
    let asleep = hibernate(&daemon, &before).await.unwrap();
    assert!(sleeps(&asleep), "{asleep:?}");
    assert!(!lives(before.pid.unwrap()));
    assert_eq!(asleep.conversation_id, before.conversation_id);
    assert!(asleep.runs[0].ended_at.is_some() && asleep.runs[0].exit.is_some());
    let said = asleep.since;

    // As everybody sees it: its last screen is there, and no key gets to it.
    daemon.until_screen(before.id, "bye").await;
    let listed = daemon.cli().run(&["ls"]).ok().stdout;
    assert!(listed.contains("idle") && listed.contains("hibernated"), "{listed}");
    daemon.cli().run(&["keys", "one", "Enter"]).exits(1);
    let why = daemon.cli().run(&["explain", "one"]).ok().stdout;
    assert!(why.contains("put to sleep"), "{why}");
    assert_eq!(daemon.cli().run(&["hibernate", "one", "--json"]).ok().json()["reason"], "hibernated");

    // The next daemon knows it as well.
    daemon.kill();
    daemon.run().await;
    let still = daemon.show(before.id).await;
    assert!(sleeps(&still), "{still:?}");
    assert_eq!(still.since, said);
    assert!(!daemon.cli().run(&["daemon", "status"]).ok().stdout.is_empty());

    send(&daemon, &before, "second").await.unwrap();
    assert_eq!(lines(&daemon, "one", "typed", 2).await, ["first", "second"]);
    let awake = at_its_prompt(&daemon, &before).await;
    assert_eq!((awake.runs.len(), &awake.conversation_id), (2, &before.conversation_id));
    assert_eq!(awake.reason, None);
    let argv = lines(&daemon, "one", "argv", 2).await;
    assert_eq!(argv, [format!("--session {conversation}"), format!("--resume {conversation}")]);

    // And by hand, again and again.
    hibernate(&daemon, &before).await.unwrap();
    daemon.cli().run(&["resume", "one"]).ok();
    at_its_prompt(&daemon, &before).await;
    hibernate(&daemon, &before).await.unwrap();
    send(&daemon, &before, "third").await.unwrap();
    assert_eq!(lines(&daemon, "one", "typed", 3).await, ["first", "second", "third"]);
    at_its_prompt(&daemon, &before).await;
    assert_eq!(lines(&daemon, "one", "typed", 3).await.len(), 3, "once each");
}

#[tokio::test]
#[timeout(90000)]
async fn messages_that_come_while_it_falls_asleep_wake_it() {
    let daemon = daemon().await;
    // It takes its time to end, so that they come in between.
    let started = spoken(&daemon, "one", &["deaf"]).await;
    let connection = daemon.connect().await;
    let asking = Request::HibernateSession { session: started.id.to_string() };
    let (requests, _) = connection.split();
    let ending = tokio::spawn(async move { requests.request(asking).await });
    lines(&daemon, "one", "asked", 1).await;
    let (one, other) = tokio::join!(send(&daemon, &started, "second"), send(&daemon, &started, "third"));
    one.unwrap();
    other.unwrap();
    let _ = ending.await.unwrap();
    let mut typed = lines(&daemon, "one", "typed", 3).await;
    typed.sort();
    assert_eq!(typed, ["first", "second", "third"]);
    let awake = at_its_prompt(&daemon, &started).await;
    assert_eq!(awake.runs.len(), 2);
}

#[tokio::test]
#[timeout(90000)]
async fn one_that_does_not_leave_is_ended_and_sleeps_all_the_same() {
    let daemon = daemon().await;
    let started = spoken(&daemon, "one", &["deaf"]).await;
    let asleep = hibernate(&daemon, &started).await.unwrap();
    assert!(sleeps(&asleep), "{asleep:?}");
    assert!(!lives(started.pid.unwrap()));
    assert_eq!(lines(&daemon, "one", "asked", 3).await.len(), 3, "it was asked first");
    // One that is killed meanwhile is dead: its person said so.
    let other = spoken(&daemon, "two", &["deaf"]).await;
    let (requests, _) = daemon.connect().await.split();
    let asking = Request::HibernateSession { session: other.id.to_string() };
    let ending = tokio::spawn(async move { requests.request(asking).await });
    lines(&daemon, "two", "asked", 1).await;
    daemon.connect().await.request(Request::KillSession { session: other.id.to_string() }).await.unwrap();
    assert!(ending.await.unwrap().is_err());
    assert_eq!(daemon.show(other.id).await.status, Status::Dead);
}

#[tokio::test]
#[timeout(90000)]
async fn a_daemon_that_is_killed_in_between_is_followed_by_one_that_knows() {
    let mut daemon = daemon().await;
    let started = spoken(&daemon, "one", &[]).await;
    let (requests, _) = daemon.connect().await.split();
    let asking = Request::HibernateSession { session: started.id.to_string() };
    let ending = tokio::spawn(async move { requests.request(asking).await });
    let pid = started.pid.unwrap();
    // Whether its end was noted is left to chance.
    eventually("its program has ended", || !lives(pid)).await;
    daemon.kill();
    let _ = ending.await;
    daemon.run().await;
    let asleep = daemon.until(started.id, "it sleeps", sleeps).await;
    assert_eq!(asleep.conversation_id, started.conversation_id);
    // Also where all that is known of it lies beside its recording.
    daemon.kill();
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", daemon.home().database().display()));
    }
    daemon.run().await;
    let rebuilt = daemon.show(started.id).await;
    assert!(sleeps(&rebuilt), "{rebuilt:?}");
}

#[tokio::test]
#[timeout(90000)]
async fn what_sessions_take_is_told_of_those_that_live() {
    let daemon = daemon().await;
    let started = spoken(&daemon, "one", &[]).await;
    spoken(&daemon, "two", &[]).await;
    let of =
        |json: &Value, name: &str| json.as_array().unwrap().iter().find(|one| one["name"] == name).cloned();
    let all = daemon.cli().run(&["top", "--json"]).ok().json();
    let one = of(&all, "one").unwrap();
    // The keeper, the script, and what it waits in.
    assert!(one["processes"].as_u64().unwrap() >= 2 && one["memory"].as_u64().unwrap() > 200_000, "{one}");
    assert!(one["cpu_percent"].as_f64().is_some() && of(&all, "two").is_some());
    let alone = daemon.cli().run(&["top", "one", "--json"]).ok().json();
    assert!(of(&alone, "two").is_none(), "{alone}");
    hibernate(&daemon, &started).await.unwrap();
    let table = daemon.cli().run(&["top"]).ok().stdout;
    assert!(table.contains("MEMORY") && table.contains("two") && !table.contains("one"), "{table}");
    daemon.cli().run(&["top", "nobody"]).exits(3);
    // Somebody looks at what sleeps: that does not wake it.
    let _view = TestView::open(&daemon, started.id).await;
    assert!(sleeps(&daemon.show(started.id).await));
}
