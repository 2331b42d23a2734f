//! Twenty sessions print numbered lines while the daemon and its clients are killed again and again. Afterwards no line is
//! lost or doubled, every screen is what a reference terminal makes of the journal, and every program lives.
//!
//! `BELFRY_SOAK_MINUTES` makes it go on for so long instead of 200 kills.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::ops::ControlFlow;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use belfry_journal::{Reader, What};
use belfry_protocol::frame::Frame;
use belfry_protocol::launch::Size;
use belfry_protocol::{ClientMessage, PROTOCOL, Request, Session, Status, ViewId};
use belfry_terminal::{Options, Scope, Terminal};
use belfry_tests::cli::{Browser, Outer};
use belfry_tests::daemon::{TestDaemon, TestView, eventually, kill, lives};
use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;

const SESSIONS: usize = 20;
const KILLS: u32 = 200;

/// Bursts of numbered lines, some of them longer than the screen is wide, until a file appears.
const SCRIPT: &str = "i=0; while [ ! -e stop ]; do j=0; while [ $j -lt 100 ]; do i=$((i+1)); j=$((j+1)); \
    echo \"line $i of a session that goes on whatever is killed \
    \x1b[3$((i % 8))mwith a tail that is longer than the screen is wide\x1b[0m\"; done; sleep 0.1; done; \
    echo \"finished $i\"; read -r x";

/// Marsaglia's xorshift64: reproducible, and no dependency.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

fn seed() -> u64 {
    let given = std::env::var("BELFRY_SEED").ok().and_then(|seed| seed.parse().ok());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    given.unwrap_or(now.as_nanos() as u64) | 1
}

/// A client in a process of its own, which can be killed.
fn client(daemon: &TestDaemon, arguments: &[&str]) -> Child {
    let mut command = daemon.cli().command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("start a client")
}

/// What a page says: hello, and that it wants to see a session.
fn page(session: &str, credit: u32) -> Vec<u8> {
    let hello =
        ClientMessage::Hello { protocol: PROTOCOL, client: "browser".to_owned(), version: "test".to_owned() };
    let (view, size) = (ViewId(1), Size { cols: 80, rows: 24 });
    let request = Request::OpenView { session: session.to_owned(), view, size, focus: false, credit };
    let mut bytes = Vec::new();
    for message in [hello, ClientMessage::Request { id: 1, request }] {
        Frame::Control(serde_json::to_vec(&message).unwrap()).encode(&mut bytes);
    }
    bytes
}

#[test]
fn nothing_is_lost_whatever_is_killed() {
    let minutes: Option<u64> =
        std::env::var("BELFRY_SOAK_MINUTES").ok().and_then(|minutes| minutes.parse().ok());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    // Its own timeout, since a soak takes as long as it is told.
    let limit = Duration::from_secs(minutes.map_or(0, |minutes| minutes * 60) + 300);
    runtime.block_on(async {
        tokio::time::timeout(limit, kill_loop(minutes)).await.expect("it ends in time");
    });
}

async fn kill_loop(minutes: Option<u64>) {
    let seed = seed();
    println!("BELFRY_SEED={seed}");
    let mut random = Random(seed);
    let mut daemon = TestDaemon::start().await;
    let mut sessions = Vec::new();
    for _ in 0..SESSIONS {
        sessions.push(daemon.shell(&["sh", "-c", SCRIPT]).await);
    }
    let until = minutes.map(|minutes| Instant::now() + Duration::from_secs(minutes * 60));
    let mut clients: Vec<Child> = Vec::new();
    let mut kills = 0;
    let (mut daemons, mut processes, mut views) = (0, 0, 0);
    let (mut attached, mut bridges) = (0, 0);
    while until.map_or(kills < KILLS, |until| Instant::now() < until) {
        let victim = &sessions[random.below(SESSIONS as u64) as usize];
        let id = victim.id.to_string();
        match random.below(10) {
            // The daemon, sometimes at once after its start.
            0..5 => {
                tokio::time::sleep(Duration::from_millis(random.below(120))).await;
                daemon.kill();
                daemons += 1;
                daemon.run().await;
            }
            // A bridge that carries a page's view.
            5 if random.below(2) == 0 => {
                let browser = Browser::start(daemon.cli());
                let mut socket = browser.socket().await.unwrap();
                socket.send(Message::binary(page(&id, 1 << random.below(20)))).await.unwrap();
                let some = async { while socket.next().await.is_some() {} };
                let _ = tokio::time::timeout(Duration::from_millis(random.below(60)), some).await;
                drop(browser);
                bridges += 1;
            }
            // A person's terminal that shows a session, with all that is in it.
            5 => {
                let mut outer = Outer::run(daemon.cli(), 80, 24, &["attach", &id], &[]);
                tokio::time::sleep(Duration::from_millis(random.below(120))).await;
                kill(u32::try_from(outer.pid()).unwrap());
                outer.ended();
                attached += 1;
            }
            // A client's process: one that watches everything, or one that is about a session.
            6..8 => {
                let arguments: &[&str] = if random.below(2) == 0 {
                    &["events", "--json"]
                } else {
                    &["wait", &id, "--until", "dead", "--timeout", "30"]
                };
                clients.push(client(&daemon, arguments));
                tokio::time::sleep(Duration::from_millis(random.below(60))).await;
                let mut client = clients.swap_remove(random.below(clients.len() as u64) as usize);
                let _ = client.kill();
                let _ = client.wait();
                processes += 1;
            }
            // A view, with the connection it is on, in the middle of what it is sent.
            _ => {
                let size = Size { cols: 80, rows: 24 };
                let credit = 1 << random.below(20);
                let mut view = TestView::open_with(&daemon, victim.id, size, false, credit).await;
                view.grants = random.below(2) == 0;
                let some = async {
                    for _ in 0..random.below(8) {
                        view.take().await;
                    }
                };
                let _ = tokio::time::timeout(Duration::from_millis(50), some).await;
                drop(view);
                views += 1;
            }
        }
        kills += 1;
    }
    println!(
        "{kills} kills: {daemons} daemons, {processes} processes of clients, {views} views, {attached} terminals, \
         {bridges} bridges"
    );
    for mut client in clients {
        let _ = client.kill();
        let _ = client.wait();
    }
    std::fs::write(daemon.person().join("stop"), "").unwrap();
    for session in &sessions {
        assert!(lives(session.pid.unwrap()), "every program lives");
        check(&daemon, session).await;
    }
    daemon.stop().await;
    let store = belfry_store::Store::open(&daemon.home().database(), jiff::Timestamp::now()).unwrap();
    assert_eq!(store.store.integrity_check().unwrap(), Vec::<String>::new());
    for session in &sessions {
        kill(session.runs[0].keeper_pid.unwrap());
    }
    eventually("all is gone", || sessions.iter().all(|session| !lives(session.pid.unwrap()))).await;
}

