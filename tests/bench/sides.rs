//! The sides that are compared.

mod bare;
mod belfry;
mod mark;
mod tmux;

pub(crate) use bare::Bare;
pub(crate) use belfry::{Belfry, keepers};
pub(crate) use mark::Mark;
pub(crate) use tmux::Tmux;

/// The size of every measured terminal.
pub(crate) const COLS: u16 = 120;
/// See [`COLS`].
pub(crate) const ROWS: u16 = 40;

/// Lines of scrollback on every side that has any.
pub(crate) const SCROLLBACK: u32 = 10_000;
