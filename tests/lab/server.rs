//! The model server.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use belfry_platform::clock;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::anthropic::Messages;
use super::chat::Chat;
use super::gemini::Generate;
use super::responses::Responses;
use super::script::{Memory, Step, answer};
use super::turn::{Asker, Turn};
use super::wire::{Piece, Voice, Wire, words};
use super::{anthropic, chat, gemini, responses};

/// Requests that are remembered.
const REMEMBERED: usize = 200;

/// A running model server; it ends when this is dropped.
#[derive(Debug)]
pub struct Lab {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

/// A request that came.
#[derive(Clone, Debug)]
pub struct Seen {
    /// In whose dialect.
    pub asker: Asker,
    /// What the person said last.
    pub prompt: String,
    /// It was the agent's own question, not the person's turn.
    pub side: bool,
    /// All of the request's body.
    pub body: Arc<Value>,
    /// When it came, in microseconds of the machine's monotonic clock.
    pub at: u64,
    /// The end of its answer, once all of it was handed over.
    pub sent: Option<Sent>,
    /// Its place among all requests.
    pub number: u64,
}

/// The end of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When, as in [`Seen::at`].
    pub at: u64,
    /// What it ended with.
    pub ends: Ends,
}

/// What an answer ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Text: the model has no more to say.
    Text,
    /// A call of a tool, whose result the model waits for.
    Call,
    /// It was refused.
    Refusal,
    /// The connection was cut.
    Cut,
    /// The agent went away before it was over.
    Gone,
}

impl Ends {
    fn of(steps: &[Step]) -> Self {
        match steps.last() {
            Some(Step::Call(_)) => Self::Call,
            Some(Step::Refuse(..)) => Self::Refusal,
            Some(Step::Cut) => Self::Cut,
            _ => Self::Text,
        }
    }
}

