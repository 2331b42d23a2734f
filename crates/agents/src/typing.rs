//! Text as keystrokes.

use std::time::Duration;

use crate::rules::TypingRules;

/// What commands, shell escapes, notes, skills and files begin with.
const SIGNS: [char; 5] = ['/', '!', '#', '$', '@'];

/// How to type a text: write `text`, wait for `pause`, write `enter` by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typing {
    /// Bytes to write, in pieces of at most [`Typing::PIECE`].
    pub text: Vec<u8>,
    /// How long the agent needs before it takes Enter for the end of the text and not for a part of it.
    pub pause: Duration,
    /// Submits it.
    pub enter: &'static [u8],
}

impl Typing {
    /// Longest single write of a text, in bytes: what every agent took without losing any.
    pub const PIECE: usize = 1024;

    pub(crate) fn new(text: &str, bracketed: bool, rules: &TypingRules) -> Self {
        let mut text = clean(text);
        if rules.guard_last && text.split_whitespace().next_back().is_some_and(|word| word.starts_with(SIGNS))
        {
            text.push(' ');
        }
        if rules.guard_first && text.starts_with(SIGNS) {
            text.insert(0, ' ');
        }
        let mut bytes = Vec::with_capacity(text.len() + 12);
        if bracketed {
            bytes.extend_from_slice(b"\x1b[200~");
            bytes.extend_from_slice(text.as_bytes());
            bytes.extend_from_slice(b"\x1b[201~");
        } else if rules.braces && text.contains('\n') {
            bytes.extend_from_slice(b"{belfry\r");
            bytes.extend_from_slice(text.replace('\n', "\r").as_bytes());
            bytes.extend_from_slice(b"\rbelfry}");
        } else {
            bytes.extend_from_slice(text.as_bytes());
        }
        let kilobytes = bytes.len() as u64 / 1024;
        let pause = Duration::from_millis(rules.pause_ms.max(rules.pause_ms_per_kb * kilobytes));
        Self { text: bytes, pause, enter: b"\r" }
    }
}

/// The text without what a terminal takes for more than text: control characters but newline and tab (so neither the end
/// of a paste nor any other sequence can be in it), and line ends as newlines.
fn clean(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .map(|c| if c == '\r' { '\n' } else { c })
        .filter(|&c| matches!(c, '\n' | '\t') || !c.is_control())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_paste_cannot_be_pasted() {
        let typing = Typing::new("a\u{1b}[201~\rrm -rf\u{9b}31m", true, &TypingRules::default());
        assert_eq!(typing.text, b"\x1b[200~a[201~\nrm -rf31m\x1b[201~");
    }

    #[test]
    fn commands_become_text() {
        let rules = TypingRules::default();
        for text in ["/clear it", "!rm x", "#note this", "@file read", "$skill use"] {
            let typed = Typing::new(text, false, &rules);
            assert_eq!(typed.text, format!(" {text}").as_bytes());
        }
        assert_eq!(Typing::new("a /b c", false, &rules).text, b"a /b c");
        let bare = TypingRules { guard_first: false, ..rules };
        assert_eq!(Typing::new("/b c", false, &bare).text, b"/b c");
        // A list that the last word opens is closed.
        assert_eq!(Typing::new("look at @file", false, &rules).text, b"look at @file ");
        assert_eq!(Typing::new("@file", false, &rules).text, b" @file ");
    }

    #[test]
    fn longer_texts_get_longer_pauses() {
        let rules = TypingRules::default();
        assert_eq!(Typing::new("short", true, &rules).pause, Duration::from_millis(200));
        assert_eq!(Typing::new(&"x".repeat(10 * 1024), true, &rules).pause, Duration::from_millis(500));
    }
}
