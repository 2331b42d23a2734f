//! Belfry's window: a view of the daemon and nothing more.
//!
//! It owns no session and no state that matters, so it can be closed, killed, reloaded or updated at any time. It
//! carries the daemon's bytes to the page without understanding them ([`bridge`]) and does the few things of the
//! desktop that a page cannot.

// A console window behind the app is never wanted on Windows.
#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

mod app;
mod bridge;
mod clipboard;
mod directory;
mod disturb;
mod given;
mod links;
mod live;
mod logging;
#[cfg(target_os = "macos")]
mod menu;
mod notify;
mod page;
mod quit;
mod refusal;
#[cfg(target_os = "linux")]
mod revival;
mod shortcut;
mod sound;
mod tray;
mod usage;
mod window;

fn main() -> anyhow::Result<()> {
    if let Some(text) = usage::answer(std::env::args_os().skip(1)) {
        use std::io::Write;
        return Ok(std::io::stdout().write_all(text.as_bytes())?);
    }
    app::run()
}
