//! One link: a socket to the daemon and the two tasks that serve it.

use std::io;

use tauri::async_runtime::{JoinHandle, spawn};
use tauri::ipc::{Channel, InvokeResponseBody};
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::mpsc;

use super::LinkEvent;
use super::order::{InOrder, OutOfPlace};
use super::pump::pump;
use crate::refusal::{Code, Refusal};

/// Pieces of input that may wait for the daemon. It reads its clients at once, so a full queue means that it hangs.
const MOST_WAITING: usize = 4096;

/// A live link. Dropping it closes the socket and tells the page nothing.
#[derive(Debug)]
pub(super) struct Link {
    id: u64,
    order: InOrder,
    input: mpsc::Sender<Vec<u8>>,
    reader: JoinHandle<()>,
}

impl Link {
    /// Starts carrying bytes both ways.
    pub(super) fn start(
        id: u64,
        stream: UnixStream,
        on_bytes: Channel<InvokeResponseBody>,
        on_state: Channel<LinkEvent>,
    ) -> Self {
        let (from, to) = stream.into_split();
        let (input, queued) = mpsc::channel(MOST_WAITING);
        spawn(write(to, queued));
        let reader = spawn(async move {
            let to_page = |piece| on_bytes.send(InvokeResponseBody::Raw(piece)).map_err(io::Error::other);
            let message = match pump(from, to_page).await {
                Ok(()) => "The daemon has closed the connection.".to_owned(),
                Err(error) => format!("The connection to the daemon broke: {error}."),
            };
            tracing::warn!(link = id, message, "the link to the daemon is lost");
            // A page that is gone needs no news.
            let _ = on_state.send(LinkEvent::Lost { message });
        });
        Self { id, order: InOrder::default(), input, reader }
    }

    /// The number that the page knows it by.
    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Queues a piece of input at its place in the order.
    pub(super) fn send(&mut self, sequence: u64, piece: Vec<u8>) -> Result<(), Refusal> {
        let due = self.order.take(sequence, piece).map_err(|wrong| match wrong {
            OutOfPlace::Repeated => Refusal::new(Code::BadRequest, "That piece was sent before."),
            OutOfPlace::Gap => Refusal::new(Code::BadRequest, "A piece of input is missing."),
        })?;
        for piece in due {
            self.input.try_send(piece).map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => {
                    Refusal::new(Code::TooMuch, "The daemon does not take the input.")
                }
                mpsc::error::TrySendError::Closed(_) => Refusal::new(Code::LinkClosed, "The link is closed."),
            })?;
        }
        Ok(())
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // The writer ends by itself once the sender is gone, after the last piece.
        self.reader.abort();
    }
}

/// Writes what is queued. A broken socket ends it, and the reader, which sees the same break, tells the page.
async fn write(mut to: OwnedWriteHalf, mut queued: mpsc::Receiver<Vec<u8>>) {
    while let Some(piece) = queued.recv().await {
        if let Err(error) = to.write_all(&piece).await {
            tracing::warn!(%error, "the daemon does not take the window's input");
            return;
        }
    }
}
