//! By itself, as the settings say.

use belfry_protocol::Request;
use belfry_tests::daemon::TestView;
use ntest::timeout;

use crate::agent::{at_its_prompt, daemon, lines, send, sleeps, spoken};

#[tokio::test]
#[timeout(90000)]
async fn above_a_number_of_sessions_the_longest_idle_makes_room() {
    let daemon = daemon().await;
    let pinned = spoken(&daemon, "pinned", &[]).await;
    daemon.cli().run(&["pin", "pinned"]).ok();
    let looked_at = spoken(&daemon, "looked-at", &[]).await;
    let _view = TestView::open(&daemon, looked_at.id).await;
    let serves = spoken(&daemon, "serves", &[]).await;
    send(&daemon, &serves, "server").await.unwrap();
    lines(&daemon, "serves", "server", 1).await;
    at_its_prompt(&daemon, &serves).await;
    let first = spoken(&daemon, "first", &[]).await;
    let second = spoken(&daemon, "second", &[]).await;
    assert_eq!(daemon.cli().run(&["settings", "get", "hibernate.above_sessions"]).ok().stdout.trim(), "0");
    let change = Request::ChangeSetting { path: "hibernate.above_sessions".into(), value: 4.into() };
    daemon.connect().await.request(change).await.unwrap();
    daemon.until(first.id, "the longest idle sleeps", sleeps).await;
    // Nor those that could lose something; the next one took its place.
    for other in [pinned, looked_at, serves, second] {
        assert!(daemon.show(other.id).await.alive(), "{}", other.name);
    }
}
