//! A pane's picture, as tmux gives it, drawn on a terminal of the same size.
//!
//! tmux gives rows with their styles, each row going on in the style that the one before ended with. They are drawn each in
//! its place, with nothing that scrolls, wraps or fills in between, so that what is on the screen afterwards is exactly what
//! tmux shows. Rows of the scrollback are drawn on the last row and pushed up.

/// Rows of scrollback that are asked for.
pub const HISTORY: usize = 2000;

/// What is asked of a pane beside its rows; the answer is one line, which [`State::parse`] reads.
pub const FORMAT: &str = "#{pane_width} #{pane_height} #{history_size} #{cursor_x} #{cursor_y} #{cursor_flag} #{alternate_on} \
    #{insert_flag} #{wrap_flag} #{origin_flag} #{keypad_cursor_flag} #{keypad_flag} #{scroll_region_upper} \
    #{scroll_region_lower} #{mouse_standard_flag} #{mouse_button_flag} #{mouse_all_flag} #{mouse_utf8_flag} \
    #{mouse_sgr_flag} #{pane_in_mode}";

/// A pane's size, cursor and modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Rows of scrollback that there are.
    pub history: usize,
    /// The cursor's column, from 0; the width where a row has just been filled.
    pub x: u16,
    /// The cursor's row, from 0.
    pub y: u16,
    /// It is shown.
    pub cursor: bool,
    /// The alternate screen is on.
    pub alternate: bool,
    insert: bool,
    wrap: bool,
    origin: bool,
    cursor_keys: bool,
    keypad: bool,
    upper: u16,
    lower: u16,
    mouse: [bool; 5],
    /// Somebody looks back in it, so that keys do not reach the program.
    pub in_mode: bool,
}

impl State {
    /// Reads the answer.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let mut fields = std::str::from_utf8(line).ok()?.split(' ');
        let mut number = || fields.next()?.parse::<usize>().ok();
        let small = |value: usize| u16::try_from(value).ok();
        let state = Self {
            cols: small(number()?)?,
            rows: small(number()?)?,
            history: number()?,
            x: small(number()?)?,
            y: small(number()?)?,
            cursor: number()? != 0,
            alternate: number()? != 0,
            insert: number()? != 0,
            wrap: number()? != 0,
            origin: number()? != 0,
            cursor_keys: number()? != 0,
            keypad: number()? != 0,
            upper: small(number()?)?,
            lower: small(number()?)?,
            mouse: [number()? != 0, number()? != 0, number()? != 0, number()? != 0, number()? != 0],
            in_mode: number()? != 0,
        };
        (state.cols > 0 && state.rows > 0).then_some(state)
    }

    /// Rows that `capture-pane -S -HISTORY -E -1` gives: without any scrollback, the screen's first.
    pub fn history_rows(&self) -> usize {
        self.history.clamp(1, HISTORY)
    }

    /// Draws the pane on a terminal that is fresh but for its scrollback, with `history` above the screen where given.
    pub fn paint(&self, history: &[Vec<u8>], screen: &[Vec<u8>], bracketed_paste: bool) -> Vec<u8> {
        let mut out = Out(Vec::new());
        // The main screen, no margins, no origin, nothing inserted, nothing wrapped; line drawing in the second set of letters.
        out.add(b"\x1b[?1049l\x1b[?6l\x1b[r\x1b[4l\x1b[?7l\x1b[?25l\x1b(B\x1b)0\x0f\x1b[0m");
        if !history.is_empty() && self.history > 0 {
            self.clear(&mut out);
            self.push_up(history, &mut out);
        }
        if self.alternate {
            out.add(b"\x1b[?1049h");
        }
        self.clear(&mut out);
        for (row, line) in (1..=self.rows).zip(screen) {
            out.to(row, 1);
            out.add(line);
        }
        out.add(b"\x1b[0m\x0f\x1b)B");
        self.modes(bracketed_paste, &mut out);
        out.0
    }

    /// Every row is cleared without scrolling.
    fn clear(&self, out: &mut Out) {
        for row in 1..=self.rows {
            out.to(row, 1);
            out.add(b"\x1b[2K");
        }
    }

    fn push_up(&self, history: &[Vec<u8>], out: &mut Out) {
        let rows = usize::from(self.rows);
        for (at, line) in history.iter().enumerate() {
            if at < rows {
                out.to(u16::try_from(at + 1).unwrap_or(self.rows), 1);
            } else {
                self.scroll(out);
                out.to(self.rows, 1);
            }
            out.add(line);
        }
        for _ in 0..history.len().min(rows) {
            self.scroll(out);
        }
        out.add(b"\x1b[0m\x0f");
    }

    /// One row up, the new one in no colour; the style goes on.
    fn scroll(&self, out: &mut Out) {
        out.add(b"\x1b7\x1b[0m");
        out.to(self.rows, 1);
        out.add(b"\n\x1b8");
    }

    fn modes(&self, bracketed_paste: bool, out: &mut Out) {
        let mut set =
            |on: bool, mode: &str| out.add(format!("\x1b[{mode}{}", if on { 'h' } else { 'l' }).as_bytes());
        set(self.cursor_keys, "?1");
        set(bracketed_paste, "?2004");
        for (on, mode) in self.mouse.into_iter().zip(["?1000", "?1002", "?1003", "?1005", "?1006"]) {
            set(on, mode);
        }
        set(self.wrap, "?7");
        set(self.insert, "4");
        out.add(if self.keypad { b"\x1b=" } else { b"\x1b>" });
        let margins = self.upper < self.lower
            && self.lower < self.rows
            && (self.upper, self.lower) != (0, self.rows - 1);
        if margins {
            out.add(format!("\x1b[{};{}r", self.upper + 1, self.lower + 1).as_bytes());
        }
        // Places count from the margin then.
        let from = if self.origin { self.upper } else { 0 };
        if self.origin {
            out.add(b"\x1b[?6h");
        }
        out.to(self.y.saturating_sub(from) + 1, (self.x + 1).min(self.cols));
        if self.cursor {
            out.add(b"\x1b[?25h");
        }
    }
}

