//! Whose a client is: a program inside a session has that session's authority, whatever it does to hide where it comes from.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::path::Path;

use belfry_protocol::frame::Frame;
use belfry_protocol::{ClientMessage, PROTOCOL, Request};
use belfry_tests::cli::Belfry;
use belfry_tests::daemon::{TestDaemon, eventually, lives};
use ntest::timeout;
use rustix::process::{Pid, Signal, kill_process};

/// Set in a process that plays a peer which asks for something and is gone before anybody looks who it was.
const LEAVER: &str = "TEST_LEAVER_SOCKET";

fn send(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap();
}

/// The request to rename the session that this runs in.
fn rename() -> Vec<u8> {
    let session = std::env::var("BELFRY_SESSION").unwrap();
    let messages = [
        ClientMessage::Hello { protocol: PROTOCOL, client: "test".into(), version: "0".into() },
        ClientMessage::Request { id: 1, request: Request::RenameSession { session, name: "stolen".into() } },
    ];
    let mut bytes = Vec::new();
    for message in messages {
        Frame::Control(serde_json::to_vec(&message).unwrap()).encode(&mut bytes);
    }
    bytes
}

/// Not a test of its own: what a session's program runs in the test below. By itself it does nothing.
#[test]
#[timeout(30000)]
fn leaver() {
    if let Some(socket) = std::env::var_os(LEAVER) {
        UnixStream::connect(Path::new(&socket)).unwrap().write_all(&rename()).unwrap();
    }
}

#[tokio::test]
#[timeout(60000)]
async fn a_peer_that_is_gone_is_nobody() {
    let daemon = TestDaemon::start().await;
    let own = std::env::current_exe().unwrap();
    let agent = format!(
        "#!/bin/sh\n{LEAVER}='{}' '{}' --exact leaver >/dev/null 2>&1\necho left >left\n",
        daemon.home().daemon_socket().display(),
        own.display(),
    );
    let agent = daemon.cli().script("claude", &agent);
    let wait = format!("until [ -e go ]; do sleep 0.02; done; '{agent}'; cat");
    let started = daemon.shell(&["sh", "-c", &wait]).await;
    // It connects, and is gone before the daemon can look.
    send(daemon.pid(), Signal::STOP);
    daemon.cli().write("go", "");
    eventually("it has left", || daemon.person().join("left").exists()).await;
    send(daemon.pid(), Signal::CONT);
    eventually("it was turned away", || {
        let log = std::fs::read_to_string(daemon.home().log_file()).unwrap_or_default();
        log.contains("a peer was turned away")
    })
    .await;
    assert_eq!(daemon.show(started.id).await.name, started.name);
}

#[tokio::test]
#[timeout(60000)]
async fn what_an_agent_leaves_behind_is_not_the_person() {
    let daemon = TestDaemon::start().await;
    let belfry = Belfry::program("belfry");
    let belfry = belfry.display();
    // The agent starts something that outlives it, and which nothing stands above any more but the keeper.
    let agent = format!(
        "#!/bin/sh\n(echo $$ >agent; (until [ -e go ]; do sleep 0.02; done; \
         '{belfry}' rename \"$BELFRY_SESSION\" stolen >said 2>&1; echo $? >code) &)\n"
    );
    let agent = daemon.cli().script("claude", &agent);
    let own = format!("'{belfry}' rename \"$BELFRY_SESSION\" mine; '{agent}'; touch over; cat");
    let started = daemon.shell(&["sh", "-c", &own]).await;
    let file = |name: &str| std::fs::read_to_string(daemon.person().join(name)).unwrap_or_default();
    eventually("the agent is over", || daemon.person().join("over").exists()).await;
    assert!(!lives(file("agent").trim().parse().unwrap()));
    assert_eq!(daemon.show(started.id).await.name, "mine", "the person's own shell may");
    daemon.cli().write("go", "");
    eventually("it has tried", || file("code").ends_with('\n')).await;
    assert_eq!(daemon.show(started.id).await.name, "mine");
    assert_ne!(file("code").trim(), "0");
    assert!(file("said").contains("authority"), "{}", file("said"));
}
