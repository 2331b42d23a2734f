//! The key that works in the whole desktop: it shows the window at the question that waits longest, and hides it again.

mod keys;
#[cfg(target_os = "linux")]
mod x11;

use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use tauri::{AppHandle, Manager};

use crate::page::{Page, PageEvent};
use crate::window;

/// How the key is, for the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct State {
    /// As it is set; empty for none.
    keys: String,
    /// What became of it.
    #[serde(flatten)]
    state: Standing,
}

/// What became of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub(crate) enum Standing {
    /// None is set.
    #[default]
    Off,
    /// It works.
    On,
    /// Another program has it.
    Taken,
    /// The desktop lets no program have such keys.
    Forbidden {
        /// What to do instead.
        why: String,
    },
    /// It is none that can be had.
    Wrong {
        /// Why.
        why: String,
    },
}

/// The key, and whoever listens for it.
#[derive(Default)]
pub(crate) struct Shortcut {
    state: Mutex<State>,
    platform: Mutex<Option<platform::Listener>>,
}

/// How it is now.
pub(crate) fn state(app: &AppHandle) -> State {
    app.state::<Shortcut>().state.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Sets it, where it is another than before, and tells the page what became of it. One that was taken is tried again each time.
pub(crate) fn set(app: &AppHandle, keys: &str) {
    let shortcut = app.state::<Shortcut>();
    {
        let state = shortcut.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.keys == keys && matches!(state.state, Standing::On | Standing::Forbidden { .. }) {
            return;
        }
    }
    let app = app.clone();
    // The display is asked whose it is on the thread that owns it.
    let on_main = app.clone();
    let keys = keys.to_owned();
    let change = move || {
        let shortcut = on_main.state::<Shortcut>();
        let mut listener = shortcut.platform.lock().unwrap_or_else(PoisonError::into_inner);
        // The old one is let go first: the new one may be the same.
        drop(listener.take());
        let standing = match keys::parse(&keys) {
            _ if keys.is_empty() => Standing::Off,
            Err(why) => Standing::Wrong { why },
            Ok(combination) => match platform::listen(&on_main, &combination) {
                Ok(listening) => {
                    *listener = Some(listening);
                    Standing::On
                }
                Err(standing) => standing,
            },
        };
        let state = State { keys, state: standing };
        tracing::info!(?state, "the key for the whole desktop");
        shortcut.state.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&state);
        on_main.state::<Page>().tell(PageEvent::Shortcut(state));
    };
    if let Err(error) = app.run_on_main_thread(change) {
        tracing::warn!(%error, "the key for the whole desktop was not set");
    }
}

/// The key was pressed, in a window of that number where the system numbers them.
fn pressed(app: &AppHandle, active: Option<u32>) {
    let on_main = app.clone();
    let toggle = move || {
        if window::is_in_front(&on_main, active) {
            window::put_away(&on_main);
        } else {
            window::come_forward(&on_main, None);
            on_main.state::<Page>().tell(PageEvent::OpenNeed);
        }
    };
    if let Err(error) = app.run_on_main_thread(toggle) {
        tracing::warn!(%error, "the window does not come");
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use tauri::AppHandle;

    use super::keys::Combination;
    use super::{Standing, pressed, x11};

    pub(super) use x11::Listener;

    /// Has the key from now on until the listener is dropped. On the main thread.
    pub(super) fn listen(app: &AppHandle, combination: &Combination) -> Result<Listener, Standing> {
        use gtk::gdk::{Display, prelude::*};
        if !Display::default().is_some_and(|display| display.backend().is_x11()) {
            let why = "Wayland gives no program a key of the whole desktop. Bind the command \
                       `belfry focus --next` in the desktop's own keyboard settings instead.";
            return Err(Standing::Forbidden { why: why.to_owned() });
        }
        let app = app.clone();
        x11::listen(combination, move |active| pressed(&app, active)).map_err(|failure| match failure {
            x11::Failure::Taken => Standing::Taken,
            x11::Failure::NoSuchKey => Standing::Wrong { why: "This keyboard has no such key.".to_owned() },
            x11::Failure::Display(why) => Standing::Forbidden { why },
        })
    }
}

/// The plan: `RegisterEventHotKey` on macOS and `RegisterHotKey` on Windows, both by tauri-plugin-global-shortcut. On Linux that
/// plugin looks for keys twenty times a second, for ever.
#[cfg(not(target_os = "linux"))]
mod platform {
    use tauri::AppHandle;

    use super::keys::Combination;
    use super::{Standing, pressed};

    pub(super) struct Listener;

    pub(super) fn listen(app: &AppHandle, _: &Combination) -> Result<Listener, Standing> {
        let _ = || pressed(app, None);
        Err(Standing::Forbidden { why: "This system's keys are not there yet.".to_owned() })
    }
}
