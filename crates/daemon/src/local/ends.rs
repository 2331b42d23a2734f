//! When processes end: each is waited for, and none looked at.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::task::Poll;

use belfry_platform::process::Identity;
use belfry_protocol::SessionId;

type End = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The ends of sessions' processes.
#[derive(Default)]
pub(super) struct Ends(HashMap<SessionId, End>);

impl Ends {
    /// Waits for that process too.
    pub(super) fn watch(&mut self, id: SessionId, process: Identity) {
        if let Some(end) = end(process) {
            self.0.insert(id, end);
        }
    }

    pub(super) fn forget(&mut self, id: SessionId) {
        self.0.remove(&id);
    }

    /// The session whose process is the next to end. It is to be forgotten then.
    pub(super) async fn next(&mut self) -> SessionId {
        std::future::poll_fn(|context| {
            let done =
                self.0.iter_mut().find_map(|(id, end)| end.as_mut().poll(context).is_ready().then_some(*id));
            done.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }
}

/// Completes when the process ends; none where it has.
fn end(process: Identity) -> Option<End> {
    #[cfg(target_os = "linux")]
    {
        let fd = belfry_platform::process::pidfd_open(process.pid).ok()?;
        if !process.is_alive() {
            return None;
        }
        // SAFETY: the descriptor is owned, and stays open and the same for as long as it is registered.
        let fd = unsafe { tokio::io::unix::AsyncFd::register(fd) }.ok()?;
        Some(Box::pin(async move {
            let _ = fd.readable().await;
        }))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = process;
        None
    }
}
