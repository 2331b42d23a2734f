//! The terminal engine: turns a program's output into a screen, answers to its queries, events, and bytes for views.
//!
//! One [`Terminal`] per run. It never blocks, never reads a clock and never panics outwards.
//!
//! # Why an engine of its own
//! What the person sees is xterm.js, fed with [`ViewBytes`]; what status rules, the command line and new views see is this
//! engine. Any difference between the two is a garbled window. So the engine behaves as xterm.js does, and where xterm.js
//! has quirks that no program expects, views are given other bytes that lead to the right state. Tests compare every cell,
//! mode and attribute of both on random streams and on recorded programs.
//!
//! # How it is made
//! `scan` cuts the bytes into text and whole sequences and writes what views get; `interpret` gives them their meaning;
//! `screen` and `grid` hold the cells; `archive` keeps lines far above the screen packed, without a width of their own,
//! and takes floods of text without drawing them; `snapshot` and `checkpoint` write the state down.
//!
//! ```
//! use belfry_terminal::{EventKind, Options, Scope, Size, Terminal};
//!
//! let mut terminal = Terminal::new(Size::new(80, 24), Options::default());
//! // `offset` counts the bytes that the program has printed since its start.
//! let fed = terminal.feed(b"\x1b]2;build\x07hello\x1b[c", 0);
//! assert_eq!(fed.replies[0].bytes, b"\x1b[?62;22c"); // to the program, once
//! assert_eq!(fed.events[0].kind, EventKind::Title("build".into()));
//! assert_eq!(&fed.view[..], b"\x1b]2;build\x07hello"); // to views: the query is gone
//! assert_eq!(terminal.text(Scope::Screen)[0], "hello");
//!
//! // A new view: the snapshot first, then every later `Fed::view`.
//! let snapshot = terminal.snapshot(Scope::Recent(500));
//! assert_eq!(snapshot.offset, terminal.view_offset());
//!
//! // To disk and back. Blocks are stored once each, under their id.
//! let saved = terminal.checkpoint();
//! let blocks: Vec<_> = saved.blocks.iter().map(|id| terminal.archive_block(*id).unwrap().to_vec()).collect();
//! let again = Terminal::restore(&saved.live, Options::default(), |id| {
//!     saved.blocks.iter().position(|b| *b == id).map(|i| blocks[i].clone())
//! })?;
//! assert_eq!(again.offset(), saved.offset);
//! # Ok::<(), belfry_terminal::RestoreError>(())
//! ```

mod archive;
mod checkpoint;
mod damage;
mod event;
mod grid;
pub mod inspect;
mod interpret;
mod modes;
mod options;
mod output;
mod scan;
mod screen;
mod snapshot;
mod terminal;
mod text;

pub use checkpoint::{BlockId, Checkpoint, RestoreError};
pub use damage::Damage;
pub use event::{EventKind, ProgramStatus, Progress, PromptMark, TermEvent};
pub use modes::{CursorShape, Modes, MouseEncoding, MouseTracking};
pub use options::{Colors, Options, Rgb, Size};
pub use output::{Cursor, Fed, Reply, Scope, ShownRow, Snapshot, ViewBytes};
pub use terminal::Terminal;

// A terminal moves between threads with its session.
const _: fn() = || {
    fn can_move<T: Send + Sync>() {}
    can_move::<Terminal>();
};
