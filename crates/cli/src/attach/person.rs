//! The person's side of a view: the keyboard, and the signals of the outer terminal. Nothing here waits for the daemon, so
//! that leaving always works, also while the daemon hangs.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc;

use super::end::End;
use super::input::{Scanner, Typed};
use super::key::DetachKey;
use super::outer;
use super::signals::{Asked, Signals};
use crate::failure::Failure;

/// Bytes that may wait for the daemon. Nobody types that much; a paste that is longer waits for a daemon that hangs.
const MOST_WAITING: usize = 16 * 1024 * 1024;

/// What the person does, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// Typed or pasted.
    Bytes(Vec<u8>),
    /// Typed or pasted, and thrown away: too much waits.
    Dropped(usize),
    /// The outer terminal got the keyboard, or lost it.
    Focus(bool),
    /// The outer terminal has another size.
    Resized,
    /// The outer terminal was given back for a while and is ours again.
    Back,
}

/// What the person did and nobody has taken up yet.
#[derive(Debug)]
pub(super) struct Deeds {
    receiver: mpsc::UnboundedReceiver<Done>,
    waiting: Arc<AtomicUsize>,
}

impl Deeds {
    /// The next one; for ever none once the person has left.
    pub(super) async fn next(&mut self) -> Done {
        match self.receiver.recv().await {
            Some(done) => done,
            None => std::future::pending().await,
        }
    }

    /// The next one that is there already.
    pub(super) fn at_hand(&mut self) -> Option<Done> {
        self.receiver.try_recv().ok()
    }

    /// Bytes have left for the daemon.
    pub(super) fn left(&self, bytes: usize) {
        self.waiting.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The person.
pub(super) struct Person {
    keyboard: mpsc::Receiver<Vec<u8>>,
    signals: Signals,
    scanner: Scanner,
    deeds: mpsc::UnboundedSender<Done>,
    waiting: Arc<AtomicUsize>,
}

impl Person {
    pub(super) fn new(key: DetachKey) -> std::io::Result<(Self, Deeds)> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let person = Self {
            keyboard: keyboard()?,
            signals: Signals::new()?,
            scanner: Scanner::new(key),
            deeds: sender,
            waiting: Arc::clone(&waiting),
        };
        Ok((person, Deeds { receiver, waiting }))
    }

    /// Until the person wants out.
    pub(super) async fn leaves(&mut self) -> Result<End, Failure> {
        loop {
            tokio::select! {
                typed = self.keyboard.recv() => match typed {
                    None => return Ok(End::TerminalGone),
                    Some(bytes) => if self.typed(&bytes) { return Ok(End::Detached { unsure: 0 }) },
                },
                asked = self.signals.next() => match asked {
                    Asked::End(signal) => return Ok(End::Signal(signal)),
                    Asked::Resize => self.did(Done::Resized),
                    Asked::Suspend => self.suspend()?,
                },
            }
        }
    }

    /// Whether the person wants out.
    fn typed(&mut self, bytes: &[u8]) -> bool {
        for typed in self.scanner.feed(bytes) {
            match typed {
                Typed::Detach => return true,
                Typed::Focus(focused) => self.did(Done::Focus(focused)),
                Typed::Bytes(bytes) => {
                    let length = bytes.len();
                    if self.waiting.load(Ordering::Relaxed) + length > MOST_WAITING {
                        self.did(Done::Dropped(length));
                    } else {
                        self.waiting.fetch_add(length, Ordering::Relaxed);
                        self.did(Done::Bytes(bytes));
                    }
                }
            }
        }
        false
    }

    fn did(&self, done: Done) {
        // The view that takes it up ends with us.
        let _ = self.deeds.send(done);
    }

    fn suspend(&self) -> Result<(), Failure> {
        outer::restore();
        let us = rustix::process::getpid();
        // Here again when continued.
        rustix::process::kill_process(us, rustix::process::Signal::STOP)
            .map_err(|error| Failure::failed(format!("The view cannot be stopped: {error}.")))?;
        outer::resume()?;
        self.did(Done::Back);
        Ok(())
    }
}

/// Reads the terminal on a thread of its own: it must not be made non-blocking, since the shell shares that with us.
fn keyboard() -> std::io::Result<mpsc::Receiver<Vec<u8>>> {
    let (typed, receiver) = mpsc::channel(16);
    std::thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
        let mut piece = vec![0; belfry_protocol::frame::MAX_PIECE];
        loop {
            match std::io::stdin().lock().read(&mut piece) {
                Ok(0) => return,
                Ok(count) => {
                    if typed.blocking_send(piece[..count].to_vec()).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    })?;
    Ok(receiver)
}
