//! What is answered where there is little or nothing to bring back.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use belfry_protocol::ErrorCode;
use belfry_protocol::workspace::WorkspaceRequest;
use belfry_tests::daemon::TestDaemon;

use super::place::{ask, left_behind, repository, seen};

fn restore(workspace: &str) -> WorkspaceRequest {
    WorkspaceRequest::Restore { workspace: workspace.to_owned() }
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(120_000)]
async fn what_was_not_removed_is_refused() {
    let daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let (ended, path) = left_behind(&daemon, &repository, "fix").await;
    let workspace = ended.workspace_id.unwrap().to_string();
    let connection = daemon.connect().await;
    let refused = ask(&connection, restore(&workspace)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::BadRequest);
    assert!(refused.message.contains("was not removed"), "{refused:?}");
    daemon.cli().run(&["worktree", "restore", &workspace]).exits(2);
    std::fs::remove_dir_all(&path).unwrap();
    let refused = ask(&connection, restore(&workspace)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotFound);
    assert!(refused.message.contains("its directory is gone"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(120_000)]
async fn of_two_at_once_the_second_waits_and_says_that_it_is_back() {
    let daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let (ended, path) = left_behind(&daemon, &repository, "fix").await;
    let workspace = ended.workspace_id.unwrap().to_string();
    let connections = [daemon.connect().await, daemon.connect().await, daemon.connect().await];
    for _ in 0..5 {
        let seen = Some(seen(&connections[0], &workspace).await);
        let remove = WorkspaceRequest::Remove { workspace: workspace.clone(), seen };
        ask(&connections[0], remove).await.unwrap();
        let [one, other, third] = &connections;
        let (one, other, third) = tokio::join!(
            ask(one, restore(&workspace)),
            ask(other, restore(&workspace)),
            ask(third, restore(&workspace))
        );
        let (back, late): (Vec<_>, Vec<_>) = [one, other, third].into_iter().partition(Result::is_ok);
        assert_eq!(back.len(), 1, "{late:?}");
        for late in late {
            let message = late.unwrap_err().message;
            assert!(message.contains("was not removed, or is back already"), "{message}");
        }
        assert!(path.join("new").exists());
    }
}
