//! One client's live look at one session, as both its connection and the session's engine hold it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use belfry_protocol::ViewId;

use super::Client;
use crate::session::Entry;

/// Names a view among those of all clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ViewKey(u64);

impl ViewKey {
    /// As a number, for an atomic; 0 is no view.
    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

/// A view.
pub(crate) struct View {
    /// The client's name for it.
    pub(crate) id: ViewId,
    /// Whose it is.
    pub(crate) client: Arc<Client>,
    /// What it looks at.
    pub(crate) entry: Arc<Entry>,
    /// Credit that the client granted and the engine has not taken note of.
    granted: AtomicU64,
    /// When it was last typed in; the daemon's clock, 0 for never.
    pub(crate) typed_at: AtomicU64,
}

impl View {
    pub(crate) fn new(id: ViewId, client: Arc<Client>, entry: Arc<Entry>) -> Self {
        Self { id, client, entry, granted: AtomicU64::new(0), typed_at: AtomicU64::new(0) }
    }

    pub(crate) fn key(&self) -> ViewKey {
        // Client ids start at 1, so that no key is 0.
        ViewKey(u64::from(self.client.id) << 32 | u64::from(self.id.0))
    }

    /// The client can take that much more.
    pub(crate) fn grant(&self, bytes: u32) {
        self.granted.fetch_add(bytes.into(), Ordering::Relaxed);
        self.entry.wake.notify_one();
    }

    /// What was granted since last time.
    pub(crate) fn take_granted(&self) -> u64 {
        self.granted.swap(0, Ordering::Relaxed)
    }
}
