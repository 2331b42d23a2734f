//! The desktop's clipboard, for the keys that a terminal pastes and copies with.
//!
//! A web view gives a page its clipboard only in answer to a paste event, which Ctrl Shift V and a middle click in a
//! canvas do not raise everywhere, and never gives it the primary selection.

use tauri::ipc::Response;

use crate::refusal::{Code, Refusal};

/// The text on the clipboard, empty when there is none. `primary` asks for the X11 and Wayland selection instead.
#[tauri::command]
pub(crate) async fn read_clipboard(app: tauri::AppHandle, primary: Option<bool>) -> Result<String, Refusal> {
    let (answer, answered) = tokio::sync::oneshot::channel();
    app.run_on_main_thread(move || platform::read(primary.unwrap_or(false), answer)).map_err(unreachable)?;
    answered.await.map_err(unreachable)?.ok_or_else(unsupported)
}

/// The picture on the clipboard as PNG, empty when there is none.
#[tauri::command]
pub(crate) async fn read_clipboard_image(app: tauri::AppHandle) -> Result<Response, Refusal> {
    let (answer, answered) = tokio::sync::oneshot::channel();
    app.run_on_main_thread(move || platform::read_image(answer)).map_err(unreachable)?;
    answered.await.map(Response::new).map_err(unreachable)
}

/// Puts text on the clipboard, or into the primary selection.
#[tauri::command]
pub(crate) async fn write_clipboard(
    app: tauri::AppHandle,
    text: String,
    primary: Option<bool>,
) -> Result<(), Refusal> {
    let (answer, answered) = tokio::sync::oneshot::channel();
    app.run_on_main_thread(move || {
        let _ = answer.send(platform::write(primary.unwrap_or(false), &text));
    })
    .map_err(unreachable)?;
    if answered.await.map_err(unreachable)? { Ok(()) } else { Err(unsupported()) }
}

fn unreachable(error: impl std::fmt::Display) -> Refusal {
    Refusal::new(Code::Desktop, format!("The clipboard does not answer: {error}."))
}

fn unsupported() -> Refusal {
    Refusal::new(Code::Desktop, "This desktop has no such clipboard.")
}

/// GTK's clipboard, which serves X11 and Wayland alike.
#[cfg(target_os = "linux")]
mod platform {
    use gtk::gdk::Atom;
    use tokio::sync::oneshot::Sender;

    fn clipboard(primary: bool) -> gtk::Clipboard {
        gtk::Clipboard::get(if primary {
            &gtk::gdk::SELECTION_PRIMARY
        } else {
            &gtk::gdk::SELECTION_CLIPBOARD
        })
    }

    /// Asks without blocking: the owner of the clipboard can be a program that hangs.
    pub(super) fn read(primary: bool, answer: Sender<Option<String>>) {
        let answer = std::cell::Cell::new(Some(answer));
        clipboard(primary).request_text(move |_, text| {
            if let Some(answer) = answer.take() {
                let _ = answer.send(Some(text.unwrap_or_default().to_owned()));
            }
        });
    }

    /// As it is there, if it is a PNG: most programs give that too, and making one takes a while.
    pub(super) fn read_image(answer: Sender<Vec<u8>>) {
        clipboard(false).request_contents(&Atom::intern("image/png"), move |clipboard, contents| {
            let png = contents.data();
            if png.is_empty() {
                clipboard.request_image(move |_, image| {
                    let png = image.and_then(|image| image.save_to_bufferv("png", &[]).ok());
                    let _ = answer.send(png.unwrap_or_default());
                });
            } else {
                let _ = answer.send(png);
            }
        });
    }

    pub(super) fn write(primary: bool, text: &str) -> bool {
        clipboard(primary).set_text(text);
        true
    }
}

/// Elsewhere the page's own clipboard events serve. The plan: `NSPasteboard` on macOS, `OpenClipboard` on Windows.
#[cfg(not(target_os = "linux"))]
mod platform {
    use tokio::sync::oneshot::Sender;

    pub(super) fn read(_primary: bool, answer: Sender<Option<String>>) {
        let _ = answer.send(None);
    }

    pub(super) fn read_image(answer: Sender<Vec<u8>>) {
        let _ = answer.send(Vec::new());
    }

    pub(super) fn write(_primary: bool, _text: &str) -> bool {
        false
    }
}
