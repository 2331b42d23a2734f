//! What one client, one directory or one program may cost the others: nothing.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use belfry_protocol::frame::{Frame, FrameDecoder};
use belfry_protocol::launch::{NewSession, Size};
use belfry_protocol::{
    ClientMessage, DaemonMessage, ErrorCode, Event, PROTOCOL, Reply, Request, Status, StreamId,
};
use belfry_tests::daemon::{TestDaemon, TestView, eventually};
use ntest::timeout;

fn message(message: &ClientMessage) -> Vec<u8> {
    let mut out = Vec::new();
    Frame::Control(serde_json::to_vec(message).unwrap()).encode(&mut out);
    out
}

fn request(id: u64, request: Request) -> Vec<u8> {
    message(&ClientMessage::Request { id, request })
}

/// A client that says hello and reads nothing by itself.
fn raw(daemon: &TestDaemon) -> UnixStream {
    let mut stream = belfry_platform::socket::connect(&daemon.home().daemon_socket()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let hello = ClientMessage::Hello { protocol: PROTOCOL, client: "test".into(), version: "0".into() };
    stream.write_all(&message(&hello)).unwrap();
    stream
}

#[tokio::test]
#[timeout(60000)]
async fn a_directory_that_blocks_blocks_nobody() {
    let daemon = TestDaemon::start().await;
    let head = daemon.person().join("head");
    std::fs::create_dir_all(head.join(".git")).unwrap();
    let file = daemon.person().join("file");
    std::fs::create_dir_all(&file).unwrap();
    for pipe in [head.join(".git/HEAD"), file.join(".git")] {
        assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
    for cwd in [head, file] {
        let mut sessions = Vec::new();
        // More than the daemon has threads to lose.
        for _ in 0..6 {
            let cwd = Some(cwd.to_str().unwrap().to_owned());
            let script = [
                "sh",
                "-c",
                "read -r x; i=0; while [ $i -lt 5 ]; do echo $i; i=$((i+1)); sleep 0.1; done; cat",
            ];
            sessions.push(daemon.new_session(NewSession { cwd, ..daemon.shell_request(&script) }).await);
        }
        for session in &sessions {
            assert_eq!(session.branch, None);
            daemon.until(session.id, "idle", |session| session.status == Status::Idle).await;
            let keys = Request::SendKeys { session: session.id.to_string(), keys: vec!["Enter".into()] };
            daemon.connect().await.request(keys).await.unwrap();
            daemon.until(session.id, "a turn", |session| session.status == Status::Running).await;
        }
        for session in &sessions {
            daemon.until(session.id, "the turn is over", |session| session.status == Status::Idle).await;
        }
        daemon.until_screen(sessions[0].id, "4").await;
    }
}

#[tokio::test]
#[timeout(120000)]
async fn a_flood_of_requests_keeps_nobody_waiting() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "seq 1 4000; echo ready; exec cat"]).await;
    daemon.until_screen(started.id, "ready").await;
    let over = Arc::new(AtomicBool::new(false));
    let mut reading = raw(&daemon);
    let mut writing = reading.try_clone().unwrap();
    // What is asked for is read and thrown away, so that the client is not cut off for not reading.
    let reader = std::thread::spawn(move || {
        let mut piece = vec![0; 1 << 20];
        while reading.read(&mut piece).is_ok_and(|read| read > 0) {}
    });
    let writer = std::thread::spawn({
        let (over, session) = (Arc::clone(&over), started.id.to_string());
        move || {
            let screen = Request::ReadScreen { session, ansi: false, scrollback: 3000 };
            let many: Vec<u8> = (0..256).flat_map(|id| request(id, screen.clone())).collect();
            while !over.load(Ordering::Relaxed) && writing.write_all(&many).is_ok() {}
            let _ = writing.shutdown(std::net::Shutdown::Both);
        }
    });
    let mut view = TestView::open(&daemon, started.id).await;
    for round in 0..5 {
        let word = format!("word-{round}");
        view.input(format!("{word}\r").as_bytes()).await;
        view.until("the echo beside the flood", |view| view.text().contains(&word)).await;
    }
    over.store(true, Ordering::Relaxed);
    writer.join().unwrap();
    reader.join().unwrap();
}

