//! Clients that are old, broken, slow, hung or strange: each costs itself and nobody else.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use belfry_client::{ClientError, ConnectOptions, Incoming, READY_ENV, connect_or_start};
use belfry_protocol::frame::{Frame, FrameDecoder, MAX_FRAME};
use belfry_protocol::launch::Size;
use belfry_protocol::{
    ClientMessage, DaemonMessage, ErrorCode, Event, PROTOCOL, ProtocolVersion, Reply, Request, ViewId,
};
use belfry_tests::cli::Belfry;
use belfry_tests::daemon::{TestDaemon, TestView, VIEW, eventually, session};
use ntest::timeout;

fn raw(daemon: &TestDaemon) -> UnixStream {
    let stream = belfry_platform::socket::connect(&daemon.home().daemon_socket()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

fn hello(protocol: ProtocolVersion) -> Vec<u8> {
    let message = ClientMessage::Hello { protocol, client: "test".into(), version: "0".into() };
    control(&serde_json::to_value(message).unwrap())
}

fn control(value: &serde_json::Value) -> Vec<u8> {
    let mut out = Vec::new();
    Frame::Control(value.to_string().into_bytes()).encode(&mut out);
    out
}

/// The next message; none at the end of the stream.
fn next(stream: &mut UnixStream, decoder: &mut FrameDecoder) -> Option<DaemonMessage> {
    let mut piece = [0; 4096];
    loop {
        if let Some(Frame::Control(json)) = decoder.next_frame().unwrap() {
            return Some(serde_json::from_slice(&json).unwrap());
        }
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => return None,
            Ok(n) => decoder.push(&piece[..n]),
        }
    }
}

#[tokio::test]
#[timeout(60000)]
async fn another_version_is_told_so() {
    let daemon = TestDaemon::start().await;
    let mut stream = raw(&daemon);
    stream.write_all(&hello(ProtocolVersion { major: PROTOCOL.major + 1, minor: 0 })).unwrap();
    let mut decoder = FrameDecoder::default();
    match next(&mut stream, &mut decoder) {
        Some(DaemonMessage::Refused { error, protocol }) => {
            assert_eq!((error.code, protocol), (ErrorCode::Version, PROTOCOL));
            assert!(error.next.is_some());
        }
        other => panic!("not refused: {other:?}"),
    }
    assert_eq!(next(&mut stream, &mut decoder), None, "and then it is over");
    // A newer minor is welcome.
    let mut stream = raw(&daemon);
    stream.write_all(&hello(ProtocolVersion { major: PROTOCOL.major, minor: PROTOCOL.minor + 9 })).unwrap();
    assert!(matches!(next(&mut stream, &mut FrameDecoder::default()), Some(DaemonMessage::Welcome { .. })));
}

#[tokio::test]
#[timeout(60000)]
async fn garbage_ends_its_own_connection_alone() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["cat"]).await;
    let mut view = TestView::open(&daemon, started.id).await;
    let oversized = ((MAX_FRAME + 1) as u32).to_le_bytes();
    let unknown = [2, 0, 0, 0, 99, 0];
    let short = [2, 0, 0, 0, 2, 0];
    let to_client = {
        let mut out = Vec::new();
        Frame::Blob { stream: belfry_protocol::StreamId(1), bytes: vec![1] }.encode(&mut out);
        out
    };
    for bytes in [&b"GET / HTTP/1.1\r\n\r\n"[..], &oversized, &unknown, &short, &to_client, &[0; 64]] {
        for greeted in [false, true] {
            let mut stream = raw(&daemon);
            let mut decoder = FrameDecoder::default();
            if greeted {
                stream.write_all(&hello(PROTOCOL)).unwrap();
                assert!(matches!(next(&mut stream, &mut decoder), Some(DaemonMessage::Welcome { .. })));
            }
            stream.write_all(bytes).unwrap();
            match next(&mut stream, &mut decoder) {
                Some(DaemonMessage::Refused { error, .. }) => assert_eq!(error.code, ErrorCode::BadRequest),
                other => panic!("{bytes:?} is not refused: {other:?}"),
            }
            assert_eq!(next(&mut stream, &mut decoder), None);
        }
    }
    view.input(b"still here\r").await;
    view.until("the echo", |view| view.text().contains("still here")).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_request_that_is_not_known_is_answered_and_the_connection_goes_on() {
    let daemon = TestDaemon::start().await;
    let mut stream = raw(&daemon);
    let mut decoder = FrameDecoder::default();
    stream.write_all(&hello(PROTOCOL)).unwrap();
    next(&mut stream, &mut decoder).unwrap();
    let unknown = serde_json::json!({"type": "request", "id": 5, "request": {"method": "fly_to_the_moon", "params": {}}});
    let ping = serde_json::json!({"type": "request", "id": 6, "request": {"method": "ping"}, "new": "field"});
    stream.write_all(&control(&unknown)).unwrap();
    stream.write_all(&control(&ping)).unwrap();
    match next(&mut stream, &mut decoder) {
        Some(DaemonMessage::Failed { id: 5, error }) => assert_eq!(error.code, ErrorCode::BadRequest),
        other => panic!("{other:?}"),
    }
    assert!(matches!(next(&mut stream, &mut decoder), Some(DaemonMessage::Reply { id: 6, .. })));
}

