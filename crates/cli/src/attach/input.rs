//! What the person types, on its way to the session.

use super::key::DetachKey;

/// What a piece of typing asks for, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// Bytes for the program.
    Bytes(Vec<u8>),
    /// The outer terminal got the keyboard, or lost it.
    Focus(bool),
    /// The person wants out; nothing after this is for the program.
    Detach,
}

/// Finds the detach key and focus reports in typing. A paste is passed as it is, whatever is in it.
#[derive(Debug)]
pub(super) struct Scanner {
    key: DetachKey,
    /// Between the marks of a bracketed paste.
    pasting: bool,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Ground,
    Escape,
    /// The parameters so far.
    Sequence(Vec<u8>),
}

/// No sequence that matters here is longer.
const LONGEST: usize = 32;

impl Scanner {
    pub(super) fn new(key: DetachKey) -> Self {
        Self { key, pasting: false, state: State::Ground }
    }

    /// Sorts a piece as it was read. Nothing is held back: an Escape typed alone must leave at once.
    pub(super) fn feed(&mut self, piece: &[u8]) -> Vec<Typed> {
        let mut found = Vec::new();
        let mut bytes = Vec::with_capacity(piece.len());
        // Where in `bytes` the sequence being read began, if it began in this piece.
        let mut began = None;
        for &byte in piece {
            match (&mut self.state, byte) {
                (State::Ground, _) if !self.pasting && self.key.is_byte(byte) => return detach(found, bytes),
                (State::Ground, 0x1b) => {
                    began = Some(bytes.len());
                    self.state = State::Escape;
                }
                (State::Ground, _) => {}
                (State::Escape, b'[') => self.state = State::Sequence(Vec::new()),
                (State::Escape, 0x1b) => began = Some(bytes.len()),
                // Escape may have been typed alone, some time before.
                (State::Escape, _) if !self.pasting && self.key.is_byte(byte) => return detach(found, bytes),
                (State::Escape, _) => self.state = State::Ground,
                (State::Sequence(parameters), 0x20..=0x3f) if parameters.len() < LONGEST => {
                    parameters.push(byte);
                }
                (State::Sequence(parameters), 0x40..=0x7e) => {
                    let parameters = std::mem::take(parameters);
                    self.state = State::Ground;
                    match self.sequence(&parameters, byte) {
                        None => {}
                        Some(Typed::Detach) => {
                            bytes.truncate(began.unwrap_or(bytes.len()));
                            return detach(found, bytes);
                        }
                        // Its beginning has left already: then its end must follow.
                        Some(_) if began.is_none() => {}
                        Some(typed) => {
                            bytes.truncate(began.unwrap_or(bytes.len()));
                            push(&mut found, &mut bytes);
                            found.push(typed);
                            continue;
                        }
                    }
                }
                // Too long, or broken off by a control character.
                (State::Sequence(_), _) => {
                    self.state = State::Ground;
                    if !self.pasting && self.key.is_byte(byte) {
                        return detach(found, bytes);
                    }
                }
            }
            bytes.push(byte);
        }
        push(&mut found, &mut bytes);
        found
    }

    fn sequence(&mut self, parameters: &[u8], last: u8) -> Option<Typed> {
        match (parameters, last) {
            (b"201", b'~') => self.pasting = false,
            _ if self.pasting => {}
            (b"200", b'~') => self.pasting = true,
            (b"", b'I') => return Some(Typed::Focus(true)),
            (b"", b'O') => return Some(Typed::Focus(false)),
            _ if self.key.is_sequence(parameters, last) => return Some(Typed::Detach),
            _ => {}
        }
        None
    }
}

fn push(found: &mut Vec<Typed>, bytes: &mut Vec<u8>) {
    if !bytes.is_empty() {
        found.push(Typed::Bytes(std::mem::take(bytes)));
    }
}

fn detach(mut found: Vec<Typed>, mut bytes: Vec<u8>) -> Vec<Typed> {
    push(&mut found, &mut bytes);
    found.push(Typed::Detach);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanner() -> Scanner {
        Scanner::new("C-\\".parse().unwrap())
    }

    fn bytes(text: &str) -> Typed {
        Typed::Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn the_key_detaches_and_what_was_typed_before_is_sent() {
        assert_eq!(scanner().feed(b"ab\x1ccd"), [bytes("ab"), Typed::Detach]);
        assert_eq!(scanner().feed(b"ab\x1b[92;5ucd"), [bytes("ab"), Typed::Detach]);
    }

    #[test]
    fn a_paste_never_detaches() {
        let mut scanner = scanner();
        assert_eq!(scanner.feed(b"\x1b[200~a\x1c"), [bytes("\x1b[200~a\x1c")]);
        assert_eq!(scanner.feed(b"\x1c\x1b[I\x1b[20"), [bytes("\x1c\x1b[I\x1b[20")]);
        assert_eq!(scanner.feed(b"1~"), [bytes("1~")]);
        assert_eq!(scanner.feed(b"\x1c"), [Typed::Detach]);
    }

    #[test]
    fn focus_is_told_apart_from_typing() {
        assert_eq!(
            scanner().feed(b"a\x1b[Ib\x1b[O"),
            [bytes("a"), Typed::Focus(true), bytes("b"), Typed::Focus(false)]
        );
    }

    #[test]
    fn escape_typed_alone_leaves_at_once_and_does_not_hide_the_key() {
        let mut scanner = scanner();
        assert_eq!(scanner.feed(b"\x1b"), [bytes("\x1b")]);
        assert_eq!(scanner.feed(b"\x1c"), [Typed::Detach]);
        let mut scanner = self::scanner();
        assert_eq!(scanner.feed(b"\x1b["), [bytes("\x1b[")]);
        assert_eq!(scanner.feed(b"\x1c"), [Typed::Detach]);
    }

    #[test]
    fn everything_else_is_passed_in_any_chunking() {
        let typed =
            b"x\x1b[A\x1bOP\x1b[1;5C\x1b[<0;10;20M\x1b[M !!\x1b\x1b[B\xe6\x97\xa5\x1b[200~p\x1c\x1b[201~y"
                .as_slice();
        for size in 1..typed.len() {
            let mut scanner = scanner();
            let mut passed = Vec::new();
            for piece in typed.chunks(size) {
                for typed in scanner.feed(piece) {
                    let Typed::Bytes(bytes) = typed else { panic!("{typed:?} in chunks of {size}") };
                    passed.extend_from_slice(&bytes);
                }
            }
            assert_eq!(passed, typed, "chunks of {size}");
        }
    }
}
