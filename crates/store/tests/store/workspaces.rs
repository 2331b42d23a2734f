//! Directories that were made for sessions, and scripts that are trusted.

use belfry_protocol::WorkspaceId;
use belfry_protocol::pull_request::{FailedCheck, PullRequest, PullState, Review, ReviewComment};
use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::workspace::{PortRange, WorkspaceRules, WorkspaceState};
use belfry_store::{StoredWorkspace, TrustedScripts};
use serde_json::json;

use crate::{at, open, session_id};

pub(crate) fn id(n: u64) -> WorkspaceId {
    WorkspaceId(format!("0197a100-0000-7000-8000-{n:012x}").parse().unwrap())
}

pub(crate) fn pull_request() -> PullRequest {
    PullRequest {
        number: 17,
        url: "https://example.org/a/b/pull/17".to_owned(),
        title: "Mend “it”".to_owned(),
        state: PullState::Draft,
        base: "main".to_owned(),
        checks_passed: 3,
        checks_pending: 1,
        failed: vec![FailedCheck { name: "lint".to_owned(), url: None }],
        review: Some(Review::ChangesRequested),
        comments: vec![ReviewComment {
            author: "ann".to_owned(),
            path: Some("a.rs".to_owned()),
            line: Some(3),
            text: "why?".to_owned(),
        }],
        mergeable: Some(false),
        fetched_at: at(12),
    }
}

/// A workspace with something in every field.
pub(crate) fn stored(n: u64) -> StoredWorkspace {
    StoredWorkspace {
        id: id(n),
        kind: WorkspaceKind::Worktree,
        path: format!("/state/workspaces/código-0a1b2c/fix-{n}").into(),
        repository: Some("/home/some one/código".to_owned()),
        common_dir: Some("/home/some one/código/.git".into()),
        project: None,
        branch: Some(format!("fix-{n}")),
        made_branch: true,
        base: Some("origin/main".to_owned()),
        base_commit: Some("0123456789012345678901234567890123456789".to_owned()),
        pull_request: Some(17),
        state: WorkspaceState::SettingUp { session: Some(session_id(7)) },
        ports: Some(PortRange { first: 3100, count: 10 }),
        made_at: at(n.try_into().unwrap()),
        moved_to: Some("/state/workspaces/removed/1".into()),
        removed_until: Some(at(86_400)),
        saved: json!({ "refs": ["refs/belfry/saved/1"], "archive": "/state/saved/1.tar" }),
        warm: true,
    }
}

pub(crate) fn trusted(n: i64) -> TrustedScripts {
    TrustedScripts {
        repository: "/home/some one/código".to_owned(),
        hash: format!("{n:064x}"),
        content: WorkspaceRules { setup: Some(format!("make {n}")), ..WorkspaceRules::default() },
        trusted_at: at(n),
    }
}

#[test]
#[ntest::timeout(30000)]
fn every_field_of_a_workspace_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let mut store = open(&path).store;
    let bare = StoredWorkspace {
        kind: WorkspaceKind::Scratch,
        repository: None,
        common_dir: None,
        branch: None,
        made_branch: false,
        base: None,
        base_commit: None,
        pull_request: None,
        state: WorkspaceState::Ready,
        ports: None,
        moved_to: None,
        removed_until: None,
        saved: json!(null),
        warm: false,
        ..stored(2)
    };
    store.save_workspace(&stored(1)).unwrap();
    store.save_workspace(&stored(2)).unwrap();
    store.save_workspace(&bare).unwrap();
    let same_place = StoredWorkspace { path: stored(1).path, ..stored(3) };
    store.save_workspace(&same_place).unwrap_err();
    store.close().unwrap();

    let mut store = open(&path).store;
    assert_eq!(store.workspaces().unwrap(), [stored(1), bare.clone()]);
    assert!(store.remove_workspace(id(1)).unwrap() && !store.remove_workspace(id(1)).unwrap());
    assert_eq!(store.workspaces().unwrap(), [bare]);
}

#[test]
#[ntest::timeout(30000)]
fn trust_is_in_one_content_of_one_repository() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder.path().join("b.db")).store;
    assert_eq!(store.newest_trusted_scripts("/home/some one/código").unwrap(), None);
    store.trust_scripts(&trusted(1)).unwrap();
    store.trust_scripts(&trusted(2)).unwrap();
    let repository = trusted(1).repository;
    assert!(store.scripts_are_trusted(&repository, &trusted(1).hash).unwrap());
    assert!(!store.scripts_are_trusted(&repository, &trusted(3).hash).unwrap());
    assert!(!store.scripts_are_trusted("/other", &trusted(1).hash).unwrap());
    assert_eq!(store.newest_trusted_scripts(&repository).unwrap(), Some(trusted(2)));
}
