//! Directories and files of the person's: choosing one, saving into one, showing one.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use tauri::WebviewWindow;
use tauri::ipc::{InvokeBody, Request};
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

/// Saves the request's raw body where the person wants it, and tells where that is. `None` when they close the dialog. The
/// header `belfry-name` has the name that the file begins with, percent-encoded.
#[tauri::command]
pub(crate) async fn save_file(
    window: WebviewWindow,
    request: Request<'_>,
) -> Result<Option<PathBuf>, Refusal> {
    let InvokeBody::Raw(bytes) = request.body() else {
        return Err(Refusal::new(Code::BadRequest, "A file must be raw bytes."));
    };
    let name = request.headers().get("belfry-name").and_then(|name| name.to_str().ok()).unwrap_or_default();
    let (answer, answered) = tokio::sync::oneshot::channel();
    window.dialog().file().set_parent(&window).set_title("Save").set_file_name(file_name(name)).save_file(
        move |picked| {
            // The page may have been reloaded meanwhile; then nobody waits.
            let _ = answer.send(picked);
        },
    );
    let picked =
        answered.await.map_err(|_| Refusal::new(Code::Desktop, "The save dialog could not be shown."))?;
    let Some(picked) = picked else { return Ok(None) };
    let path = picked.into_path().map_err(|error| {
        Refusal::new(Code::Desktop, format!("The chosen place is no file on this machine: {error}."))
    })?;
    match tokio::fs::write(&path, bytes).await {
        Ok(()) => Ok(Some(path)),
        Err(error) => {
            let text = format!("{} could not be written: {error}.", path.display());
            Err(Refusal::new(Code::Desktop, text))
        }
    }
}

/// Shows a directory in the desktop's own file browser. Only a directory: a file would be run by some.
#[tauri::command]
pub(crate) async fn open_directory(path: PathBuf) -> Result<(), Refusal> {
    if !path.is_absolute() || !tokio::fs::metadata(&path).await.is_ok_and(|there| there.is_dir()) {
        return Err(Refusal::new(Code::BadRequest, format!("There is no directory {}.", path.display())));
    }
    let browser = match () {
        () if cfg!(target_os = "macos") => "open",
        () if cfg!(windows) => "explorer",
        () => "xdg-open",
    };
    // An absolute path starts with a slash or a letter, so it can never be taken for an option.
    let started = Command::new(browser)
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = started.map_err(|error| {
        Refusal::new(Code::Desktop, format!("The file browser could not be started: {error}."))
    })?;
    // It can live as long as the browser, and must not stay behind as a zombie.
    std::thread::spawn(move || child.wait());
    Ok(())
}

/// A plain file's name out of a percent-encoded one: no directory, nothing that is not to be seen.
fn file_name(encoded: &str) -> String {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let [first, after @ ..] = rest {
        let code = encoded_byte(*first, after);
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    let name: String = String::from_utf8_lossy(&bytes)
        .chars()
        .map(|one| if matches!(one, '/' | '\\' | ':') || one.is_control() { '-' } else { one })
        .take(120)
        .collect();
    let name = name.trim_start_matches('.').trim();
    if name.is_empty() { "belfry".to_owned() } else { name.to_owned() }
}

fn encoded_byte(first: u8, after: &[u8]) -> Option<u8> {
    let digits = after.get(..2).filter(|_| first == b'%')?;
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_plain_name() {
        assert_eq!(file_name("Token%20refresh.cast"), "Token refresh.cast");
        assert_eq!(file_name("%C3%BCber%F0%9F%94%94.md"), "über🔔.md");
        assert_eq!(file_name("..%2F..%2Fetc%2Fpasswd"), "-..-etc-passwd");
        assert_eq!(file_name("%zz%4"), "%zz%4");
        assert_eq!(file_name(""), "belfry");
        assert_eq!(file_name("%00%0a"), "--");
        assert_eq!(file_name(&"x".repeat(4000)).len(), 120);
    }
}
