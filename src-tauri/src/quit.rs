//! Quitting from the tray. Sessions go on without the window, so they are asked about, and left alone where nobody says
//! otherwise.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use belfry_protocol::{Request, SessionId};
use tauri::{AppHandle, Manager};

use crate::live::Live;

/// How long sessions may take to end before the application leaves them to the daemon. Its ladder of signals takes less.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the person said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// Sessions go on.
    Leave,
    /// Sessions are ended first.
    Stop,
    /// Nothing happens.
    Stay,
}

/// The question is on the screen, or its answer is carried out.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Ends the application, after a question where sessions run.
pub(crate) fn ask(app: &AppHandle) {
    let running = app.state::<Live>().alive();
    if running.is_empty() {
        app.exit(0);
        return;
    }
    if ASKED.swap(true, Ordering::AcqRel) {
        return;
    }
    let on_main = app.clone();
    let shown = app.run_on_main_thread(move || {
        let app = on_main.clone();
        platform::ask(&on_main, running.len(), move |choice| match choice {
            Choice::Leave => app.exit(0),
            Choice::Stop => stop(&app),
            Choice::Stay => ASKED.store(false, Ordering::Release),
        });
    });
    if let Err(error) = shown {
        tracing::warn!(%error, "nothing can be asked");
    }
}

/// Ends what runs now, then the application.
fn stop(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let live = app.state::<Live>();
        let kill = |session: SessionId| live.request(Request::KillSession { session: session.to_string() });
        let all = futures_util::future::join_all(live.alive().into_iter().map(kill));
        let answers = tokio::time::timeout(PATIENCE, all).await.unwrap_or_else(|_| {
            tracing::warn!("some sessions have not ended yet");
            Vec::new()
        });
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            tracing::warn!(%error, "a session was not ended");
        }
        app.exit(0);
    });
}

/// The buttons' words: to stop, and to leave running.
fn words(running: usize) -> (&'static str, &'static str) {
    match running {
        1 => ("Stop it and quit", "Quit, leave it running"),
        _ => ("Stop them and quit", "Quit, leave them running"),
    }
}

fn sentence(running: usize) -> String {
    match running {
        1 => "One session is running. It goes on without the window, unless you stop it.".to_owned(),
        many => format!("{many} sessions are running. They go on without the window, unless you stop them."),
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use gtk::prelude::*;
    use gtk::{ButtonsType, DialogFlags, MessageDialog, MessageType, ResponseType};
    use tauri::{AppHandle, Manager};

    use super::{Choice, sentence, words};
    use crate::window;

    /// GTK's own, since the dialog plugin cannot say which button Enter presses. On the main thread.
    pub(super) fn ask(app: &AppHandle, running: usize, answer: impl Fn(Choice) + 'static) {
        let parent = app.get_webview_window(window::LABEL).and_then(|window| window.gtk_window().ok());
        let parent = parent.filter(WidgetExt::is_visible);
        let dialog = MessageDialog::new(
            parent.as_ref(),
            DialogFlags::MODAL | DialogFlags::DESTROY_WITH_PARENT,
            MessageType::Question,
            ButtonsType::None,
            "Quit Belfry?",
        );
        dialog.set_title("Quit Belfry?");
        dialog.set_secondary_text(Some(&sentence(running)));
        dialog.add_button("Cancel", ResponseType::Cancel);
        let (stop, leave) = words(running);
        let stop = dialog.add_button(stop, ResponseType::Other(1));
        stop.style_context().add_class("destructive-action");
        let leave = dialog.add_button(leave, ResponseType::Accept);
        leave.style_context().add_class("suggested-action");
        dialog.set_default_response(ResponseType::Accept);
        dialog.connect_response(move |dialog, response| {
            dialog.close();
            answer(match response {
                ResponseType::Accept => Choice::Leave,
                ResponseType::Other(1) => Choice::Stop,
                _ => Choice::Stay,
            });
        });
        dialog.present();
    }
}

/// Elsewhere by the dialog plugin.
#[cfg(not(target_os = "linux"))]
mod platform {
    use tauri::AppHandle;
    use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogResult};

    use super::{Choice, sentence, words};

    pub(super) fn ask(app: &AppHandle, running: usize, answer: impl Fn(Choice) + Send + 'static) {
        let (stop, leave) = words(running);
        let buttons =
            MessageDialogButtons::YesNoCancelCustom(leave.to_owned(), stop.to_owned(), "Cancel".to_owned());
        let dialog = app.dialog().message(sentence(running)).title("Quit Belfry?").buttons(buttons);
        dialog.show_with_result(move |result| {
            answer(match result {
                MessageDialogResult::Yes => Choice::Leave,
                MessageDialogResult::Custom(label) if label == leave => Choice::Leave,
                MessageDialogResult::No => Choice::Stop,
                MessageDialogResult::Custom(label) if label == stop => Choice::Stop,
                _ => Choice::Stay,
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_many_run() {
        assert!(sentence(1).starts_with("One session is running. It goes on"));
        assert!(sentence(12).starts_with("12 sessions are running. They go on"));
    }
}
