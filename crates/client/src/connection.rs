//! A connection after its handshake: requests, and what arrives.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use belfry_protocol::frame::{Frame, FrameDecoder, MAX_FRAME, MAX_PIECE};
use belfry_protocol::{ClientMessage, DaemonMessage, ErrorCode, Reply, Request, ViewId, WireError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot};

use crate::{ClientError, Incoming, IncomingStream, Welcome};

/// Arrivals that may wait to be read.
const MOST_WAITING: usize = 4096;

type Answer = Result<Reply, ClientError>;

#[derive(Default)]
struct Pending {
    closed: bool,
    waiting: HashMap<u64, oneshot::Sender<Answer>>,
}

struct Shared {
    pending: Mutex<Pending>,
    next: AtomicU64,
}

impl Shared {
    fn pending(&self) -> std::sync::MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        let mut pending = self.pending();
        pending.closed = true;
        pending.waiting.clear();
    }
}

/// The asking side of a connection; clones share it. The socket closes when the last one is dropped.
#[derive(Clone)]
pub struct Requests {
    shared: Arc<Shared>,
    writer: mpsc::Sender<Vec<u8>>,
}

impl std::fmt::Debug for Requests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Requests").finish_non_exhaustive()
    }
}

impl Requests {
    /// Asks, and waits for the answer.
    pub async fn request(&self, request: Request) -> Result<Reply, ClientError> {
        let id = self.shared.next.fetch_add(1, Ordering::Relaxed);
        let json = serde_json::to_vec(&ClientMessage::Request { id, request })?;
        if json.len() >= MAX_FRAME {
            let why = format!("the request has {} bytes, more than a frame holds", json.len());
            return Err(ClientError::Failed(WireError::new(ErrorCode::TooMuch, why)));
        }
        let (answer, answered) = oneshot::channel();
        {
            let mut pending = self.shared.pending();
            if pending.closed {
                return Err(ClientError::Lost);
            }
            pending.waiting.insert(id, answer);
        }
        self.send(&Frame::Control(json)).await?;
        answered.await.unwrap_or(Err(ClientError::Lost))
    }

    /// Types or pastes into a view's session.
    pub async fn input(&self, view: ViewId, bytes: &[u8]) -> Result<(), ClientError> {
        for piece in bytes.chunks(MAX_PIECE) {
            self.send(&Frame::Input { view, bytes: piece.to_vec() }).await?;
        }
        Ok(())
    }

    /// Grants the view that many bytes more.
    pub async fn credit(&self, view: ViewId, bytes: u32) -> Result<(), ClientError> {
        self.send(&Frame::Credit { view, bytes }).await
    }

    /// Sends one frame as it is.
    pub async fn send(&self, frame: &Frame) -> Result<(), ClientError> {
        let mut bytes = Vec::new();
        frame.encode(&mut bytes);
        self.writer.send(bytes).await.map_err(|_| ClientError::Lost)
    }
}

/// A connection to the daemon.
#[derive(Debug)]
pub struct Connection {
    welcome: Welcome,
    requests: Requests,
    incoming: IncomingStream,
}

impl Connection {
    pub(crate) fn start(stream: UnixStream, decoder: FrameDecoder, welcome: Welcome) -> Self {
        let (from, to) = stream.into_split();
        let (writer, queued) = mpsc::channel(256);
        let (arrived, receiver) = mpsc::channel(MOST_WAITING);
        let shared = Arc::new(Shared { pending: Mutex::new(Pending::default()), next: AtomicU64::new(1) });
        let reader = tokio::spawn(read(from, decoder, Arc::clone(&shared), arrived));
        // Both end by themselves: the writer with the last handle, and the reader with the writer.
        tokio::spawn(write(to, queued, reader.abort_handle(), Arc::clone(&shared)));
        Self { welcome, requests: Requests { shared, writer }, incoming: IncomingStream { receiver } }
    }

    /// What the daemon said of itself.
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// A handle to ask with, to keep beside the connection.
    pub fn requests(&self) -> Requests {
        self.requests.clone()
    }

    /// Asks, and waits for the answer.
    pub async fn request(&self, request: Request) -> Result<Reply, ClientError> {
        self.requests.request(request).await
    }

    /// The next arrival; `None` when the connection has ended.
    pub async fn next(&mut self) -> Option<Incoming> {
        self.incoming.next().await
    }

    /// Takes the two sides apart.
    pub fn split(self) -> (Requests, IncomingStream) {
        (self.requests, self.incoming)
    }
}

/// Writes what is queued; several small frames that wait leave in one write. When the last handle is gone the
/// connection is over, and so is the reader.
async fn write(
    mut to: OwnedWriteHalf,
    mut queued: mpsc::Receiver<Vec<u8>>,
    reader: tokio::task::AbortHandle,
    shared: Arc<Shared>,
) {
    while let Some(mut bytes) = queued.recv().await {
        while bytes.len() < MAX_PIECE {
            let Ok(more) = queued.try_recv() else { break };
            bytes.extend_from_slice(&more);
        }
        if let Err(error) = to.write_all(&bytes).await {
            // A daemon that refuses says so before it closes, and the reader is the one to see that.
            tracing::debug!(%error, "the daemon no longer reads");
            return;
        }
    }
    reader.abort();
    shared.close();
}

async fn read(
    mut from: OwnedReadHalf,
    mut decoder: FrameDecoder,
    shared: Arc<Shared>,
    arrived: mpsc::Sender<Incoming>,
) {
    let mut piece = vec![0; MAX_PIECE];
    'connected: loop {
        loop {
            match decoder.next_frame() {
                Ok(Some(frame)) => match sort(frame, &shared) {
                    // Nobody listens: thrown away.
                    Ok(Some(arrival)) => drop(arrived.send(arrival).await),
                    Ok(None) => {}
                    Err(error) => tracing::debug!(%error, "a message that is not understood"),
                },
                Ok(None) => break,
                Err(error) => {
                    tracing::warn!(%error, "the daemon's stream is broken");
                    break 'connected;
                }
            }
        }
        match from.read(&mut piece).await {
            Ok(0) | Err(_) => break,
            Ok(n) => decoder.push(&piece[..n]),
        }
    }
    shared.close();
}

/// Answers go to whoever asked; the rest is an arrival. Unknown events are skipped: a newer daemon may send them.
fn sort(frame: Frame, shared: &Shared) -> Result<Option<Incoming>, serde_json::Error> {
    let (id, answer) = match frame {
        Frame::Output { view, offset, flags, bytes } => {
            return Ok(Some(Incoming::Output { view, offset, flags, bytes }));
        }
        Frame::Blob { stream, bytes } => return Ok(Some(Incoming::Blob { stream, bytes })),
        Frame::Input { .. } | Frame::Credit { .. } => return Ok(None),
        Frame::Control(json) => match serde_json::from_slice(&json)? {
            DaemonMessage::Event { event } => return Ok(Some(Incoming::Event(event))),
            DaemonMessage::Reply { id, reply } => (id, Ok(*reply)),
            DaemonMessage::Failed { id, error } => (id, Err(ClientError::Failed(error))),
            DaemonMessage::Welcome { .. } | DaemonMessage::Refused { .. } => return Ok(None),
        },
    };
    if let Some(waiting) = shared.pending().waiting.remove(&id) {
        let _ = waiting.send(answer);
    }
    Ok(None)
}
