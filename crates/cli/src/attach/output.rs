//! What the program prints, on its way to the outer terminal.

/// Brings a terminal's modes to where a new one has them, and clears its screen. Unlike a full reset it leaves the
/// alternate screen on, and the scrollback of the person's shell alone.
pub(super) const RESET: &str = concat!(
    "\x1b[!p", // soft reset: cursor, origin, insert, margins, keypad, colours
    "\x1b[?1l\x1b[?5l\x1b[?6l\x1b[?7h\x1b[?12l\x1b[?25h\x1b[?45l\x1b[?69l", // cursor keys … left and right margins
    "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l", // mouse, focus
    "\x1b[?1007l", // the wheel does not type arrow keys
    "\x1b[?2004l\x1b[?2026l\x1b[?2027l\x1b[?2031l\x1b[?2048l", // paste, updates, graphemes, colour scheme, size reports
    "\x1b[>4m\x1b[=0u",                                        // xterm's and kitty's keyboards
    "\x1b[4l\x1b[20l\x1b>\x1b(B\x1b)0\x0f",                    // replace, newline, keypad, character sets
    "\x1b[0 q\x1b]8;;\x1b\\\x1b[r\x1b[m",                      // cursor's shape, link, margins, colours
    "\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\", // palette
    "\x1b[?5W\x1b[H\x1b[2J",                                   // tab stops, clear
);

/// Plays the program's two screens on the outer terminal's one.
#[derive(Debug, Default)]
pub(super) struct Filter {
    alternate: bool,
    /// An escape sequence that is not complete yet.
    held: Vec<u8>,
}

/// No sequence that matters here is longer; longer ones are passed.
const LONGEST: usize = 64;

/// What remains to be done after a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// Nothing.
    Go,
    /// The main screen must be drawn again, and the rest of the piece is part of that.
    Redraw,
}

impl Filter {
    /// A snapshot begins: a fresh terminal.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Adds to `out` what the outer terminal is to get. In a snapshot nothing is to be redrawn.
    pub(super) fn feed(&mut self, bytes: &[u8], snapshot: bool, out: &mut Vec<u8>) -> After {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.held.is_empty() {
                let plain = rest.iter().position(|&byte| byte == 0x1b).unwrap_or(rest.len());
                out.extend_from_slice(&rest[..plain]);
                rest = &rest[plain..];
                if let Some((&escape, more)) = rest.split_first() {
                    self.held.push(escape);
                    rest = more;
                }
                continue;
            }
            let (byte, more) = (rest[0], &rest[1..]);
            if byte == 0x1b {
                // The one before it was broken off.
                out.append(&mut self.held);
            }
            self.held.push(byte);
            rest = more;
            match self.held.as_slice() {
                [0x1b] | [0x1b, b'['] => {}
                [0x1b, b'c'] => {
                    self.held.clear();
                    self.alternate = false;
                    out.extend_from_slice(RESET.as_bytes());
                }
                [0x1b, b'[', b'?', parameters @ .., last @ (b'h' | b'l')] if switches(parameters) => {
                    let (set, parameters) = (*last == b'h', parameters.to_vec());
                    self.held.clear();
                    if self.switch(&parameters, set, snapshot, out) == After::Redraw {
                        return After::Redraw;
                    }
                }
                [0x1b, b'[', .., 0x40..=0x7e] => out.append(&mut self.held),
                [0x1b, b'[', ..] if self.held.len() < LONGEST => {}
                _ => out.append(&mut self.held),
            }
        }
        After::Go
    }

    fn switch(&mut self, parameters: &[u8], set: bool, snapshot: bool, out: &mut Vec<u8>) -> After {
        let others: Vec<&[u8]> =
            parameters.split(|&byte| byte == b';').filter(|mode| !is_screen(mode)).collect();
        if !others.is_empty() {
            out.extend_from_slice(b"\x1b[?");
            out.extend_from_slice(&others.join(&b';'));
            out.push(if set { b'h' } else { b'l' });
        }
        match (set, self.alternate) {
            (true, false) => {
                self.alternate = true;
                // As on a real one: the screen is blank, the cursor stays, and the wheel types arrow keys.
                out.extend_from_slice(b"\x1b7\x1b[2J\x1b[?1007h");
                After::Go
            }
            (false, true) if snapshot => {
                self.alternate = false;
                out.extend_from_slice(b"\x1b[2J\x1b8\x1b[?1007l");
                After::Go
            }
            (false, true) => After::Redraw,
            _ => After::Go,
        }
    }
}

fn switches(parameters: &[u8]) -> bool {
    parameters.split(|&byte| byte == b';').any(is_screen)
}

fn is_screen(mode: &[u8]) -> bool {
    matches!(mode, b"47" | b"1047" | b"1049")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(pieces: &[&[u8]], snapshot: bool) -> (String, After) {
        let mut filter = Filter::default();
        let mut out = Vec::new();
        for piece in pieces {
            if filter.feed(piece, snapshot, &mut out) == After::Redraw {
                return (String::from_utf8(out).unwrap(), After::Redraw);
            }
        }
        (String::from_utf8(out).unwrap(), After::Go)
    }

    #[test]
    fn other_output_is_passed_in_any_chunking() {
        let text = "a\x1b[31mb\x1b]0;t\x07\x1b]8;;http://x\x1b\\日\x1b[?25l\x1b(B\x1b[?2026h\x1bPq\x1b\\\x1b[38;2;1;2;3mz".as_bytes();
        for size in 1..text.len() {
            let pieces: Vec<&[u8]> = text.chunks(size).collect();
            assert_eq!(fed(&pieces, false).0.as_bytes(), text, "chunks of {size}");
        }
    }

    #[test]
    fn the_alternate_screen_is_played_on_the_outer_one() {
        for mode in ["47", "1047", "1049"] {
            let enter = format!("a\x1b[?{mode}hb");
            assert_eq!(fed(&[enter.as_bytes()], false).0, "a\x1b7\x1b[2J\x1b[?1007hb");
            let both = format!("\x1b[?{mode}hb\x1b[?{mode}lrest");
            assert_eq!(
                fed(&[both.as_bytes()], false),
                ("\x1b7\x1b[2J\x1b[?1007hb".to_owned(), After::Redraw)
            );
        }
        assert_eq!(fed(&[b"\x1b[?1049l"], false), (String::new(), After::Go));
        assert_eq!(fed(&[b"\x1b[?10", b"49;25h"], false).0, "\x1b[?25h\x1b7\x1b[2J\x1b[?1007h");
    }

    #[test]
    fn a_full_reset_never_reaches_the_outer_terminal() {
        let (out, after) = fed(&[b"a\x1b", b"cb"], false);
        assert_eq!(out, format!("a{RESET}b"));
        assert_eq!(after, After::Go);
    }

    #[test]
    fn a_broken_sequence_is_not_held_for_ever() {
        let long = format!("\x1b[{}", "1;".repeat(100));
        assert_eq!(
            fed(&[long.as_bytes(), b"\x1b[?1049h"], false).0,
            format!("{long}\x1b7\x1b[2J\x1b[?1007h")
        );
    }
}
