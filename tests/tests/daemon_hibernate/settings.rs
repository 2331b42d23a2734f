//! By itself, as the settings say.

use belfry_protocol::Request;
use belfry_tests::daemon::TestView;
use ntest::timeout;

use crate::agent::{daemon, sleeps, spoken};

#[tokio::test]
#[timeout(90000)]
async fn above_a_number_of_sessions_the_longest_idle_makes_room() {
    let daemon = daemon().await;
    let pinned = spoken(&daemon, "pinned", &[]).await;
    daemon.cli().run(&["pin", "pinned"]).ok();
    let looked_at = spoken(&daemon, "looked-at", &[]).await;
    let _view = TestView::open(&daemon, looked_at.id).await;
    let first = spoken(&daemon, "first", &[]).await;
    let second = spoken(&daemon, "second", &[]).await;
    assert_eq!(daemon.cli().run(&["settings", "get", "hibernate.above_sessions"]).ok().stdout.trim(), "0");
    let change = Request::ChangeSetting { path: "hibernate.above_sessions".into(), value: 3.into() };
    daemon.connect().await.request(change).await.unwrap();
    daemon.until(first.id, "the longest idle sleeps", sleeps).await;
    for other in [pinned, looked_at, second] {
        assert!(daemon.show(other.id).await.alive(), "{}", other.name);
    }
}
