//! [`Terminal`]: the crate's one entry.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::archive::MIN_BYTES;
use crate::checkpoint::{self, BlockId, Checkpoint, RestoreError};
use crate::damage::Damage;
use crate::event::{EventKind, TermEvent};
use crate::interpret::{Interpreter, scheme_report};
use crate::modes::Modes;
use crate::options::{Colors, Options, Size};
use crate::output::{Cursor, Fed, Scope, ShownRow, Snapshot, ViewBytes};
use crate::scan::{Scanner, ViewWriter};
use crate::{snapshot, text};

/// A terminal without a window. See the crate's documentation for how it is used.
#[derive(Debug)]
pub struct Terminal {
    state: Interpreter,
    scanner: Scanner,
    offset: u64,
    fail: bool,
}

/// Bytes of a large piece that are fed before looking again whether the rest can be skipped.
const STRIDE: usize = 4 * 1024;

impl Terminal {
    /// A terminal with an empty screen.
    #[must_use]
    pub fn new(size: Size, options: Options) -> Self {
        Self {
            state: Interpreter::new(size.clamped(), options),
            scanner: Scanner::default(),
            offset: 0,
            fail: false,
        }
    }

    /// Takes output in. `start_offset` is the source offset of the first byte.
    ///
    /// Bytes before [`offset`](Self::offset) are skipped, so a piece may overlap what was fed before. When bytes are
    /// missing in between, an unfinished sequence is dropped and feeding goes on. Large pieces are worth it: in a flood
    /// of text, lines that no one can see any more by the piece's end are not drawn.
    pub fn feed<'a>(&mut self, bytes: &'a [u8], start_offset: u64) -> Fed<'a> {
        let known = usize::try_from(self.offset.saturating_sub(start_offset)).unwrap_or(usize::MAX);
        let bytes = bytes.get(known..).unwrap_or_default();
        if start_offset > self.offset {
            self.scanner.abort();
            self.offset = start_offset;
        }
        let start = self.offset;
        self.offset += bytes.len() as u64;
        let mut out = ViewWriter::new(bytes);
        let fed = catch_unwind(AssertUnwindSafe(|| self.advance(bytes, start, &mut out)));
        if fed.is_err() {
            self.start_over(&mut out);
        }
        Fed {
            replies: std::mem::take(&mut self.state.replies),
            events: std::mem::take(&mut self.state.events),
            view: ViewBytes { offset: self.view_offset(), bytes: out.finish() },
        }
    }

    pub(crate) fn interpreter(&self) -> &Interpreter {
        &self.state
    }

    /// Makes the next feed panic inside, so that a test can see what becomes of it.
    #[doc(hidden)]
    pub fn fail_next_feed(&mut self) {
        self.fail = true;
    }

    fn advance(&mut self, bytes: &[u8], start: u64, out: &mut ViewWriter<'_>) {
        assert!(!std::mem::take(&mut self.fail), "asked to fail by a test");
        let mut at = 0;
        let mut worth_trying = 0;
        while at < bytes.len() {
            if bytes.len() - at < MIN_BYTES || worth_trying == bytes.len() {
                self.scanner.feed(bytes, at, start, &mut self.state, out);
                return;
            }
            if at >= worth_trying && self.scanner.is_idle() {
                match self.state.screen.begin_skip(bytes, at) {
                    Ok((from, end)) => {
                        out.keep(at, from);
                        self.scanner.feed(&bytes[..end], from, start, &mut self.state, out);
                        self.state.screen.end_skip();
                        at = end;
                        continue;
                    }
                    Err(next) => worth_trying = next,
                }
            }
            // Stop at a line's end, where skipping may begin.
            let stride = &bytes[at..at + STRIDE];
            let end = at + memchr::memrchr(b'\n', stride).map_or(STRIDE, |i| i + 1);
            self.scanner.feed(&bytes[..end], at, start, &mut self.state, out);
            at = end;
        }
    }

    /// After a panic: nothing of the state can be trusted.
    fn start_over(&mut self, out: &mut ViewWriter<'_>) {
        let size = self.size();
        let replies = std::mem::take(&mut self.state.replies);
        let mut events = std::mem::take(&mut self.state.events);
        let generation = self.state.screen.generation;
        let next_id = self.state.screen.archive.next_id();
        events.push(TermEvent { offset: self.offset, kind: EventKind::EngineReset });
        self.state = Interpreter::new(size, self.state.options.clone());
        self.state.screen.generation = generation + 1;
        self.state.screen.archive.set_next_id(next_id);
        self.state.replies = replies;
        self.state.events = events;
        self.scanner.abort();
        out.push(b"\x1bc");
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
        self.scanner.settled(self.offset)
    }

    /// Size of the screen.
    #[must_use]
    pub fn size(&self) -> Size {
        Size::new(self.state.screen.cols as u16, self.state.screen.rows as u16)
    }

    /// Changes the size; lines that were wrapped by the terminal flow anew, on the primary screen only.
    ///
    /// Text may flow otherwise than in a view that is resized by itself: give views a new snapshot.
    pub fn resize(&mut self, size: Size) {
        let size = size.clamped();
        self.state.screen.resize(usize::from(size.cols), usize::from(size.rows));
    }

    /// Sets the theme's colours. Returns what the program's input must get when it asked to be told of a change
    /// between dark and light (mode 2031).
    pub fn set_colors(&mut self, colors: Colors) -> Option<Vec<u8>> {
        let turned = colors.dark != self.state.options.colors.dark;
        self.state.options.colors = colors;
        (turned && self.state.screen.modes.scheme_updates).then(|| scheme_report(&self.state.options.colors))
    }

    /// Sets the size of a cell in pixels, for programs that ask.
    pub fn set_cell_pixels(&mut self, width: u16, height: u16) {
        self.state.options.cell_pixels = Some((width, height));
    }

    /// A byte string that puts a fresh terminal of the same size into this state.
    ///
    /// A terminal that reports focus may answer it when it is loaded (mode 1004): discard what it sends meanwhile.
    #[must_use]
    pub fn snapshot(&self, scope: Scope) -> Snapshot {
        let (bytes, extent) = snapshot::write(&self.state, scope);
        Snapshot {
            offset: self.view_offset(),
            size: self.size(),
            bytes,
            scrollback_rows: extent.held,
            omitted_rows: extent.omitted,
        }
    }

    /// Rows as plain text without trailing blanks: rows above the screen first, then every row of the screen. The
    /// alternate screen has none above.
    #[must_use]
    pub fn text(&self, scope: Scope) -> Vec<String> {
        text::rows(&self.state.screen, scope)
    }

    /// Like [`text`](Self::text) with the rows of one line put together, as for a search.
    #[must_use]
    pub fn lines(&self, scope: Scope) -> Vec<String> {
        text::lines(&self.state.screen, scope)
    }

    /// Rows that have gone above the primary screen since the terminal was made or restored: what was fed, not a new size, made
    /// them go.
    #[must_use]
    pub fn rows_left(&self) -> u64 {
        self.state.screen.buffers[0].left
    }

    /// The newest `above` rows above the screen, as far as they are there, then every row of the screen. The alternate screen has
    /// none above.
    #[must_use]
    pub fn shown(&self, above: usize) -> Vec<ShownRow> {
        text::shown(&self.state.screen, above)
    }

    /// Rows as text with attributes, each ended by `\r\n`. For printing; a snapshot is for terminals.
    #[must_use]
    pub fn ansi(&self, scope: Scope) -> Vec<u8> {
        snapshot::ansi(&self.state, scope)
    }

    /// Where the cursor is.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        let screen = &self.state.screen;
        let buffer = screen.buf();
        Cursor {
            row: buffer.y as u16,
            col: buffer.x.min(screen.cols - 1) as u16,
            pending_wrap: buffer.x >= screen.cols,
            visible: !screen.modes.cursor_hidden,
        }
    }

    /// The modes.
    #[must_use]
    pub fn modes(&self) -> Modes {
        self.state.current_modes()
    }

    /// Flags of the kitty keyboard protocol on the current screen; see [`Modes::kitty_flags`].
    #[must_use]
    pub fn kitty_flags(&self) -> u8 {
        self.state.keyboard.flags(self.state.screen.on_alternate)
    }

    /// The title, empty when none is set.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.state.title
    }

    /// Changes whenever the screen, the cursor, a mode or the size may have changed.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.state.screen.generation
    }

    /// What was written to the screen since the last call.
    pub fn take_damage(&mut self) -> Damage {
        self.state.screen.take_damage()
    }

    /// A row of the screen as plain text without trailing blanks, written over what `text` held.
    pub fn row(&self, row: u16, text: &mut String) {
        self.state.screen.row_text(row, text);
    }

    /// Where a row of the screen stands out by another ground than most of it has, or by inverse video, as a marked choice
    /// does: first column and the one after the last, written over what `found` held.
    pub fn highlights(&self, row: u16, found: &mut Vec<(u16, u16)>) {
        self.state.screen.highlights(row, found);
    }

    /// Rows above the primary screen; a little fewer than there are where wide characters leave gaps at the ends of rows.
    #[must_use]
    pub fn scrollback_rows(&self) -> usize {
        let screen = &self.state.screen;
        let base = screen.buffers[0].base;
        (screen.archive.rows(screen.cols) + base).min(screen.archive.limit())
    }

    /// The state in a form that can be stored.
    pub fn checkpoint(&mut self) -> Checkpoint {
        self.state.screen.archive.pack();
        checkpoint::save(&self.state, self.view_offset())
    }

    /// An archive block that a [`Checkpoint`] lists; `None` once its lines are beyond the scrollback.
    #[must_use]
    pub fn archive_block(&self, id: BlockId) -> Option<&[u8]> {
        self.state.screen.archive.packed(id)
    }

    /// A terminal from a checkpoint. `block` reads a stored archive block; lines of a block that it cannot give are missing.
    pub fn restore(
        live: &[u8],
        options: Options,
        block: impl FnMut(BlockId) -> Option<Vec<u8>>,
    ) -> Result<Self, RestoreError> {
        let (state, offset) = checkpoint::load(live, options, block)?;
        Ok(Self { state, scanner: Scanner::default(), offset, fail: false })
    }

    /// Bytes that lines above the screen and cells take in memory, without what the allocator adds.
    #[must_use]
    pub fn memory(&self) -> usize {
        let screen = &self.state.screen;
        let rows: usize = screen.buffers.iter().map(|b| b.lines.len()).sum();
        screen.archive.memory() + rows * screen.cols * 16
    }

    /// Packs older lines that are still unpacked because they came in a flood. Worth calling when output pauses.
    pub fn compact(&mut self) {
        self.state.screen.archive.pack();
    }
}
