//! By the command line and by clients.

use belfry_protocol::workspace::{WorkspaceRequest, WorkspaceState};
use belfry_protocol::{ErrorCode, Reply};
use belfry_tests::cli::Outer;
use belfry_tests::daemon::TestDaemon;

use super::place::{ask, git, left_behind, list, repository, session, session_in, settled};
use belfry_protocol::session::WorkspaceKind;

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(120_000)]
async fn it_goes_by_the_command_line_and_comes_back() {
    let daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let (ended, path) = left_behind(&daemon, &repository, "fix").await;
    let id = ended.workspace_id.unwrap().to_string();
    let cli = daemon.cli();
    let listed = cli.run(&["worktree", "ls", "--disk", "--json"]).ok().json();
    assert_eq!(listed[0]["id"], id.as_str());
    assert_eq!(listed[0]["branch"], "fix");
    assert!(listed[0]["disk"].as_u64().unwrap() > 0);

    // Nobody can be asked, and something would be lost.
    let refused = cli.run(&["worktree", "rm", &id]).exits(4);
    assert!(refused.stderr.contains("1 file not committed"), "{}", refused.stderr);
    let refused = cli.run(&["worktree", "rm", &id[..13], "--json"]).exits(4);
    assert_eq!(refused.error_code(), "would_lose");
    assert_eq!(refused.json()["untracked"]["first"][0], "new");
    assert!(path.join("new").exists());

    let removed = cli.run(&["worktree", "rm", path.to_str().unwrap(), "--yes", "--json"]).ok().json();
    assert_eq!(removed[0]["state"]["is"], "removed");
    assert!(!path.exists());
    let saved = git(&repository, &["show", &format!("refs/belfry/removed/{id}:new")]);
    assert_eq!(saved, "work\n");
    // Again: it is removed.
    cli.run(&["worktree", "rm", &id, "--yes"]).exits(1);
    let back = cli.run(&["worktree", "restore", &id]).ok();
    assert!(back.stdout.contains("is back"), "{}", back.stdout);
    assert_eq!(std::fs::read_to_string(path.join("new")).unwrap(), "work\n");
    assert_eq!(git(&path, &["status", "--porcelain"]), " M file\n?? new\n");
    assert_eq!(git(&path, &["branch", "--show-current"]), "fix\n");
    assert_eq!(list(&daemon).await[0].state, WorkspaceState::Ready);
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(120_000)]
async fn a_person_is_shown_what_would_be_lost_and_asked() {
    let daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let (ended, path) = left_behind(&daemon, &repository, "fix").await;
    let id = ended.workspace_id.unwrap().to_string();
    let outer = Outer::run(daemon.cli(), 100, 24, &["worktree", "rm", &id], &[]);
    outer.until("Remove it? [y/N]");
    outer.until("1 file not known to git");
    outer.type_bytes(b"n\r");
    outer.until("Nothing was removed.");
    assert!(path.exists());
    let outer = Outer::run(daemon.cli(), 100, 24, &["worktree", "rm", &id], &[]);
    outer.until("Remove it? [y/N]");
    outer.type_bytes(b"y\r");
    outer.until("brings it back");
    assert!(!path.exists());
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(120_000)]
async fn one_that_somebody_works_in_stays() {
    let daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let started = session(&daemon, &repository, "fix", &["sh", "-c", "read x"]).await;
    let id = started.workspace_id.unwrap().to_string();
    let connection = daemon.connect().await;
    let remove = || WorkspaceRequest::Remove { workspace: id.clone(), seen: None };
    assert_eq!(ask(&connection, remove()).await.unwrap_err().code, ErrorCode::Busy);
    daemon.cli().run(&["worktree", "rm", &id, "--yes"]).exits(4);
    daemon.cli().run(&["kill", &started.id.to_string()]).ok();
    daemon.until(started.id, "it has ended", |now| now.exit.is_some()).await;
    // What is removed with the session is its record.
    let removed = daemon.cli().run(&["rm", &started.id.to_string()]).ok();
    assert!(removed.stdout.contains("Its workspace stays"), "{}", removed.stdout);
    assert!(std::path::Path::new(&started.cwd).exists());
    ask(&connection, remove()).await.unwrap();
    assert!(!std::path::Path::new(&started.cwd).exists());
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(120_000)]
async fn cleaning_takes_what_is_nobodys_and_holds_nothing() {
    let daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let (with_work, kept) = left_behind(&daemon, &repository, "work").await;
    let empty = session(&daemon, &repository, "empty", &["true"]).await;
    let owned = session(&daemon, &repository, "owned", &["true"]).await;
    for session in [&empty, &owned] {
        daemon.until(session.id, "it has ended", |now| now.exit.is_some()).await;
    }
    git(&repository, &["worktree", "add", "-q", "-b", "theirs", "../theirs"]);
    for id in [with_work.id, empty.id] {
        daemon.cli().run(&["rm", "--now", &id.to_string()]).ok();
    }
    let all = list(&daemon).await;
    let theirs = all.iter().find(|one| one.branch.as_deref() == Some("theirs")).unwrap();
    assert_eq!((theirs.id, theirs.sessions.len()), (None, 0));
    assert_eq!(all.len(), 4);
    let connection = daemon.connect().await;
    let gone = match ask(&connection, WorkspaceRequest::Clean).await.unwrap() {
        Reply::Workspaces(gone) => gone,
        other => panic!("{other:?}"),
    };
    assert_eq!(gone.iter().map(|one| one.id).collect::<Vec<_>>(), [empty.workspace_id]);
    assert!(kept.join("new").exists());
    assert!(std::path::Path::new(&owned.cwd).exists());
    assert!(repository.with_file_name("theirs").exists());
    // One of somebody else's is not Belfry's to remove.
    let theirs = repository.with_file_name("theirs").to_str().unwrap().to_owned();
    let refused = ask(&connection, WorkspaceRequest::Remove { workspace: theirs, seen: None }).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(120_000)]
