//! Projects, groups, and what the person marks sessions with.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::path::Path;
use std::time::Duration;

use belfry_client::{Connection, Incoming, IncomingStream, Requests};
use belfry_protocol::launch::NewSession;
use belfry_protocol::session::{Group, GroupColor, Project, ProjectDefaults};
use belfry_protocol::{ErrorCode, Event, GroupId, ProjectId, Reply, Request, Session, Status};
use belfry_tests::daemon::{TestDaemon, session};
use ntest::timeout;

/// A subscribed client.
struct Subscriber {
    requests: Requests,
    incoming: IncomingStream,
}

impl Subscriber {
    async fn new(daemon: &TestDaemon) -> Self {
        let (requests, mut incoming) = daemon.connect().await.split();
        incoming.subscribe(&requests).await.unwrap();
        Self { requests, incoming }
    }

    /// What is told about the tree and of sessions' places up to now: the answer to a request comes after what was told
    /// before it.
    async fn told(&mut self) -> Vec<Event> {
        let mut told = Vec::new();
        self.requests.request(Request::Ping).await.unwrap();
        while let Ok(Some(incoming)) = tokio::time::timeout(Duration::ZERO, self.incoming.next()).await {
            if let Incoming::Event(event) = incoming {
                told.push(*event);
            }
        }
        told
    }
}

async fn ask(connection: &Connection, request: Request) -> Reply {
    connection.request(request).await.unwrap()
}

async fn refused(connection: &Connection, request: Request) -> ErrorCode {
    connection.request(request).await.unwrap_err().code().unwrap()
}

fn project(reply: Reply) -> Project {
    match reply {
        Reply::Project(project) => project,
        other => panic!("no project: {other:?}"),
    }
}

fn group(reply: Reply) -> Group {
    match reply {
        Reply::Group(group) => group,
        other => panic!("no group: {other:?}"),
    }
}

fn add(path: &Path) -> Request {
    Request::AddProject { path: path.to_str().unwrap().to_owned(), name: None }
}

fn add_group(project: ProjectId, parent: Option<GroupId>, name: &str) -> Request {
    Request::AddGroup { project, parent, name: name.to_owned(), color: None }
}

fn change(group: &Group, parent: Option<GroupId>) -> Request {
    Request::ChangeGroup {
        group: group.id,
        parent,
        name: group.name.clone(),
        color: group.color,
        position: group.position,
    }
}

fn place(session: &Session, project: Option<ProjectId>, group: Option<GroupId>) -> Request {
    Request::MoveSession { session: session.id.to_string(), project, group, position: None }
}

async fn tree(connection: &Connection) -> (Vec<Project>, Vec<Group>) {
    match ask(connection, Request::Subscribe).await {
        Reply::Overview { projects, groups, .. } => (projects, groups),
        other => panic!("no overview: {other:?}"),
    }
}

