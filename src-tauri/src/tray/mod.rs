//! The icon in the desktop's tray: how the sessions are at a glance, and the way back to a window that was put away.

#[cfg(target_os = "linux")]
mod icon;
#[cfg(target_os = "linux")]
mod item;
mod look;

use std::sync::{Mutex, PoisonError};

use tauri::{AppHandle, Manager};
use tokio::sync::watch;

pub(crate) use self::look::Look;
#[cfg(target_os = "linux")]
pub(crate) use self::look::{Entry, Mood};
use crate::live::Live;

/// The tray's icon, wanted or not, shown or not.
pub(crate) struct Tray {
    /// What it is to show; none takes it away.
    wanted: watch::Sender<Option<Look>>,
    /// Whether a panel shows it.
    visible: watch::Receiver<bool>,
    /// The person wants one.
    enabled: Mutex<bool>,
}

impl Tray {
    /// Whether the person can reach it: closing the window to where nobody finds it again would lose it.
    pub(crate) fn visible(&self) -> bool {
        *self.visible.borrow()
    }
}

/// Begins. There is an icon once [`show`] was called.
pub(crate) fn start(app: &AppHandle) -> Tray {
    let (wanted, changed) = watch::channel(None);
    let (tell_visible, visible) = watch::channel(false);
    platform::start(app.clone(), changed, tell_visible);
    Tray { wanted, visible, enabled: Mutex::new(false) }
}

/// Shows or takes away the icon.
pub(crate) fn show(app: &AppHandle, enabled: bool) {
    let tray = app.state::<Tray>();
    *tray.enabled.lock().unwrap_or_else(PoisonError::into_inner) = enabled;
    refresh(app);
}

/// Shows how things are now. Nothing reaches the desktop where that looks the same as before.
pub(crate) fn refresh(app: &AppHandle) {
    let tray = app.state::<Tray>();
    let enabled = *tray.enabled.lock().unwrap_or_else(PoisonError::into_inner);
    let look = enabled.then(|| app.state::<Live>().look());
    tray.wanted.send_if_modified(|wanted| {
        let differs = *wanted != look;
        *wanted = look;
        differs
    });
}

#[cfg(target_os = "linux")]
use item as platform;

/// The plan: Tauri's own tray (its feature `tray-icon`), which serves macOS and Windows, fed from the same [`Look`].
#[cfg(not(target_os = "linux"))]
mod platform {
    use super::{AppHandle, Look, watch};

    pub(super) fn start(_: AppHandle, _: watch::Receiver<Option<Look>>, _: watch::Sender<bool>) {}
}
