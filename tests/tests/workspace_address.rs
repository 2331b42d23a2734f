//! Projects from an address: what is fetched, what is refused, and that nothing is left of what did not come.

use std::path::{Path, PathBuf};
use std::process::Command;

use belfry_client::{Connection, Incoming};
use belfry_protocol::launch::EnvVar;
use belfry_protocol::workspace::{CloneEnd, Cloning, WorkspaceRequest};
use belfry_protocol::{ErrorCode, Event, ProjectId, Reply, Request, WireError};
use belfry_tests::cli::{Belfry, Outer};
use belfry_tests::daemon::{PATIENCE, TestDaemon, eventually};
use ntest::timeout;

fn git(at: &Path, args: &[&str]) {
    let ran = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(at)
        .output()
        .expect("run git");
    assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// A repository with a commit of some size, to be fetched.
fn repository(at: &Path) -> PathBuf {
    std::fs::create_dir_all(at).expect("a directory");
    git(at, &["init", "-q"]);
    // Of no pattern, so that it is sent in more than one piece.
    let mut noise = 1_u32;
    let mut text = String::new();
    for _ in 0..40_000 {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(&noise.to_string());
        text.push('\n');
    }
    std::fs::write(at.join("noise"), text).expect("a file");
    git(at, &["add", "."]);
    git(at, &["commit", "-qm", "first"]);
    at.to_owned()
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// An `ssh` that reaches this machine; `then` is a part of a shell script that has git's command in `$command`.
fn ssh(belfry: &Belfry, then: &str) -> String {
    belfry.script("ssh", &format!("#!/bin/sh\nfor command; do :; done\n{then}\n"))
}

/// One that sends the beginning (by `dd`, which holds nothing back) and then nothing, for ever; the file `stalled` says that it does.
fn stalling_ssh(belfry: &Belfry) -> String {
    let stalled = belfry.home().join("stalled");
    ssh(
        belfry,
        &format!(
            "eval \"$command\" | dd bs=1 count=60000 2> /dev/null\ntouch '{}'\nexec sleep 1000",
            stalled.display()
        ),
    )
}

fn env(belfry: &Belfry, ssh: &str) -> Vec<EnvVar> {
    let var = |name: &str, value: &str| EnvVar { name: name.to_owned(), value: value.to_owned() };
    let path = std::env::var("PATH").expect("a path");
    let home = belfry.home();
    vec![
        var("PATH", &path),
        var("HOME", home.to_str().expect("a path of ours")),
        var("GIT_SSH_COMMAND", &format!("'{ssh}'")),
    ]
}

async fn begin(
    connection: &Connection,
    url: &str,
    path: Option<&Path>,
    base_env: Option<Vec<EnvVar>>,
) -> Result<Cloning, WireError> {
    let path = path.map(|path| path.to_str().expect("a path of ours").to_owned());
    let request = WorkspaceRequest::CloneProject { url: url.to_owned(), path, name: None, base_env };
    match connection.request(Request::Workspace(Box::new(request))).await {
        Ok(Reply::Cloning(cloning)) => Ok(*cloning),
        Err(belfry_client::ClientError::Failed(error)) => Err(error),
        other => panic!("no answer: {other:?}"),
    }
}

/// The next news of a clone that are so.
async fn until(connection: &mut Connection, is_so: impl Fn(&Event) -> bool) -> Event {
    let wait = async {
        loop {
            if let Incoming::Event(event) = connection.next().await.expect("the connection holds")
                && is_so(&event)
            {
                return *event;
            }
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect("the event comes")
}

async fn end_of(connection: &mut Connection, id: ProjectId) -> CloneEnd {
    let event = until(
        connection,
        |event| matches!(event, Event::Cloning { cloning } if cloning.id == id && cloning.end.is_some()),
    );
    match event.await {
        Event::Cloning { cloning } => cloning.end.expect("an end"),
        _ => unreachable!("it was looked for"),
    }
}

#[test]
#[timeout(120000)]
fn an_address_becomes_a_project() {
    let belfry = Belfry::new();
    let source = repository(&belfry.home().join("remote/läden shop"));
    let url = format!("file://{}", source.display());
    std::fs::create_dir(belfry.home().join("src")).expect("a directory");
    let project = belfry.run(&["project", "add", &url, "--json"]).ok().json();
    let into = belfry.home().join("src/läden shop");
    assert_eq!(project["path"], into.to_str().expect("a path of ours"));
    assert_eq!(project["name"], "läden shop");
    assert!(into.join("noise").is_file());
    assert_eq!(names(&belfry.home().join("src")), ["läden shop"]);
    // Where the others are, once there are some; under another name, and with what its sessions begin with.
    std::fs::create_dir(belfry.home().join("w")).expect("a directory");
    let said =
        belfry.run(&["project", "add", &url, "w/one", "--name", "one", "--agent", "claude"]).ok().stdout;
    assert!(said.contains("one (~/w/one) is a project now"), "{said}");
    let projects = belfry.run(&["project", "ls", "--json"]).ok().json();
    assert_eq!(projects[1]["defaults"]["agent"], "claude");
    // What is there is not written over.
    let refused = belfry.run(&["project", "add", &url, "w/one", "--json"]).exits(1);
    assert_eq!(refused.error_code(), "bad_directory");
    // Two places are one too many for a directory.
    belfry.run(&["project", "add", "src", "w/two"]).exits(2);
    let nowhere = belfry.run(&["project", "add", "file:///nowhere/at all.git", "w/three"]).exits(1).stderr;
    assert!(nowhere.contains("There is no such repository"), "{nowhere}");
    assert_eq!(names(&belfry.home().join("w")), ["one"]);
}

#[tokio::test]
#[timeout(120000)]
async fn what_is_no_address_is_refused() {
    let daemon = TestDaemon::start().await;
    let connection = daemon.connect().await;
    let mark = daemon.person().join("ran");
    let ext = format!("ext::touch {}", mark.display());
    for url in [ext.as_str(), "--upload-pack=touch ran", "ssh://-oProxyCommand=touch/x", "a/b", "", "h:a\nb"]
    {
        let error = begin(&connection, url, None, None).await.expect_err(url);
        assert_eq!(error.code, ErrorCode::BadRequest, "{url}: {error}");
        assert!(error.next.is_some());
    }
    let relative = begin(&connection, "file:///x", Some(Path::new("a/b")), None).await;
    assert_eq!(relative.expect_err("a relative directory").code, ErrorCode::BadRequest);
    assert!(!mark.exists());
}

#[tokio::test]
#[timeout(120000)]
async fn a_clone_that_is_stopped_leaves_nothing() {
    let daemon = TestDaemon::start().await;
    let source = repository(&daemon.person().join("remote/shop"));
    let (ssh, stalled) = (stalling_ssh(daemon.cli()), daemon.person().join("stalled"));
    let mut connection = daemon.connect().await;
    connection.request(Request::Subscribe).await.expect("an overview");
    let url = format!("someone@host.example:{}", source.display());
    let into = daemon.person().join("new/shop");
    let begun =
        begin(&connection, &url, Some(&into), Some(env(daemon.cli(), &ssh))).await.expect("it begins");
    until(&mut connection, |event| matches!(event, Event::Cloning { cloning } if cloning.percent.is_some()))
        .await;
    eventually("the remote stalls", || stalled.exists()).await;
    // Asked for twice, it goes on once; another one is not fetched into the same place.
    let again = begin(&connection, &url, Some(&into), Some(env(daemon.cli(), &ssh))).await.expect("the same");
    assert_eq!(again.id, begun.id);
    let other = begin(&connection, "file:///x", Some(&into), None).await.expect_err("the place is taken");
    assert_eq!(other.code, ErrorCode::Busy);
    // Whoever comes later learns of it.
    let mut late = daemon.connect().await;
    late.request(Request::Subscribe).await.expect("an overview");
    until(&mut late, |event| matches!(event, Event::Cloning { cloning } if cloning.id == begun.id)).await;
    assert_eq!(names(&daemon.person().join("new")).len(), 1, "a hidden directory");
    let cancel = WorkspaceRequest::CancelClone { id: begun.id };
    connection.request(Request::Workspace(Box::new(cancel.clone()))).await.expect("it is stopped");
    assert_eq!(end_of(&mut connection, begun.id).await, CloneEnd::Cancelled);
    assert!(!daemon.person().join("new").exists(), "not even the directory above");
    assert!(connection.request(Request::Workspace(Box::new(cancel))).await.is_err());
    // Asked for again it is another one, and comes.
    let good = daemon.cli().script("good-ssh", "#!/bin/sh\nfor command; do :; done\neval \"$command\"\n");
    let begun =
        begin(&connection, &url, Some(&into), Some(env(daemon.cli(), &good))).await.expect("it begins");
    let project = until(&mut connection, |event| matches!(event, Event::Project { .. })).await;
    assert!(matches!(project, Event::Project { project } if project.id == begun.id));
    assert_eq!(end_of(&mut connection, begun.id).await, CloneEnd::Done);
    assert!(into.join("noise").is_file());
}

#[tokio::test]
#[timeout(120000)]
async fn the_daemon_s_end_leaves_nothing() {
    let mut daemon = TestDaemon::start().await;
    let source = repository(&daemon.person().join("remote/shop"));
    let (ssh, stalled) = (stalling_ssh(daemon.cli()), daemon.person().join("stalled"));
    let url = format!("host.example:{}", source.display());
    let into = daemon.person().join("new/shop");
    std::fs::create_dir(daemon.person().join("new")).expect("a directory");
    let connection = daemon.connect().await;
    begin(&connection, &url, Some(&into), Some(env(daemon.cli(), &ssh))).await.expect("it begins");
    eventually("the remote stalls", || stalled.exists()).await;
    daemon.stop().await;
    assert!(names(&daemon.person().join("new")).is_empty());
    // And of one that was killed, the next one sweeps up.
    daemon.run().await;
    std::fs::remove_file(&stalled).expect("it was there");
    let connection = daemon.connect().await;
    begin(&connection, &url, Some(&into), Some(env(daemon.cli(), &ssh))).await.expect("it begins");
    eventually("the remote stalls", || stalled.exists()).await;
    let inside = daemon.person().join("new");
    eventually("something came", || !names(&inside).is_empty()).await;
    daemon.kill();
    daemon.run().await;
    eventually("it is swept up", || names(&inside).is_empty()).await;
}

#[tokio::test]
#[timeout(120000)]
async fn failures_are_told_in_words_and_without_secrets() {
    let daemon = TestDaemon::start().await;
    let mut connection = daemon.connect().await;
    connection.request(Request::Subscribe).await.expect("an overview");
    for (said, words) in [
        ("git@host.example: Permission denied (publickey).", "did not let you in"),
        ("Host key verification failed.", "host's key"),
        ("ssh: Could not resolve hostname host.example: Name or service not known", "no host of that name"),
        ("ERROR: Repository not found.", "no such repository"),
        ("ssh: connect to host host.example port 22: Network is unreachable", "cannot be reached"),
    ] {
        let ssh = ssh(daemon.cli(), &format!("echo '{said}' >&2\nexit 255"));
        let into = daemon.person().join("new");
        let begun =
            begin(&connection, "git@host.example:a/b.git", Some(&into), Some(env(daemon.cli(), &ssh))).await;
        match end_of(&mut connection, begun.expect("it begins").id).await {
            CloneEnd::Failed { error } => {
                assert!(error.message.contains(words), "{said}: {error}");
                assert_eq!(error.code, ErrorCode::Git);
                assert!(error.next.is_some(), "{error}");
            }
            other => panic!("{other:?}"),
        }
        assert!(!into.exists());
    }
    // Nobody listens at port 1.
    let url = "https://ann:hunter2secret@127.0.0.1:1/a/b.git";
    let into = daemon.person().join("new");
    let begun =
        begin(&connection, url, Some(&into), Some(env(daemon.cli(), "ssh"))).await.expect("it begins");
    assert_eq!(begun.url, "https://127.0.0.1:1/a/b.git");
    let ended = end_of(&mut connection, begun.id).await;
    let mut seen = format!("{begun:?} {ended:?}");
    for log in std::fs::read_dir(daemon.home().log_dir()).expect("logs").flatten() {
        seen.push_str(&std::fs::read_to_string(log.path()).unwrap_or_default());
    }
    assert!(matches!(ended, CloneEnd::Failed { .. }), "{ended:?}");
    assert!(!seen.contains("hunter2secret"), "{seen}");
}

#[test]
#[timeout(120000)]
fn control_c_stops_it() {
    let belfry = Belfry::new();
    let source = repository(&belfry.home().join("remote/shop"));
    let ssh = format!("'{}'", stalling_ssh(&belfry));
    let url = format!("git@host.example:{}", source.display());
    let mut terminal =
        Outer::run(&belfry, 80, 24, &["project", "add", &url, "new"], &[("GIT_SSH_COMMAND", &ssh)]);
    terminal.until("Fetching");
    terminal.until(" %");
    terminal.type_bytes(b"\x03");
    terminal.until("nothing was left behind");
    assert_eq!(terminal.ended(), 1);
    assert!(!belfry.home().join("new").exists());
    assert!(!names(&belfry.home()).iter().any(|name| name.starts_with(".belfry")));
}
