//! What is written is what is read, also after the file was closed and opened.

use belfry_protocol::launch::LaunchDefaults;
use belfry_protocol::session::{Group, GroupColor, Project, ProjectDefaults, WorkspaceKind};
use belfry_protocol::{GroupId, ProjectId};
use belfry_store::{Happening, StoreError};
use serde_json::json;

use crate::{at, open, run_id, session, session_id};

fn project(n: u8) -> Project {
    let id = ProjectId(format!("0197c000-0000-7000-8000-0000000000{n:02x}").parse().unwrap());
    let defaults = ProjectDefaults {
        rules: None,
        agent: Some("claude".to_owned()),
        model: None,
        prompt: Some("first\nread “all” of it".to_owned()),
        workspace: Some(WorkspaceKind::Worktree),
    };
    Project { id, name: format!("p{n}"), path: format!("/p/{n}"), position: f64::from(n), defaults }
}

fn group(n: u8, project: ProjectId, parent: Option<GroupId>) -> Group {
    let id = GroupId(format!("0197d000-0000-7000-8000-0000000000{n:02x}").parse().unwrap());
    Group {
        id,
        project,
        parent,
        name: format!("g{n}"),
        position: f64::from(n),
        color: Some(GroupColor::Teal),
    }
}

#[test]
#[ntest::timeout(30000)]
fn every_field_of_a_session_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let opened = open(&path);
    assert!(opened.fresh && opened.notices.is_empty());
    let mut store = opened.store;
    let first = session(1);
    let mut second = session(2);
    store.save_session(&first).unwrap();
    store.save_session(&second).unwrap();
    second.name = "renamed".to_owned();
    second.runs[0].exit = None;
    second.reason = None;
    second.trashed_at = None;
    store.save_session(&second).unwrap();
    store.close().unwrap();

    let opened = open(&path);
    assert!(!opened.fresh && opened.notices.is_empty());
    assert_eq!(opened.store.sessions().unwrap(), [first, second]);
    assert_eq!(opened.store.integrity_check().unwrap(), Vec::<String>::new());
}

#[test]
#[ntest::timeout(30000)]
fn a_session_carries_its_newest_ten_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder.path().join("b.db")).store;
    let mut one = session(1);
    store.save_session(&one).unwrap();
    for n in 0..15 {
        let mut run = one.runs[0].clone();
        run.id = run_id(1000 + n);
        run.started_at = at(1000 + i64::try_from(n).unwrap());
        store.save_run(one.id, &run).unwrap();
    }
    assert_eq!(store.runs(one.id).unwrap().len(), 17);
    let read = store.sessions().unwrap().remove(0).runs;
    assert_eq!(
        read.iter().map(|run| run.id).collect::<Vec<_>>(),
        (1005..1015).rev().map(run_id).collect::<Vec<_>>()
    );
    one.runs = read;
    assert!(matches!(
        store.save_run(session_id(77), &one.runs[0].clone()),
        Ok(()) | Err(StoreError::NoSuchSession)
    ));
    one.runs[0].id = run_id(5000);
    assert!(matches!(store.save_run(session_id(77), &one.runs[0]), Err(StoreError::NoSuchSession)));
}

#[test]
#[ntest::timeout(30000)]
fn the_ledger_of_conversations_keeps_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder.path().join("b.db")).store;
    let mut one = session(1);
    store.save_session(&one).unwrap();
    store.learn_conversation(one.id, "two", "hook", at(50)).unwrap();
    store.learn_conversation(one.id, "two", "registry", at(51)).unwrap();
    store.learn_conversation(one.id, "conversation-1", "resume", at(52)).unwrap();
    let ledger = store.conversations(one.id).unwrap();
    let lines: Vec<_> = ledger.iter().map(|line| (line.id.as_str(), line.how.as_str())).collect();
    assert_eq!(lines, [("conversation-1", "resume"), ("two", "hook"), ("conversation-1", "launch")]);
    // In none yet: the one before is in the ledger, and is the session's no longer.
    store.learn_conversation(one.id, "", "launch", at(53)).unwrap();
    assert_eq!(store.sessions().unwrap()[0].conversation_id, None);
    assert_eq!(store.conversations(one.id).unwrap().len(), 3);
    one.conversation_id = Some("three".to_owned());
    store.save_session(&one).unwrap();
    assert_eq!(store.sessions().unwrap()[0].conversation_id.as_deref(), Some("three"));
}

