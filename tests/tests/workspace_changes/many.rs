//! How often git is run: for what changed, and for nothing else.

use std::path::{Path, PathBuf};

use belfry_protocol::launch::NewSession;
use belfry_protocol::{Session, SessionId};
use belfry_tests::daemon::TestDaemon;
use ntest::timeout;

use crate::repo::{Counted, cloned, git};

/// A session that does nothing, in a directory.
async fn quiet(daemon: &TestDaemon, dir: &Path) -> SessionId {
    let request = daemon.shell_request(&["cat"]);
    let cwd = dir.to_str().expect("a path of ours").to_owned();
    daemon.new_session(NewSession { cwd: Some(cwd), ..request }).await.id
}

fn files(session: &Session) -> Option<u32> {
    session.changes.map(|changes| changes.files)
}

#[tokio::test(flavor = "multi_thread")]
#[timeout(240000)]
async fn two_hundred_worktrees_cost_nothing_until_one_changes() {
    const MANY: usize = 200;
    let dir = tempfile::tempdir().expect("a directory");
    let repo = cloned(dir.path());
    let counted = Counted::new(dir.path());
    let mut daemon = TestDaemon::stopped();
    daemon.run_with(|command| _ = command.env("PATH", counted.path())).await;
    let worktrees: Vec<PathBuf> = (0..MANY).map(|at| dir.path().join(format!("tree {at}"))).collect();
    for (at, tree) in worktrees.iter().enumerate() {
        let branch = format!("branch-{at}");
        git(&repo, &["worktree", "add", "-q", "--no-track", "-b", &branch, tree.to_str().expect("a path")]);
    }
    std::fs::create_dir(worktrees[5].join("target")).expect("a directory that is ignored");
    let mut sessions = Vec::new();
    for tree in &worktrees {
        sessions.push(quiet(&daemon, tree).await);
    }
    for id in &sessions {
        daemon.until(*id, "its changes are known", |session| files(session) == Some(0)).await;
    }
    let before = counted.runs();

    // One edit in one of them, and what is ignored in another.
    std::fs::write(worktrees[5].join("target/built"), "x").expect("a file");
    std::fs::write(worktrees[77].join("src/deep/b"), "another\n").expect("an edit");
    let changed = daemon.until(sessions[77], "the edit shows", |session| files(session) == Some(1)).await;
    let counts = changed.changes.expect("the counts");
    assert_eq!((counts.added, counts.removed), (1, 1));
    assert_eq!(
        counted.runs()[before.len()..],
        ["status", "diff"],
        "two processes, and none while nothing happened"
    );

    // The base moves: one look at the commits each, and none at the files.
    let seed = dir.path().join("seed");
    std::fs::write(seed.join("a"), "theirs\n").expect("a file");
    git(&seed, &["commit", "-q", "-a", "-m", "theirs"]);
    git(&seed, &["push", "-q", "../remote.git", "main"]);
    let before = counted.runs().len();
    git(&repo, &["fetch", "-q"]);
    for id in &sessions {
        let behind = |session: &Session| session.changes.is_some_and(|changes| changes.behind == 1);
        daemon.until(*id, "the base has moved", behind).await;
    }
    let runs = counted.runs().split_off(before);
    assert_eq!(runs.len(), MANY, "{runs:?}");
    assert!(runs.iter().all(|run| run == "rev-list"), "{runs:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[timeout(120000)]
async fn sessions_of_one_directory_share_a_look() {
    let dir = tempfile::tempdir().expect("a directory");
    let repo = cloned(dir.path());
    let counted = Counted::new(dir.path());
    let mut daemon = TestDaemon::stopped();
    daemon.run_with(|command| _ = command.env("PATH", counted.path())).await;
    let deep = repo.join("src/deep");
    let sessions = [quiet(&daemon, &repo).await, quiet(&daemon, &deep).await, quiet(&daemon, &repo).await];
    for id in sessions {
        daemon.until(id, "its changes are known", |session| files(session) == Some(0)).await;
    }
    let settled = counted.runs().len();
    std::fs::write(repo.join("new"), "1\n").expect("a file");
    for id in sessions {
        daemon.until(id, "all of them know", |session| files(session) == Some(1)).await;
    }
    let runs = counted.runs().split_off(settled);
    assert!(runs.len() <= 4, "{runs:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[timeout(120000)]
async fn counts_follow_whatever_is_done() {
    let dir = tempfile::tempdir().expect("a directory");
    let repo = cloned(dir.path());
    let daemon = TestDaemon::start().await;
    let id = quiet(&daemon, &repo).await;
    let until = async |what: &str, files_wanted: u32, ahead: u32| {
        let is_so = |session: &Session| {
            session.changes.is_some_and(|changes| (changes.files, changes.ahead) == (files_wanted, ahead))
        };
        daemon.until(id, what, is_so).await
    };
    until("it is clean", 0, 0).await;
    // A new directory in a new directory, and then more in it.
    std::fs::create_dir_all(repo.join("x/y")).expect("directories");
    std::fs::write(repo.join("x/y/one"), "1\n").expect("a file");
    until("a file in new directories", 1, 0).await;
    std::fs::write(repo.join("x/y/two"), "1\n").expect("a file");
    until("one more in them", 2, 0).await;
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-q", "-m", "two"]);
    until("committed", 2, 1).await;
    // A directory that goes and comes again.
    git(&repo, &["checkout", "-q", "main"]);
    let session = until("another branch", 0, 0).await;
    assert_eq!(session.branch.as_deref(), Some("main"));
    git(&repo, &["checkout", "-q", "fix"]);
    until("back", 2, 1).await;
    std::fs::write(repo.join("x/y/three"), "1\n").expect("a file");
    until("in a directory that was away", 3, 1).await;
    std::fs::remove_dir_all(repo.join("x")).expect("remove it");
    until("all of it is gone", 0, 1).await;
    git(&repo, &["reset", "-q", "--hard", "main"]);
    until("as it was", 0, 0).await;
}
