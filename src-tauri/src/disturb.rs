//! The switch that lets nothing disturb, for the tray. The setting is the daemon's; the window and the file have it too.

use belfry_protocol::Request;
use tauri::{AppHandle, Manager};

use crate::live::Live;
use crate::page::{Page, PageEvent};

/// Asks the daemon to turn it on or off. What shows changes once the daemon says so.
pub(crate) fn set(app: &AppHandle, on: bool) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let request =
            Request::ChangeSetting { path: "notifications.do_not_disturb".to_owned(), value: on.into() };
        if let Err(error) = app.state::<Live>().request(request).await {
            tracing::warn!(%error, "do not disturb was not changed");
            let text = format!("Do not disturb was not changed: {error}.");
            app.state::<Page>().tell(PageEvent::Failed { text });
        }
    });
}
