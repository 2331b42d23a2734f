//! What is answered where there is little or nothing to bring back.

use belfry_protocol::ErrorCode;
use belfry_protocol::workspace::WorkspaceRequest;
use belfry_tests::daemon::TestDaemon;

use super::place::{ask, git, left_behind, repository, seen};

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

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(120_000)]
async fn with_the_record_gone_it_comes_back_from_its_ref() {
    let daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let (ended, path) = left_behind(&daemon, &repository, "fix").await;
    let workspace = ended.workspace_id.unwrap().to_string();
    let connection = daemon.connect().await;
    let remove = || async {
        let seen = Some(seen(&connection, &workspace).await);
        ask(&connection, WorkspaceRequest::Remove { workspace: workspace.clone(), seen }).await.unwrap();
        let aside = daemon.home().state_dir().join("workspaces/.removed").join(&workspace);
        std::fs::remove_dir_all(aside).unwrap();
    };
    remove().await;
    let back = daemon.cli().run(&["worktree", "restore", &workspace]).ok();
    assert!(back.stdout.contains("is back") && back.stdout.contains("ignores"), "{}", back.stdout);
    assert_eq!(std::fs::read_to_string(path.join("new")).unwrap(), "work\n");
    assert_eq!(git(&path, &["status", "--porcelain"]), " M file\n?? new\n");
    assert_eq!(git(&path, &["branch", "--show-current"]), "fix\n");

    // With git's own part of it gone too, the ref is kept, and how to get at it is said.
    remove().await;
    std::fs::remove_dir_all(repository.join(".git/worktrees")).unwrap();
    let lost = daemon.cli().run(&["worktree", "restore", &workspace]).exits(1);
    let name = format!("refs/belfry/removed/{workspace}");
    assert!(lost.stderr.contains(&name) && lost.stderr.contains("worktree add --detach"), "{}", lost.stderr);
    assert_eq!(git(&repository, &["show", &format!("{name}:new")]), "work\n");
}
