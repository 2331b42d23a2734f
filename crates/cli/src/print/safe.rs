//! Somebody else's text on our terminal. What a program prints, a title, a name, a question or an agent's words may hold
//! anything: escape sequences, reversed writing, invisible characters.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

/// Marks without a width that may follow a character: more than any script needs, and fewer than a joke.
const MOST_MARKS: usize = 8;

/// Whether a character does something to the terminal, or to how what follows is read, instead of being seen.
pub(crate) fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            // Soft hyphen and Arabic letter mark.
            '\u{ad}' | '\u{61c}' | '\u{180e}'
                // Zero-width characters, bidirectional marks, overrides and isolates, the byte order mark.
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                // Tags.
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// `text` without control and invisible formatting characters, on one line: a title or a name could otherwise move the
/// cursor, recolour what follows or reverse its direction.
pub(crate) fn plain(text: &str) -> String {
    let mut marks = 0;
    text.chars()
        .filter_map(|c| match c {
            '\t' | '\n' | '\r' => Some(' '),
            c if is_hostile(c) => None,
            c => Some(c),
        })
        .filter(|c| {
            marks = if c.width() == Some(0) { marks + 1 } else { 0 };
            marks <= MOST_MARKS
        })
        .collect()
}

/// The same with blanks joined, and at most `most` characters; an ellipsis tells that there was more.
pub(crate) fn brief(text: &str, most: usize) -> String {
    let joined = plain(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match joined.char_indices().nth(most) {
        None => joined,
        Some(_) => joined.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The lines of a longer text, each harmless, without blank ones around, at most `most` of them.
pub(crate) fn block(text: &str, most: usize) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(|line| plain(line).trim_end().to_owned()).collect();
    let blank = |line: &String| line.is_empty();
    let first = lines.iter().position(|line| !blank(line)).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !blank(line)).map_or(first, |last| last + 1);
    let lines = &lines[first..last];
    let mut kept: Vec<String> = lines.iter().take(most).cloned().collect();
    match lines.len() - kept.len() {
        0 => {}
        1 => kept.push("… 1 more line".to_owned()),
        more => kept.push(format!("… {more} more lines")),
    }
    kept
}

/// JSON that is harmless on a terminal as well: hostile characters as `\u….`, which means the same. JSON itself leaves
/// those above U+001F as they are, and a terminal may take U+009B for the beginning of a sequence.
pub(crate) fn harmless(json: &str) -> Cow<'_, str> {
    let written = |c: char| is_hostile(c) && c != '\n';
    if !json.contains(written) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if written(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_harmless() {
        assert_eq!(plain("a\x1b]0;t\x07b\u{9b}31mc\nd\u{202e}e\u{61c}\u{fffa}f"), "a]0;tb31mc def");
        assert_eq!(plain("日本 é ok"), "日本 é ok");
        let many = format!("a{}b", "\u{301}".repeat(10_000));
        assert_eq!(plain(&many).chars().count(), 2 + MOST_MARKS);
    }

    #[test]
    fn long_text_is_cut_and_says_so() {
        assert_eq!(brief("a\n  b\tc", 10), "a b c");
        assert_eq!(brief("abcdef", 4), "abc…");
        assert_eq!(block("\n\n a\x1b[2J\n\nb\n\n", 10), [" a[2J", "", "b"]);
        assert_eq!(block("a\nb\nc", 2), ["a", "b", "… 1 more line"]);
        assert!(block("\n \n", 3).is_empty());
    }

    #[test]
    fn json_means_the_same_and_is_harmless() {
        let hostile = serde_json::json!({ "a\u{9b}": "b\u{7f}\u{202e}\u{e0041}\u{1b}é日" });
        let text = hostile.to_string();
        let written = harmless(&text);
        assert!(!written.contains(is_hostile), "{written:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), hostile);
        assert!(matches!(harmless("{\"a\":\"é\"}"), Cow::Borrowed(_)));
    }
}
