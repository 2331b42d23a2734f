//! What could lose something stays awake, and it is said why.

use belfry_protocol::{ErrorCode, Request, Status};
use belfry_tests::daemon::{TestDaemon, TestView, kill, lives};
use ntest::timeout;

use crate::agent::{at_its_prompt, daemon, hibernate, lines, send, sleeps, spoken, start};

async fn refused(daemon: &TestDaemon, of: &belfry_protocol::Session, why: &str) {
    let error = hibernate(daemon, of).await.expect_err(why);
    assert_eq!(error.code, ErrorCode::StillAlive, "{error:?}");
    assert!(error.message.contains(why), "{error:?}");
    assert!(daemon.show(of.id).await.alive());
    assert!(lives(daemon.show(of.id).await.pid.unwrap()));
}

#[tokio::test]
#[timeout(180000)]
async fn work_drafts_and_what_runs_in_the_background_keep_it_awake() {
    let daemon = daemon().await;
    let started = start(&daemon, "one", &[]).await;
    refused(&daemon, &started, "nothing has been said in it yet").await;
    send(&daemon, &started, "work").await.unwrap();
    daemon.until(started.id, "it works", |now| now.status == Status::Running).await;
    refused(&daemon, &started, "it is not idle").await;
    let failed = daemon.cli().run(&["hibernate", "one", "--json"]).exits(4);
    assert_eq!(failed.error_code(), "still_alive");
    // A message that waits is work to come.
    send(&daemon, &started, "later").await.unwrap();
    std::fs::write(daemon.person().join("one/go"), "\n").unwrap();
    lines(&daemon, "one", "typed", 2).await;
    at_its_prompt(&daemon, &started).await;

    let mut view = TestView::open(&daemon, started.id).await;
    view.input(b"half a th").await;
    view.until("the draft", |view| view.text().contains("half a th")).await;
    refused(&daemon, &started, "a draft lies in the input box").await;
    view.input(b"ought\r").await;
    lines(&daemon, "one", "typed", 3).await;
    at_its_prompt(&daemon, &started).await;

    send(&daemon, &started, "server").await.unwrap();
    let server: u32 = lines(&daemon, "one", "server", 1).await[0].parse().unwrap();
    at_its_prompt(&daemon, &started).await;
    refused(&daemon, &started, "sh runs in its background").await;
    kill(server);
    let keeper = started.runs[0].keeper_pid.unwrap();
    // Nothing is in the way any more; that the person looks is none of it. What the server had just started is called `sleep` only
    // once it is.
    let wait = || async {
        for child in belfry_platform::process::descendants(keeper) {
            if child.name == "sleep" {
                kill(child.identity.pid);
            }
        }
        hibernate(&daemon, &started).await
    };
    let mut asleep = wait().await;
    let mut tick = tokio::time::interval(std::time::Duration::from_millis(50));
    while asleep.as_ref().is_err_and(|error| error.message.contains("background")) {
        tick.tick().await;
        asleep = wait().await;
    }
    assert!(sleeps(&asleep.unwrap()));
}

#[tokio::test]
#[timeout(90000)]
async fn what_cannot_be_resumed_is_never_put_to_sleep() {
    let daemon = daemon().await;
    let shell = daemon.shell(&["cat"]).await;
    daemon.until(shell.id, "it runs", |now| now.status != Status::Starting).await;
    assert_eq!(hibernate(&daemon, &shell).await.unwrap_err().code, ErrorCode::Unsupported);
    assert!(daemon.show(shell.id).await.alive());
    let started = spoken(&daemon, "one", &[]).await;
    daemon.cli().run(&["kill", "one"]).ok();
    let error = hibernate(&daemon, &started).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotAlive);
    daemon.cli().run(&["hibernate", "nobody"]).exits(3);
}

#[tokio::test]
#[timeout(90000)]
async fn typing_keeps_it_awake_as_long_as_its_program_lives() {
    let daemon = daemon().await;
    let started = spoken(&daemon, "one", &["deaf"]).await;
    let mut view = TestView::open(&daemon, started.id).await;
    let (requests, _) = daemon.connect().await.split();
    let asking = Request::HibernateSession { session: started.id.to_string() };
    let ending = tokio::spawn(async move { requests.request(asking).await });
    lines(&daemon, "one", "asked", 1).await;
    view.input(b"wait").await;
    view.until("the draft", |view| view.text().contains("> wait")).await;
    assert!(ending.await.unwrap().is_err());
    let now = daemon.until(started.id, "idle", |now| now.status == Status::Idle).await;
    assert_eq!((now.pid, now.runs.len()), (started.pid, 1));
}

#[tokio::test]
#[timeout(90000)]
async fn a_message_to_one_that_cannot_be_woken_has_failed_and_says_why() {
    let daemon = daemon().await;
    let started = spoken(&daemon, "one", &[]).await;
    hibernate(&daemon, &started).await.unwrap();
    std::fs::rename(daemon.person().join("one"), daemon.person().join("moved")).unwrap();
    let error = send(&daemon, &started, "second").await.unwrap_err();
    assert_eq!(error.code, ErrorCode::BadDirectory, "{error:?}");
    let now = daemon.show(started.id).await;
    assert!(sleeps(&now) && now.notice.is_some_and(|notice| notice.contains("could not be woken")));
    let listed = daemon.cli().run(&["send", "one", "--list"]).ok().stdout;
    assert!(listed.contains("could not be woken"), "{listed}");
    std::fs::rename(daemon.person().join("moved"), daemon.person().join("one")).unwrap();
    send(&daemon, &started, "third").await.unwrap();
    assert_eq!(lines(&daemon, "one", "typed", 2).await, ["first", "third"], "what failed is not typed later");
}
