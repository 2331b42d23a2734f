//! One connection: frames in, frames out, never blocking.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use belfry_protocol::keeper::{Decoder, FromKeeper};

/// Unsent bytes from which a connection is taken for dead: everything that can pile up is small or asked for piece by
/// piece.
const UNSENT_LIMIT: usize = 1024 * 1024;

/// Unsent bytes from which no more frames of the peer are read: it may not ask faster than it listens.
const UNSENT_PAUSE: usize = 64 * 1024;

pub(crate) struct Link {
    stream: UnixStream,
    pub(crate) decoder: Decoder,
    unsent: Vec<u8>,
    sent: usize,
    /// When it was accepted.
    pub(crate) since: u64,
    /// Doorbells that have not been answered.
    pub(crate) unanswered: u32,
    /// Everything up to here has been processed by the daemon.
    pub(crate) acked: u64,
    broken: bool,
}

impl Link {
    pub(crate) fn new(stream: UnixStream, since: u64) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        let (decoder, unsent) = (Decoder::new(), Vec::new());
        Ok(Self { stream, decoder, unsent, sent: 0, since, unanswered: 0, acked: 0, broken: false })
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }

    /// Sends at once what the socket takes and keeps the rest.
    pub(crate) fn send(&mut self, frame: &FromKeeper) {
        frame.encode(&mut self.unsent);
        self.flush();
        self.broken |= self.unsent_len() > UNSENT_LIMIT;
    }

    pub(crate) fn flush(&mut self) {
        while self.sent < self.unsent.len() && !self.broken {
            match self.stream.write(&self.unsent[self.sent..]) {
                Ok(0) => self.broken = true,
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.broken = true,
            }
        }
        self.sent = 0;
        self.unsent.clear();
        self.unsent.shrink_to(4096);
    }

    pub(crate) fn unsent_len(&self) -> usize {
        self.unsent.len() - self.sent
    }

    /// Whether there is room for another large frame.
    pub(crate) fn has_room(&self) -> bool {
        self.unsent_len() < UNSENT_PAUSE
    }

    /// Reads what has arrived, at most one buffer; false when the peer is gone. A peer that has shut down its sending
    /// half counts as gone: nothing useful can come of it.
    pub(crate) fn receive(&mut self, buffer: &mut [u8]) -> bool {
        match self.stream.read(buffer) {
            Ok(0) => false,
            Ok(count) => {
                self.decoder.push(&buffer[..count]);
                true
            }
            Err(error) => matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
        }
    }

    /// It has failed and is of no more use.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }
}
