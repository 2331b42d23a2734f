//! Texts made fit to be shown.

use belfry_protocol::transcript::Text;

/// Longest text that is kept, in bytes.
pub(crate) const LONGEST: usize = 64 * 1024;
/// Longest title and line about a tool's call, in characters.
pub(crate) const LINE: usize = 200;
/// Longest prompt in a list, in characters.
pub(crate) const PROMPT: usize = 500;
/// Longest id of anything, in bytes.
pub(crate) const ID: usize = 200;

/// A text without control characters and terminal sequences, cut to what is kept.
pub(crate) fn text(from: &str) -> Text {
    let from = from.trim_end();
    // Sequences are taken out of what may be kept only: a text can be megabytes.
    let kept = upto(from, 2 * LONGEST);
    let mut text = without_controls(kept);
    let end = upto(&text, LONGEST).len();
    let cut = from.len() - kept.len() + text.len() - end;
    text.truncate(end);
    Text { text, cut: cut as u64 }
}

/// The first line of a text that says something, in at most so many characters.
pub(crate) fn line(from: &str, longest: usize) -> Option<String> {
    let from = from.lines().map(str::trim).find(|line| !line.is_empty())?;
    one_line(from, longest)
}

/// The whole text in one line of at most so many characters; None where it is blank.
pub(crate) fn one_line(from: &str, longest: usize) -> Option<String> {
    let mut kept = String::new();
    let mut count = 0;
    for c in upto(from, 8 * longest).chars() {
        if c.is_whitespace() || c.is_control() {
            if !kept.is_empty() && !kept.ends_with(' ') {
                kept.push(' ');
                count += 1;
            }
        } else if !unseen(c) {
            kept.push(c);
            count += 1;
        }
        if count >= longest {
            kept.pop();
            kept.push('…');
            break;
        }
    }
    let kept = kept.trim_end();
    (!kept.is_empty()).then(|| kept.to_owned())
}

/// An id, a name, a path: cut, and without what is no part of one.
pub(crate) fn name(from: &str) -> String {
    upto(from, ID).chars().filter(|c| !c.is_control()).collect()
}

/// A path, which may be longer.
pub(crate) fn path(from: &str) -> Option<String> {
    let path: String = upto(from, 4096).chars().filter(|c| !c.is_control()).collect();
    (!path.is_empty()).then_some(path)
}

/// At most so many bytes of it, whole characters.
pub(crate) fn upto(text: &str, longest: usize) -> &str {
    &text[..text.floor_char_boundary(longest)]
}

fn unseen(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Without control characters other than ends of lines and tabs, and without the terminal sequences that begin with one.
fn without_controls(text: &str) -> String {
    let odd = |byte: u8| (byte < 0x20 && byte != b'\n' && byte != b'\t') || byte == 0x7f;
    if !text.bytes().any(odd) {
        return text.to_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.next() {
                // To the final byte.
                Some('[') => while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
                Some(']' | 'P' | '_' | '^') => {
                    while let Some(c) = chars.next() {
                        if c == '\u{7}' || (c == '\u{1b}' && chars.next_if_eq(&'\\').is_some()) {
                            break;
                        }
                    }
                }
                _ => {}
            },
            '\n' | '\t' => kept.push(c),
            c if c.is_control() => {}
            c => kept.push(c),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_and_say_by_how_much() {
        assert_eq!(text("a\u{1b}[31mb\u{1b}]0;t\u{7}c\r\n"), Text { text: "abc".to_owned(), cut: 0 });
        let long = text(&"ü".repeat(LONGEST));
        assert_eq!((long.text.len(), long.cut), (LONGEST, LONGEST as u64));
        // An open sequence eats no more than the rest.
        assert_eq!(text("a\u{1b}]0;x").text, "a");
        assert_eq!(text("a\u{1b}").text, "a");
    }

    #[test]
    fn lines_are_one_line() {
        assert_eq!(line("\n \n  a\t b\nc", 10).as_deref(), Some("a b"));
        assert_eq!(one_line("a\n\n b\u{202e}c", 10).as_deref(), Some("a bc"));
        assert_eq!(one_line(" \n", 10), None);
        assert_eq!(one_line(&"x".repeat(500), 10).as_deref(), Some("xxxxxxxxx…"));
    }
}
