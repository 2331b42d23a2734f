//! Where things are kept: private sessions, full and read-only disks, paths of all kinds, and what an agent may.

use std::path::Path;
use std::process::{Command, Stdio};

use belfry_platform::home::Home;
use belfry_protocol::launch::NewSession;
use belfry_protocol::{ErrorCode, Request, Status};
use belfry_tests::cli::Belfry;
use belfry_tests::daemon::{TestDaemon, TestView, eventually, lives};
use ntest::timeout;

/// Whether any file below has these bytes in it, or in its name.
fn found(dir: &Path, needle: &[u8]) -> Option<std::path::PathBuf> {
    let has = |bytes: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if has(entry.file_name().as_encoded_bytes()) {
            return Some(path);
        }
        if path.is_dir() {
            if let Some(found) = found(&path, needle) {
                return Some(found);
            }
        } else if std::fs::read(&path).is_ok_and(|bytes| has(&bytes)) {
            return Some(path);
        }
    }
    None
}

#[tokio::test]
#[timeout(60000)]
async fn a_private_session_leaves_nothing_on_disk_and_outlives_the_daemon() {
    let mut daemon = TestDaemon::start().await;
    let mut new = daemon.shell_request(&["sh", "-c", "echo confid$((1))ential; exec cat"]);
    new.private = true;
    new.name = Some("hush-hush".to_owned());
    let started = daemon.new_session(new).await;
    daemon.until_screen(started.id, "confid1ential").await;
    let connection = daemon.connect().await;
    let send =
        Request::SendMessage { session: started.id.to_string(), text: "whisper-message".into(), now: true };
    connection.request(send).await.unwrap();
    daemon.until_screen(started.id, "whisper-message").await;
    let private = daemon.home().private_dir().unwrap();
    let memory = private.join("sessions").join(started.id.to_string());
    assert!(memory.is_dir() && !memory.starts_with(daemon.home().state_dir()));
    daemon.kill();
    daemon.run().await;
    // Found again without a word on the disk.
    let again = daemon.show(started.id).await;
    assert_eq!((again.name.as_str(), again.private, again.pid), ("hush-hush", true, started.pid));
    daemon.until_screen(started.id, "confid1ential").await;
    daemon.stop().await;
    daemon.run().await;
    let (id, run) = (started.id.to_string(), started.runs[0].id.to_string());
    for needle in ["confid1ential", "hush-hush", "whisper-message", &id, &run] {
        for dir in [daemon.home().state_dir(), daemon.home().config_dir()] {
            assert_eq!(found(dir, needle.as_bytes()), None, "{needle} in {}", dir.display());
        }
    }
    let connection = daemon.connect().await;
    let remove = Request::RemoveSession { session: started.id.to_string(), now: false, kill: true };
    assert_eq!(connection.request(remove).await.unwrap(), belfry_protocol::Reply::Removed { trashed: false });
    eventually("it is gone from memory too", || !memory.exists()).await;
}

/// A daemon in a mount namespace of its own whose state directory is a small tmpfs; none where this is not allowed.
fn in_namespace(daemon: &TestDaemon, mount: &str) -> Option<Command> {
    let mut command = Command::new("unshare");
    if !rustix::process::geteuid().is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    let script = format!("{mount} && exec \"$0\" daemon run");
    command.args(["--mount", "sh", "-c", &script]).arg(Belfry::program("belfry"));
    command.env_clear().envs(daemon.cli().environment()).env("STATE", daemon.home().state_dir());
    command.env("BELFRY", daemon.cli().belfry_home());
    command.current_dir(daemon.person()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut trial = Command::new("unshare");
    if !rustix::process::geteuid().is_root() {
        trial.args(["--user", "--map-root-user"]);
    }
    let allowed =
        trial.args(["--mount", "true"]).stderr(Stdio::null()).status().is_ok_and(|done| done.success());
    if !allowed {
        // Past the harness, which shows what a test prints only where it fails.
        let said = b"left out: this machine allows no mount namespaces\n";
        let _ = std::io::Write::write_all(&mut std::io::stderr(), said);
        assert!(std::env::var_os("CI").is_none(), "in CI nothing is left out");
    }
    allowed.then_some(command)
}

#[tokio::test]
#[timeout(60000)]
async fn on_a_full_disk_sessions_go_on_and_say_so() {
    let daemon = TestDaemon::stopped();
    daemon.home().prepare().unwrap();
    let mount = "mount -t tmpfs -o size=4m,mode=700 none \"$STATE\"";
    let Some(mut command) = in_namespace(&daemon, mount) else { return };
    let mut child = command.spawn().unwrap();
    drop(daemon.connect().await);
    let script = "read -r x; seq 1 1000000; echo full; cat";
    let started = daemon.shell(&["sh", "-c", script]).await;
    let mut view = TestView::open(&daemon, started.id).await;
    view.input(b"\r").await;
    view.until("all of it was seen", |view| view.text().contains("full")).await;
    let told = daemon.until(started.id, "the person is told", |session| session.notice.is_some()).await;
    assert!(told.notice.unwrap().contains("disk"), "why");
    view.input(b"still here\r").await;
    view.until("the echo", |view| view.text().contains("still here")).await;
    // Another session cannot be recorded, which is said and not guessed at.
    let connection = daemon.connect().await;
    let request = Request::NewSession(Box::new(daemon.shell_request(&["cat"])));
    if let Err(refused) = connection.request(request).await {
        let code = refused.code();
        assert!(matches!(code, Some(ErrorCode::DiskFull | ErrorCode::Storage)), "{refused}");
    }
    connection.request(Request::Ping).await.unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
}

#[tokio::test]
#[timeout(60000)]
async fn a_read_only_state_is_said_and_nobody_hangs() {
    let daemon = TestDaemon::stopped();
    daemon.home().prepare().unwrap();
    let mount = "mount -t tmpfs -o size=4m,mode=700 none \"$STATE\" && \
                 mkdir -m 700 \"$STATE/log\" \"$STATE/sessions\" && mount -o remount,ro \"$STATE\"";
    let Some(mut command) = in_namespace(&daemon, mount) else { return };
    let mut child = command.spawn().unwrap();
    let connection = daemon.connect().await;
    let belfry_protocol::Reply::Daemon(status) = connection.request(Request::DaemonStatus).await.unwrap()
    else {
        panic!("no status")
    };
    assert!(status.notices.iter().any(|notice| notice.contains("database")), "{:?}", status.notices);
    let request = Request::NewSession(Box::new(daemon.shell_request(&["cat"])));
    let refused = connection.request(request).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::Storage), "{refused}");
    // A private session needs no disk.
    let private = NewSession { private: true, ..daemon.shell_request(&["sh", "-c", "echo works; cat"]) };
    let started = daemon.new_session(private).await;
    daemon.until_screen(started.id, "works").await;
    let remove = Request::RemoveSession { session: started.id.to_string(), now: true, kill: true };
    connection.request(remove).await.unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
}

