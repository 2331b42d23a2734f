use belfry_protocol::Status;

use super::*;

/// A session as the daemon describes it.
fn session(id: u64, name: &str, status: Status) -> Session {
    let text = serde_json::json!({
        "id": SessionId::at(id), "name": name, "agent": "shell", "kind": "managed", "status": status, "reason": null,
        "activity": null, "source": "process", "since": "2026-01-01T00:00:00Z", "unseen": false, "ask": null,
        "cwd": "/", "project": null, "group": null, "position": 0.0, "branch": null, "workspace": "directory",
        "conversation_id": null, "started_by": null, "views": 0, "pid": null, "exit": null, "cols": 80, "rows": 24,
        "title": null, "command": [], "model": null, "env_names": [], "private": false, "runs": [], "queued": 0,
        "notice": null, "created_at": "2026-01-01T00:00:00Z", "last_activity_at": "2026-01-01T00:00:00Z",
        "last_seen_at": null, "archived_at": null, "trashed_at": null,
    });
    serde_json::from_value(text).unwrap()
}

fn words(command: &str, all: &[Session], prefix: &str) -> Vec<String> {
    let wanted = Wanted::Session { command: command.to_owned() };
    of(&wanted, all, &Tree::default(), prefix).into_iter().map(|candidate| candidate.word).collect()
}

#[test]
fn names_are_offered_where_they_mean_one_session() {
    let all = [
        session(1_000_000_000_000, "fix the login", Status::Running),
        session(2_000_000_000_000, "twin", Status::Idle),
        session(3_000_000_000_000, "twin", Status::Dead),
        session(4_000_000_000_000, "-rf", Status::Idle),
        session(5_000_000_000_000, "a\u{202e}b", Status::Idle),
    ];
    let ids: Vec<String> = all.iter().map(|one| one.id.to_string()).collect();
    assert_eq!(words("show", &all, ""), ["fix the login", &ids[1], &ids[2], &ids[3], &ids[4]]);
    assert_eq!(words("show", &all, "fix"), ["fix the login"]);
    assert_eq!(words("show", &all, &ids[0][..8]), [ids[0].as_str()], "an id that is being typed");
    assert_eq!(words("show", &all, "nobody"), Vec::<String>::new());
    assert_eq!(words("restart", &all, ""), [ids[2].as_str()]);
    assert!(!words("attach", &all, "").contains(&ids[2]), "dead");
    let about = of(&Wanted::Session { command: "show".to_owned() }, &all, &Tree::default(), &ids[4][..8]);
    assert_eq!(about[0].about, "ab: idle");
}

#[test]
fn the_trash_is_only_for_restore() {
    let mut gone = session(1_000_000_000_000, "gone", Status::Dead);
    gone.trashed_at = Some(gone.since);
    let all = [gone, session(2_000_000_000_000, "here", Status::Dead)];
    assert_eq!(words("show", &all, ""), ["here"]);
    assert_eq!(words("restart", &all, ""), ["here"]);
    assert_eq!(words("restore", &all, ""), ["gone"]);
}

#[test]
fn projects_and_groups_are_offered_by_what_can_be_typed() {
    let project = |id: u64, name: &str| -> Project {
        let id = belfry_protocol::ProjectId::at(id);
        serde_json::from_value(serde_json::json!({ "id": id, "name": name, "path": "/src", "position": 0.0 }))
            .unwrap()
    };
    let projects = vec![project(1, "one"), project(2, "twin"), project(3, "twin")];
    let group = |name: &str, parent: Option<belfry_protocol::GroupId>| belfry_protocol::session::Group {
        id: belfry_protocol::GroupId::at(1),
        project: projects[0].id,
        parent,
        name: name.to_owned(),
        position: 0.0,
        color: None,
    };
    let outer = group("a b", None);
    let tree = Tree { groups: vec![outer.clone(), group("c", Some(outer.id))], projects: projects.clone() };
    let words = |wanted: &Wanted, prefix: &str| -> Vec<String> {
        of(wanted, &[], &tree, prefix).into_iter().map(|candidate| candidate.word).collect()
    };
    assert_eq!(
        words(&Wanted::Project, ""),
        ["one".to_owned(), projects[1].id.to_string(), projects[2].id.to_string()]
    );
    assert_eq!(words(&Wanted::Project, "o"), ["one"]);
    assert_eq!(words(&Wanted::Group { project: "one".to_owned() }, "a b/"), ["a b/c"]);
    assert!(words(&Wanted::Group { project: "twin".to_owned() }, "").is_empty());
}
