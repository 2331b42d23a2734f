//! A daemon that says what a test wants it to: for what a real one cannot be made to say.

use std::io::{Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex};

use belfry_protocol::ask::{Ask, AskDetail, AskKind, Choice, Risk};
use belfry_protocol::frame::{Frame, FrameDecoder};
use belfry_protocol::{
    AskId, ClientMessage, DaemonMessage, Event, PROTOCOL, Reply, Request, Session, Status, WireError,
};
use jiff::Timestamp;

use super::Belfry;

/// What a request is answered with.
pub type Outcome = Result<Reply, WireError>;

/// The daemon of one home.
#[derive(Debug)]
pub struct FakeDaemon {
    seen: Arc<Mutex<Vec<Request>>>,
    streams: Arc<Mutex<Vec<UnixStream>>>,
}

impl FakeDaemon {
    /// Listens in that home, and answers with what `answer` makes of each request.
    pub fn start(belfry: &Belfry, answer: impl Fn(&Request) -> Outcome + Send + Sync + 'static) -> Self {
        let run = belfry.belfry_home().join("run");
        std::fs::DirBuilder::new().mode(0o700).recursive(true).create(&run).expect("a directory");
        let listener = UnixListener::bind(run.join("daemon.sock")).expect("listen");
        let (seen, streams) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
        let fake = Self { seen: Arc::clone(&seen), streams: Arc::clone(&streams) };
        let answer = Arc::new(answer);
        // All of them end with the test.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                streams.lock().expect("streams").push(stream.try_clone().expect("a stream"));
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &seen, &*answer));
            }
        });
        fake
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<Request> {
        self.seen.lock().expect("what was seen").clone()
    }

    /// Tells every client of something.
    pub fn tell(&self, event: &Event) {
        let message = DaemonMessage::Event { event: Box::new(event.clone()) };
        for stream in self.streams.lock().expect("streams").iter_mut() {
            // It may be gone.
            let _ = send(stream, &message);
        }
    }
}

fn serve(mut stream: UnixStream, seen: &Mutex<Vec<Request>>, answer: &dyn Fn(&Request) -> Outcome) {
    let mut decoder = FrameDecoder::default();
    let mut piece = vec![0; 65536];
    while let Ok(count @ 1..) = stream.read(&mut piece) {
        decoder.push(&piece[..count]);
        while let Ok(Some(frame)) = decoder.next_frame() {
            let Frame::Control(json) = frame else { continue };
            let message = match serde_json::from_slice(&json).expect("a message") {
                ClientMessage::Hello { .. } => DaemonMessage::Welcome {
                    protocol: PROTOCOL,
                    version: env!("CARGO_PKG_VERSION").to_owned(),
                    pid: std::process::id(),
                    home: "/home/someone".to_owned(),
                },
                ClientMessage::Request { id, request } => {
                    seen.lock().expect("what was seen").push(request.clone());
                    match answer(&request) {
                        Ok(reply) => DaemonMessage::Reply { id, reply: Box::new(reply) },
                        Err(error) => DaemonMessage::Failed { id, error },
                    }
                }
            };
            if send(&mut stream, &message).is_err() {
                return;
            }
        }
    }
}

fn send(stream: &mut UnixStream, message: &DaemonMessage) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    Frame::Control(serde_json::to_vec(message)?).encode(&mut bytes);
    stream.write_all(&bytes)
}

/// A session of an agent, three minutes in a status.
pub fn session(name: &str, status: Status) -> Session {
    let now = Timestamp::now();
    let since = now - jiff::SignedDuration::from_mins(3);
    let session = serde_json::json!({
        "id": "018bcfe5-6800-7000-8000-000000000001", "name": name, "agent": "claude", "kind": "managed", "status": status,
        "reason": null, "activity": null, "source": "screen", "since": since, "unseen": false, "ask": null,
        "cwd": "/home/someone/src/shop", "project": null, "group": null, "position": 1.0, "branch": null,
        "workspace": "directory", "conversation_id": null, "started_by": null, "views": 0, "pid": 1, "exit": null,
        "cols": 80, "rows": 24, "title": null, "command": ["claude"], "model": null, "env_names": [],
        "private": false, "runs": [], "queued": 0, "notice": null, "created_at": since, "last_activity_at": now,
        "last_seen_at": null, "archived_at": null, "trashed_at": null,
    });
    serde_json::from_value(session).expect("a session")
}

/// A session that asks whether it may run `cargo test`.
pub fn asking(name: &str) -> Session {
    let choice = |key: &str, label: &str, refuses| Choice {
        key: key.to_owned(),
        label: label.to_owned(),
        description: None,
        risk: Risk::Low,
        refuses,
        takes_text: refuses,
        ticked: None,
    };
    let ask = Ask {
        id: AskId::at(1),
        kind: AskKind::Approval,
        approves: None,
        text: "Do you want to proceed?".to_owned(),
        choices: vec![choice("1", "Yes", false), choice("2", "No, and tell it what to do", true)],
        takes_text: true,
        detail: AskDetail { command: Some("cargo test".to_owned()), ..AskDetail::default() },
        risk: Risk::Low,
        risk_reason: None,
        fingerprint: "f1".to_owned(),
        answerable: true,
        obstacle: None,
        opened_at: Timestamp::now(),
    };
    Session { ask: Some(Box::new(ask)), ..session(name, Status::Waiting) }
}
