//! The native directory picker.

use std::path::PathBuf;

use tauri::WebviewWindow;
use tauri_plugin_dialog::DialogExt;

use crate::refusal::{Code, Refusal};

/// Asks the person for a directory. `None` when they close the dialog without choosing.
#[tauri::command]
pub(crate) async fn pick_directory(
    window: WebviewWindow,
    start: Option<PathBuf>,
) -> Result<Option<PathBuf>, Refusal> {
    let (answer, answered) = tokio::sync::oneshot::channel();
    let mut dialog = window.dialog().file().set_parent(&window).set_title("Choose a directory");
    if let Some(start) = start.filter(|start| start.is_dir()) {
        dialog = dialog.set_directory(start);
    }
    dialog.pick_folder(move |picked| {
        // The page may have been reloaded meanwhile; then nobody waits.
        let _ = answer.send(picked);
    });
    let picked = answered
        .await
        .map_err(|_| Refusal::new(Code::Desktop, "The directory dialog could not be shown."))?;
    picked.map(tauri_plugin_dialog::FilePath::into_path).transpose().map_err(|error| {
        Refusal::new(Code::Desktop, format!("The chosen place is no directory on this machine: {error}."))
    })
}
