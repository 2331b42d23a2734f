//! What a program prints in tmux, as any terminal understands it.
//!
//! Programs speak to tmux itself in two ways that others do not know: `ESC k NAME ST` names the window, and is left out;
//! `DCS tmux; … ST` holds what is meant for the terminal around tmux, every escape in it doubled, and is unwrapped: agents send
//! their notifications and reports so. Everything else is passed on, byte by byte.

/// Longest name of a window that is waited for, in bytes.
const LONGEST: usize = 4096;

/// The mark of what is meant for the terminal around tmux.
const TMUX: &[u8] = b"tmux;";

/// Longest parameters that are remembered, in bytes.
const PARAMETERS: usize = 32;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    Escape,
    /// In a window's name, of which so much was read.
    Name(usize),
    NameEscape(usize),
    /// In the beginning of a device control string, of which so much fits the mark.
    Control(usize),
    Wrapped,
    WrappedEscape,
    Parameters,
}

/// Follows one pane's output.
#[derive(Debug, Default)]
pub struct Raw {
    state: State,
    parameters: Vec<u8>,
    left: bool,
    bracketed_paste: Option<bool>,
}

impl Raw {
    /// The same output for any terminal.
    pub fn printed(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for byte in bytes {
            self.byte(*byte, &mut out);
        }
        out
    }

    /// Whether a program has left the alternate screen since this was last asked: what is on the other one, only tmux knows.
    pub fn left_the_alternate_screen(&mut self) -> bool {
        std::mem::take(&mut self.left)
    }

    /// Whether the program wants pastes to be marked, as far as it has said so.
    pub fn bracketed_paste(&self) -> Option<bool> {
        self.bracketed_paste
    }

    /// What was begun is never finished: the output goes on elsewhere.
    pub fn forget(&mut self) {
        self.state = State::Ground;
    }

    /// A mode is set or reset, or something else was said that has parameters.
    fn mode(&mut self, last: u8) {
        let Some(modes) = self.parameters.strip_prefix(b"?").filter(|_| matches!(last, b'h' | b'l')) else {
            return;
        };
        for mode in modes.split(|byte| *byte == b';') {
            match mode {
                b"47" | b"1047" | b"1049" => self.left |= last == b'l',
                b"2004" => self.bracketed_paste = Some(last == b'h'),
                _ => {}
            }
        }
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.state = match (self.state, byte) {
            (State::Ground | State::Parameters, 0x1b) => State::Escape,
            (State::Ground, _) => {
                out.push(byte);
                State::Ground
            }
            (State::Escape, b'k') => State::Name(0),
            (State::Escape, b'P') => State::Control(0),
            (State::Escape, 0x1b) => {
                out.push(0x1b);
                State::Escape
            }
            (State::Escape, b'[') => {
                out.extend([0x1b, b'[']);
                self.parameters.clear();
                State::Parameters
            }
            (State::Escape, _) => {
                out.extend([0x1b, byte]);
                State::Ground
            }
            (State::Parameters, b'0'..=b'?' | b' '..=b'/') => {
                out.push(byte);
                if self.parameters.len() < PARAMETERS {
                    self.parameters.push(byte);
                }
                State::Parameters
            }
            (State::Parameters, _) => {
                out.push(byte);
                self.mode(byte);
                State::Ground
            }
            (State::Name(_), 0x07) | (State::NameEscape(_) | State::WrappedEscape, b'\\') => State::Ground,
            (State::Name(length), 0x1b) => State::NameEscape(length),
            (State::Name(length) | State::NameEscape(length), _) if length >= LONGEST => State::Ground,
            (State::Name(length) | State::NameEscape(length), _) => State::Name(length + 1),
            (State::Control(fits), _) if byte == TMUX[fits] => {
                if fits + 1 == TMUX.len() {
                    State::Wrapped
                } else {
                    State::Control(fits + 1)
                }
            }
            (State::Control(fits), _) => {
                out.extend(b"\x1bP");
                out.extend(&TMUX[..fits]);
                if byte == 0x1b {
                    State::Escape
                } else {
                    out.push(byte);
                    State::Ground
                }
            }
            (State::Wrapped, 0x1b) => State::WrappedEscape,
            (State::Wrapped | State::WrappedEscape, _) => {
                out.push(byte);
                State::Wrapped
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_for_tmux_is_not_passed_on() {
        let cases: [(&[u8], &[u8]); 9] = [
            (b"a\x1b[1mb\x1b]0;t\x07c", b"a\x1b[1mb\x1b]0;t\x07c"),
            (b"x\x1bkname\x1b\\y", b"xy"),
            (b"x\x1bkname\x07y", b"xy"),
            (b"\x1bPtmux;\x1b\x1b]9;hi\x07\x1b\\z", b"\x1b]9;hi\x07z"),
            (b"\x1bPtmux;\x1b\x1b]7501;state=idle\x1b\x1b\\\x1b\\z", b"\x1b]7501;state=idle\x1b\\z"),
            (b"\x1bPq#0\x1b\\z", b"\x1bPq#0\x1b\\z"),
            (b"\x1bPtm\x1b\\z", b"\x1bPtm\x1b\\z"),
            (b"\x1b\x1b[A\x1b7", b"\x1b\x1b[A\x1b7"),
            (b"\x1b[\x1b[3m", b"\x1b[\x1b[3m"),
        ];
        for (printed, wanted) in cases {
            for piece in 1..=printed.len() {
                let mut raw = Raw::default();
                let got: Vec<u8> = printed.chunks(piece).flat_map(|piece| raw.printed(piece)).collect();
                assert_eq!(got, wanted, "{:?} by {piece}", String::from_utf8_lossy(printed));
            }
        }
    }

    #[test]
    fn a_name_without_an_end_swallows_little() {
        let mut raw = Raw::default();
        let long = [b"\x1bk".as_slice(), &[b'n'; LONGEST + 10]].concat();
        assert_eq!(raw.printed(&long), [b'n'; 9]);
    }

    #[test]
    fn the_alternate_screen_is_left() {
        let mut raw = Raw::default();
        raw.printed(b"\x1b[?1049h\x1b[?25l\x1b[?2004l");
        assert!(!raw.left_the_alternate_screen());
        raw.printed(b"\x1b[?25;10");
        raw.printed(b"49l");
        assert!(raw.left_the_alternate_screen() && !raw.left_the_alternate_screen());
        assert_eq!(raw.bracketed_paste(), Some(false));
    }
}