#[tokio::test]
#[timeout(60000)]
async fn a_home_may_be_deeper_than_a_socket_s_path() {
    let directory = tempfile::Builder::new().prefix("belfry-deep-").tempdir().unwrap();
    let deep = directory.path().join("ä directory with spaces ".repeat(4)).join("x".repeat(120));
    let home = Home::at(&deep);
    let mut child = Command::new(Belfry::program("belfry"))
        .args(["daemon", "run"])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", directory.path())
        .env("BELFRY_HOME", &deep)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut connection = None;
    eventually("it answers", || home.daemon_socket().exists()).await;
    for _ in 0..100 {
        if let Ok(found) = belfry_client::connect(&home, &belfry_client::ConnectOptions::new("test")).await {
            connection = Some(found);
            break;
        }
        tokio::task::yield_now().await;
    }
    let connection = connection.expect("a connection");
    let new = NewSession { args: vec!["cat".into()], ..NewSession::default() };
    let started =
        belfry_tests::daemon::session(connection.request(Request::NewSession(Box::new(new))).await.unwrap());
    assert!(started.pid.is_some_and(lives));
    let request = Request::KillSession { session: started.id.to_string() };
    let dead = belfry_tests::daemon::session(connection.request(request).await.unwrap());
    assert_eq!(dead.status, Status::Dead);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[tokio::test]
#[timeout(60000)]
async fn an_agent_may_only_look_at_itself_and_a_shell_is_the_person() {
    let daemon = TestDaemon::start().await;
    let belfry = Belfry::program("belfry");
    let other = daemon.shell(&["cat"]).await;
    // In the person's shell, all is allowed.
    let script = format!("'{}' ls >out.txt 2>&1; echo shell:$? >>out.txt; cat", belfry.display());
    daemon.shell(&["sh", "-c", &script]).await;
    let out = daemon.person().join("out.txt");
    eventually("the shell's answer", || {
        std::fs::read_to_string(&out).is_ok_and(|text| text.contains("shell:"))
    })
    .await;
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.contains("shell:0"), "{text}");
    // A program that is called as an agent is one, whatever it does; its children are no more than it is.
    let agent = daemon.cli().script(
        "claude",
        &format!(
            "#!/bin/sh\nfor what in \"ls\" \"show $BELFRY_SESSION\" \"screen $BELFRY_SESSION\" \"show {0}\" \"kill {0}\" \
             \"daemon stop\"; do (setsid '{1}' $what >/dev/null 2>err.txt; echo \"$what => $?\" >>agent.txt; \
             cat err.txt >>agent.txt); done; echo end >>agent.txt; cat\n",
            other.id,
            belfry.display()
        ),
    );
    daemon.shell(&[&agent]).await;
    let out = daemon.person().join("agent.txt");
    eventually("the agent's answers", || {
        std::fs::read_to_string(&out).is_ok_and(|text| text.contains("end\n"))
    })
    .await;
    let text = std::fs::read_to_string(&out).unwrap();
    let code = |what: &str| {
        let line =
            text.lines().find(|line| line.starts_with(what)).unwrap_or_else(|| panic!("{what} in {text}"));
        line.rsplit(' ').next().unwrap().to_owned()
    };
    assert_ne!(code("ls"), "0", "{text}");
    assert_ne!(code("daemon stop"), "0");
    assert_ne!(code(&format!("show {}", other.id)), "0");
    assert_ne!(code(&format!("kill {}", other.id)), "0");
    let own = text.lines().filter(|line| line.ends_with("=> 0")).count();
    assert_eq!(own, 2, "its own session it may show and read: {text}");
    assert!(daemon.show(other.id).await.alive());
}
