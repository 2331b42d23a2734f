//! A repository, and sessions that had a worktree of it.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::path::{Path, PathBuf};
use std::process::Command;

use belfry_client::Connection;
use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::workspace::{Workspace, WorkspaceRequest};
use belfry_protocol::{Reply, Request, Session, WireError};
use belfry_tests::daemon::TestDaemon;

/// Makes a repository of one commit in the person's directory.
pub(crate) fn repository(daemon: &TestDaemon) -> PathBuf {
    let path = daemon.person().join("shop");
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("file"), "first\n").unwrap();
    git(&path, &["-c", "init.defaultBranch=main", "init", "-q"]);
    git(&path, &["add", "."]);
    git(&path, &["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-q", "-m", "first"]);
    path
}

#[track_caller]
pub(crate) fn git(at: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(args).current_dir(at).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// A session in a worktree of its own; the command is its program's.
pub(crate) async fn session(
    daemon: &TestDaemon,
    repository: &Path,
    branch: &str,
    command: &[&str],
) -> Session {
    let branch = Some(branch.to_owned());
    session_in(daemon, repository, WorkspaceKind::Worktree, branch, command).await
}

/// The same of any kind.
pub(crate) async fn session_in(
    daemon: &TestDaemon,
    repository: &Path,
    kind: WorkspaceKind,
    branch: Option<String>,
    command: &[&str],
) -> Session {
    let mut new = daemon.shell_request(command);
    new.cwd = Some(repository.to_str().unwrap().to_owned());
    new.workspace = kind;
    new.branch = branch;
    let session = daemon.new_session(new).await;
    daemon.until(session.id, "its workspace is there", |now| now.pid.is_some() || now.exit.is_some()).await
}

/// A session that has ended, and its workspace with a file that nobody else has.
pub(crate) async fn left_behind(daemon: &TestDaemon, repository: &Path, branch: &str) -> (Session, PathBuf) {
    let started = session(daemon, repository, branch, &["true"]).await;
    let ended = daemon.until(started.id, "it has ended", |now| now.exit.is_some()).await;
    let path = PathBuf::from(&ended.cwd);
    std::fs::write(path.join("new"), "work\n").unwrap();
    std::fs::write(path.join("file"), "changed\n").unwrap();
    (ended, path)
}

pub(crate) async fn ask(connection: &Connection, wanted: WorkspaceRequest) -> Result<Reply, WireError> {
    match connection.request(Request::Workspace(Box::new(wanted))).await {
        Ok(reply) => Ok(reply),
        Err(belfry_client::ClientError::Failed(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

pub(crate) async fn list(daemon: &TestDaemon) -> Vec<Workspace> {
    let connection = daemon.connect().await;
    match ask(&connection, WorkspaceRequest::List { disk: true }).await.unwrap() {
        Reply::Workspaces(all) => all,
        other => panic!("{other:?}"),
    }
}

/// The fingerprint of what would be lost.
pub(crate) async fn seen(connection: &Connection, workspace: &str) -> String {
    let wanted = WorkspaceRequest::Losses { workspace: workspace.to_owned() };
    match ask(connection, wanted).await.unwrap() {
        Reply::Losses(losses) => losses.fingerprint,
        other => panic!("{other:?}"),
    }
}

/// Waits until nothing that was begun is in the middle.
pub(crate) async fn settled(daemon: &TestDaemon) {
    let connection = daemon.connect().await;
    ask(&connection, WorkspaceRequest::Clean).await.unwrap();
}

/// Has a removed workspace's day be over: its record says that it was removed so many hours ago. While no daemon runs.
pub(crate) fn age(daemon: &TestDaemon, hours: i64) {
    let aside = daemon.home().state_dir().join("workspaces/.removed");
    for entry in std::fs::read_dir(aside).unwrap() {
        let path = entry.unwrap().path().join("record.json");
        let mut record: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let then = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(hours);
        record["removed_at"] = serde_json::Value::String(then.to_string());
        std::fs::write(&path, record.to_string()).unwrap();
    }
}
