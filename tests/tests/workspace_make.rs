//! Sessions whose directory is made for them: a real daemon, and repositories that git itself made.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::path::{Path, PathBuf};
use std::process::Command;

use belfry_client::ClientError;
use belfry_protocol::launch::NewSession;
use belfry_protocol::session::{Exit, WorkspaceKind};
use belfry_protocol::workspace::{Branches, Scripts, WorkspaceRequest, WorkspaceState};
use belfry_protocol::{ErrorCode, Reply, Request, Session, Status, WireError};
use belfry_tests::daemon::{TestDaemon, session};
use ntest::timeout;

fn git(at: &Path, args: &[&str]) -> String {
    let ran = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(at)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).trim().to_owned()
}

/// A repository with a remote, in the person's directory.
fn repository(daemon: &TestDaemon) -> PathBuf {
    let person = std::fs::canonicalize(daemon.person()).unwrap();
    let top = person.join("shop");
    std::fs::create_dir_all(top.join("packages/web")).unwrap();
    git(&top, &["init", "-q"]);
    std::fs::write(top.join("packages/web/index"), "one\n").unwrap();
    git(&top, &["add", "."]);
    git(&top, &["commit", "-qm", "first"]);
    git(&person, &["clone", "-q", "--bare", "shop", "shop.git"]);
    git(&top, &["remote", "add", "origin", person.join("shop.git").to_str().unwrap()]);
    git(&top, &["fetch", "-q"]);
    top
}

/// A daemon that knows an agent which repeats each line that it is given.
async fn with_agent() -> TestDaemon {
    let mut daemon = TestDaemon::stopped();
    let script = "#!/bin/sh\necho ready\nwhile read -r line; do echo \"heard $line\"; done\n";
    let program = daemon.cli().script("hears", script);
    let agents = daemon.home().config_dir().join("agents");
    std::fs::create_dir_all(&agents).unwrap();
    let rules = format!("name = \"Hears\"\nprograms = [{program:?}]\ntakes = {{ prompt = true }}\n");
    std::fs::write(agents.join("hears.toml"), rules).unwrap();
    daemon.run().await;
    daemon
}

fn prompted(daemon: &TestDaemon, cwd: &Path, kind: WorkspaceKind) -> NewSession {
    NewSession {
        agent: "hears".to_owned(),
        args: Vec::new(),
        prompt: Some("begin".to_owned()),
        ..wanted(daemon, cwd, kind, "")
    }
}

fn rules(top: &Path, text: &str) {
    std::fs::write(top.join(".belfry.toml"), text).unwrap();
    git(top, &["add", "."]);
    git(top, &["commit", "-qm", "rules"]);
    git(top, &["push", "-q", "origin", "main"]);
}

fn wanted(daemon: &TestDaemon, cwd: &Path, kind: WorkspaceKind, command: &str) -> NewSession {
    NewSession {
        cwd: Some(cwd.to_str().unwrap().to_owned()),
        workspace: kind,
        ..daemon.shell_request(&["sh", "-c", command])
    }
}

