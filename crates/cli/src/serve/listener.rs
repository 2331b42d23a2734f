//! Connections that must show a secret soon, and of which there are only so many.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

/// Time from the connection to its first request with a secret. Whoever sends a byte now and then to hold a place is out.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connections at one time; a browser opens about six for a page.
const MOST: usize = 64;

/// Told by the door when a request of this connection had the secret.
#[derive(Clone, Debug)]
pub(super) struct Admission(Arc<AtomicBool>);

impl Admission {
    pub(super) fn admit(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Connected<IncomingStream<'_, Patient>> for Admission {
    fn connect_info(stream: IncomingStream<'_, Patient>) -> Self {
        stream.io().admission.clone()
    }
}

/// The listener.
#[derive(Debug)]
pub(super) struct Patient {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl Patient {
    pub(super) fn new(listener: TcpListener) -> Self {
        Self { listener, places: Arc::new(Semaphore::new(MOST)) }
    }
}

impl Listener for Patient {
    type Io = Guarded;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Guarded, SocketAddr) {
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Keys and their echoes are small and must not wait for more.
        let _ = stream.set_nodelay(true);
        let admission = Admission(Arc::new(AtomicBool::new(false)));
        (Guarded { stream, admission, patience: Box::pin(sleep(PATIENCE)), _place: place }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection.
#[derive(Debug)]
pub(super) struct Guarded {
    stream: TcpStream,
    admission: Admission,
    patience: Pin<Box<Sleep>>,
    _place: Option<OwnedSemaphorePermit>,
}

impl AsyncRead for Guarded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.admission.0.load(Ordering::Relaxed) && self.patience.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
