//! From what is typed to the commands that type it.
//!
//! Keys are given to tmux byte by byte in hexadecimal, so that nothing in them is read as a command or a key's name. A paste
//! goes through a buffer of tmux's: only tmux knows whether the program wants pastes to be marked.

use crate::PaneId;

/// Bytes that one command types.
const AT_ONCE: usize = 256;

/// Most bytes of a paste that are gathered; what is longer is typed.
const LONGEST: usize = 8 * 1024 * 1024;

const BEGIN: &[u8] = b"\x1b[200~";
const END: &[u8] = b"\x1b[201~";

/// The commands that type these bytes into a pane.
pub fn send_keys(pane: PaneId, bytes: &[u8]) -> Vec<String> {
    let command = |bytes: &[u8]| {
        let mut command = format!("send-keys -H -t %{pane}");
        let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
        for byte in bytes {
            command.extend([' ', digit(byte >> 4), digit(byte & 15)]);
        }
        command
    };
    bytes.chunks(AT_ONCE).map(command).collect()
}

/// One thing that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Keys, as a terminal sends them.
    Keys(Vec<u8>),
    /// A text that was pasted, without its marks.
    Paste(Vec<u8>),
}

/// Tells pastes from keys.
#[derive(Debug, Default)]
pub struct Pastes {
    /// What may be the beginning of a mark.
    held: Vec<u8>,
    paste: Option<Vec<u8>>,
}

impl Pastes {
    /// Takes in what was typed.
    pub fn typed(&mut self, bytes: &[u8]) -> Vec<Typed> {
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(bytes);
        let mut rest = all.as_slice();
        let mut typed = Vec::new();
        loop {
            let mark = if self.paste.is_some() { END } else { BEGIN };
            let at = find(rest, mark);
            let until = at.unwrap_or_else(|| rest.len() - half(rest, mark, self.paste.is_some()));
            let (before, after) = rest.split_at(until);
            match &mut self.paste {
                Some(paste) => paste.extend_from_slice(before),
                None if before.is_empty() => {}
                None => typed.push(Typed::Keys(before.to_vec())),
            }
            if self.paste.as_ref().is_some_and(|paste| paste.len() > LONGEST) {
                typed.extend(self.give_up());
            }
            if at.is_none() {
                self.held = after.to_vec();
                return typed;
            }
            rest = &after[mark.len()..];
            match self.paste.take() {
                Some(paste) => typed.push(Typed::Paste(paste)),
                None => self.paste = Some(Vec::new()),
            }
        }
    }

    /// Whether something is waited for.
    pub fn waits(&self) -> bool {
        !self.held.is_empty() || self.paste.is_some()
    }

    /// Whether a paste has begun and not ended.
    pub fn is_pasting(&self) -> bool {
        self.paste.is_some()
    }

    /// What was waited for does not come: all of it counts as keys.
    pub fn give_up(&mut self) -> Option<Typed> {
        let mut keys = match self.paste.take() {
            Some(paste) => [BEGIN, &paste].concat(),
            None => Vec::new(),
        };
        keys.append(&mut self.held);
        (!keys.is_empty()).then_some(Typed::Keys(keys))
    }
}

fn find(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    bytes.windows(mark.len()).position(|window| window == mark)
}

/// How much of the end may be the beginning of the mark. A lone escape is a key, which nobody waits for, but not in a paste.
fn half(bytes: &[u8], mark: &[u8], pasting: bool) -> usize {
    let least = if pasting { 1 } else { 2 };
    (least..mark.len()).rev().find(|length| bytes.ends_with(&mark[..*length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_numbers() {
        assert_eq!(send_keys(5, b"a;\n\x00\xff"), ["send-keys -H -t %5 61 3b 0a 00 ff"]);
        let many = send_keys(5, &[b'x'; AT_ONCE + 1]);
        assert_eq!((many.len(), many[1].as_str()), (2, "send-keys -H -t %5 78"));
        assert!(send_keys(5, b"").is_empty());
    }

    #[test]
    fn pastes_are_told_from_keys_in_any_pieces() {
        let text = b"ab\x1b[200~x\x1b[2y\n\x1b[201~\x1b[A\x1b";
        for piece in 2..=text.len() {
            let mut pastes = Pastes::default();
            let (mut keys, mut pasted) = (Vec::new(), Vec::new());
            for piece in text.chunks(piece) {
                for typed in pastes.typed(piece) {
                    match typed {
                        Typed::Keys(bytes) => keys.extend(bytes),
                        Typed::Paste(bytes) => pasted.push(bytes),
                    }
                }
            }
            if let Some(Typed::Keys(rest)) = pastes.give_up() {
                keys.extend(rest);
            }
            // Cut right after its escape, the mark is no mark.
            if keys == b"ab\x1b[A\x1b" {
                assert_eq!(pasted, [b"x\x1b[2y\n".to_vec()], "{piece}");
            } else {
                assert_eq!(keys, text, "{piece}");
            }
        }
    }

    #[test]
    fn a_key_is_not_waited_for_and_a_paste_not_for_ever() {
        let mut pastes = Pastes::default();
        assert_eq!(pastes.typed(b"\x1b"), [Typed::Keys(b"\x1b".to_vec())]);
        assert!(!pastes.waits());
        assert_eq!(pastes.typed(b"\x1b[20"), []);
        assert!(pastes.waits());
        assert_eq!(pastes.typed(b"0~hi"), []);
        assert_eq!(pastes.give_up(), Some(Typed::Keys(b"\x1b[200~hi".to_vec())));
        assert!(!pastes.waits() && pastes.give_up().is_none());
    }
}
