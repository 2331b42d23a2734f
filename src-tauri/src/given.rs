//! Where the files are that a person drops on the page or copies for it. The web view hides paths from the page, and on Linux
//! the files as well; a program in a terminal wants the paths.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tauri::{AppHandle, State, WebviewWindow};

/// A page takes what was dropped on it within this. What is asked for later was not dropped.
const FRESH: Duration = Duration::from_secs(10);

/// What the last drag over the window brings, or has brought.
#[derive(Debug, Default)]
pub(crate) struct Dragged(Mutex<Option<Drag>>);

#[derive(Debug)]
struct Drag {
    paths: Vec<PathBuf>,
    /// When it left the window, or was dropped on it. Nothing tells the one from the other, but the page asks for what was
    /// dropped alone.
    over: Option<Instant>,
}

impl Dragged {
    fn last(&self) -> MutexGuard<'_, Option<Drag>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something is dragged over the window; nothing where it brings no files.
    fn enters(&self, paths: Vec<PathBuf>) {
        *self.last() = Some(Drag { paths, over: None });
    }

    /// It is not any more.
    fn leaves(&self, now: Instant) {
        if let Some(drag) = &mut *self.last() {
            drag.over = Some(now);
        }
    }

    /// The paths of what was dropped. Once.
    fn take(&self, now: Instant) -> Vec<String> {
        let fresh = |drag: &Drag| drag.over.is_some_and(|over| now.saturating_duration_since(over) < FRESH);
        let dropped = self.last().take_if(|drag| fresh(drag));
        dropped.and_then(|drag| texts(&drag.paths)).unwrap_or_default()
    }
}

/// Where the files are that were just dropped.
#[tauri::command]
#[expect(clippy::needless_pass_by_value, reason = "Tauri hands a command its arguments by value")]
pub(crate) fn dropped_paths(dragged: State<'_, Dragged>) -> Vec<String> {
    dragged.take(Instant::now())
}

/// Where the files are that were copied to the clipboard, say in a file manager.
#[tauri::command]
pub(crate) async fn copied_paths(app: AppHandle) -> Vec<String> {
    let (answer, answered) = tokio::sync::oneshot::channel();
    if app.run_on_main_thread(move || platform::copied(answer)).is_err() {
        return Vec::new();
    }
    answered.await.ok().and_then(|paths| texts(&paths)).unwrap_or_default()
}

/// Listens to what is dragged over the page.
pub(crate) fn follow(window: &WebviewWindow) -> tauri::Result<()> {
    platform::follow(window)
}

/// All of them as texts. A path is going to be typed: one with a control character in it would press keys.
fn texts(paths: &[PathBuf]) -> Option<Vec<String>> {
    let text =
        |path: &Path| path.to_str().filter(|text| !text.chars().any(char::is_control)).map(str::to_owned);
    paths.iter().map(|path| text(path)).collect()
}

#[cfg(target_os = "linux")]
mod platform {
    use std::path::PathBuf;
    use std::time::Instant;

    use gtk::glib;
    use gtk::prelude::*;
    use tauri::{Manager, WebviewWindow};
    use tokio::sync::oneshot::Sender;

    use super::Dragged;

    pub(super) fn follow(window: &WebviewWindow) -> tauri::Result<()> {
        let (entering, leaving) = (window.clone(), window.clone());
        window.with_webview(move |web| {
            let web = web.inner();
            // The web view asks for what is dragged as soon as it comes, and both hear the answer.
            web.connect_drag_data_received(move |_, _, _, _, data, _, _| {
                let uris = data.uris();
                if !uris.is_empty() {
                    entering.state::<Dragged>().enters(paths(&uris));
                }
            });
            web.connect_drag_leave(move |_, _, _| leaving.state::<Dragged>().leaves(Instant::now()));
        })
    }

    /// Asks without blocking: the owner of the clipboard can be a program that hangs.
    pub(super) fn copied(answer: Sender<Vec<PathBuf>>) {
        let clipboard = gtk::Clipboard::get(&gtk::gdk::SELECTION_CLIPBOARD);
        clipboard.request_uris(move |_, uris| {
            let _ = answer.send(paths(uris));
        });
    }

    /// Nothing where one of them is not a file of this machine.
    fn paths(uris: &[glib::GString]) -> Vec<PathBuf> {
        let path = |uri: &glib::GString| {
            let (path, host) = glib::filename_from_uri(uri).ok()?;
            host.is_none_or(|host| host == "localhost").then_some(path)
        };
        uris.iter().map(path).collect::<Option<_>>().unwrap_or_default()
    }
}

/// Elsewhere the web view tells the paths, or the page takes the bytes. The plan: `NSPasteboard` and the drag's own on macOS,
/// `CF_HDROP` on Windows.
#[cfg(not(target_os = "linux"))]
mod platform {
    use std::path::PathBuf;

    use tauri::WebviewWindow;
    use tokio::sync::oneshot::Sender;

    pub(super) fn follow(_window: &WebviewWindow) -> tauri::Result<()> {
        Ok(())
    }

    pub(super) fn copied(answer: Sender<Vec<PathBuf>>) {
        let _ = answer.send(Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(list: &[&str]) -> Vec<String> {
        list.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn what_was_dropped_is_told_once_and_for_a_while() {
        let (dragged, now) = (Dragged::default(), Instant::now());
        let paths = ["/srv/a b.txt", "/srv/a directory/"];
        let enter = || dragged.enters(paths.iter().map(PathBuf::from).collect());
        enter();
        assert_eq!(dragged.take(now), own(&[]), "still over the window");
        dragged.leaves(now);
        assert_eq!(dragged.take(now), own(&paths));
        assert_eq!(dragged.take(now), own(&[]), "told");
        enter();
        dragged.leaves(now);
        assert_eq!(dragged.take(now + FRESH), own(&[]), "long ago");
    }

    #[test]
    fn no_path_presses_keys() {
        assert_eq!(texts(&["/srv/a\rb".into()]), None);
        assert_eq!(texts(&["/srv/ü 🔔".into()]), Some(own(&["/srv/ü 🔔"])));
    }
}