async fn clones_and_scratch_repositories_go_with_their_objects_and_come_back() {
    let daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    git(&repository, &["clone", "-q", "--bare", ".", "../remote.git"]);
    let remote = repository.with_file_name("remote.git");
    git(&repository, &["remote", "add", "origin", remote.to_str().unwrap()]);
    git(&repository, &["fetch", "-q", "origin"]);
    for (kind, branch) in [(WorkspaceKind::Clone, Some("fix".to_owned())), (WorkspaceKind::Scratch, None)] {
        let started = session_in(&daemon, &repository, kind, branch, &["true"]).await;
        daemon.until(started.id, "it has ended", |now| now.exit.is_some()).await;
        let path = std::path::PathBuf::from(&started.cwd);
        let id = started.workspace_id.unwrap().to_string();
        let connection = daemon.connect().await;
        let losses = match ask(&connection, WorkspaceRequest::Losses { workspace: id.clone() }).await.unwrap()
        {
            Reply::Losses(losses) => losses,
            other => panic!("{other:?}"),
        };
        assert!(losses.nothing() && losses.refused.is_none(), "{kind:?} {losses:?}");
        let commit = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-q"];
        git(&path, &[&commit[..], &["--allow-empty", "-m", "work"]].concat());
        git(
            &path,
            &["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "tag", "-a", "-m", "mine", "v9"],
        );
        let refused = daemon.cli().run(&["worktree", "rm", &id]).exits(4);
        assert!(refused.stderr.contains("commit"), "{}", refused.stderr);
        daemon.cli().run(&["worktree", "rm", &id, "--yes"]).ok();
        assert!(!path.exists());
        settled(&daemon).await;
        daemon.cli().run(&["worktree", "restore", path.to_str().unwrap()]).ok();
        assert!(git(&path, &["log", "--format=%s"]).starts_with("work\n"));
        assert_eq!(git(&path, &["tag", "-l"]), "v9\n");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(120_000)]
async fn one_that_no_record_tells_of_is_listed_and_can_be_removed() {
    let daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let stray = daemon.home().state_dir().join("workspaces/shop/stray");
    std::fs::create_dir_all(stray.parent().unwrap()).unwrap();
    git(&repository, &["worktree", "add", "-q", "-b", "stray", stray.to_str().unwrap()]);
    std::fs::write(stray.join("new"), "work\n").unwrap();
    let listed = &list(&daemon).await[0];
    assert_eq!((listed.id, listed.branch.as_deref()), (None, Some("stray")));
    let path = stray.to_str().unwrap();
    daemon.cli().run(&["worktree", "rm", path]).exits(4);
    let removed = daemon.cli().run(&["worktree", "rm", path, "--yes", "--json"]).ok().json();
    assert!(!stray.exists());
    let id = removed[0]["id"].as_str().unwrap().to_owned();
    daemon.cli().run(&["worktree", "restore", &id]).ok();
    assert_eq!(std::fs::read_to_string(stray.join("new")).unwrap(), "work\n");
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(120_000)]
async fn its_teardown_script_runs_before_it_goes() {
    use belfry_protocol::Request;
    use belfry_protocol::session::ProjectDefaults;
    use belfry_protocol::workspace::WorkspaceRules;

    let daemon = TestDaemon::start().await;
    let repository = repository(&daemon);
    let connection = daemon.connect().await;
    let path = repository.to_str().unwrap().to_owned();
    let Reply::Project(project) = connection.request(Request::AddProject { path, name: None }).await.unwrap()
    else {
        panic!("no project")
    };
    let teardown = Some("echo \"$PWD $BELFRY_PORT\" > \"$HOME/torn\"; echo late > left; exit 3".to_owned());
    let rules = WorkspaceRules { teardown, ..WorkspaceRules::default() };
    let defaults = Some(ProjectDefaults { rules: Some(Box::new(rules)), ..ProjectDefaults::default() });
    let change = Request::ChangeProject { project: project.id, name: None, position: None, defaults };
    connection.request(change).await.unwrap();
    let started = session(&daemon, &repository, "fix", &["true"]).await;
    daemon.until(started.id, "it has ended", |now| now.exit.is_some()).await;
    let id = started.workspace_id.unwrap().to_string();
    let removed = daemon.cli().run(&["worktree", "rm", &id]).ok();
    assert!(removed.stdout.contains("teardown script failed"), "{}", removed.stdout);
    let torn = std::fs::read_to_string(daemon.person().join("torn")).unwrap();
    let (at, port) = torn.trim().rsplit_once(' ').unwrap();
    assert_eq!((at, port.parse::<u16>().is_ok()), (started.cwd.as_str(), true));
    daemon.cli().run(&["worktree", "restore", &id]).ok();
    assert!(std::path::Path::new(&started.cwd).join("left").exists());
}
