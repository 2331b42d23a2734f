//! The bridge between the page and the daemon: one byte stream, carried without understanding it.
//!
//! The page does the framing, the handshake and the reconnecting. The bridge finds or starts the daemon, gives every
//! byte to the page in order and as early as is sensible, writes the page's bytes to the socket in the order that the
//! page numbered them, and says at once when the link is gone.

mod daemon;
mod link;
mod order;
mod pump;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use belfry_platform::Home;
use serde::Serialize;
use tauri::State;
use tauri::ipc::{Channel, InvokeBody, InvokeResponseBody, Request};

use self::link::Link;
use crate::refusal::{Code, Refusal};

/// What the page is told about its link besides the bytes.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub(crate) enum LinkEvent {
    /// The socket has ended, and nothing more will come. Not sent for a link that the page gave up itself.
    Lost {
        /// Why, for the person.
        message: String,
    },
}

/// The one link of the one window. A reloaded page connects anew, and its link replaces the one of the page before.
pub(crate) struct Bridge {
    home: Home,
    newest: AtomicU64,
    link: Mutex<Option<Link>>,
}

impl Bridge {
    /// No link yet, to the daemon of this home.
    pub(crate) fn new(home: Home) -> Self {
        Self { home, newest: AtomicU64::new(0), link: Mutex::new(None) }
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Link>> {
        // Every change under this lock is one assignment, so that a panic elsewhere leaves it whole.
        self.link.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Opens the byte stream to the daemon, starting one when there is none, and answers with the link's number.
#[tauri::command]
pub(crate) async fn connect(
    bridge: State<'_, Bridge>,
    on_bytes: Channel<InvokeResponseBody>,
    on_state: Channel<LinkEvent>,
) -> Result<u64, Refusal> {
    let id = bridge.newest.fetch_add(1, Ordering::SeqCst) + 1;
    *bridge.slot() = None;
    let stream = daemon::open(&bridge.home).await?;
    let mut slot = bridge.slot();
    if bridge.newest.load(Ordering::SeqCst) != id {
        return Err(Refusal::new(Code::LinkClosed, "A newer link has taken this one's place."));
    }
    *slot = Some(Link::start(id, stream, on_bytes, on_state));
    tracing::info!(link = id, "the window is linked to the daemon");
    Ok(id)
}

/// Passes the request's raw body to the daemon.
///
/// The headers name the link and count its pieces from 0. Not async on purpose: Tauri then calls it where requests
/// arrive, with no pool in between.
#[tauri::command]
#[expect(clippy::needless_pass_by_value, reason = "Tauri hands a command its arguments by value")]
pub(crate) fn send(bridge: State<'_, Bridge>, request: Request<'_>) -> Result<(), Refusal> {
    let InvokeBody::Raw(bytes) = request.body() else {
        return Err(Refusal::new(Code::BadRequest, "Input must be raw bytes."));
    };
    let id = number(&request, "belfry-link")?;
    let sequence = number(&request, "belfry-seq")?;
    match bridge.slot().as_mut() {
        Some(link) if link.id() == id => link.send(sequence, bytes.clone()),
        _ => Err(Refusal::new(Code::LinkClosed, "The link is closed.")),
    }
}

/// Gives the link up. Quiet when it is gone already.
#[tauri::command]
#[expect(clippy::needless_pass_by_value, reason = "Tauri hands a command its arguments by value")]
pub(crate) fn disconnect(bridge: State<'_, Bridge>, link: u64) {
    let mut slot = bridge.slot();
    if slot.as_ref().is_some_and(|open| open.id() == link) {
        *slot = None;
    }
}

fn number(request: &Request<'_>, header: &str) -> Result<u64, Refusal> {
    request
        .headers()
        .get(header)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse().ok())
        .ok_or_else(|| Refusal::new(Code::BadRequest, format!("The header {header} must be a number.")))
}