/// A directory in the person's home.
fn dir(daemon: &TestDaemon, name: &str) -> std::path::PathBuf {
    let dir = daemon.person().join(name);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

async fn started_in(daemon: &TestDaemon, dir: &Path) -> Session {
    let cwd = Some(dir.to_str().unwrap().to_owned());
    daemon.new_session(NewSession { cwd, ..daemon.shell_request(&["cat"]) }).await
}

#[tokio::test]
#[timeout(60000)]
async fn a_project_is_one_however_it_is_reached() {
    let daemon = TestDaemon::start().await;
    let connection = daemon.connect().await;
    let code = dir(&daemon, "código");
    let first = project(ask(&connection, add(&code)).await);
    assert_eq!((first.name.as_str(), first.path.as_str()), ("código", code.to_str().unwrap()));

    std::os::unix::fs::symlink(&code, daemon.person().join("link")).unwrap();
    let named = |path: &str| Request::AddProject { path: path.to_owned(), name: Some("other".to_owned()) };
    for again in ["~/código", "~/link", "~/código/", "~/link/../código/."] {
        assert_eq!(project(ask(&connection, named(again)).await), first, "{again}");
    }
    assert_eq!(tree(&connection).await.0, std::slice::from_ref(&first));

    daemon.cli().write("file", "");
    for (path, code) in [
        ("~/file", ErrorCode::BadDirectory),
        ("~/missing", ErrorCode::BadDirectory),
        ("~/file/below", ErrorCode::BadDirectory),
        ("relative", ErrorCode::BadRequest),
    ] {
        assert_eq!(refused(&connection, named(path)).await, code, "{path}");
    }
    let unnamed = Request::AddProject { path: "~".to_owned(), name: Some(" \u{1b} ".to_owned()) };
    assert_eq!(refused(&connection, unnamed).await, ErrorCode::BadRequest);
    assert_eq!(tree(&connection).await.0.len(), 1);
}

#[tokio::test]
#[timeout(60000)]
async fn sessions_are_in_the_innermost_project_around_their_directory() {
    let daemon = TestDaemon::start().await;
    let connection = daemon.connect().await;
    let (outer, inner, beside) = (dir(&daemon, "src"), dir(&daemon, "src/inner/deep"), dir(&daemon, "src2"));
    std::os::unix::fs::symlink(&inner, daemon.person().join("link")).unwrap();
    let early = started_in(&daemon, &inner).await;
    let linked = started_in(&daemon, &daemon.person().join("link")).await;
    let outside = started_in(&daemon, &beside).await;
    assert_eq!(early.project, None);

    let outer = project(ask(&connection, add(&outer)).await);
    for taken in [&early, &linked] {
        let shown = daemon.show(taken.id).await;
        assert_eq!((shown.project, shown.cwd), (Some(outer.id), taken.cwd.clone()));
    }
    assert_eq!(daemon.show(outside.id).await.project, None, "its directory only begins alike");

    let inner = project(ask(&connection, add(&daemon.person().join("src/inner"))).await);
    assert_eq!(daemon.show(early.id).await.project, Some(outer.id), "it is in one, and stays");
    assert_eq!(started_in(&daemon, &daemon.person().join("link")).await.project, Some(inner.id));
    assert_eq!(started_in(&daemon, &daemon.person().join("src")).await.project, Some(outer.id));
    assert_eq!(started_in(&daemon, &beside).await.project, None);

    let named = NewSession {
        project: Some(outer.id),
        cwd: Some(beside.to_str().unwrap().to_owned()),
        ..daemon.shell_request(&["cat"])
    };
    assert_eq!(daemon.new_session(named).await.project, Some(outer.id), "where it was asked to");
    let nowhere = NewSession { project: Some(outer.id), cwd: None, ..daemon.shell_request(&["cat"]) };
    assert_eq!(daemon.new_session(nowhere).await.cwd, outer.path, "where nothing else is said");
}

#[tokio::test]
#[timeout(60000)]
async fn groups_lie_in_each_other_and_never_in_themselves() {
    let daemon = TestDaemon::start().await;
    let connection = daemon.connect().await;
    let one = project(ask(&connection, add(&dir(&daemon, "one"))).await);
    let two = project(ask(&connection, add(&dir(&daemon, "two"))).await);
    let a = group(ask(&connection, add_group(one.id, None, "a")).await);
    let b = group(ask(&connection, add_group(one.id, Some(a.id), "b")).await);
    let c = group(ask(&connection, add_group(one.id, Some(b.id), "c")).await);
    assert_eq!((a.parent, b.parent, c.parent), (None, Some(a.id), Some(b.id)));
    for (what, request, code) in [
        ("into itself", change(&a, Some(a.id)), ErrorCode::BadRequest),
        ("into what lies in it", change(&a, Some(c.id)), ErrorCode::BadRequest),
        ("into nothing", change(&a, Some(GroupId::at(1))), ErrorCode::NotFound),
        ("another project's", add_group(two.id, Some(a.id), "x"), ErrorCode::NotFound),
        ("no project", add_group(ProjectId::at(1), None, "x"), ErrorCode::NotFound),
        ("no name", add_group(one.id, None, "\n"), ErrorCode::BadRequest),
        ("a path", add_group(one.id, None, "x/y"), ErrorCode::BadRequest),
    ] {
        assert_eq!(refused(&connection, request).await, code, "{what}");
    }
    let far = Request::ChangeGroup {
        group: c.id,
        parent: None,
        name: "c".to_owned(),
        color: Some(GroupColor::Pink),
        position: 0.5,
    };
    let c = group(ask(&connection, far).await);
    assert_eq!((c.parent, c.color, c.position), (None, Some(GroupColor::Pink), 0.5));
    let (_, groups) = tree(&connection).await;
    let top = groups.iter().filter(|group| group.parent.is_none());
    assert_eq!(top.map(|group| group.id).collect::<Vec<_>>(), [c.id, a.id], "in their order");

    // Sixteen deep at the most, also where what is moved has something in it.
    let mut deepest = b.clone();
    for n in 0..14 {
        deepest = group(ask(&connection, add_group(one.id, Some(deepest.id), &n.to_string())).await);
    }
    assert_eq!(refused(&connection, add_group(one.id, Some(deepest.id), "x")).await, ErrorCode::BadRequest);
    assert_eq!(refused(&connection, change(&a, Some(c.id))).await, ErrorCode::BadRequest);
    ask(&connection, change(&b, None)).await;
    ask(&connection, change(&b, Some(c.id))).await;
}

#[tokio::test]
#[timeout(60000)]
async fn what_is_in_a_removed_place_stays_outside_of_it() {
    let mut daemon = TestDaemon::start().await;
    let mut subscriber = Subscriber::new(&daemon).await;
    let connection = daemon.connect().await;
    let one = project(ask(&connection, add(&dir(&daemon, "one"))).await);
    let a = group(ask(&connection, add_group(one.id, None, "a")).await);
    let b = group(ask(&connection, add_group(one.id, Some(a.id), "b")).await);
    let c = group(ask(&connection, add_group(one.id, Some(b.id), "c")).await);
    let inside = daemon.shell(&["cat"]).await;
    let deep = daemon.shell(&["true"]).await;
    daemon.until(deep.id, "dead", |session| session.status == Status::Dead).await;
    for (session, group) in [(&inside, b.id), (&deep, c.id)] {
        ask(&connection, place(session, Some(one.id), Some(group))).await;
    }
    let trash = Request::RemoveSession { session: deep.id.to_string(), now: false, kill: false };
    ask(&connection, trash).await;
    subscriber.told().await;

    ask(&connection, Request::RemoveGroup { group: b.id }).await;
    let told = subscriber.told().await;
    let groups = told.iter().filter(|event| matches!(event, Event::Group { group } if group.id == c.id));
    assert_eq!(groups.count(), 1, "{told:?}");
    let gone = told.iter().filter(|event| matches!(event, Event::GroupRemoved { id } if *id == b.id));
    assert_eq!(gone.count(), 1, "{told:?}");
    assert!(matches!(told.last(), Some(Event::GroupRemoved { .. })), "nothing is shown in what is gone");
    let moved = told
        .iter()
        .filter(|event| matches!(event, Event::Session { session } if session.group == Some(a.id)));
    assert_eq!(moved.count(), 1, "{told:?}");
    assert_eq!(refused(&connection, Request::RemoveGroup { group: b.id }).await, ErrorCode::NotFound);

    daemon.kill();
    daemon.run().await;
    let connection = daemon.connect().await;
    let (projects, groups) = tree(&connection).await;
    assert_eq!(projects, std::slice::from_ref(&one));
    assert_eq!(
        groups.iter().map(|group| (group.id, group.parent)).collect::<Vec<_>>(),
        [(a.id, None), (c.id, Some(a.id))]
    );
    assert_eq!(daemon.show(inside.id).await.group, Some(a.id));
    assert_eq!(daemon.show(deep.id).await.group, Some(c.id));

    let mut subscriber = Subscriber::new(&daemon).await;
    ask(&connection, Request::RemoveProject { project: one.id }).await;
    let told = subscriber.told().await;
    let order: Vec<_> = told
        .iter()
        .filter_map(|event| match event {
            Event::Session { session } => Some(session.id.to_string()),
            Event::GroupRemoved { id } => Some(id.to_string()),
            Event::ProjectRemoved { id } => Some(id.to_string()),
            _ => None,
        })
        .collect();
    let expected = [
        &inside.id.to_string(),
        &deep.id.to_string(),
        &c.id.to_string(),
        &a.id.to_string(),
        &one.id.to_string(),
    ];
    assert_eq!(order.iter().collect::<Vec<_>>(), expected, "each once, inner ones first");
    assert_eq!(refused(&connection, Request::RemoveProject { project: one.id }).await, ErrorCode::NotFound);
    assert!(daemon.person().join("one").is_dir());

    daemon.kill();
    daemon.run().await;
    for id in [inside.id, deep.id] {
        let shown = daemon.show(id).await;
        assert_eq!((shown.project, shown.group), (None, None));
    }
    daemon.until(inside.id, "it goes on", |session| session.status == Status::Idle).await;
    let connection = daemon.connect().await;
    assert_eq!(tree(&connection).await, (Vec::new(), Vec::new()));
    assert_eq!(refused(&connection, place(&inside, Some(one.id), None)).await, ErrorCode::NotFound);
}

#[tokio::test]
#[timeout(60000)]
async fn changes_are_kept_and_told_once() {
    let mut daemon = TestDaemon::start().await;
    let mut subscriber = Subscriber::new(&daemon).await;
    let connection = daemon.connect().await;
    let one = project(ask(&connection, add(&dir(&daemon, "one"))).await);
    let two = project(ask(&connection, add(&dir(&daemon, "two"))).await);
    let told = subscriber.told().await;
    let events = [&one, &two].map(|project| Event::Project { project: project.clone() });
    assert_eq!(told, events);
    ask(&connection, add(&dir(&daemon, "one"))).await;
    assert_eq!(subscriber.told().await, [], "nothing has changed");

    let defaults = ProjectDefaults {
        rules: None,
        agent: Some("claude".to_owned()),
        model: Some("m".to_owned()),
        prompt: Some("read\nall".to_owned()),
        workspace: None,
    };
    let request = |name: Option<&str>, position, defaults: Option<ProjectDefaults>| Request::ChangeProject {
        project: two.id,
        name: name.map(str::to_owned),
        position,
        defaults,
    };
    let changed = project(ask(&connection, request(Some("zwei"), Some(0.5), Some(defaults.clone()))).await);
    assert_eq!((changed.name.as_str(), changed.position, &changed.defaults), ("zwei", 0.5, &defaults));
    assert_eq!(subscriber.told().await, [Event::Project { project: changed.clone() }]);
    let again = project(ask(&connection, request(None, None, None)).await);
    assert_eq!(again, changed, "what is none stays");
    let with = |change: &dyn Fn(&mut ProjectDefaults)| {
        let mut defaults = defaults.clone();
        change(&mut defaults);
        request(None, None, Some(defaults))
    };
    for (what, request, code) in [
        ("no such agent", with(&|d| d.agent = Some("nobody".to_owned())), ErrorCode::BadRequest),
        ("a book", with(&|d| d.prompt = Some("x".repeat(20_000))), ErrorCode::TooMuch),
        ("no name", request(Some(""), None, None), ErrorCode::BadRequest),
    ] {
        assert_eq!(refused(&connection, request).await, code, "{what}");
    }
    daemon.kill();
    daemon.run().await;
    assert_eq!(tree(&daemon.connect().await).await.0, [changed, one]);
}

#[tokio::test]
#[timeout(60000)]
async fn all_of_it_always_fits_in_a_message() {
    let daemon = TestDaemon::start().await;
    let connection = daemon.connect().await;
    let prompt = Some("\u{1}".repeat(16_000));
    let mut refused = None;
    for n in 0..64 {
        let one = project(ask(&connection, add(&dir(&daemon, &n.to_string()))).await);
        let defaults = Some(ProjectDefaults { prompt: prompt.clone(), ..ProjectDefaults::default() });
        let set = Request::ChangeProject { project: one.id, name: None, position: None, defaults };
        if let Err(error) = connection.request(set).await {
            refused = error.code();
            break;
        }
    }
    assert_eq!(refused, Some(ErrorCode::TooMuch));
    assert!(tree(&connection).await.0.len() > 3);
}

#[tokio::test]
#[timeout(60000)]
async fn marks_are_kept_and_a_snooze_says_until_when() {
    let mut daemon = TestDaemon::start().await;
    let started = daemon.shell(&["cat"]).await;
    let connection = daemon.connect().await;
    let mark = |pinned, muted, snooze_seconds| Request::MarkSession {
        session: started.id.to_string(),
        pinned,
        muted,
        snooze_seconds,
    };
    let before = jiff::Timestamp::now();
    let marked = session(ask(&connection, mark(Some(true), Some(true), Some(60))).await);
    assert!(marked.pinned && marked.muted);
    let until = marked.snoozed_until.unwrap();
    let left = until.duration_since(before).as_secs();
    assert!((59..=90).contains(&left), "{left}");
    // Nothing but a clock is needed to see that it has run out.
    daemon.stop().await;
    daemon.run().await;
    let shown = daemon.show(started.id).await;
    assert_eq!((shown.pinned, shown.muted, shown.snoozed_until), (true, true, Some(until)));

    let connection = daemon.connect().await;
    let one = session(ask(&connection, mark(None, Some(false), None)).await);
    assert_eq!((one.pinned, one.muted, one.snoozed_until), (true, false, Some(until)), "what is none stays");
    let awake = session(ask(&connection, mark(Some(false), None, Some(0))).await);
    assert_eq!((awake.pinned, awake.snoozed_until), (false, None));
    assert_eq!(refused(&connection, mark(None, None, Some(8 * 24 * 3600))).await, ErrorCode::BadRequest);
}

#[tokio::test]
#[timeout(60000)]
async fn an_agent_s_shell_changes_nothing_of_it() {
    let daemon = TestDaemon::start().await;
    let belfry = belfry_tests::cli::Belfry::program("belfry");
    let connection = daemon.connect().await;
    let one = project(ask(&connection, add(&dir(&daemon, "one"))).await);
    ask(&connection, add_group(one.id, None, "g")).await;
    let commands = [
        "project add .",
        "project rm one",
        "project ls",
        "group add one x",
        "group rm one g",
        "pin $BELFRY_SESSION",
        "mute $BELFRY_SESSION",
        "snooze $BELFRY_SESSION 1h",
        "focus --next",
        "duplicate $BELFRY_SESSION",
    ];
    let tries: Vec<_> =
        commands.iter().map(|one| format!("'{}' {one} 2>>said; echo $? >>codes", belfry.display())).collect();
    let agent = format!("#!/bin/sh\n{}\ntouch over\n", tries.join("\n"));
    let agent = daemon.cli().script("claude", &agent);
    let started = daemon.shell(&["sh", "-c", &format!("'{agent}'; cat")]).await;
    belfry_tests::daemon::eventually("it has tried all", || daemon.person().join("over").exists()).await;
    let said = |name: &str| std::fs::read_to_string(daemon.person().join(name)).unwrap();
    assert_eq!(said("codes").lines().collect::<Vec<_>>(), vec!["4"; commands.len()], "{}", said("said"));
    let (projects, groups) = tree(&connection).await;
    assert_eq!((projects.len(), groups.len()), (1, 1));
    let shown = daemon.show(started.id).await;
    assert!(!shown.pinned && !shown.muted && shown.snoozed_until.is_none());
}
