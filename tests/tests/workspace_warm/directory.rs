//! Directories alone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use belfry_protocol::Reply;
use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::workspace::{Warm, WorkspaceRequest, WorkspaceRules};
use belfry_tests::daemon::{TestDaemon, eventually};
use ntest::timeout;

use super::project::{Project, commit, defaults, directory, git};

fn branch(at: &Path) -> String {
    git(at, &["symbolic-ref", "--short", "HEAD"])
}

#[tokio::test]
#[timeout(90000)]
async fn a_new_session_takes_it_as_it_is_set_up_and_the_next_is_made() {
    let project = Project::with(directory(Some("echo $BELFRY_PORT >set-up"))).await;
    let ahead = project.warm().await;
    let was = branch(&ahead);
    let mut new = project.wanted(&["sh", "-c", "echo port $BELFRY_PORT.; cat"]);
    new.name = Some("Fix the door".to_owned());
    let session = project.daemon.new_session(new).await;
    // It is there with the answer: nothing is made any more.
    assert_eq!((PathBuf::from(&session.cwd), session.preparing), (ahead.clone(), None));
    assert_eq!(
        (session.workspace, session.branch.as_deref()),
        (WorkspaceKind::Worktree, Some("fix-the-door"))
    );
    assert_eq!((session.project, session.unspoken), (Some(project.id), false));
    assert_eq!(branch(&ahead), "fix-the-door");
    let refs = git(&project.repository, &["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
    assert!(!refs.lines().any(|name| name == was), "{refs}");
    let port = std::fs::read_to_string(ahead.join("set-up")).unwrap();
    project.daemon.until_screen(session.id, &format!("port {}.", port.trim())).await;
    let next = project.warm().await;
    assert_ne!(next, ahead);
    assert_ne!(std::fs::read_to_string(next.join("set-up")).unwrap(), port, "no port is used twice");
}

#[tokio::test]
#[timeout(120000)]
async fn ten_quick_ones_are_ten_right_ones() {
    let project = Project::with(directory(Some("touch set-up"))).await;
    project.warm().await;
    let ten = (0..10).map(|number| {
        let mut new = project.wanted(&["cat"]);
        new.name = Some(format!("Task number {number}"));
        project.running(new)
    });
    let sessions = futures_util::future::join_all(ten).await;
    let places: HashSet<&str> = sessions.iter().map(|session| session.cwd.as_str()).collect();
    assert_eq!(places.len(), 10);
    for (number, session) in sessions.iter().enumerate() {
        assert_eq!(branch(Path::new(&session.cwd)), format!("task-number-{number}"), "{session:?}");
        assert!(session.alive(), "{session:?}");
        eventually("it is set up", || Path::new(&session.cwd).join("set-up").exists()).await;
    }
    let ahead = project.warm().await;
    assert!(!places.contains(ahead.to_str().unwrap()));
}

#[tokio::test]
#[timeout(90000)]
async fn it_is_brought_to_the_newest_base_or_made_anew() {
    let project = Project::with(directory(Some("touch set-up"))).await;
    let head = |at: &Path| git(at, &["rev-parse", "HEAD"]);
    let ahead = project.warm().await;
    let newest = commit(&project.repository, "one", "2\n");
    let session = project.running(project.wanted(&["cat"])).await;
    assert_eq!((PathBuf::from(&session.cwd), head(&ahead)), (ahead.clone(), newest));
    assert_eq!(std::fs::read_to_string(ahead.join("one")).unwrap(), "2\n");

    // What it was set up from is another by now.
    let ahead = project.warm().await;
    let newest = commit(&project.repository, "package.json", "{}\n");
    let session = project.running(project.wanted(&["cat"])).await;
    assert_ne!(PathBuf::from(&session.cwd), ahead);
    assert_eq!(head(Path::new(&session.cwd)), newest);

    // Somebody has worked in it, or it is gone.
    let ahead = project.warm().await;
    assert_eq!(head(&ahead), newest);
    commit(&ahead, "mine", "work\n");
    let session = project.running(project.wanted(&["cat"])).await;
    assert_ne!(PathBuf::from(&session.cwd), ahead);
    let ahead = project.warm().await;
    std::fs::remove_dir_all(&ahead).unwrap();
    let session = project.running(project.wanted(&["cat"])).await;
    assert!(Path::new(&session.cwd).join("one").exists());
    project.warm().await;
}

#[tokio::test]
#[timeout(90000)]
async fn only_what_fits_is_taken() {
    let project = Project::with(directory(None)).await;
    git(&project.repository, &["branch", "there"]);
    let ahead = project.warm().await;
    let not = async |change: &dyn Fn(&mut belfry_protocol::launch::NewSession)| {
        let mut new = project.wanted(&["cat"]);
        change(&mut new);
        let session = project.running(new).await;
        assert_ne!(PathBuf::from(&session.cwd), ahead, "{session:?}");
        session
    };
    not(&|new| new.warm = false).await;
    not(&|new| new.base = Some("there".to_owned())).await;
    not(&|new| new.workspace = WorkspaceKind::Directory).await;
    // Still there after all of these; a branch that is there costs it, as only git could tell.
    assert_eq!(project.warm().await, ahead);
    let there = not(&|new| new.branch = Some("there".to_owned())).await;
    assert_eq!(there.branch.as_deref(), Some("there"));
    let mut named = project.wanted(&["cat"]);
    named.branch = Some("of/my/own".to_owned());
    let ahead = project.warm().await;
    let session = project.running(named).await;
    assert_eq!((PathBuf::from(&session.cwd), branch(&ahead)), (ahead, "of/my/own".to_owned()));
}

#[tokio::test]
#[timeout(90000)]
async fn none_outlives_the_wish_or_the_daemon() {
    let mut project = Project::with(directory(None)).await;
    let ahead = project.warm().await;
    let name = branch(&ahead);
    project.daemon.kill();
    project.daemon.run().await;
    // The same name may be made again; the commit of then is in none of it.
    let again = project.warm().await;
    let trees = git(&project.repository, &["worktree", "list", "--porcelain"]);
    assert_eq!(trees.matches("worktree ").count(), 2, "{trees}");
    project.set(defaults(WorkspaceRules { warm: Some(Warm::Off), ..WorkspaceRules::default() })).await;
    eventually("it goes", || !again.exists()).await;
    eventually("its branch goes", || {
        !git(&project.repository, &["branch", "--list"])
            .lines()
            .any(|line| line.trim_start_matches(['+', ' ']) == name)
    })
    .await;
    assert!(!project.branches().await.warm);
}

#[tokio::test]
#[timeout(90000)]
async fn scripts_of_the_repository_run_ahead_only_once_they_are_trusted() {
    let daemon = TestDaemon::start().await;
    let project = Project::of(daemon, defaults(WorkspaceRules::default())).await;
    commit(&project.repository, ".belfry.toml", "[workspace]\nsetup = \"touch set-up\"\n");
    project.set(defaults(directory(None))).await;
    let directory = project.repository.to_str().unwrap().to_owned();
    let Reply::Scripts(scripts) =
        project.ask(WorkspaceRequest::Scripts { directory: directory.clone() }).await
    else {
        panic!("no scripts")
    };
    assert!(!scripts.trusted && !project.branches().await.warm);
    project.ask(WorkspaceRequest::Trust { directory, hash: scripts.hash }).await;
    assert!(project.warm().await.join("set-up").exists());
}
