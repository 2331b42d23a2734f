//! The one window and its guards.

use std::sync::{Mutex, PoisonError};

use belfry_platform::Home;
use tauri::utils::config::Color;
use tauri::webview::NewWindowResponse;
use tauri::webview::PageLoadEvent;
use tauri::{AppHandle, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, Window, WindowEvent};

use crate::given;
use crate::live::Live;
use crate::page::Page;
use crate::tray::Tray;

/// The window's name in Tauri, which the capability file refers to.
pub(crate) const LABEL: &str = "main";

/// The page's background in the dark theme (`--bg`), shown until the page paints, so that nothing flashes white.
const BACKGROUND: Color = Color(0x0f, 0x11, 0x15, 0xff);

/// Opens the window on the built-in page.
pub(crate) fn open(app: &AppHandle, home: &Home) -> tauri::Result<()> {
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::App("index.html".into()))
        .title("Belfry")
        .inner_size(1280.0, 800.0)
        // The narrowest at which the one-pane layout still holds a dialog.
        .min_inner_size(420.0, 320.0)
        .background_color(BACKGROUND)
        // Files that are dropped are the page's: it knows which session they are dropped on. It asks for their paths.
        .disable_drag_drop_handler()
        // With everything else of this home, so that two homes share no page storage.
        .data_directory(home.state_dir().join("webview"))
        .on_navigation(is_ours)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_page_load(|window, load| {
            if load.event() == PageLoadEvent::Started {
                window.state::<Page>().forget();
            }
        })
        .build()?;
    given::follow(&window)?;
    platform::guard(&window)
}

/// Where the window was when it was put away. A window that is shown anew is placed anew by most desktops.
#[derive(Default)]
pub(crate) struct Place(Mutex<Option<(i32, i32)>>);

/// Brings the window in front of the person, wherever it was. `token` is the desktop's leave to do so, on Wayland.
pub(crate) fn come_forward(app: &AppHandle, token: Option<String>) {
    on_main(app, move |window| {
        let place = window.state::<Place>().0.lock().unwrap_or_else(PoisonError::into_inner).take();
        platform::come_forward(window, place, token.as_deref())
    });
}

/// Hides the window. All goes on in it.
pub(crate) fn put_away(app: &AppHandle) {
    on_main(app, |window| {
        let place = platform::place(window);
        *window.state::<Place>().0.lock().unwrap_or_else(PoisonError::into_inner) = place;
        window.hide()
    });
}

/// Whether the person looks at it. `active` is the number of the window that they look at, where that is known. On the main
/// thread.
pub(crate) fn is_in_front(app: &AppHandle, active: Option<u32>) -> bool {
    app.get_webview_window(LABEL).is_some_and(|window| {
        let number = platform::number(&window);
        window.is_visible().unwrap_or(false)
            && match active {
                Some(active) if number.is_some() => number == Some(active),
                _ => window.is_focused().unwrap_or(false),
            }
    })
}

/// Puts the window away instead of closing it, where that is set and there is a tray to bring it back from.
pub(crate) fn closes(window: &Window, event: &WindowEvent) {
    let WindowEvent::CloseRequested { api, .. } = event else { return };
    let app = window.app_handle();
    if app.state::<Live>().settings().tray.close_to_tray && app.state::<Tray>().visible() {
        api.prevent_close();
        put_away(app);
    }
}

fn on_main(app: &AppHandle, step: impl FnOnce(&WebviewWindow) -> tauri::Result<()> + Send + 'static) {
    let Some(window) = app.get_webview_window(LABEL) else { return };
    let done = app.run_on_main_thread(move || {
        if let Err(error) = step(&window) {
            tracing::warn!(%error, "the window does not follow");
        }
    });
    if let Err(error) = done {
        tracing::warn!(%error, "the window does not follow");
    }
}