async fn asked(daemon: &TestDaemon, request: Request) -> Result<Reply, WireError> {
    match daemon.connect().await.request(request).await {
        Ok(reply) => Ok(reply),
        Err(ClientError::Failed(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

async fn about(daemon: &TestDaemon, request: WorkspaceRequest) -> Result<Reply, WireError> {
    asked(daemon, Request::Workspace(Box::new(request))).await
}

async fn refused(daemon: &TestDaemon, new: NewSession) -> WireError {
    asked(daemon, Request::NewSession(Box::new(new))).await.unwrap_err()
}

async fn scripts(daemon: &TestDaemon, directory: &str) -> Scripts {
    match about(daemon, WorkspaceRequest::Scripts { directory: directory.to_owned() }).await.unwrap() {
        Reply::Scripts(scripts) => *scripts,
        other => panic!("{other:?}"),
    }
}

async fn branches(daemon: &TestDaemon, directory: &Path) -> Branches {
    let directory = directory.to_str().unwrap().to_owned();
    match about(daemon, WorkspaceRequest::Branches { directory }).await.unwrap() {
        Reply::Branches(branches) => *branches,
        other => panic!("{other:?}"),
    }
}

fn is_made(session: &Session) -> bool {
    session.pid.is_some()
}

#[tokio::test]
#[timeout(120000)]
async fn a_session_works_on_a_branch_of_its_own() {
    let daemon = TestDaemon::start().await;
    let top = repository(&daemon);
    let told = "echo $BELFRY_BRANCH at $BELFRY_PORT of $BELFRY_PORT_COUNT; pwd; cat";
    let mut new = wanted(&daemon, &top.join("packages/web"), WorkspaceKind::Worktree, told);
    new.branch = Some("feature/cart".to_owned());
    let first = daemon.new_session(new.clone()).await;
    assert_eq!(first.branch.as_deref(), Some("feature/cart"), "it is in the list at once");
    assert!(matches!(first.preparing.as_ref().unwrap().state, WorkspaceState::Making { .. }));
    let made = daemon.until(first.id, "the program runs", is_made).await;
    assert!(made.preparing.is_none() && made.workspace_id.is_some());
    assert!(made.cwd.ends_with("/feature-cart/packages/web"), "{}", made.cwd);
    daemon.until_screen(first.id, "feature/cart at 3").await;
    daemon.until_screen(first.id, "of 10").await;
    assert_eq!(git(Path::new(&made.cwd), &["branch", "--show-current"]), "feature/cart");
    assert_eq!(git(&top, &["status", "--porcelain"]), "");

    let error = refused(&daemon, new.clone()).await;
    assert_eq!(error.code, ErrorCode::BadRequest);
    assert!(error.message.contains("feature-cart"), "it says where: {error}");
    new.branch = None;
    new.name = Some("Mend the cart".to_owned());
    let second = daemon.new_session(new).await;
    let second = daemon.until(second.id, "the program runs", is_made).await;
    assert_eq!(second.branch.as_deref(), Some("mend-the-cart"));

    // A new run has the same place and ports.
    let text = daemon.screen(first.id, false, 0).await.text;
    asked(&daemon, Request::KillSession { session: first.id.to_string() }).await.unwrap();
    let again = Request::RestartSession { session: first.id.to_string(), anew: false, base_env: None };
    asked(&daemon, again).await.unwrap();
    let port = text.split(" at ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    daemon.until_screen(first.id, &format!("feature/cart at {port} of")).await;
    assert!(!daemon.screen(second.id, false, 0).await.text.contains(&format!("at {port} of")));

    let branches = branches(&daemon, &top).await;
    assert_eq!(branches.base.as_deref(), Some("origin/main"));
    assert!(branches.taken.contains(&"mend-the-cart".to_owned()) && branches.refused.is_none());
}

/// What a colleague pushed a moment ago is there, although nobody has fetched it here.
#[tokio::test]
#[timeout(120000)]
async fn a_branch_that_only_the_remote_has_is_the_one_that_is_meant() {
    let daemon = TestDaemon::start().await;
    let top = repository(&daemon);
    let person = std::fs::canonicalize(daemon.person()).unwrap();
    git(&person, &["clone", "-q", "shop.git", "colleague"]);
    let colleague = person.join("colleague");
    for (branch, kind) in [("theirs", WorkspaceKind::Worktree), ("theirs-too", WorkspaceKind::Clone)] {
        git(&colleague, &["checkout", "-qb", branch]);
        git(&colleague, &["commit", "-q", "--allow-empty", "-m", "their work"]);
        git(&colleague, &["push", "-q", "origin", branch]);
        let mut new = wanted(&daemon, &top, kind, "cat");
        new.branch = Some(branch.to_owned());
        let session = daemon.new_session(new).await;
        let made = daemon.until(session.id, "the program runs", is_made).await;
        let here = Path::new(&made.cwd);
        assert_eq!(git(here, &["branch", "--show-current"]), branch);
        assert_eq!(git(here, &["rev-parse", "HEAD"]), git(&colleague, &["rev-parse", "HEAD"]), "{branch}");
    }
}

/// A workspace without ports says so.
#[tokio::test]
#[timeout(120000)]
async fn where_no_ports_are_left_it_is_said() {
    let daemon = TestDaemon::start().await;
    let top = repository(&daemon);
    for (path, value) in [("workspaces.first_port", 3990), ("workspaces.last_port", 3990)] {
        let change = Request::ChangeSetting { path: path.to_owned(), value: value.into() };
        asked(&daemon, change).await.unwrap();
    }
    let session = daemon.new_session(wanted(&daemon, &top, WorkspaceKind::Worktree, "cat")).await;
    let made = daemon.until(session.id, "the program runs", is_made).await;
    assert!(made.notice.as_deref().is_some_and(|notice| notice.contains("ports")), "{:?}", made.notice);
}

#[tokio::test]
#[timeout(120000)]
async fn what_cannot_be_is_refused_at_once_and_leaves_nothing() {
    let daemon = TestDaemon::start().await;
    let top = repository(&daemon);
    let new = |branch: Option<&str>, base: Option<&str>| NewSession {
        branch: branch.map(str::to_owned),
        base: base.map(str::to_owned),
        ..wanted(&daemon, &top, WorkspaceKind::Worktree, "cat")
    };
    for (branch, base) in [(Some("--x"), None), (Some("a b"), None), (Some("main"), None), (None, Some("-x"))]
    {
        let error = refused(&daemon, new(branch, base)).await;
        assert_eq!(error.code, ErrorCode::BadRequest, "{error}");
    }
    let private = NewSession { private: true, ..new(None, None) };
    assert_eq!(refused(&daemon, private).await.code, ErrorCode::BadRequest);
    let elsewhere = wanted(&daemon, &daemon.person(), WorkspaceKind::Worktree, "cat");
    assert_eq!(refused(&daemon, elsewhere).await.code, ErrorCode::BadDirectory);
    let nobody = NewSession { agent: "aider".to_owned(), args: Vec::new(), ..new(Some("x"), None) };
    let error = refused(&daemon, NewSession { base_env: Some(Vec::new()), ..nobody }).await;
    assert_eq!(error.code, ErrorCode::MissingProgram);
    // Only the remote knows that it has no such branch.
    let started = daemon.new_session(new(Some("late"), Some("origin/none"))).await;
    let dead = daemon.until(started.id, "it failed", |session| session.status == Status::Dead).await;
    assert!(
        matches!(&dead.exit, Some(Exit::LaunchFailed { reason }) if reason.contains("origin/none")),
        "{dead:?}"
    );
    assert_eq!(git(&top, &["branch", "--list", "late", "x"]), "");
    assert_eq!(git(&top, &["worktree", "list"]).lines().count(), 1);
}

#[tokio::test]
#[timeout(120000)]
async fn the_first_prompt_waits_for_a_setup_script_that_is_trusted() {
    let daemon = with_agent().await;
    let top = repository(&daemon);
    rules(&top, "[workspace]\nsetup = '''\necho setting up\nread line < go\ntouch done-$line\n'''\n");
    let mut new = prompted(&daemon, &top, WorkspaceKind::Worktree);
    new.branch = Some("one".to_owned());
    let started = daemon.new_session(new).await;
    let state = |session: &Session| session.preparing.as_ref().map(|preparing| preparing.state.clone());
    let untrusted = daemon
        .until(started.id, "untrusted", |session| state(session) == Some(WorkspaceState::Untrusted))
        .await;
    let one = daemon.until(started.id, "its program runs meanwhile", is_made).await;
    assert!(untrusted.preparing.as_ref().unwrap().prompt_waits);
    let read = scripts(&daemon, &one.cwd).await;
    assert!(!read.trusted && read.before.is_none() && read.repository == top.to_str().unwrap());
    let again = about(&daemon, WorkspaceRequest::RunSetup { session: one.id.to_string() }).await.unwrap_err();
    assert_eq!(again.code, ErrorCode::Untrusted);
    let trust = |hash: &str| WorkspaceRequest::Trust { directory: one.cwd.clone(), hash: hash.to_owned() };
    assert_eq!(about(&daemon, trust("0")).await.unwrap_err().code, ErrorCode::Changed);

    // It waits for a line, as something slow would; a FIFO holds it.
    let pipe = Path::new(&one.cwd).join("go");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
    about(&daemon, trust(&read.hash)).await.unwrap();
    let running = daemon
        .until(one.id, "its last line is told", |session| {
            session
                .preparing
                .as_ref()
                .is_some_and(|preparing| preparing.line.as_deref() == Some("setting up"))
        })
        .await;
    let Some(WorkspaceState::SettingUp { session: Some(setup) }) = state(&running) else {
        panic!("{running:?}")
    };
    let beside = daemon.show(setup).await;
    assert_eq!(beside.runs_for.unwrap().name, "setup");
    assert!(!daemon.screen(one.id, false, 0).await.text.contains("heard"));
    std::fs::write(&pipe, "it\n").unwrap();
    daemon.until_screen(one.id, "heard begin").await;
    let over = daemon.until(one.id, "nothing is waited for", |session| session.preparing.is_none()).await;
    assert!(Path::new(&over.cwd).join("done-it").exists());

    // Another content asks again, with what was trusted before.
    rules(&top, "[workspace]\nsetup = 'true'\n");
    let changed = scripts(&daemon, top.to_str().unwrap()).await;
    assert!(!changed.trusted && changed.before.unwrap().setup.unwrap().contains("setting up"));
}

#[tokio::test]
#[timeout(120000)]
async fn a_setup_that_fails_says_so_and_can_be_skipped() {
    let daemon = with_agent().await;
    let top = repository(&daemon);
    rules(&top, "[workspace]\nsetup = 'echo no such thing; exit 3'\n");
    let hash = scripts(&daemon, top.to_str().unwrap()).await.hash;
    about(&daemon, WorkspaceRequest::Trust { directory: top.to_str().unwrap().to_owned(), hash })
        .await
        .unwrap();
    let new = prompted(&daemon, &top, WorkspaceKind::Clone);
    let started = daemon.new_session(new).await;
    let failed = daemon
        .until(started.id, "it failed", |session| {
            matches!(&session.preparing.as_deref(), Some(preparing)
                if matches!(&preparing.state, WorkspaceState::SetupFailed { why } if why.contains("exit 3: no such thing")))
        })
        .await;
    assert!(failed.alive() && failed.preparing.unwrap().prompt_waits);
    about(&daemon, WorkspaceRequest::SkipSetup { session: started.id.to_string() }).await.unwrap();
    daemon.until_screen(started.id, "heard begin").await;
    // The clone's remote is the repository's own.
    let remote = git(Path::new(&failed.cwd), &["remote", "get-url", "origin"]);
    assert_eq!(remote, git(&top, &["remote", "get-url", "origin"]));
}

#[tokio::test]
#[timeout(120000)]
async fn a_broken_file_is_told_and_the_session_starts() {
    let daemon = TestDaemon::start().await;
    let top = repository(&daemon);
    rules(&top, "[workspace]\nsetpu = 'x'\n");
    let started = daemon.new_session(wanted(&daemon, &top, WorkspaceKind::Worktree, "cat")).await;
    let made = daemon.until(started.id, "it runs", is_made).await;
    assert!(made.notice.unwrap().contains("line 2: unknown field `setpu`"));
    let scratch = daemon.new_session(wanted(&daemon, &top, WorkspaceKind::Scratch, "cat")).await;
    let scratch = daemon.until(scratch.id, "it runs", is_made).await;
    assert_eq!(git(Path::new(&scratch.cwd), &["remote"]), "");
    assert!(Path::new(&scratch.cwd).join(".git").is_dir());
}

#[tokio::test]
#[timeout(120000)]
async fn a_daemon_that_was_killed_goes_on_with_what_waited() {
    let mut daemon = with_agent().await;
    let top = repository(&daemon);
    let mut new = prompted(&daemon, &top, WorkspaceKind::Worktree);
    new.branch = Some("one".to_owned());
    rules(&top, "[workspace]\nsetup = 'mkfifo go; read line < go'\n");
    let hash = scripts(&daemon, top.to_str().unwrap()).await.hash;
    about(&daemon, WorkspaceRequest::Trust { directory: top.to_str().unwrap().to_owned(), hash })
        .await
        .unwrap();
    let started = daemon.new_session(new).await;
    let waits = |session: &Session| {
        matches!(
            session.preparing.as_deref().map(|one| &one.state),
            Some(WorkspaceState::SettingUp { session: Some(_) })
        )
    };
    let waiting =
        daemon.until(started.id, "it is set up", |session| is_made(session) && waits(session)).await;
    daemon.kill();
    daemon.run().await;
    daemon.until(started.id, "it waits again", waits).await;
    let pipe = Path::new(&waiting.cwd).join("go");
    belfry_tests::daemon::eventually("the script reads", || pipe.exists()).await;
    std::fs::write(&pipe, "on\n").unwrap();
    daemon.until_screen(started.id, "heard begin").await;
    daemon.until(started.id, "nothing is waited for", |session| session.preparing.is_none()).await;
    let session =
        session(asked(&daemon, Request::ShowSession { session: started.id.to_string() }).await.unwrap());
    assert!(session.workspace_id.is_some());
}

#[tokio::test]
#[timeout(120000)]
async fn by_command_line() {
    let daemon = TestDaemon::start().await;
    let top = repository(&daemon);
    rules(&top, "[workspace]\nsetup = 'true'\n[run]\ndev = 'serve'\n");
    let belfry = daemon.cli();
    let dir = top.to_str().unwrap();
    let id = belfry.run(&["new", "--cwd", dir, "--worktree=x/y", "--", "cat"]).ok().stdout.trim().to_owned();
    let shown = belfry.show(&id);
    assert_eq!((&shown["workspace"], &shown["branch"]), (&"worktree".into(), &"x/y".into()));
    assert!(Path::new(shown["cwd"].as_str().unwrap()).is_dir(), "it is there once the command ends");
    let failed =
        belfry.run(&["new", "--cwd", dir, "--worktree", "z", "--base", "origin/none", "--", "cat"]).exits(1);
    assert!(failed.stderr.contains("origin/none"), "{}", failed.stderr);
    let failed = belfry.run(&["new", "--cwd", dir, "--pr", "9", "--", "cat"]).exits(1);
    assert!(failed.stderr.contains("no pull request 9"), "{}", failed.stderr);
    belfry.run(&["new", "--cwd", dir, "--worktree", "--scratch"]).exits(2);

    let untrusted = belfry.run(&["trust", dir]).exits(4);
    assert!(
        untrusted.stdout.contains("run dev:") && untrusted.stdout.contains("serve"),
        "{}",
        untrusted.stdout
    );
    let trusted = belfry.run(&["trust", dir, "--yes"]).ok();
    assert!(trusted.stdout.contains("as they are now"), "{}", trusted.stdout);
    assert!(belfry.run(&["trust", dir]).ok().stdout.contains("already"));
    assert_eq!(belfry.run(&["trust", dir, "--json"]).ok().json()["trusted"], true);
}
