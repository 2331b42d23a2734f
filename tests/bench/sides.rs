//! The sides that are compared.

mod bare;
mod belfry;
mod mark;
mod tmux;

use std::time::Duration;

pub(crate) use bare::Bare;
pub(crate) use belfry::{Belfry, keepers};
pub(crate) use mark::Mark;
pub(crate) use tmux::Tmux;

/// Between two looks at a screen that is waited for.
const LOOK: Duration = Duration::from_millis(5);

/// How long a screen is waited for.
const PATIENCE: Duration = Duration::from_mins(2);

/// The size of every measured terminal.
pub(crate) const COLS: u16 = 120;
/// See [`COLS`].
pub(crate) const ROWS: u16 = 40;

/// Lines of scrollback on every side that has any.
pub(crate) const SCROLLBACK: u32 = 10_000;
