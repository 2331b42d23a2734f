//! A copy of the screen's text that follows its changes, so that only rows that were written to are read again.

use std::hash::{DefaultHasher, Hash, Hasher};

use belfry_agents::ScreenView;
use belfry_terminal::{Cursor, Terminal};

/// How much of what is seen has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// Nothing.
    None,
    /// Numbers, signs and the cursor alone, as a spinner and its clock do ten times a second.
    Restless,
    /// Words.
    Words,
}

/// The screen as it was when it was last looked at.
#[derive(Debug, Default)]
pub(super) struct ScreenCopy {
    rows: Vec<String>,
    columns: u16,
    /// Of each row, its words as one number.
    words: Vec<u64>,
    /// Of each row, where it stands out; empty for agents that do not want to know.
    marks: Vec<Vec<(u16, u16)>>,
    highlights: Vec<(u16, u16, u16)>,
    title: String,
    title_words: u64,
    cursor: (u16, u16),
    cursor_visible: bool,
    bracketed_paste: bool,
    alternate: bool,
    row: String,
    row_marks: Vec<(u16, u16)>,
}

impl ScreenCopy {
    /// Follows the terminal; `highlights` is whether to look where text stands out.
    pub(super) fn follow(&mut self, terminal: &mut Terminal, highlights: bool) -> Change {
        let mut change = self.follow_settings(terminal);
        let mut damage = terminal.take_damage();
        let count = usize::from(terminal.size().rows);
        // A terminal that was restored has no damage, and nothing of it is known here.
        let fresh = self.rows.len() != count;
        if damage.is_empty() && !fresh {
            return change;
        }
        if fresh {
            damage.rows = (0..terminal.size().rows).collect();
            self.rows.resize(count, String::new());
            self.words.resize(count, 0);
            self.marks.resize(count, Vec::new());
            change = Change::Words;
        }
        if damage.scrolled > 0 {
            let by = usize::from(damage.scrolled).min(count);
            self.rows.rotate_left(by);
            self.words.rotate_left(by);
            self.marks.rotate_left(by);
            change = Change::Words;
        }
        let mut marked = damage.scrolled > 0;
        for &row in &damage.rows {
            let at = usize::from(row);
            terminal.row(row, &mut self.row);
            if self.row != self.rows[at] {
                std::mem::swap(&mut self.row, &mut self.rows[at]);
                let words = words(&self.rows[at]);
                change = change.max(if words == self.words[at] { Change::Restless } else { Change::Words });
                self.words[at] = words;
            }
            if highlights {
                terminal.highlights(row, &mut self.row_marks);
                if self.row_marks != self.marks[at] {
                    std::mem::swap(&mut self.row_marks, &mut self.marks[at]);
                    change = Change::Words;
                    marked = true;
                }
            }
        }
        if marked {
            let rows = self.marks.iter().enumerate();
            let all = rows.flat_map(|(at, marks)| marks.iter().map(move |&(from, to)| (at as u16, from, to)));
            self.highlights.clear();
            self.highlights.extend(all);
        }
        change
    }

    fn follow_settings(&mut self, terminal: &Terminal) -> Change {
        let modes = terminal.modes();
        let Cursor { row, col, visible, .. } = terminal.cursor();
        let mut change = Change::None;
        if (self.cursor, self.cursor_visible) != ((col, row), visible) {
            (self.cursor, self.cursor_visible) = ((col, row), visible);
            change = Change::Restless;
        }
        if self.title != terminal.title() {
            terminal.title().clone_into(&mut self.title);
            let words = words(&self.title);
            change = if words == self.title_words { Change::Restless } else { Change::Words };
            self.title_words = words;
        }
        self.columns = terminal.size().cols;
        let settings = (modes.bracketed_paste, modes.alternate_screen);
        if (self.bracketed_paste, self.alternate) != settings {
            (self.bracketed_paste, self.alternate) = settings;
            change = Change::Words;
        }
        change
    }

    pub(super) fn view(&self) -> ScreenView<'_> {
        ScreenView {
            rows: &self.rows,
            columns: self.columns,
            cursor: self.cursor,
            cursor_visible: self.cursor_visible,
            title: &self.title,
            bracketed_paste: self.bracketed_paste,
            alternate: self.alternate,
            highlights: &self.highlights,
        }
    }
}

/// What stays the same in a row while a spinner turns, a clock runs and numbers grow: its letters, and where a row has
/// none, whether it is empty. A letter alone is no word: the unit of a time, or a key.
fn words(row: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    row.trim().is_empty().hash(&mut hasher);
    let mut letters = 0;
    let mut first = ' ';
    for c in row.chars() {
        if c.is_alphabetic() {
            letters += 1;
            match letters {
                1 => first = c,
                2 => (first, c).hash(&mut hasher),
                _ => c.hash(&mut hasher),
            }
        } else {
            letters = 0;
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use belfry_terminal::{Options, Size, Terminal};

    use super::{Change, ScreenCopy, words};

    #[test]
    fn spinners_and_clocks_have_no_words() {
        assert_eq!(words("✻ Baking… (4s · ↓ 38 tokens)"), words("✶ Baking… (15s · ↓ 1.2k tokens)"));
        assert_ne!(words("✻ Baking… (4s)"), words("✻ Baked for 4s"));
        assert_ne!(words(""), words("────"));
        assert_eq!(words("⠋ 1m 5s"), words("⠙ 59s"));
    }

    #[test]
    fn a_spinner_is_restless_and_a_line_is_words() {
        let mut terminal = Terminal::new(Size::new(40, 6), Options::default());
        let mut copy = ScreenCopy::default();
        let mut feed = |terminal: &mut Terminal, text: &str| {
            let offset = terminal.offset();
            terminal.feed(text.as_bytes(), offset);
            copy.follow(terminal, true)
        };
        assert_eq!(feed(&mut terminal, "\x1b[3;1H⠋ Thinking 1s\x1b[6;1H"), Change::Words);
        assert_eq!(feed(&mut terminal, "\x1b[3;1H⠙ Thinking 2s\x1b[6;1H"), Change::Restless);
        assert_eq!(feed(&mut terminal, "\x1b[3;1H⠙ Thinking 2s\x1b[6;1H"), Change::None);
        assert_eq!(feed(&mut terminal, "\nmore"), Change::Words);
        assert_eq!(feed(&mut terminal, "\r\x1b[7mmore\x1b[0m"), Change::Words);
        assert_eq!(copy.view().highlights, [(5, 0, 4)]);
        assert_eq!(copy.view().rows[1], "⠙ Thinking 2s");
    }
}
