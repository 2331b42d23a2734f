//! Puts the application together.

use anyhow::Context;
use belfry_platform::Home;
use tauri::{AppHandle, Manager};
use tauri_plugin_window_state::StateFlags;

use crate::bridge::{self, Bridge};
use crate::given::{self, Dragged};
use crate::live::{self, Live};
use crate::page::{self, Page};
use crate::shortcut::Shortcut;
use crate::sound::Sounds;
use crate::window::Place;
use crate::{clipboard, directory, links, logging, notify, tray, window};

/// What is remembered of the window. Not whether it is visible: a window that comes back hidden is lost.
const REMEMBERED: StateFlags =
    StateFlags::SIZE.union(StateFlags::POSITION).union(StateFlags::MAXIMIZED).union(StateFlags::FULLSCREEN);

/// Runs until the window is closed.
pub(crate) fn run() -> anyhow::Result<()> {
    let home = Home::from_env().context("Belfry's directories cannot be found")?;
    home.prepare().context("Belfry's directories cannot be made")?;
    let _log = logging::start(&home);
    let own_home = home.root().is_none();

    let builder = tauri::Builder::default()
        // First, so that a second launch does nothing but show the first one's window.
        .plugin(single_instance(&home))
        .plugin(tauri_plugin_dialog::init())
        .plugin(
            tauri_plugin_window_state::Builder::new()
                // The plugin joins this to a directory of its own choice; an absolute path stays as it is.
                .with_filename(home.state_dir().join("window.json").to_string_lossy())
                .with_state_flags(REMEMBERED)
                .build(),
        )
        .manage(Bridge::new(home.clone()))
        .manage(Sounds::new(&home))
        .manage(Live::default())
        .manage(Page::default())
        .manage(Place::default())
        .manage(Dragged::default())
        .manage(Shortcut::default())
        .on_window_event(window::closes)
        .invoke_handler(tauri::generate_handler![
            bridge::connect,
            bridge::send,
            bridge::disconnect,
            directory::pick_directory,
            directory::save_file,
            directory::open_directory,
            links::open_link,
            clipboard::read_clipboard,
            clipboard::read_clipboard_image,
            clipboard::write_clipboard,
            given::dropped_paths,
            given::copied_paths,
            page::follow_desktop,
            page::raise_window,
            page::set_zoom,
        ])
        .setup(move |app| {
            let app = app.handle();
            app.manage(tray::start(app));
            app.manage(notify::start(app, &home));
            window::open(app, &home)?;
            live::start(app, home);
            Ok(())
        });
    #[cfg(target_os = "macos")]
    let builder = builder.menu(crate::menu::standard);
    let mut context = tauri::generate_context!();
    // GTK lets one program of a name run on a desktop; on another home it is an application of its own.
    context.config_mut().app.enable_gtk_app_id = own_home;
    builder.run(context).context("the window could not be opened")
}

/// One window for each home: a second launch shows it and ends.
fn single_instance(home: &Home) -> tauri::plugin::TauriPlugin<tauri::Wry> {
    tauri_plugin_single_instance::Builder::new()
        .dbus_id(instance_name(home))
        .callback(|app: &AppHandle, _arguments, _directory| {
            window::come_forward(app, None);
        })
        .build()
}

/// A bus name that differs between homes, so that a window on another home (a test, a trial) is its own application.
fn instance_name(home: &Home) -> String {
    use std::hash::{Hash, Hasher};
    use std::os::unix::ffi::OsStrExt;

    /// FNV-1a: the standard library's own hasher may change between the two programs that must agree here.
    struct Fnv(u64);
    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    home.state_dir().as_os_str().as_bytes().hash(&mut hasher);
    format!("app.belfry.desktop.h{:016x}", hasher.finish())
}
