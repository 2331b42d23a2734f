//! A terminal's state as bytes that put another one, fresh and of the same size, into that state.

mod rows;
mod state;

use crate::interpret::Interpreter;
use crate::output::Scope;

pub(crate) use state::{charsets, move_to};

/// Rows above the screen that a snapshot holds, and those it leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) held: usize,
    pub(crate) omitted: usize,
}

/// Writes the snapshot. Order matters: each part undoes nothing of those before it.
pub(crate) fn write(terminal: &Interpreter, scope: Scope) -> (Vec<u8>, Extent) {
    let mut out = Vec::with_capacity(16 * 1024);
    let screen = &terminal.screen;
    let extent = rows::primary(&mut out, screen, scope);
    state::buffer(&mut out, screen, 0);
    state::keyboard(&mut out, terminal, 0);
    if screen.on_alternate {
        // 47 alone neither saves the cursor nor clears what it finds.
        out.extend_from_slice(b"\x1b[?47h");
        rows::alternate(&mut out, screen);
        state::buffer(&mut out, screen, 1);
    }
    state::keyboard(&mut out, terminal, 1);
    state::colors(&mut out, terminal);
    state::titles(&mut out, terminal);
    state::modes(&mut out, terminal);
    state::cursor(&mut out, screen);
    (out, extent)
}

/// The rows alone, each ended by a line break, for printing.
pub(crate) fn ansi(terminal: &Interpreter, scope: Scope) -> Vec<u8> {
    let mut out = Vec::new();
    rows::printed(&mut out, &terminal.screen, scope);
    out
}
