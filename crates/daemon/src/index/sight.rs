//! What a run's terminal shows, line by line, and what has left its screen.
//!
//! Only what was on the screen counts, as it was when it left: a spinner that is drawn over itself is one line, and what a program draws
//! anew from its beginning is not another one. The place of a line is where it came to stand as it is, which can be long before it
//! leaves the screen. The alternate screen has nothing above it: what stood there long enough to be read is taken when it goes.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use belfry_index::{Line, MOST_LINES};
use belfry_journal::{Entry, What};
use belfry_terminal::{Options, ShownRow, Size, Terminal};
use serde::{Deserialize, Serialize};

/// Most bytes that are fed before the screen is looked at, and most time between two looks, in milliseconds: a line's place is
/// as exact as that.
const PIECE: usize = 32 * 1024;
const MOMENT: i64 = 1000;

/// Rows above the screen: more do not leave it within a piece.
const ABOVE: usize = 2000;

/// How long something stands on the alternate screen before it counts, in milliseconds.
const READ: i64 = 2000;

/// Bytes of a line that are kept together.
const LONGEST: usize = 4000;

/// Where something was shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    offset: u64,
    at: i64,
}

/// A terminal that is looked at.
pub(super) struct Sight {
    terminal: Terminal,
    options: Options,
    /// How many rows had left the screen at the last look.
    left: u64,
    /// Rows of the primary screen, by what stands in them, and since when.
    rows: HashMap<u64, Mark>,
    /// Rows of the alternate screen, with their text.
    alternate: HashMap<u64, (Mark, String)>,
    /// A line of which the first rows have left.
    open: Option<Line>,
    seen: Seen,
    /// Lines that have left, and were not there before.
    fresh: Vec<Line>,
    /// Output that is not fed yet, with the offset of its first byte and the time of its first.
    piece: Vec<u8>,
    began: Mark,
    /// The newest that is known.
    now: Mark,
}

/// Lines that are in the index, as many as it keeps, also without their digits.
#[derive(Default)]
struct Seen {
    lines: HashSet<u64>,
    order: VecDeque<u64>,
}

impl Seen {
    /// False where it is known.
    fn add(&mut self, line: u64) -> bool {
        if !self.lines.insert(line) {
            return false;
        }
        self.order.push_back(line);
        if self.order.len() > 2 * MOST_LINES
            && let Some(oldest) = self.order.pop_front()
        {
            self.lines.remove(&oldest);
        }
        true
    }
}

/// What is kept of it beside the terminal's own state.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Kept {
    rows: Vec<(u64, Mark)>,
    open: Option<(String, Mark)>,
    now: Mark,
}

impl Sight {
    pub(super) fn new(options: &Options) -> Self {
        let options = Options { scrollback_lines: ABOVE, ..options.clone() };
        let terminal = Terminal::new(Size::new(80, 24), options.clone());
        Self {
            terminal,
            options,
            left: 0,
            rows: HashMap::new(),
            alternate: HashMap::new(),
            open: None,
            seen: Seen::default(),
            fresh: Vec::new(),
            piece: Vec::new(),
            began: Mark::default(),
            now: Mark::default(),
        }
    }

    /// As it was kept; none where that cannot be read.
    pub(super) fn restored(options: &Options, kept: Kept, live: &[u8]) -> Option<Self> {
        let mut sight = Self::new(options);
        // Rows above the screen have been read.
        sight.terminal = Terminal::restore(live, sight.options.clone(), |_| None).ok()?;
        sight.rows = kept.rows.into_iter().collect();
        sight.open = kept.open.map(|(text, mark)| Line { text, offset: mark.offset, at: mark.at });
        sight.now = kept.now;
        Some(sight)
    }

    /// What is to be kept: the terminal's state, and where it is.
    pub(super) fn keep(&mut self) -> (Kept, Vec<u8>, u64) {
        self.flush();
        let saved = self.terminal.checkpoint();
        let open = self.open.as_ref();
        let open = open.map(|line| (line.text.clone(), Mark { offset: line.offset, at: line.at }));
        let rows = self.rows.iter().map(|(row, mark)| (*row, *mark)).collect();
        (Kept { rows, open, now: self.now }, saved.live, saved.offset)
    }

    /// A line that is in the index already.
    pub(super) fn knows(&mut self, line: &str) {
        self.seen.add(hash(line));
        self.seen.add(hash(&without_digits(line)));
    }

    /// Lines that have left the screen since the last time.
    pub(super) fn take_fresh(&mut self) -> Vec<Line> {
        self.flush();
        std::mem::take(&mut self.fresh)
    }

    /// Takes in what the journal says.
    pub(super) fn entry(&mut self, entry: &Entry<'_>) {
        let at = i64::try_from(entry.stamp.wall / 1000).unwrap_or_default();
        match entry.what {
            What::Output(bytes) => {
                if !self.piece.is_empty()
                    && (self.piece.len() + bytes.len() > PIECE || at - self.began.at > MOMENT)
                {
                    self.flush();
                }
                if self.piece.is_empty() {
                    self.began = Mark { offset: entry.offset, at };
                }
                self.piece.extend_from_slice(bytes);
                self.now = Mark { offset: entry.offset + bytes.len() as u64, at };
            }
            What::Resize { cols, rows } => self.resize(Size::new(cols, rows).clamped()),
            What::Gap(gap) => {
                self.flush();
                self.all_left();
                self.terminal = Terminal::new(Size::new(gap.size.0, gap.size.1), self.options.clone());
                self.terminal.feed(&[], gap.to);
                self.left = 0;
            }
            What::Input { .. } | What::Exit(_) => {}
        }
    }

