//! Sessions' words outside the page. They come from programs: nothing hidden in them, one line each, never long.

use belfry_protocol::{Ask, AskKind};

/// Letters of a name or a question that are shown at most.
const LONGEST: usize = 80;

/// What is asked, as it is worth saying in one line: what is to be approved, else the question.
pub(crate) fn question(ask: &Ask) -> String {
    let detail = &ask.detail;
    let subject = [&detail.command, &detail.url, &detail.path, &detail.tool].into_iter().flatten().next();
    let by_subject = matches!(ask.kind, AskKind::Approval | AskKind::Trust) || ask.text.trim().is_empty();
    one_line(subject.filter(|_| by_subject).unwrap_or(&ask.text))
}

/// A text in one line: blanks as one, nothing that is not to be seen, cut where it is long.
pub(crate) fn one_line(text: &str) -> String {
    bounded(text.split_whitespace().map(visible).filter(|word| !word.is_empty()), LONGEST)
}

/// A text without characters that are not to be seen, or that turn the order of those around them. Lines stay.
pub(crate) fn visible(text: &str) -> String {
    text.chars().filter(|one| *one == '\n' || !hidden(*one)).collect()
}

/// Joins words up to a length in characters, and says where something is missing.
fn bounded(words: impl Iterator<Item = String>, longest: usize) -> String {
    let mut line = String::new();
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
        if line.chars().nth(longest).is_some() {
            break;
        }
    }
    cut(&line, longest)
}

/// The first so many characters, with a mark where there were more.
pub(crate) fn cut(text: &str, longest: usize) -> String {
    if text.chars().nth(longest).is_none() {
        return text.to_owned();
    }
    let mut kept: String = text.chars().take(longest.saturating_sub(1)).collect();
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

/// Controls, and the marks by which a text is made to look like another one.
fn hidden(one: char) -> bool {
    one.is_control()
        || matches!(one, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_one_short_line() {
        assert_eq!(one_line("  run\n\tthe   tests\u{7} "), "run the tests");
        assert_eq!(one_line("safe\u{202e}live"), "safelive");
        assert_eq!(one_line("\u{200b} \u{1b}"), "");
        let long = one_line(&"word ".repeat(100));
        assert_eq!(long.chars().count(), LONGEST);
        assert!(long.ends_with('…'), "{long}");
        assert_eq!(one_line(&"x".repeat(100_000)).chars().count(), LONGEST);
    }

    #[test]
    fn lines_stay_where_they_are_wanted() {
        assert_eq!(visible("one\ntwo\r\u{1b}[0m"), "one\ntwo[0m");
    }
}