#[tokio::test]
#[timeout(60000)]
async fn a_half_closed_or_vanished_client_is_let_go() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["cat"]).await;
    let views = || async { daemon.show(started.id).await.views };
    let mut stream = raw(&daemon);
    stream.write_all(&hello(PROTOCOL)).unwrap();
    let open = serde_json::json!({"type": "request", "id": 1, "request": {"method": "open_view", "params": {
        "session": started.id, "view": 1, "size": {"cols": 80, "rows": 24}, "credit": 100_000}}});
    stream.write_all(&control(&open)).unwrap();
    daemon.until(started.id, "the view is there", |session| session.views == 1).await;
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    daemon.until(started.id, "the view is gone", |session| session.views == 0).await;
    assert_eq!(views().await, 0);
    // What was answered before arrives, and then the end.
    let mut decoder = FrameDecoder::default();
    assert!(matches!(next(&mut stream, &mut decoder), Some(DaemonMessage::Welcome { .. })));
    while next(&mut stream, &mut decoder).is_some() {}
}

#[tokio::test]
#[timeout(120000)]
async fn a_view_that_is_never_read_slows_nobody() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "read -r x; seq 1 2000000; echo the end; exec cat"]).await;
    // It grants everything and reads nothing.
    let mut hung = raw(&daemon);
    hung.write_all(&hello(PROTOCOL)).unwrap();
    let open = serde_json::json!({"type": "request", "id": 1, "request": {"method": "open_view", "params": {
        "session": started.id, "view": 1, "size": {"cols": 80, "rows": 24}, "credit": u32::MAX}}});
    hung.write_all(&control(&open)).unwrap();
    let subscribe = serde_json::json!({"type": "request", "id": 2, "request": {"method": "subscribe"}});
    hung.write_all(&control(&subscribe)).unwrap();
    // Another has no credit at all.
    let idle = TestView::open_with(&daemon, started.id, Size { cols: 80, rows: 24 }, false, 0).await;
    let mut view = TestView::open(&daemon, started.id).await;
    view.input(b"\r").await;
    view.until("the end, 15 MB later", |view| view.text().contains("the end")).await;
    let memory = memory(daemon.pid());
    assert!(memory < 200 << 20, "{} MB for one session and a hung client", memory >> 20);
    assert_eq!(idle.bytes, 0, "without credit nothing is sent");
    drop((idle, hung));
}

/// Resident bytes of a process.
fn memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[tokio::test]
#[timeout(120000)]
async fn a_flood_takes_its_share_and_no_more() {
    let daemon = TestDaemon::start().await;
    let mut floods = Vec::new();
    for _ in 0..3 {
        floods.push(daemon.shell(&["yes", "a flood of lines"]).await);
    }
    let quiet = daemon.shell(&["cat"]).await;
    let mut watching = TestView::open(&daemon, floods[0].id).await;
    let mut view = TestView::open(&daemon, quiet.id).await;
    for round in 0..20 {
        let word = format!("word-{round}");
        view.input(format!("{word}\r").as_bytes()).await;
        view.until("the echo beside the floods", |view| view.text().contains(&word)).await;
        watching.take().await;
    }
    // The floods went on meanwhile, and the one that is watched is shown.
    let offset = watching.offset;
    watching.until("more of the flood", |view| view.offset > offset + 1_000_000).await;
    // It takes nothing until the flood is further than it has credit for, however slow the machine makes the flood.
    let (offset, snapshots) = (watching.offset, watching.snapshots);
    while daemon.screen(floods[0].id, false, 0).await.offset < offset + 4_000_000 {}
    watching
        .until("a snapshot in place of what was skipped", |view| {
            view.snapshots > snapshots && view.offset > offset + 4_000_000
        })
        .await;
}