    /// Feeds what waits, and looks at the screen.
    pub(super) fn flush(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        let mut offset = self.began.offset;
        for part in piece.chunks(PIECE) {
            self.terminal.feed(part, offset);
            offset += part.len() as u64;
            self.look();
        }
        self.piece = piece;
        self.piece.clear();
    }

    fn look(&mut self) {
        // What left the primary screen meanwhile is read when that is back.
        let alternate = self.terminal.modes().alternate_screen;
        if alternate || !self.alternate.is_empty() {
            self.look_at_alternate(alternate);
        }
        if alternate {
            return;
        }
        let left = self.terminal.rows_left();
        // A terminal that was reset counts anew.
        let above = usize::try_from(left.checked_sub(self.left).unwrap_or(left)).unwrap_or(ABOVE);
        self.left = left;
        let rows = self.terminal.shown(above);
        let screen = rows.len().saturating_sub(usize::from(self.terminal.size().rows));
        let before = std::mem::take(&mut self.rows);
        for (at, row) in rows.into_iter().enumerate() {
            let hash = hash(&row.text);
            let mark = before.get(&hash).copied().unwrap_or(self.now);
            if at >= screen {
                if !row.text.is_empty() {
                    self.rows.insert(hash, mark);
                }
            } else if let Some(line) = add(&mut self.open, &row, mark) {
                self.leave(line);
            }
        }
    }

    /// Takes what has gone from the alternate screen. Numbers count there all the time, and make no other line of one.
    fn look_at_alternate(&mut self, shown: bool) {
        let mut before = std::mem::take(&mut self.alternate);
        for row in if shown { self.terminal.shown(0) } else { Vec::new() } {
            let hash = hash(&row.text);
            let known = before.remove(&hash);
            if !row.text.is_empty() {
                self.alternate.insert(hash, known.unwrap_or((self.now, row.text)));
            }
        }
        let mut gone: Vec<(Mark, String)> =
            before.into_values().filter(|(mark, _)| self.now.at - mark.at >= READ).collect();
        gone.sort_by_key(|(mark, _)| (mark.at, mark.offset));
        for (mark, text) in gone {
            if self.seen.add(hash(&without_digits(&text))) {
                self.leave(Line { text, offset: mark.offset, at: mark.at });
            }
        }
    }

    /// A line has left the screen.
    fn leave(&mut self, mut line: Line) {
        line.text.truncate(line.text.trim_end().len());
        if worth(&line.text) && self.seen.add(hash(&line.text)) {
            // The index would drop those that are before the newest.
            if self.fresh.len() >= 2 * MOST_LINES {
                self.fresh.drain(..MOST_LINES);
            }
            self.fresh.push(line);
        }
    }

    /// Another size can put lines above the screen, and others back on it.
    fn resize(&mut self, size: Size) {
        self.flush();
        if size == self.terminal.size() {
            return;
        }
        if self.terminal.modes().alternate_screen {
            self.terminal.resize(size);
            return;
        }
        let before = self.lines();
        self.terminal.resize(size);
        self.left = self.terminal.rows_left();
        self.open = None;
        let after: HashSet<u64> = self.lines().iter().map(|line| hash(line.text.trim_end())).collect();
        for line in before {
            if !after.contains(&hash(line.text.trim_end())) {
                self.leave(line);
            }
        }
        let rows = self.terminal.shown(0);
        let marks = rows.iter().map(|row| hash(&row.text));
        self.rows = marks.map(|row| (row, self.rows.get(&row).copied().unwrap_or(self.now))).collect();
    }

    /// The screen is about to be forgotten.
    fn all_left(&mut self) {
        if !self.terminal.modes().alternate_screen {
            self.lines().into_iter().for_each(|line| self.leave(line));
        }
        self.look_at_alternate(false);
        self.open = None;
        self.rows.clear();
    }

    /// Lines on the screen that are not in the index.
    pub(super) fn screen(&mut self) -> Vec<Line> {
        self.flush();
        let mut lines = self.lines();
        let mut known = HashSet::new();
        lines.retain_mut(|line| {
            line.text.truncate(line.text.trim_end().len());
            let hash = hash(&line.text);
            worth(&line.text) && !self.seen.lines.contains(&hash) && known.insert(hash)
        });
        lines
    }

    /// Lines on the screen, the first of them from its beginning.
    fn lines(&self) -> Vec<Line> {
        let mut open = self.open.clone().filter(|_| !self.terminal.modes().alternate_screen);
        let mut lines = Vec::new();
        for row in self.terminal.shown(0) {
            let mark = self.rows.get(&hash(&row.text)).copied().unwrap_or(self.now);
            lines.extend(add(&mut open, &row, mark));
        }
        lines.extend(open);
        lines
    }
}

/// Adds a row to the line that it is of; gives that where it ends here.
fn add(open: &mut Option<Line>, row: &ShownRow, mark: Mark) -> Option<Line> {
    let line = open.get_or_insert_with(|| Line { text: String::new(), offset: 0, at: 0 });
    if line.text.len() < LONGEST {
        line.text.push_str(&row.text);
    }
    line.offset = line.offset.max(mark.offset);
    line.at = line.at.max(mark.at);
    if row.goes_on { None } else { open.take() }
}

/// Something in it can be looked for.
fn worth(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphanumeric()).nth(1).is_some()
}

/// The text in a form that no text has which is shown.
fn without_digits(text: &str) -> String {
    let mut plain: String = text.trim_end().chars().filter(|c| !c.is_ascii_digit()).collect();
    plain.push('\n');
    plain
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