#[tokio::test]
#[timeout(120000)]
async fn recordings_that_are_not_read_have_few_threads_to_keep() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "seq 1 400000; echo ready; exec cat"]).await;
    daemon.until_screen(started.id, "ready").await;
    let export = |id: u32| {
        let session = started.id.to_string();
        request(id.into(), Request::ExportAsciicast { session, stream: StreamId(id) })
    };
    let mut stream = raw(&daemon);
    for id in 1..=3 {
        stream.write_all(&export(id)).unwrap();
    }
    let mut decoder = FrameDecoder::default();
    let mut piece = vec![0; 4096];
    let refused = loop {
        match decoder.next_frame().unwrap() {
            Some(Frame::Control(json)) => {
                if let DaemonMessage::Failed { error, .. } = serde_json::from_slice(&json).unwrap() {
                    break error;
                }
            }
            Some(_) => {}
            None => {
                let read = stream.read(&mut piece).unwrap();
                assert!(read > 0, "the connection holds");
                decoder.push(&piece[..read]);
            }
        }
    };
    assert_eq!(refused.code, ErrorCode::TooMuch);
    drop(stream);
    // Once those are gone, there is room again.
    let connection = daemon.connect().await;
    let again = Request::ExportAsciicast { session: started.id.to_string(), stream: StreamId(1) };
    assert_eq!(connection.request(again).await.unwrap(), Reply::Done);
}

#[tokio::test]
#[timeout(60000)]
async fn the_mouse_alone_lets_no_program_copy() {
    let daemon = TestDaemon::start().await;
    let script = "stty raw -echo; printf ready; while :; do dd bs=64 count=1 >/dev/null 2>&1; \
                  printf '\\033]52;c;aGVsbG8=\\007wrote '; done";
    let started = daemon.shell(&["sh", "-c", script]).await;
    let mut view = TestView::open_with(&daemon, started.id, Size { cols: 80, rows: 24 }, true, 1 << 20).await;
    view.until("ready", |view| view.text().contains("ready")).await;
    let copied =
        |view: &TestView| view.events.iter().any(|event| matches!(event, Event::ClipboardWrite { .. }));
    view.input(b"\x1b[<35;10;10M").await;
    view.until("it wrote", |view| view.text().contains("wrote")).await;
    assert!(!copied(&view));
    view.input(b"k").await;
    view.until("the clipboard", copied).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_program_that_is_slow_to_tell_its_version_keeps_no_list_waiting() {
    let daemon = TestDaemon::stopped();
    let bin = daemon.person().join(".local/bin");
    std::fs::create_dir_all(&bin).unwrap();
    // It writes that it was asked, and answers once it may.
    let asked = daemon.person().join("asked");
    let may = daemon.person().join("may");
    let script = format!(
        "#!/bin/sh\ntouch '{}'\nuntil [ -e '{}' ]; do sleep 0.02; done\necho 9.9.9\n",
        asked.display(),
        may.display()
    );
    std::fs::write(bin.join("claude"), script).unwrap();
    std::fs::set_permissions(bin.join("claude"), std::fs::Permissions::from_mode(0o755)).unwrap();
    daemon.cli().write(".profile", "PATH=\"$HOME/.local/bin:$PATH\"; export PATH\n");
    let mut daemon = daemon;
    daemon.run().await;
    let (slow, quick) = (daemon.connect().await, daemon.connect().await);
    let refreshing = tokio::spawn(async move { slow.request(Request::ListAgents { refresh: true }).await });
    eventually("it is asked", || asked.exists()).await;
    let listed = quick.request(Request::ListAgents { refresh: false }).await.unwrap();
    assert!(matches!(listed, Reply::Agents(_)));
    assert!(!may.exists() && !refreshing.is_finished(), "answered meanwhile");
    std::fs::write(&may, "").unwrap();
    let Reply::Agents(agents) = refreshing.await.unwrap().unwrap() else { panic!("no agents") };
    let claude = agents.iter().find(|agent| agent.id == "claude").unwrap();
    assert_eq!(claude.version.as_deref(), Some("9.9.9"));
}