#[tokio::test]
#[timeout(60000)]
async fn scrollback_is_fetched_whole_and_a_held_view_is_left_alone() {
    let daemon = TestDaemon::start().await;
    let started =
        daemon.shell(&["sh", "-c", "seq 1 5000; echo ready; read -r x; seq 1 200000; echo end; cat"]).await;
    daemon.until_screen(started.id, "ready").await;
    let mut view = TestView::open(&daemon, started.id).await;
    view.until("the screen", |view| view.text().contains("ready")).await;
    let rows = view.terminal().scrollback_rows();
    assert!((400..=600).contains(&rows), "{rows} rows with the first snapshot");
    view.done(Request::FetchScrollback { view: VIEW }).await;
    view.until("all of it", |view| view.full_snapshots == 1).await;
    assert!(view.terminal().scrollback_rows() > 4900);
    view.done(Request::HoldView { view: VIEW, held: true }).await;
    let snapshots = view.snapshots;
    view.grants = false;
    let typed = TestView::open(&daemon, started.id).await;
    typed.input(b"\r").await;
    daemon.until_screen(started.id, "end").await;
    assert_eq!(view.snapshots, snapshots);
    view.done(Request::HoldView { view: VIEW, held: false }).await;
    view.grants = true;
    view.connection.requests().credit(VIEW, 1 << 20).await.unwrap();
    view.until("up to date", |view| view.text().contains("end")).await;
    assert!(view.snapshots > snapshots);
}

#[tokio::test]
#[timeout(60000)]
async fn two_daemons_and_a_stale_socket() {
    let mut daemon = TestDaemon::start().await;
    let second = daemon.cli().run(&["daemon", "run", "--json"]);
    assert_eq!((second.code, second.error_code().as_str()), (1, "already_running"));
    // Killed, it leaves its socket: whoever comes next takes its place.
    daemon.kill();
    assert!(daemon.home().daemon_socket().exists());
    daemon.run().await;
    daemon.kill();
    // Ten clients want a daemon at once, and get the same one.
    let options = ConnectOptions { program: Some(Belfry::program("belfry")), ..ConnectOptions::new("test") };
    let mut asking = Vec::new();
    for _ in 0..10 {
        let (home, options) = (daemon.home().clone(), options.clone());
        asking.push(tokio::spawn(async move { connect_or_start(&home, &options).await }));
    }
    let mut pids = Vec::new();
    let mut connections = Vec::new();
    for one in asking {
        let connection = one.await.unwrap().expect("a daemon");
        pids.push(connection.welcome().pid);
        connections.push(connection);
    }
    pids.dedup();
    assert_eq!(pids.len(), 1);
    // It leads a process session of its own and keeps nothing of ours.
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pids[0])).unwrap();
    let sid = stat.rsplit(')').next().unwrap().split_whitespace().nth(3).unwrap().to_owned();
    assert_eq!(sid, pids[0].to_string());
    assert!(READY_ENV.starts_with("BELFRY_"));
    let stdout = std::fs::read_link(format!("/proc/{}/fd/1", pids[0])).unwrap();
    assert_eq!(stdout, std::path::Path::new("/dev/null"));
    connections[0].request(Request::StopDaemon).await.unwrap();
}

#[tokio::test]
#[timeout(60000)]
async fn without_a_daemon_it_is_said() {
    let daemon = TestDaemon::stopped();
    let error = belfry_client::connect(daemon.home(), &ConnectOptions::new("test")).await.unwrap_err();
    assert!(matches!(error, ClientError::NoDaemon), "{error}");
    let options = ConnectOptions { program: Some("/bin/false".into()), ..ConnectOptions::new("test") };
    let error = connect_or_start(daemon.home(), &options).await.unwrap_err();
    assert!(matches!(error, ClientError::Start(_)), "{error}");
}

