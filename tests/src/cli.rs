//! The command line on a home of its own, with the real programs.
//!
//! A [`Belfry`] is a home; its commands run with nothing of the tester's environment. An [`Outer`] is a terminal in which a
//! command runs as under a person's hands. A [`fake::FakeDaemon`] says what a real one cannot be made to say. Dropping the home ends every process that has it.

mod browser;
pub mod fake;
mod home;
mod hung;
mod outer;

pub use browser::{Answer, Browser};
pub use home::{Belfry, Ran, eventually};
pub use hung::Hung;
pub use outer::Outer;