/// The journal is whole, and the daemon's screen, and a fresh view's, are what a terminal makes of it.
async fn check(daemon: &TestDaemon, session: &Session) {
    daemon.until_screen(session.id, "finished").await;
    let journal = daemon.home().run(session.id, session.runs[0].id).journal();
    let mut reader = Reader::open(&journal).unwrap();
    let mut output = Vec::new();
    let mut reference = Terminal::new(belfry_terminal::Size::new(80, 24), Options::default());
    reader
        .for_each(|entry| {
            match entry.what {
                What::Output(bytes) => {
                    assert_eq!(entry.offset, output.len() as u64, "no hole and no overlap");
                    output.extend_from_slice(bytes);
                    reference.feed(bytes, entry.offset);
                }
                What::Resize { cols, rows } => reference.resize(belfry_terminal::Size::new(cols, rows)),
                What::Gap(gap) => panic!("a gap: {gap:?}"),
                What::Input { .. } | What::Exit(_) => {}
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    let text = String::from_utf8(output).unwrap();
    let mut expected = 0u64;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("line ") {
            expected += 1;
            assert_eq!(
                rest.split(' ').next().unwrap().parse::<u64>().unwrap(),
                expected,
                "in order, each once"
            );
        }
    }
    assert!(text.ends_with(&format!("finished {expected}\r\n")), "and all of them");
    let scope = Scope::Recent(500);
    let screen = daemon.screen(session.id, false, 500).await;
    assert_eq!((screen.size.cols, screen.size.rows), (80, 24));
    assert_eq!(screen.offset, reference.offset());
    same(&screen.text, &reference.text(scope).join("\n"), "the daemon's screen");
    let colours = daemon.screen(session.id, true, 0).await.text;
    let ansi = String::from_utf8(reference.ansi(Scope::Screen)).unwrap().replace("\r\n", "\n");
    same(&colours, &ansi, "the daemon's screen in colour");
    let mut view = TestView::open(daemon, session.id).await;
    view.until("the view's screen", |view| view.text().contains("finished")).await;
    same(&view.terminal().text(scope).join("\n"), &reference.text(scope).join("\n"), "a view's screen");
    let shown = daemon.show(session.id).await;
    assert_eq!((shown.pid, shown.status == Status::Dead), (session.pid, false));
}

/// Says where two screens differ, instead of printing both.
#[track_caller]
fn same(one: &str, other: &str, what: &str) {
    let (one, other): (Vec<_>, Vec<_>) = (one.lines().collect(), other.lines().collect());
    for (row, (one, other)) in one.iter().zip(&other).enumerate() {
        assert_eq!(one, other, "{what}, row {row}");
    }
    assert_eq!(one.len(), other.len(), "{what}: rows");
}

#[tokio::test]
#[ntest::timeout(180_000)]
async fn sessions_that_come_and_go_leave_nothing_behind() {
    let daemon = TestDaemon::start().await;
    let descriptors = |pid: u32| std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count();
    let warm = daemon.shell(&["true"]).await;
    daemon.until(warm.id, "dead", |session| session.status == Status::Dead).await;
    let before = descriptors(daemon.pid());
    let mut keepers = Vec::new();
    for batch in 0..10 {
        let mut started = Vec::new();
        for _ in 0..20 {
            started.push(daemon.shell(&["sh", "-c", "echo $$; exit 5"]).await);
        }
        for session in &started {
            let dead = daemon.until(session.id, "dead", |session| session.status == Status::Dead).await;
            assert_eq!(dead.reason.as_deref(), Some("exit 5"), "batch {batch}");
            keepers.extend(session.runs[0].keeper_pid);
        }
    }
    eventually("all keepers are gone", || keepers.iter().all(|pid| !lives(*pid))).await;
    let pid = daemon.pid();
    eventually("no descriptor is left", || descriptors(pid) <= before + 2).await;
    let sockets = daemon.home().keepers_dir();
    eventually("no socket is left", || std::fs::read_dir(&sockets).unwrap().count() == 0).await;
}