#[derive(Debug, Default)]
struct Shared {
    seen: Mutex<Vec<Seen>>,
    requests: AtomicU64,
    memory: Mutex<Memory>,
    print: bool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lab {
    /// Serves on a loopback port, any free one where it is 0; within a Tokio runtime. With `print`, a line for each request
    /// goes to the standard error.
    pub async fn start(port: u16, print: bool) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { print, ..Shared::default() });
        let router = Router::new()
            .fallback(respond)
            .layer(DefaultBodyLimit::max(64 << 20))
            .with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                eprintln!("the model server failed: {error}");
            }
        });
        Ok(Self { address, shared, task })
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The requests that came, oldest first.
    pub fn seen(&self) -> Vec<Seen> {
        locked(&self.shared.seen).clone()
    }

    /// Whether an agent has asked something with that text anywhere in the request.
    pub fn saw(&self, text: &str) -> bool {
        locked(&self.shared.seen).iter().any(|seen| seen.body.to_string().contains(text))
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn respond(State(shared): State<Arc<Shared>>, uri: Uri, body: Bytes) -> Response {
    let path = uri.path();
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    if path.ends_with("/models") {
        let model = json!({ "id": "mock-model", "object": "model", "created": 1, "owned_by": "mock" });
        return whole(StatusCode::OK, &json!({ "object": "list", "data": [model], "models": [] }));
    }
    if path.ends_with("/count_tokens") {
        return whole(StatusCode::OK, &json!({ "input_tokens": 100 }));
    }
    if path.ends_with(":countTokens") {
        return whole(StatusCode::OK, &json!({ "totalTokens": 100 }));
    }
    let streams = body["stream"] == true;
    let (turn, wire, streams): (Turn, Box<dyn Wire>, bool) = if path.ends_with("/v1/messages") {
        (anthropic::turn(&body), Box::new(Messages::new(&body)), streams)
    } else if path.ends_with("/responses") {
        (responses::turn(&body), Box::new(Responses::new()), streams)
    } else if path.ends_with("/chat/completions") {
        (chat::turn(&body), Box::new(Chat::new(&body)), streams)
    } else if path.ends_with("GenerateContent") || path.ends_with("generateContent") {
        (gemini::turn(&body), Box::new(Generate::new()), path.contains("stream"))
    } else {
        return whole(StatusCode::NOT_FOUND, &json!({}));
    };
    let steps = answer(&turn, &mut locked(&shared.memory));
    if shared.print {
        let side = if turn.side.is_some() { " (aside)" } else { "" };
        eprintln!("{:?}{side}: {:?}", turn.asker, turn.prompt.chars().take(80).collect::<String>());
    }
    let number = remember(&shared, &turn, body);
    perform(steps, wire, streams, Log { shared, number })
}

/// Where the end of an answer is noted.
struct Log {
    shared: Arc<Shared>,
    number: u64,
}

impl Log {
    fn sent(&self, ends: Ends) {
        let mut all = locked(&self.shared.seen);
        if let Some(seen) = all.iter_mut().rfind(|seen| seen.number == self.number) {
            seen.sent = Some(Sent { at: clock::monotonic(), ends });
        }
    }
}

/// The request's number.
fn remember(shared: &Shared, turn: &Turn, body: Value) -> u64 {
    let number = shared.requests.fetch_add(1, Ordering::Relaxed);
    let seen = Seen {
        asker: turn.asker,
        prompt: turn.prompt.clone(),
        side: turn.side.is_some(),
        body: Arc::new(body),
        at: clock::monotonic(),
        sent: None,
        number,
    };
    let mut all = locked(&shared.seen);
    if all.len() == REMEMBERED {
        all.remove(0);
    }
    all.push(seen);
    number
}

fn perform(steps: Vec<Step>, mut wire: Box<dyn Wire>, streams: bool, log: Log) -> Response {
    let ends = Ends::of(&steps);
    if let Some(Step::Refuse(status, message)) = steps.first() {
        let body = wire.refusal(*status, message);
        log.sent(ends);
        return whole(StatusCode::from_u16(*status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), &body);
    }
    if !streams {
        log.sent(ends);
        return whole(StatusCode::OK, &wire.whole(&steps));
    }
    let (send, receive) = mpsc::channel(16);
    tokio::spawn(async move {
        // An error means that the agent has gone away, as it does when it is interrupted.
        let whole = stream(&steps, wire, &send).await.is_ok();
        log.sent(if whole { ends } else { Ends::Gone });
    });
    let pieces = futures_util::stream::unfold(receive, |mut receive| async {
        receive.recv().await.map(|piece: io::Result<String>| (piece, receive))
    });
    let kind = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    (kind, Body::from_stream(pieces)).into_response()
}

type Gone = mpsc::error::SendError<io::Result<String>>;

async fn stream(
    steps: &[Step],
    mut wire: Box<dyn Wire>,
    to: &mpsc::Sender<io::Result<String>>,
) -> Result<(), Gone> {
    to.send(Ok(wire.piece(Piece::Begin))).await?;
    for step in steps {
        match step {
            Step::Say(text, pause) => speak(Voice::Aloud, text, *pause, wire.as_mut(), to).await?,
            Step::Think(text, pause) => speak(Voice::Inward, text, *pause, wire.as_mut(), to).await?,
            Step::Call(call) => to.send(Ok(wire.piece(Piece::Call(call)))).await?,
            Step::Wait(time) => tokio::time::sleep(*time).await,
            Step::Cut => return to.send(Err(io::ErrorKind::ConnectionReset.into())).await,
            Step::Refuse(..) => {}
        }
    }
    to.send(Ok(wire.piece(Piece::End))).await
}

async fn speak(
    voice: Voice,
    text: &str,
    pause: Duration,
    wire: &mut dyn Wire,
    to: &mpsc::Sender<io::Result<String>>,
) -> Result<(), Gone> {
    to.send(Ok(wire.piece(Piece::Open(voice)))).await?;
    for word in words(text) {
        to.send(Ok(wire.piece(Piece::More(voice, word)))).await?;
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }
    to.send(Ok(wire.piece(Piece::Close(voice, text)))).await
}

fn whole(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}