struct Out(Vec<u8>);

impl Out {
    fn add(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn to(&mut self, row: u16, col: u16) {
        self.add(format!("\x1b[{row};{col}H").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] = b"80 3 7 4 1 1 0 0 1 0 1 0 0 2 0 1 0 0 1 0";

    #[test]
    fn a_pane_s_state() {
        let state = State::parse(LINE).unwrap();
        assert_eq!((state.cols, state.rows, state.history, state.x, state.y), (80, 3, 7, 4, 1));
        assert!(
            state.cursor
                && !state.alternate
                && state.cursor_keys
                && state.mouse == [false, true, false, false, true]
        );
        assert_eq!(state.history_rows(), 7);
        assert_eq!(State { history: 0, ..state }.history_rows(), 1);
        assert_eq!(State { history: 99_999, ..state }.history_rows(), HISTORY);
        for odd in [b"" as &[u8], b"80", b"80 0 7 4 1 1 0 0 1 0 1 0 0 2 0 1 0 0 1 0", b"%end 1 2 3", b"\xff"]
        {
            assert_eq!(State::parse(odd), None);
        }
    }

    #[test]
    fn rows_are_drawn_in_their_places() {
        let state = State::parse(LINE).unwrap();
        let rows = [b"a".to_vec(), b"\x1b[31mb".to_vec(), b"c".to_vec()];
        let drawn = state.paint(&[], &rows, true);
        let text = String::from_utf8(drawn).unwrap();
        assert!(text.contains("\x1b[1;1Ha\x1b[2;1H\x1b[31mb\x1b[3;1Hc\x1b[0m"), "{text:?}");
        assert!(!text.contains('\n') && text.contains("\x1b[?2004h") && text.ends_with("\x1b[2;5H\x1b[?25h"));
        let history: Vec<_> = (0..7).map(|row| format!("h{row}").into_bytes()).collect();
        let drawn = state.paint(&history, &rows, false);
        assert_eq!(
            drawn.split(|byte| *byte == b'\n').count() - 1,
            7,
            "as many rows are pushed up as there are"
        );
    }
}
