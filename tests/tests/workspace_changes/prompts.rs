//! Checkpoints that are made by themselves.

use belfry_protocol::changes::ChangesRequest as Wanted;
use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::{ErrorCode, Request, Session};
use belfry_tests::daemon::{TestDaemon, eventually};
use ntest::timeout;
use serde_json::json;

use crate::repo::{asked, changes, cloned, git};

/// Something that is called `claude`, and runs each line that it is given.
const AGENT: &str =
    "#!/bin/sh\necho \"$BELFRY_HOOK_FILE\" >\"$HOME/secret\"\nwhile read -r line; do eval \"$line\"; done\n";

async fn agent(
    daemon: &TestDaemon,
    cwd: &std::path::Path,
    workspace: WorkspaceKind,
    private: bool,
) -> Session {
    daemon.cli().script("claude", AGENT);
    let path = format!("{}:{}", daemon.person().display(), std::env::var("PATH").expect("a PATH"));
    let env = |name: &str, value: &str| EnvVar { name: name.to_owned(), value: value.to_owned() };
    let _ = std::fs::remove_file(daemon.person().join("secret"));
    let session = daemon
        .new_session(NewSession {
            agent: "claude".to_owned(),
            cwd: Some(cwd.display().to_string()),
            workspace,
            private,
            base_env: Some(vec![env("PATH", &path), env("HOME", &daemon.person().display().to_string())]),
            ..NewSession::default()
        })
        .await;
    eventually("it runs", || daemon.person().join("secret").exists()).await;
    daemon.until(session.id, "its run is known", |session| session.pid.is_some()).await
}

/// What the agent's hook says when the person has submitted something.
async fn submits(daemon: &TestDaemon, session: &Session, prompt: &str) {
    let file = std::fs::read_to_string(daemon.person().join("secret")).expect("the secret's file");
    let secret = std::fs::read_to_string(file.trim()).expect("the secret");
    let payload = json!({ "session_id": "one", "hook_event_name": "UserPromptSubmit", "prompt": prompt });
    let request = Request::HookEvent {
        session: session.id,
        secret: secret.trim().to_owned(),
        name: "UserPromptSubmit".to_owned(),
        at_ms: u64::try_from(jiff::Timestamp::now().as_millisecond()).expect("a time"),
        payload,
    };
    daemon.connect().await.request(request).await.expect("the hook is heard");
}

async fn labels(daemon: &TestDaemon, session: &Session) -> Vec<String> {
    let shown = changes(daemon, Wanted::Show { session: session.id.to_string() }).await;
    shown.checkpoints.into_iter().map(|one| one.label).collect()
}

#[tokio::test(flavor = "multi_thread")]
#[timeout(120000)]
async fn the_files_are_kept_before_a_prompt() {
    let dir = tempfile::tempdir().expect("a directory");
    let repo = cloned(dir.path());
    let daemon = TestDaemon::start().await;
    let session = agent(&daemon, &repo, WorkspaceKind::Worktree, false).await;
    let tree = std::path::PathBuf::from(&session.cwd);
    assert_ne!(tree, repo);
    std::fs::write(tree.join("a"), "before the turn\n").expect("an edit");
    submits(&daemon, &session, "Fix the parser\nand the printer").await;
    let refs = || git(&repo, &["for-each-ref", "--format=%(contents:subject)", "refs/belfry/checkpoints"]);
    eventually("it is kept", || refs() == "Fix the parser").await;
    std::fs::write(tree.join("a"), "after it\n").expect("an edit");
    let kept = changes(&daemon, Wanted::Show { session: session.id.to_string() }).await.checkpoints;
    let back = Wanted::GoTo { session: session.id.to_string(), checkpoint: kept[0].id.clone() };
    changes(&daemon, back).await;
    assert_eq!(std::fs::read_to_string(tree.join("a")).expect("the file"), "before the turn\n");

    // A session that is gone leaves none behind.
    let removed = Request::RemoveSession { session: session.id.to_string(), now: true, kill: true };
    daemon.connect().await.request(removed).await.expect("it is removed");
    eventually("its checkpoints are gone", || refs().is_empty()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[timeout(120000)]
async fn a_shared_directory_is_left_alone() {
    let dir = tempfile::tempdir().expect("a directory");
    let repo = cloned(dir.path());
    let daemon = TestDaemon::start().await;
    let session = agent(&daemon, &repo, WorkspaceKind::Directory, false).await;
    submits(&daemon, &session, "Fix it").await;
    // By hand it can be done there as well, and is the only one.
    let make = Wanted::MakeCheckpoint { session: session.id.to_string(), label: "mine".to_owned() };
    changes(&daemon, make).await;
    assert_eq!(labels(&daemon, &session).await, ["mine"]);
    let message = asked(&daemon, Wanted::SuggestMessage { session: session.id.to_string() }).await;
    assert!(
        message
            .is_ok_and(|message| matches!(message, belfry_protocol::Reply::Text(text) if !text.is_empty()))
    );
    let none = Wanted::MakeCheckpoint { session: session.id.to_string(), label: " ".to_owned() };
    assert_eq!(asked(&daemon, none).await.expect_err("no name").code, ErrorCode::BadRequest);
}
