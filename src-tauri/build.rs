//! Declares the window's commands to Tauri, so that each needs a permission in the one capability file.

use std::path::Path;
use std::{fs, io};

/// Everything that the page may ask of the shell. A command that is not named here cannot be called at all.
const COMMANDS: &[&str] = &[
    "connect",
    "send",
    "disconnect",
    "pick_directory",
    "save_file",
    "open_directory",
    "open_link",
    "read_clipboard",
    "read_clipboard_image",
    "write_clipboard",
    "dropped_paths",
    "copied_paths",
    "follow_desktop",
    "raise_window",
    "set_zoom",
];

/// Stands in for the interface when only the Rust side is compiled, say by an editor or a lint.
const PLACEHOLDER: &str = "<!doctype html><title>Belfry</title><p>The interface was not built into this program. \
Run <code>cargo xtask run</code>.</p>\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let interface = Path::new("../ui/dist");
    place_holder(interface)?;
    // The interface is embedded when this crate is compiled, so a new one must compile it again.
    println!("cargo:rerun-if-changed={}", interface.display());
    tauri_build::try_build(
        tauri_build::Attributes::new().app_manifest(tauri_build::AppManifest::new().commands(COMMANDS)),
    )?;
    Ok(())
}

/// Tauri refuses to compile without the directory it is to embed.
fn place_holder(interface: &Path) -> io::Result<()> {
    let page = interface.join("index.html");
    if page.exists() {
        return Ok(());
    }
    fs::create_dir_all(interface)?;
    fs::write(page, PLACEHOLDER)
}
