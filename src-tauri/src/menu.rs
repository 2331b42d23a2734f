//! The menu bar on macOS, where an app without one cannot even copy. Linux and Windows have none: its accelerators
//! would take keys that belong to the program in the terminal.

use tauri::menu::Menu;
use tauri::{AppHandle, Wry};

/// The system's standard menus: app, file, edit, view, window, help, all on Cmd keys.
pub(crate) fn standard(app: &AppHandle) -> tauri::Result<Menu<Wry>> {
    Menu::default(app)
}
