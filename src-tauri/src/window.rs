//! The one window and its guards.

use belfry_platform::Home;
use tauri::utils::config::Color;
use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

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
        // With everything else of this home, so that two homes share no page storage.
        .data_directory(home.state_dir().join("webview"))
        .on_navigation(is_ours)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()?;
    platform::guard(&window)
}

/// Brings the window in front of the person.
pub(crate) fn show(window: &WebviewWindow) {
    for step in [window.unminimize(), window.show(), window.set_focus()] {
        if let Err(error) = step {
            tracing::warn!(%error, "the window does not come to the front");
        }
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
    use std::cell::Cell;
    use std::path::Path;
    use std::time::{Duration, Instant};

    use tauri::WebviewWindow;
    use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt, WebViewExt};

    /// A page that dies again this soon after it was brought back is dying of itself.
    const TOO_SOON: Duration = Duration::from_secs(5);
    /// And after this many times in a row it is left alone, so that the machine is not kept busy by it.
    const MOST_IN_A_ROW: u32 = 3;

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

    /// Brings the page back when its process ends, which WebKit otherwise shows as an empty window. Nothing is lost:
    /// all that matters lives in the daemon.
    pub(super) fn guard(window: &WebviewWindow) -> tauri::Result<()> {
        window.with_webview(|web| {
            if !composites()
                && let Some(settings) = WebViewExt::settings(&web.inner())
            {
                settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
            }
            let last = Cell::new(None::<Instant>);
            let in_a_row = Cell::new(0);
            web.inner().connect_web_process_terminated(move |view, reason| {
                let now = Instant::now();
                let soon = last.replace(Some(now)).is_some_and(|before| now - before < TOO_SOON);
                in_a_row.set(if soon { in_a_row.get() + 1 } else { 1 });
                tracing::warn!(?reason, times = in_a_row.get(), "the page's process has ended");
                if in_a_row.get() <= MOST_IN_A_ROW {
                    view.reload();
                }
            });
        })
    }
}

/// The plan: `webViewWebContentProcessDidTerminate` on macOS (Tauri reloads by itself there), `ProcessFailed` on
/// Windows.
#[cfg(not(target_os = "linux"))]
mod platform {
    use tauri::WebviewWindow;

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