/// Whether the web view may go there: to the application's own pages and nowhere else, whatever a page, a dropped
/// file or a redirect asks for.
fn is_ours(url: &Url) -> bool {
    if cfg!(windows) {
        url.scheme() == "http" && url.host_str() == Some("tauri.localhost")
    } else {
        url.scheme() == "tauri" && url.host_str() == Some("localhost")
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use std::cell::RefCell;
    use std::path::Path;
    use std::time::Instant;

    use gtk::gdk::prelude::*;
    use gtk::glib;
    use gtk::prelude::*;
    use tauri::WebviewWindow;
    use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt, WebViewExt};

    use crate::revival::Revival;

    /// The built-in page.
    const PAGE: &str = "tauri://localhost/";

    /// Whether anything here may draw faster than the processor: a render node of the kernel, NVIDIA's own device, or
    /// Windows's below WSL. Where in doubt, yes: WebKit falls back by itself.
    fn has_gpu() -> bool {
        let render_node = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("renderD");
        let nodes = std::fs::read_dir("/dev/dri").into_iter().flatten().flatten();
        nodes.into_iter().any(|node| render_node(&node.file_name()))
            || ["/dev/nvidia0", "/dev/dxg"].iter().any(|device| Path::new(device).exists())
    }

    /// Whether the page is put together from layers. Without a GPU the processor would play one, and redraw the whole window for
    /// each letter: drawing what has changed and nothing else takes a fifth of the time (measured, WebKitGTK 2.50). But a
    /// WebDriver that asks for a picture of such a page waits for ever. `BELFRY_COMPOSITING` decides otherwise.
    fn composites() -> bool {
        let set = |name| std::env::var(name).is_ok_and(|value| value != "false" && value != "0");
        match std::env::var("BELFRY_COMPOSITING").as_deref() {
            Ok("always") => true,
            Ok("never") => false,
            _ => has_gpu() || set("TAURI_WEBVIEW_AUTOMATION") || set("TAURI_AUTOMATION"),
        }
    }

    /// GTK directly: Tauri gives no keyboard to a window that it has only just been told to show.
    pub(super) fn come_forward(
        window: &WebviewWindow,
        place: Option<(i32, i32)>,
        token: Option<&str>,
    ) -> tauri::Result<()> {
        let window = window.gtk_window()?;
        if let Some(token) = token {
            window.set_startup_id(token);
            if let Some(surface) = window.window() {
                surface.set_startup_id(token);
            }
        }
        if let Some((x, y)) = place {
            window.move_(x, y);
        }
        window.show_all();
        window.deiconify();
        window.present_with_time(now(&window));
        Ok(())
    }

    /// X's own time: a desktop that guards the keyboard against windows that take it gives it to the newest wish. 0 elsewhere.
    fn now(window: &gtk::ApplicationWindow) -> u32 {
        let surface = window.window().and_then(|surface| surface.downcast::<gdkx11::X11Window>().ok());
        surface.map_or(0, |surface| gdkx11::functions::x11_get_server_time(&surface))
    }

    /// X's number of it.
    pub(super) fn number(window: &WebviewWindow) -> Option<u32> {
        let surface = window.gtk_window().ok()?.window()?.downcast::<gdkx11::X11Window>().ok()?;
        u32::try_from(surface.xid()).ok()
    }

    /// Where it is on the screen.
    pub(super) fn place(window: &WebviewWindow) -> Option<(i32, i32)> {
        window.gtk_window().ok().map(|window| window.position())
    }

    /// Brings the page back when its process ends, which WebKit otherwise shows as an empty window. Nothing is lost:
    /// all that matters lives in the daemon.
    pub(super) fn guard(window: &WebviewWindow) -> tauri::Result<()> {
        window.with_webview(|web| {
            if !composites()
                && let Some(settings) = WebViewExt::settings(&web.inner())
            {
                settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
            }
            let revival = RefCell::new(Revival::default());
            web.inner().connect_web_process_terminated(move |view, reason| {
                let wait = revival.borrow_mut().ended(Instant::now());
                tracing::warn!(?reason, ?wait, "the page's process has ended");
                let view = view.clone();
                // Not now: WebKit is still taking leave of the process. And not by a reload: of a page that was killed before
                // it had begun there is nothing to load again.
                glib::timeout_add_local_once(wait, move || view.load_uri(PAGE));
            });
        })
    }
}

/// The plan: `webViewWebContentProcessDidTerminate` on macOS (Tauri reloads by itself there), `ProcessFailed` on
/// Windows.
#[cfg(not(target_os = "linux"))]
mod platform {
    use tauri::WebviewWindow;

    pub(super) fn come_forward(
        window: &WebviewWindow,
        _place: Option<(i32, i32)>,
        _token: Option<&str>,
    ) -> tauri::Result<()> {
        window.unminimize()?;
        window.show()?;
        window.set_focus()
    }

    pub(super) fn number(_window: &WebviewWindow) -> Option<u32> {
        None
    }

    pub(super) fn place(_window: &WebviewWindow) -> Option<(i32, i32)> {
        None
    }

    pub(super) fn guard(_window: &WebviewWindow) -> tauri::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn stays_on_its_own_pages() {
        let goes = |url: &str| is_ours(&Url::parse(url).expect("a url"));
        assert!(goes("tauri://localhost/"));
        assert!(goes("tauri://localhost/index.html#session"));
        for elsewhere in [
            "https://example.org/",
            "http://tauri.localhost/",
            "http://localhost/",
            "tauri://evil/",
            "file:///etc/passwd",
            "data:text/html,x",
            "about:blank",
            "javascript:alert(1)",
        ] {
            assert!(!goes(elsewhere), "{elsewhere}");
        }
    }
}
