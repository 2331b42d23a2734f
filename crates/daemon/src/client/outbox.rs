//! What waits to be written to one client.
//!
//! Whoever has something for a client writes it straight to the socket where nothing waits, which saves a change of task
//! for every echo of a keystroke; otherwise it is queued and a task of the connection writes it as the socket takes it. A
//! client that does not read costs a bounded amount of memory and nobody's time.

use std::collections::VecDeque;
use std::sync::Arc;

use belfry_protocol::frame::Frame;
use belfry_protocol::{DaemonMessage, ErrorCode, PROTOCOL, WireError};
use bytes::{Buf, Bytes};
use parking_lot::Mutex;
use tokio::net::UnixStream;
use tokio::sync::Notify;

/// Bytes of messages that may wait.
const MOST_WAITING: usize = 8 << 20;

/// Bytes that wait below which a long answer (a blob) may add its next piece.
const BLOB_ROOM: usize = 256 * 1024;

/// The queue of one connection.
pub(crate) struct Outbox {
    stream: Arc<UnixStream>,
    state: Mutex<State>,
    /// Something was queued, or the end was decided.
    filled: Notify,
    /// The queue became shorter.
    drained: Notify,
    /// The connection is over.
    over: Notify,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Bytes>,
    bytes: usize,
    /// Output of views and rests of overviews among `bytes`; bounded by the credit given and by the number of sessions, and
    /// not counted against the limit.
    output: usize,
    end: End,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum End {
    #[default]
    Open,
    /// What is queued is still written.
    Closing,
    Closed,
}

impl Outbox {
    pub(crate) fn new(stream: Arc<UnixStream>) -> Self {
        Self {
            stream,
            state: Mutex::default(),
            filled: Notify::new(),
            drained: Notify::new(),
            over: Notify::new(),
        }
    }

    /// Sends a message, or ends the connection when too much waits already.
    pub(crate) fn message(&self, message: &DaemonMessage) {
        if let Some(bytes) = encode(message) {
            self.push(bytes, false);
        }
    }

    /// Sends bytes that are whole frames. With `output` they are paid for by credit, or by an answer that is counted.
    pub(crate) fn push(&self, bytes: Bytes, output: bool) {
        let mut state = self.state.lock();
        if state.end != End::Open {
            return;
        }
        let waiting = state.bytes - state.output;
        if !output && waiting + bytes.len() > MOST_WAITING {
            state.refuse("the client does not read what it is sent");
            self.filled.notify_one();
            return;
        }
        state.bytes += bytes.len();
        if output {
            state.output += bytes.len();
        }
        let was_empty = state.queue.is_empty();
        state.queue.push_back(bytes);
        if was_empty {
            self.write(&mut state);
        }
        if !state.queue.is_empty() {
            self.filled.notify_one();
        }
    }

    /// Sends a piece of a long answer once there is room; false when the connection is over.
    pub(crate) async fn blob(&self, frame: &Frame) -> bool {
        let mut bytes = Vec::new();
        frame.encode(&mut bytes);
        loop {
            let drained = self.drained.notified();
            {
                let state = self.state.lock();
                if state.end != End::Open {
                    return false;
                }
                if state.bytes < BLOB_ROOM {
                    break;
                }
            }
            drained.await;
        }
        self.push(bytes.into(), false);
        true
    }

    /// Ends the connection with a reason, after what is queued.
    pub(crate) fn refuse(&self, error: WireError) {
        let mut state = self.state.lock();
        if state.end == End::Open {
            if let Some(bytes) = encode(&DaemonMessage::Refused { error, protocol: PROTOCOL }) {
                state.bytes += bytes.len();
                state.queue.push_back(bytes);
            }
            state.end = End::Closing;
            self.filled.notify_one();
        }
    }

    /// Ends the connection after what is queued.
    pub(crate) fn close(&self) {
        let mut state = self.state.lock();
        if state.end == End::Open {
            state.end = End::Closing;
            self.filled.notify_one();
        }
    }

    /// Completes once the connection is over.
    pub(crate) async fn closed(&self) {
        loop {
            let over = self.over.notified();
            if self.state.lock().end == End::Closed {
                return;
            }
            over.await;
        }
    }

    /// Writes what is queued as the socket takes it, until the connection is over. One task of the connection runs this.
    pub(crate) async fn run(&self) {
        loop {
            let filled = self.filled.notified();
            let idle = {
                let mut state = self.state.lock();
                self.write(&mut state);
                if state.end == End::Closing && state.queue.is_empty() {
                    state.end = End::Closed;
                }
                if state.end == End::Closed {
                    break;
                }
                state.queue.is_empty()
            };
            if idle {
                filled.await;
            } else if self.stream.writable().await.is_err() {
                self.fail();
            }
        }
        self.over.notify_waiters();
        self.drained.notify_waiters();
    }

    /// The connection is over, whatever waits.
    pub(crate) fn fail(&self) {
        let mut state = self.state.lock();
        state.end = End::Closed;
        state.queue.clear();
        state.bytes = 0;
        state.output = 0;
        self.filled.notify_one();
        self.over.notify_waiters();
        self.drained.notify_waiters();
    }

    fn write(&self, state: &mut State) {
        while let Some(front) = state.queue.front_mut() {
            match self.stream.try_write(front) {
                Ok(0) => return,
                Ok(written) => {
                    front.advance(written);
                    let done = front.is_empty();
                    state.bytes -= written;
                    // Which of the bytes were output is known only roughly; what is left bounds it.
                    state.output = state.output.min(state.bytes);
                    if done {
                        state.queue.pop_front();
                    }
                    self.drained.notify_waiters();
                }
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return,
                Err(_) => {
                    state.end = End::Closed;
                    state.queue.clear();
                    state.bytes = 0;
                    state.output = 0;
                    self.filled.notify_one();
                    return;
                }
            }
        }
    }
}

impl State {
    /// Drops what waits, but for the frame that is partly written, and says why the connection ends.
    fn refuse(&mut self, why: &str) {
        self.queue.truncate(1);
        self.bytes = self.queue.front().map_or(0, Bytes::len);
        self.output = 0;
        let error = WireError::new(ErrorCode::TooMuch, why);
        if let Some(bytes) = encode(&DaemonMessage::Refused { error, protocol: PROTOCOL }) {
            self.bytes += bytes.len();
            self.queue.push_back(bytes);
        }
        self.end = End::Closing;
    }
}

/// The message as a whole frame. A message that does not fit in a frame would break the stream; it is left out and logged.
pub(crate) fn encode(message: &DaemonMessage) -> Option<Bytes> {
    let json = match serde_json::to_vec(message) {
        Ok(json) => json,
        Err(error) => {
            tracing::error!(%error, "a message cannot be written as JSON");
            return None;
        }
    };
    if json.len() >= belfry_protocol::frame::MAX_FRAME {
        tracing::error!(bytes = json.len(), "a message is longer than a frame");
        return None;
    }
    let mut bytes = Vec::new();
    Frame::Control(json).encode(&mut bytes);
    Some(bytes.into())
}
