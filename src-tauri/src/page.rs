//! What the shell tells the page: which session to show, what to open, how the shortcut is.
//!
//! The page asks for it once and is then told through a channel, so that it needs no permission for events of Tauri's own.

use std::sync::{Mutex, MutexGuard, PoisonError};

use belfry_protocol::SessionId;
use serde::Serialize;
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State};

use crate::refusal::{Code, Refusal};
use crate::{shortcut, window};

/// Something for the page to do or to know.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(crate) enum PageEvent {
    /// Show that session and give its terminal the keyboard.
    Open {
        /// Which.
        session: SessionId,
    },
    /// Show the question that waits longest.
    OpenNeed,
    /// Open the dialog for a new session.
    NewSession,
    /// Something went wrong outside the page.
    Failed {
        /// What, in a sentence or two.
        text: String,
    },
    /// How the key for the whole desktop is.
    Shortcut(shortcut::State),
}

/// The way to the page. What is told while no page listens waits for one: a click on a notification may come while the page is
/// being loaded.
#[derive(Default)]
pub(crate) struct Page {
    told: Mutex<Told>,
}

#[derive(Default)]
struct Told {
    channel: Option<Channel<PageEvent>>,
    /// The last thing to be done that no page has heard. An older one is of no use any more.
    waiting: Option<PageEvent>,
}

impl Page {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the page, now or once there is one.
    pub(crate) fn tell(&self, event: PageEvent) {
        let mut told = self.told();
        match &told.channel {
            Some(channel) => {
                if let Err(error) = channel.send(event) {
                    tracing::warn!(%error, "the page is not told");
                }
            }
            // The page asks for the shortcut's state when it comes.
            None if matches!(event, PageEvent::Shortcut(_)) => {}
            None => told.waiting = Some(event),
        }
    }

    /// A page goes away; the next one will ask anew.
    pub(crate) fn forget(&self) {
        self.told().channel = None;
    }
}

/// Has the page told of everything from now on, beginning with what waits for it.
#[tauri::command]
#[expect(clippy::needless_pass_by_value, reason = "Tauri hands a command its arguments by value")]
pub(crate) fn follow_desktop(app: AppHandle, page: State<'_, Page>, on_event: Channel<PageEvent>) {
    let mut told = page.told();
    let waiting = told.waiting.take();
    for event in [Some(PageEvent::Shortcut(shortcut::state(&app))), waiting].into_iter().flatten() {
        if let Err(error) = on_event.send(event) {
            tracing::warn!(%error, "the page is not told");
        }
    }
    told.channel = Some(on_event);
}

/// Brings the window in front of the person: the page was asked to by the daemon.
#[tauri::command]
#[expect(clippy::needless_pass_by_value, reason = "Tauri hands a command its arguments by value")]
pub(crate) fn raise_window(app: AppHandle) {
    window::come_forward(&app, None);
}

/// Brings the window in front and has the page show something. `token` is the desktop's leave to do so, on Wayland.
pub(crate) fn bring(app: &AppHandle, event: Option<PageEvent>, token: Option<String>) {
    window::come_forward(app, token);
    if let Some(event) = event {
        app.state::<Page>().tell(event);
    }
}

/// Draws the whole page larger. It is the web view's own zoom, under which everything keeps its proportions; the page takes
/// its terminals' letters out of it.
#[tauri::command]
#[expect(clippy::needless_pass_by_value, reason = "Tauri hands a command its arguments by value")]
pub(crate) fn set_zoom(webview: tauri::Webview, percent: u16) -> Result<(), Refusal> {
    let factor = f64::from(percent.clamp(100, 200)) / 100.0;
    webview
        .set_zoom(factor)
        .map_err(|error| Refusal::new(Code::Desktop, format!("The page cannot be drawn larger: {error}.")))
}
