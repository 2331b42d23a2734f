//! The connection to a run's keeper.
//!
//! Keystrokes take the shortest way: the task that reads a client's socket writes them to the keeper's at once. Only what the
//! socket does not take is queued, and the session's engine writes it on.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::time::Duration;

use belfry_protocol::keeper::{
    Decoder, FromKeeper, INPUT_PIECE, INPUT_QUEUE, KeeperHello, OLDEST_VERSION, ToKeeper, VERSION,
};
use parking_lot::Mutex;
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::sync::Notify;

/// How long a keeper may take to answer a hello. It is a loop around `poll` and answers in well under a millisecond.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes that may wait for a keeper that does not read: what it would queue itself, and room for the frames around it.
const MOST_WAITING: usize = INPUT_QUEUE + (INPUT_QUEUE >> 2);

/// Why a keeper cannot be reached.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LinkError {
    /// Nobody listens: the keeper is gone.
    #[error("no keeper answers")]
    Gone,
    /// It answers, and not as this build understands.
    #[error("the keeper speaks version {0}, which this build does not know")]
    Version(u32),
    /// It sent something that is no frame, or hung up.
    #[error("the keeper sent something that is not understood: {0}")]
    Garbled(String),
    /// It does not answer.
    #[error("the keeper does not answer")]
    Silent,
    /// The socket failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A live connection.
pub(crate) struct Link {
    stream: UnixStream,
    out: Mutex<Out>,
    /// Bytes wait for the socket; the engine writes them on.
    pub(crate) waiting: Notify,
}

#[derive(Default)]
struct Out {
    queue: VecDeque<Vec<u8>>,
    written: usize,
    bytes: usize,
}

impl Link {
    /// Connects to the keeper at that socket and shakes hands.
    pub(crate) async fn connect(socket: &Path) -> Result<(Self, KeeperHello, Decoder), LinkError> {
        let stream = match belfry_platform::socket::connect(socket) {
            Ok(stream) => stream,
            Err(error)
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) =>
            {
                return Err(LinkError::Gone);
            }
            Err(error) => return Err(error.into()),
        };
        stream.set_nonblocking(true)?;
        let stream = UnixStream::from_std(stream)?;
        let link = Self { stream, out: Mutex::default(), waiting: Notify::new() };
        let mut decoder = Decoder::new();
        let hello = tokio::time::timeout(PATIENCE, link.hello(&mut decoder)).await;
        let hello = hello.map_err(|_| LinkError::Silent)??;
        if hello.version < OLDEST_VERSION {
            return Err(LinkError::Version(hello.version));
        }
        Ok((link, hello, decoder))
    }

    async fn hello(&self, decoder: &mut Decoder) -> Result<KeeperHello, LinkError> {
        self.send(&ToKeeper::Hello { version: VERSION });
        loop {
            self.flush();
            let idle = self.idle();
            tokio::select! {
                ready = self.stream.readable() => ready?,
                ready = self.stream.writable(), if !idle => { ready?; continue }
            }
            if !self.read(decoder)? {
                return Err(LinkError::Gone);
            }
            let frame = decoder.next_frame().map_err(|error| LinkError::Garbled(error.to_string()))?;
            let Some(frame) = frame else { continue };
            return match FromKeeper::decode(frame) {
                Ok(FromKeeper::Hello(hello)) => Ok(*hello),
                other => Err(LinkError::Garbled(format!("no hello: {:?}", other.map(|_| "another frame")))),
            };
        }
    }

    /// Sends a frame; false when too much waits already and it was dropped.
    pub(crate) fn send(&self, message: &ToKeeper) -> bool {
        self.push(message.to_bytes())
    }

    /// Types or pastes; false when the keeper does not read and some of it was dropped.
    pub(crate) fn input(&self, bytes: &[u8]) -> bool {
        // One lock for all pieces, so that two clients' pastes do not mix.
        let mut frames = Vec::with_capacity(bytes.len() + 32);
        for piece in bytes.chunks(INPUT_PIECE) {
            ToKeeper::Input { id: 0, only_if_offset: None, bytes: piece.to_vec() }.encode(&mut frames);
        }
        self.push(frames)
    }

    /// Types only if the program has printed nothing past `offset` when the keeper gets to it; the keeper says with that id
    /// whether it did. False, and nothing is sent, where `still` does not hold: it is asked when nothing of anybody else's can
    /// come in between any more.
    pub(crate) fn input_if(&self, id: u32, bytes: &[u8], offset: u64, still: impl FnOnce() -> bool) -> bool {
        debug_assert!(bytes.len() <= INPUT_PIECE, "what answers a dialog is short");
        let frame = ToKeeper::Input { id, only_if_offset: Some(offset), bytes: bytes.to_vec() }.to_bytes();
        let mut out = self.out.lock();
        if !still() || out.bytes + frame.len() > MOST_WAITING {
            return false;
        }
        self.queue(&mut out, frame);
        true
    }

    fn push(&self, bytes: Vec<u8>) -> bool {
        let mut out = self.out.lock();
        if out.bytes + bytes.len() > MOST_WAITING {
            return false;
        }
        self.queue(&mut out, bytes);
        true
    }

    fn queue(&self, out: &mut Out, bytes: Vec<u8>) {
        out.bytes += bytes.len();
        out.queue.push_back(bytes);
        out.write(&self.stream);
        if !out.queue.is_empty() {
            self.waiting.notify_one();
        }
    }

    /// Writes what waits, as far as the socket takes it.
    pub(crate) fn flush(&self) {
        self.out.lock().write(&self.stream);
    }

    /// Whether nothing waits to be written.
    pub(crate) fn idle(&self) -> bool {
        self.out.lock().queue.is_empty()
    }

    /// Completes when the socket takes more.
    pub(crate) async fn writable(&self) -> io::Result<()> {
        self.stream.writable().await
    }

    /// Completes when there may be something to read.
    pub(crate) async fn readable(&self) -> io::Result<()> {
        self.stream.readable().await
    }

    /// Reads what is there; false at the end of the stream.
    pub(crate) fn read(&self, decoder: &mut Decoder) -> io::Result<bool> {
        let mut piece = [0; 16 * 1024];
        loop {
            let mut got = None;
            let tried = self.stream.try_io(Interest::READABLE, || {
                let count = rustix::io::read(&self.stream, &mut piece)?;
                got = Some(count);
                // Less than there is room for: the socket is empty, and a second call would only say so. What comes after
                // this read is a new readiness, which this does not take away.
                if count > 0 && count < piece.len() { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
            });
            match got {
                Some(0) => return Ok(false),
                Some(count) => decoder.push(&piece[..count]),
                None => {}
            }
            match tried {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(true),
                Err(error) => return Err(error),
            }
        }
    }
}

impl Out {
    fn write(&mut self, stream: &UnixStream) {
        while let Some(front) = self.queue.front() {
            match stream.try_write(&front[self.written..]) {
                Ok(n) => {
                    self.written += n;
                    self.bytes -= n;
                    if self.written == front.len() {
                        self.queue.pop_front();
                        self.written = 0;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // The reader sees the same end and deals with it.
                Err(_) => {
                    *self = Self::default();
                    return;
                }
            }
        }
    }
}
