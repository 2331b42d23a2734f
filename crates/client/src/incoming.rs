//! What arrives without having been asked for by a single request.

use belfry_protocol::{Event, StreamId, ViewId};
use tokio::sync::mpsc;

/// One arrival. Their order is the daemon's own: a `ViewSize` event stands exactly between the outputs it separates.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// Something happened.
    Event(Box<Event>),
    /// Bytes for a view's terminal.
    Output {
        /// The view.
        view: ViewId,
        /// Source bytes printed by the run up to the end of this piece.
        offset: u64,
        /// `OUTPUT_*` bits of [`belfry_protocol::frame`].
        flags: u8,
        /// What to write to the terminal.
        bytes: Vec<u8>,
    },
    /// A piece of a long answer; empty at its end.
    Blob {
        /// The stream.
        stream: StreamId,
        /// The piece.
        bytes: Vec<u8>,
    },
}

/// The arrivals of a connection, in order. While it is kept it must be read: at 4096 waiting arrivals the connection
/// stands still, replies included. Dropped, arrivals are thrown away.
#[derive(Debug)]
pub struct IncomingStream {
    pub(crate) receiver: mpsc::Receiver<Incoming>,
}

impl IncomingStream {
    /// The next arrival; `None` when the connection has ended.
    pub async fn next(&mut self) -> Option<Incoming> {
        self.receiver.recv().await
    }
}
