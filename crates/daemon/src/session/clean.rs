//! Texts from a screen, a title or a file as clients get them: no control characters, and of bounded length.

/// One line: newlines and tabs are blanks, all other control and format characters go, and what is longer is cut.
pub(crate) fn line(text: &str, most: usize) -> String {
    let blank = |c: char| if c.is_whitespace() { ' ' } else { c };
    let cleaned: String = text.chars().map(blank).filter(|c| shows(*c)).take(most).collect();
    cleaned.trim().to_owned()
}

/// Several lines: newlines and tabs stay.
pub(crate) fn text(text: &str, most: usize) -> String {
    text.chars().filter(|c| matches!(c, '\n' | '\t') || shows(*c)).take(most).collect()
}

/// Not a control character, nor one that turns the direction of what follows, by which a text can look like another.
fn shows(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        assert_eq!(line(" a\u{1b}[31m\tb\r\nc\u{9b}\u{202e}d ", 80), "a[31m b  cd");
        assert_eq!(line("ünïcode 🔔 text", 9), "ünïcode 🔔");
        assert_eq!(text("a\n\tb\u{7}\u{0}", 80), "a\n\tb");
    }
}
