//! Many sessions: more than fit in one message, and more bytes of them than may wait for a client.

use belfry_protocol::{SessionId, Status};
use belfry_store::Store;
use belfry_tests::cli::Outer;
use belfry_tests::daemon::TestDaemon;
use ntest::timeout;

const MANY: u64 = 1500;

#[tokio::test(flavor = "multi_thread")]
#[timeout(120_000)]
async fn a_long_list_is_whole_for_everybody() {
    let mut daemon = TestDaemon::start().await;
    let first = daemon.shell(&["true"]).await;
    let first = daemon.until(first.id, "dead", |session| session.status == Status::Dead).await;
    daemon.stop().await;
    let mut store = Store::open(&daemon.home().database(), first.created_at).unwrap().store;
    for n in 1..=MANY {
        let mut session = first.clone();
        session.id = SessionId::at(first.created_at.as_millisecond() as u64 - n);
        session.name = format!("dead {n}");
        // 12 MB together.
        session.command = vec!["x".repeat(8000)];
        session.runs.clear();
        store.save_session(&session).unwrap();
    }
    drop(store);
    daemon.run().await;

    // The newest is the last of all.
    let newest = daemon.shell(&["sh", "-c", "echo here I am; exec cat"]).await;
    let id = newest.id.to_string();
    let all = MANY as usize + 2;
    let belfry = daemon.cli();
    let listed = belfry.run(&["ls", "--all", "--json"]).ok().json();
    let ids: Vec<_> = listed.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!((ids.len(), &ids[all - 2..]), (all, &[&*first.id.to_string(), &*id][..]));
    assert!(ids.is_sorted_by(|a, b| a < b), "in order, each once");
    assert_eq!(belfry.run(&["ls"]).ok().stdout.lines().count(), all + 1);
    belfry.run(&["wait", &id, "--until", "idle", "--timeout", "30"]).ok();

    let (requests, mut incoming) = daemon.connect().await.split();
    let overview = incoming.subscribe(&requests).await.unwrap();
    assert_eq!(overview.sessions.len(), all);
    assert_eq!(overview.sessions.last().unwrap().id, newest.id);

    let mut outer = Outer::run(belfry, 80, 24, &["attach", &id], &[]);
    outer.until("here I am");
    belfry.run(&["kill", &id]).ok();
    outer.ended();
    belfry.run(&["wait", &id, "--until", "dead"]).ok();
    belfry.run(&["rm", &id]).ok();
}
