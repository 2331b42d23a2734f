//! The daemon is killed at each step, and the next one goes on: a workspace is removed or it is not, and nothing of it is lost.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::path::Path;

use belfry_protocol::Request;
use belfry_protocol::workspace::{WorkspaceRequest, WorkspaceState};
use belfry_tests::daemon::{TestDaemon, eventually};

use super::place::{age, ask, git, left_behind, list, repository, seen, settled};

/// Asks for something that the daemon does not live to answer.
async fn dies(daemon: &mut TestDaemon, at: &str, wanted: WorkspaceRequest) {
    daemon.kill();
    daemon
        .run_with(|command| {
            command.env("BELFRY_DIES_AT", at);
        })
        .await;
    let connection = daemon.connect().await;
    let answer = connection.request(Request::Workspace(Box::new(wanted))).await;
    assert!(answer.is_err(), "{at} was never reached: {answer:?}");
    eventually("the daemon is dead", || !daemon.runs()).await;
    daemon.kill();
}

#[track_caller]
fn is_whole(path: &Path, step: &str) {
    assert_eq!(std::fs::read_to_string(path.join("new")).unwrap(), "work\n", "{step}");
    assert_eq!(git(path, &["status", "--porcelain"]), " M file\n?? new\n", "{step}");
    assert_eq!(git(path, &["branch", "--show-current"]), "fix\n", "{step}");
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(240_000)]
async fn at_each_step_of_removing() {
    let mut daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let (ended, path) = left_behind(&daemon, &repository, "fix").await;
    let workspace = ended.workspace_id.unwrap().to_string();
    for step in ["remove-begun", "remove-saved", "remove-locked", "remove-moved", "remove-led-away"] {
        let seen = Some(seen(&daemon.connect().await, &workspace).await);
        dies(&mut daemon, step, WorkspaceRequest::Remove { workspace: workspace.clone(), seen }).await;
        // Whoever tidies up meanwhile takes nothing.
        git(&repository, &["worktree", "prune", "--expire=now"]);
        git(&repository, &["gc", "-q", "--prune=now"]);
        daemon.run().await;
        settled(&daemon).await;
        let now = &list(&daemon).await[0];
        let moved = matches!(now.state, WorkspaceState::Removed { .. });
        assert_eq!(moved, matches!(step, "remove-moved" | "remove-led-away"), "{step}: {now:?}");
        assert_eq!(path.exists(), !moved, "{step}");
        if moved {
            let connection = daemon.connect().await;
            ask(&connection, WorkspaceRequest::Restore { workspace: workspace.clone() }).await.unwrap();
        }
        is_whole(&path, step);
        assert!(!git(&repository, &["worktree", "list", "--porcelain"]).contains("locked"), "{step}");
        assert!(!git(&repository, &["for-each-ref"]).contains("refs/belfry/removed"), "{step}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(240_000)]
async fn at_each_step_of_bringing_back() {
    let mut daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let (ended, path) = left_behind(&daemon, &repository, "fix").await;
    let workspace = ended.workspace_id.unwrap().to_string();
    for step in ["restore-begun", "restore-moved", "restore-led-back", "restore-unlocked"] {
        let connection = daemon.connect().await;
        let seen = Some(seen(&connection, &workspace).await);
        let remove = WorkspaceRequest::Remove { workspace: workspace.clone(), seen };
        ask(&connection, remove).await.unwrap();
        drop(connection);
        dies(&mut daemon, step, WorkspaceRequest::Restore { workspace: workspace.clone() }).await;
        git(&repository, &["worktree", "prune", "--expire=now"]);
        daemon.run().await;
        settled(&daemon).await;
        assert_eq!(list(&daemon).await[0].state, WorkspaceState::Ready, "{step}");
        is_whole(&path, step);
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(240_000)]
async fn at_each_step_of_deleting() {
    let mut daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let (ended, path) = left_behind(&daemon, &repository, "fix").await;
    let workspace = ended.workspace_id.unwrap().to_string();
    let connection = daemon.connect().await;
    let seen = Some(seen(&connection, &workspace).await);
    ask(&connection, WorkspaceRequest::Remove { workspace: workspace.clone(), seen }).await.unwrap();
    drop(connection);
    // The day is over: what git has is deleted, and the rest is kept.
    for step in ["day-over", "thinned"] {
        daemon.kill();
        age(&daemon, 25);
        let mut command = daemon.command();
        command.env("BELFRY_DIES_AT", step);
        let mut child = command.spawn().unwrap();
        eventually(step, || child.try_wait().unwrap().is_some()).await;
    }
    daemon.run().await;
    settled(&daemon).await;
    let aside = daemon.home().state_dir().join("workspaces/.removed").join(&workspace).join("tree");
    assert!(aside.join("new").exists());
    let connection = daemon.connect().await;
    ask(&connection, WorkspaceRequest::Restore { workspace: workspace.clone() }).await.unwrap();
    is_whole(&path, "thinned");

    let seen = Some(super::place::seen(&connection, &workspace).await);
    ask(&connection, WorkspaceRequest::Remove { workspace: workspace.clone(), seen }).await.unwrap();
    drop(connection);
    daemon.kill();
    age(&daemon, 25);
    daemon.run().await;
    settled(&daemon).await;
    for step in ["deleted-tree", "deleted-git-part", "deleted-ref"] {
        daemon.kill();
        age(&daemon, 24 * 31);
        let mut command = daemon.command();
        command.env("BELFRY_DIES_AT", step);
        let mut child = command.spawn().unwrap();
        eventually(step, || child.try_wait().unwrap().is_some()).await;
    }
    daemon.run().await;
    settled(&daemon).await;
    assert!(list(&daemon).await.is_empty());
    assert!(!git(&repository, &["for-each-ref"]).contains("refs/belfry/removed"));
    assert_eq!(git(&repository, &["worktree", "list"]).lines().count(), 1);
}