#[tokio::test]
#[timeout(60000)]
async fn hostile_titles_and_names_arrive_clean_and_the_clipboard_is_for_who_types() {
    let daemon = TestDaemon::start().await;
    let script = "printf '\\033]2;a\\033[31mb\\001c\\007ready'; \
                  while read -r x; do printf '\\033]52;c;aGVsbG8=\\007wrote'; done";
    let started = daemon.shell(&["sh", "-c", script]).await;
    let mut view = TestView::open_with(&daemon, started.id, Size { cols: 80, rows: 24 }, true, 1 << 20).await;
    let mut other = TestView::open(&daemon, started.id).await;
    view.until("ready", |view| view.text().contains("ready")).await;
    let titled = daemon.until(started.id, "a title", |session| session.title.is_some()).await;
    let title = titled.title.unwrap();
    assert!(!title.contains(char::is_control), "{title:?}");
    view.input(b"\r").await;
    view.until("the clipboard", |view| {
        view.events.iter().any(|event| matches!(event, Event::ClipboardWrite { text, .. } if text == "hello"))
    })
    .await;
    other.until("it is written", |view| view.text().contains("wrote")).await;
    assert!(!other.events.iter().any(|event| matches!(event, Event::ClipboardWrite { .. })));
    let connection = daemon.connect().await;
    let rename = |length| Request::RenameSession {
        session: started.id.to_string(),
        name: format!("a\u{1b}[2Jb{}", "x".repeat(length)),
    };
    let renamed = session(connection.request(rename(100)).await.unwrap());
    assert!(!renamed.name.contains(char::is_control) && renamed.name.ends_with('x'), "{:?}", renamed.name);
    let refused = connection.request(rename(500)).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::BadRequest), "never cut without a word");
}

#[tokio::test]
#[timeout(60000)]
async fn a_subscriber_sees_every_change_in_order() {
    let daemon = TestDaemon::start().await;
    let mut connection = daemon.connect().await;
    let Reply::Overview { sessions, .. } = connection.request(Request::Subscribe).await.unwrap() else {
        panic!("no overview")
    };
    assert!(sessions.is_empty());
    let started = daemon.shell(&["cat"]).await;
    let asking = daemon.connect().await;
    for name in ["one", "two", "three"] {
        let rename = Request::RenameSession { session: started.id.to_string(), name: name.into() };
        asking.request(rename).await.unwrap();
    }
    let request = Request::RemoveSession { session: started.id.to_string(), now: true, kill: true };
    asking.request(request).await.unwrap();
    let mut names = Vec::new();
    loop {
        let Some(Incoming::Event(event)) = connection.next().await else { panic!("the connection holds") };
        match *event {
            Event::Session { session } => names.push(session.name),
            Event::SessionRemoved { id } if id == started.id => break,
            _ => {}
        }
    }
    names.dedup();
    assert_eq!(names[names.len() - 3..], ["one", "two", "three"]);
}

#[tokio::test]
#[timeout(60000)]
async fn views_have_limits_and_their_own_names() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["cat"]).await;
    let connection = daemon.connect().await;
    let open = |view| Request::OpenView {
        session: started.id.to_string(),
        view: ViewId(view),
        size: Size { cols: 80, rows: 24 },
        focus: false,
        credit: 0,
    };
    connection.request(open(1)).await.unwrap();
    assert_eq!(connection.request(open(1)).await.unwrap_err().code(), Some(ErrorCode::TooMuch));
    for view in 2..=64 {
        connection.request(open(view)).await.unwrap();
    }
    assert_eq!(connection.request(open(65)).await.unwrap_err().code(), Some(ErrorCode::TooMuch));
    connection.request(Request::CloseView { view: ViewId(7) }).await.unwrap();
    let unknown = connection.request(Request::CloseView { view: ViewId(7) }).await.unwrap_err();
    assert_eq!(unknown.code(), Some(ErrorCode::NotFound));
    connection.request(open(7)).await.unwrap();
    drop(connection);
    let pid = daemon.pid();
    daemon.until(started.id, "no views", |session| session.views == 0).await;
    eventually("the daemon is well", || belfry_tests::daemon::lives(pid)).await;
}
