//! The real window, driven by WebDriver and by the keyboard, each test on a desktop of its own.
//!
//! A [`Desk`] is a virtual screen with a window manager, a session bus and a home. On it a test opens the window either
//! [driven](Desk::open_driven) by WebDriver or [by hand](Desk::open_by_hand), then looks at the page, types with
//! [`Desk::type_text`], asks the command line with [`Desk::belfry`], and keeps pictures in `target/ci-output/window`.
//! Dropping the desk ends every process on it, the daemon and its keepers included.

mod bus;
mod by_hand;
mod desk;
mod driven;
mod files;
mod keyboard;
mod mouse;
mod processes;
mod sessions;
mod wait;

pub use bus::{Notices, Panel};
pub use by_hand::ByHand;
pub use desk::Desk;
pub use driven::Driven;
pub use files::Files;
pub use processes::Process;
pub use sessions::{row, terminal};
pub use wait::until;