#[test]
#[ntest::timeout(30000)]
fn sessions_stay_when_their_project_goes() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder.path().join("b.db")).store;
    let (one, two) = (project(1), project(2));
    store.save_project(&two).unwrap();
    store.save_project(&one).unwrap();
    let outer = group(1, one.id, None);
    let inner = group(2, one.id, Some(outer.id));
    store.save_group(&outer).unwrap();
    store.save_group(&inner).unwrap();
    assert_eq!(store.projects().unwrap(), [one.clone(), two]);
    assert_eq!(store.groups().unwrap(), [outer.clone(), inner.clone()]);

    let mut inside = session(1);
    (inside.project, inside.group) = (Some(one.id), Some(inner.id));
    store.save_session(&inside).unwrap();
    assert_eq!(store.sessions().unwrap()[0].group, Some(inner.id));
    assert!(store.remove_group(outer.id).unwrap());
    assert_eq!(store.groups().unwrap(), []);
    assert_eq!(store.sessions().unwrap()[0].group, None);
    assert!(store.remove_project(one.id).unwrap() && !store.remove_project(one.id).unwrap());
    let left = store.sessions().unwrap().remove(0);
    assert_eq!((left.project, left.name), (None, inside.name.clone()));
    // Saved once more by somebody who has not heard of it yet.
    store.save_session(&inside).unwrap();
    assert!(store.remove_session(inside.id).unwrap() && !store.remove_session(inside.id).unwrap());
    assert_eq!(store.runs(inside.id).unwrap(), []);
}

#[test]
#[ntest::timeout(30000)]
fn what_is_in_a_dissolved_group_moves_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder.path().join("b.db")).store;
    let one = project(1);
    store.save_project(&one).unwrap();
    let outer = group(1, one.id, None);
    let middle = Group { color: None, ..group(2, one.id, Some(outer.id)) };
    let inner = group(3, one.id, Some(middle.id));
    for group in [&outer, &middle, &inner] {
        store.save_group(group).unwrap();
    }
    let mut inside = session(1);
    (inside.project, inside.group) = (Some(one.id), Some(middle.id));
    store.save_session(&inside).unwrap();
    let moved = Group { parent: Some(outer.id), position: 9.5, ..inner };
    store.dissolve_group(middle.id, middle.parent, std::slice::from_ref(&moved)).unwrap();
    assert_eq!(store.groups().unwrap(), [outer.clone(), moved]);
    assert_eq!(store.sessions().unwrap()[0].group, Some(outer.id));
}

#[test]
#[ntest::timeout(30000)]
fn settings_defaults_directories_and_history() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder.path().join("b.db")).store;
    assert_eq!(store.setting("x").unwrap(), json!(null));
    store.put_setting("x", &json!({ "a": [1, 2.5, "ü"] })).unwrap();
    assert_eq!(store.setting("x").unwrap(), json!({ "a": [1, 2.5, "ü"] }));
    store.put_setting("x", &json!(null)).unwrap();
    assert_eq!(store.setting("x").unwrap(), json!(null));
    let long = json!("x".repeat(256 * 1024));
    assert!(matches!(store.put_setting("x", &long), Err(StoreError::TooLong { .. })));

    let defaults = LaunchDefaults {
        cwd: "/a".to_owned(),
        agent: Some("codex".to_owned()),
        model: None,
        system_prompt: Some("be brief".to_owned()),
        args: vec!["-x".to_owned()],
        env_names: vec!["A".to_owned()],
    };
    store.save_launch_defaults(&defaults, at(1)).unwrap();
    assert_eq!(store.launch_defaults("/a").unwrap().as_ref(), Some(&defaults));
    assert_eq!(store.launch_defaults("/b").unwrap(), None);
    for n in 0..250 {
        let there = LaunchDefaults { cwd: format!("/d/{n}"), ..defaults.clone() };
        store.save_launch_defaults(&there, at(10 + n)).unwrap();
    }
    assert_eq!(store.recent_directories(2).unwrap(), ["/d/249", "/d/248"]);
    assert_eq!(store.recent_directories(1000).unwrap().len(), 200);

    let one = session(1);
    store.save_session(&one).unwrap();
    for (n, kind) in (0..).zip(["created", "started", "ended"]) {
        let detail = json!({ "n": n });
        store.record(&Happening { at: at(n), session: Some(one.id), kind: kind.to_owned(), detail }).unwrap();
    }
    let newest = store.history(one.id, 2).unwrap();
    assert_eq!(newest.iter().map(|h| h.kind.as_str()).collect::<Vec<_>>(), ["ended", "started"]);
    assert_eq!(newest[0].detail, json!({ "n": 2 }));
    assert_eq!(store.forget_history(at(2)).unwrap(), 2);
    assert_eq!(store.history(one.id, 10).unwrap().len(), 1);
}
