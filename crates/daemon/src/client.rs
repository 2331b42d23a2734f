//! Clients: their connections, what they may do, and what waits for them.

mod answer;
mod authority;
mod connection;
mod outbox;
mod requests;
mod view;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use belfry_protocol::{DaemonMessage, ErrorCode, Event, Reply, ViewId, WireError};
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use crate::replay::Playhead;

pub(crate) use answer::Answer;
pub(crate) use authority::{Authority, Keeper, is_agent, judge};
pub(crate) use connection::serve;
pub(crate) use outbox::{Outbox, encode};
pub(crate) use requests::asks::{TAKEN_BACK, shown};
pub(crate) use requests::history::happened;
pub(crate) use requests::library::transcript;
pub(crate) use requests::sessions::message as send_message;
pub(crate) use requests::tree::add_project;
pub(crate) use view::{View, ViewKey};

/// Most views of one client. The window shows four panes with a handful of recent ones each.
const MOST_VIEWS: usize = 64;

/// Most exports of one client at once.
const EXPORTS: usize = 2;

/// One connected client.
pub(crate) struct Client {
    /// Unique in the daemon's life.
    pub(crate) id: u32,
    /// What waits to be written to it.
    pub(crate) outbox: Outbox,
    /// What it may do.
    pub(crate) authority: Authority,
    /// It gets every event.
    pub(crate) subscribed: AtomicBool,
    /// Places for its exports.
    pub(crate) exports: Arc<Semaphore>,
    /// Where it was last in a recording.
    pub(crate) playhead: Mutex<Option<Playhead>>,
    views: Mutex<HashMap<ViewId, Arc<View>>>,
    kind: OnceLock<String>,
}

impl Client {
    fn new(id: u32, outbox: Outbox, authority: Authority) -> Self {
        let exports = Arc::new(Semaphore::new(EXPORTS));
        Self {
            id,
            outbox,
            authority,
            subscribed: AtomicBool::new(false),
            exports,
            playhead: Mutex::default(),
            views: Mutex::default(),
            kind: OnceLock::new(),
        }
    }

    /// What it calls itself: one short word, whatever it says.
    fn is_a(&self, kind: &str) {
        let word = kind.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(20).collect();
        let _ = self.kind.set(word);
    }

    /// What it is: `desktop`, `cli`, `browser`.
    pub(crate) fn kind(&self) -> &str {
        self.kind.get().map_or("unknown", String::as_str)
    }

    /// Answers a request.
    pub(crate) fn answer(&self, id: u64, answer: Result<Reply, WireError>) {
        let message = match answer {
            Ok(reply) => DaemonMessage::Reply { id, reply: Box::new(reply) },
            Err(error) => DaemonMessage::Failed { id, error },
        };
        let bytes = encode(&message).or_else(|| {
            let error = WireError::new(ErrorCode::TooMuch, "the answer does not fit in one message");
            encode(&DaemonMessage::Failed { id, error })
        });
        if let Some(bytes) = bytes {
            self.outbox.push(bytes, false);
        }
    }

    /// Tells it something.
    pub(crate) fn tell(&self, event: Event) {
        self.outbox.message(&DaemonMessage::Event { event: Box::new(event) });
    }

    /// Tells it one of many things that it has asked for, which may wait however many they are.
    pub(crate) fn tell_at_length(&self, event: Event) {
        if let Some(bytes) = encode(&DaemonMessage::Event { event: Box::new(event) }) {
            self.outbox.push(bytes, true);
        }
    }

    /// Keeps a view; false when there are too many, or one of that id is there.
    fn add_view(&self, view: &Arc<View>) -> bool {
        let mut views = self.views.lock();
        if views.len() >= MOST_VIEWS || views.contains_key(&view.id) {
            return false;
        }
        views.insert(view.id, Arc::clone(view));
        true
    }

    fn view(&self, id: ViewId) -> Option<Arc<View>> {
        self.views.lock().get(&id).cloned()
    }

    /// Forgets a view, if it is that very one.
    pub(crate) fn forget_view(&self, view: &View) {
        let mut views = self.views.lock();
        if views.get(&view.id).is_some_and(|known| std::ptr::eq(known.as_ref(), view)) {
            views.remove(&view.id);
        }
    }

    fn take_views(&self) -> Vec<Arc<View>> {
        self.views.lock().drain().map(|(_, view)| view).collect()
    }
}
