//! Writing to the outer terminal on a thread of its own, so that a slow one never holds up a key.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::Errno;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Bytes for the terminal, and for how many of the daemon's bytes they stand.
struct Piece {
    bytes: Vec<u8>,
    credit: u32,
}

/// The queue is bounded by the credit that the daemon has.
#[derive(Debug)]
pub(super) struct Writer {
    queue: UnboundedSender<Piece>,
    written: UnboundedReceiver<u32>,
    drop_rest: Arc<AtomicBool>,
    /// Pieces that were queued and are not reported as written.
    waiting: usize,
}

impl Writer {
    pub(super) fn start() -> std::io::Result<Self> {
        let (queue, mut pieces) = unbounded_channel::<Piece>();
        let (report, written) = unbounded_channel();
        let drop_rest = Arc::new(AtomicBool::new(false));
        let dropping = Arc::clone(&drop_rest);
        std::thread::Builder::new().name("outer terminal".to_owned()).spawn(move || {
            while let Some(piece) = pieces.blocking_recv() {
                write(&piece.bytes, &dropping);
                if report.send(piece.credit).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { queue, written, drop_rest, waiting: 0 })
    }

    pub(super) fn write(&mut self, bytes: Vec<u8>, credit: u32) {
        if self.queue.send(Piece { bytes, credit }).is_ok() {
            self.waiting += 1;
        }
    }

    /// How many of the daemon's bytes have been written since the last time.
    pub(super) async fn written(&mut self) -> u32 {
        let Some(mut sum) = self.written.recv().await else { return std::future::pending().await };
        self.waiting -= 1;
        while let Ok(more) = self.written.try_recv() {
            self.waiting -= 1;
            sum += more;
        }
        sum
    }

    /// Waits until everything is written.
    pub(super) async fn drain(&mut self) {
        while self.waiting > 0 {
            self.written().await;
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.drop_rest.store(true, Ordering::Relaxed);
    }
}

/// Errors are not reported: the terminal is gone, and its hang-up ends the view.
fn write(bytes: &[u8], dropping: &AtomicBool) {
    let mut rest = bytes;
    while !rest.is_empty() && !dropping.load(Ordering::Relaxed) {
        // Small pieces, so that leaving takes effect soon on a slow line.
        let piece = &rest[..rest.len().min(4096)];
        match rustix::io::write(rustix::stdio::stdout(), piece) {
            Ok(written) => rest = &rest[written..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                // Somebody before us left the terminal non-blocking.
                let stdout = rustix::stdio::stdout();
                let mut ready = [rustix::event::PollFd::new(&stdout, rustix::event::PollFlags::OUT)];
                let _ = rustix::event::poll(&mut ready, None);
            }
            Err(_) => return,
        }
    }
}
