//! `belfry keys`: which words are keys, which are text, and which are most likely a key that was mistyped.

use belfry_protocol::{Reply, Request};

use crate::args::KeysArgs;
use crate::context::{Context, unexpected};
use crate::failure::Failure;

/// Names of keys as the daemon knows them (it takes them in any case), the one that is proposed first.
const NAMES: &[&str] = &[
    "Enter",
    "Esc",
    "Tab",
    "BTab",
    "Backspace",
    "Space",
    "Up",
    "Down",
    "Left",
    "Right",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "Insert",
    "Delete",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "F7",
    "F8",
    "F9",
    "F10",
    "F11",
    "F12",
    "Return",
    "BackTab",
    "Escape",
    "BSpace",
    "IC",
    "DC",
    "PgUp",
    "PgDn",
    "PPage",
    "NPage",
];

/// Options that were most likely meant as such; after the first key, every word is taken for a key.
const OPTIONS: &[&str] = &["--text", "--json", "--help"];

pub(crate) async fn run(context: &Context, args: KeysArgs) -> Result<(), Failure> {
    let keys = if args.text { literally(&args.keys) } else { checked(args.keys)? };
    match context.ask(Request::SendKeys { session: args.which.session, keys }).await? {
        Reply::Done if context.printer.json => Ok(crate::print::value(&serde_json::json!({ "done": true }))?),
        Reply::Done => Ok(()),
        other => Err(unexpected(&other)),
    }
}

/// Each character as a key of its own: none of them is a name.
fn literally(words: &[String]) -> Vec<String> {
    words.iter().flat_map(|word| word.chars()).map(String::from).collect()
}

/// The words as they are, if none looks like a key without being one: typed as text it would be a surprise.
fn checked(words: Vec<String>) -> Result<Vec<String>, Failure> {
    for word in &words {
        if OPTIONS.contains(&word.as_str()) {
            let message = format!("`{word}` after a key would be typed as text.");
            return Err(Failure::usage(message).next("Options go before the session and the keys."));
        }
        if !is_key(word) && looks_like_a_key(word) {
            return Err(Failure::usage(format!("There is no key `{word}`; nothing was typed.")).next(
                format!(
                    "Is {} meant? `belfry keys --text SESSION '{word}'` types it as text.",
                    nearest(word)
                ),
            ));
        }
    }
    Ok(words)
}

/// `C-M-x` as what is before the key and the key; in any case, as the daemon takes it. `C--` is Control and minus.
fn split(word: &str) -> (&str, &str) {
    let mut rest = word;
    while let Some((prefix, tail)) = rest.split_at_checked(2)
        && matches!(prefix, "C-" | "c-" | "M-" | "m-" | "S-" | "s-")
        && !tail.is_empty()
    {
        rest = tail;
    }
    word.split_at(word.len() - rest.len())
}

fn is_key(word: &str) -> bool {
    let (modifiers, key) = split(word);
    if NAMES.iter().any(|name| name.eq_ignore_ascii_case(key)) {
        return true;
    }
    let mut characters = key.chars();
    let (Some(c), None) = (characters.next(), characters.next()) else { return false };
    // Control has no character for most digits and punctuation marks.
    !modifiers.contains(['C', 'c'])
        || matches!(c.to_ascii_uppercase(), '@'..='_' | '2'..='8' | '?' | '/' | ' ')
}

/// Whether a person would read it as a key's name: `Entr`, `F99`, `C-Foo`, `Ctrl-C`, `Alt+x`, `^C`. Anything with a space,
/// in lower case or with other punctuation is text.
fn looks_like_a_key(word: &str) -> bool {
    if let Some(caret) = word.strip_prefix('^') {
        return caret.len() == 1 && caret.bytes().all(|byte| byte.is_ascii_alphabetic());
    }
    let prefixed = ["C-", "M-", "S-"].iter().any(|prefix| word.starts_with(prefix));
    let of_a_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-+_".contains(&byte);
    word.len() > 1
        && !word.contains(char::is_whitespace)
        && (prefixed || word.starts_with(|c: char| c.is_ascii_uppercase()) && word.bytes().all(of_a_name))
}

/// The key that is most like it.
fn nearest(word: &str) -> String {
    if let Some(caret) = word.strip_prefix('^') {
        return format!("C-{}", caret.to_ascii_lowercase());
    }
    let lower = word.to_ascii_lowercase();
    for (long, short) in
        [("ctrl", "C-"), ("control", "C-"), ("alt", "M-"), ("meta", "M-"), ("option", "M-"), ("shift", "S-")]
    {
        let Some(rest) = lower.strip_prefix(long) else { continue };
        if let Some(rest) = rest.strip_prefix(['-', '+', '_']).filter(|rest| !rest.is_empty()) {
            let key = if rest.chars().count() == 1 { rest.to_owned() } else { nearest_name(rest).to_owned() };
            return format!("{short}{key}");
        }
    }
    let (modifiers, key) = split(word);
    if key.chars().count() == 1 {
        return key.to_owned();
    }
    format!("{modifiers}{}", nearest_name(key))
}

fn nearest_name(key: &str) -> &'static str {
    let key: String = key.to_ascii_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    NAMES.iter().min_by_key(|name| distance(&key, &name.to_ascii_lowercase())).copied().unwrap_or("Enter")
}

/// How many characters have to be put in, taken out or replaced.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(word: &str) -> bool {
        checked(vec![word.to_owned()]).is_ok()
    }

    #[test]
    fn keys_and_text_are_taken() {
        for word in [
            "Enter",
            "enter",
            "RETURN",
            "F5",
            "C-c",
            "C-M-x",
            "S-Tab",
            "C-Up",
            "C-/",
            "M-é",
            "C- ",
            "é",
            "y",
            "Y",
            "-",
            "--",
            "echo hi",
            "secret-input",
            "Hello there",
            "Yes!",
            "ls",
            "/model",
            "x=1",
            "s-expression",
            "c-lib",
            "日本",
            "^",
        ] {
            assert!(taken(word), "{word}");
        }
    }

    #[test]
    fn mistyped_keys_are_refused_with_the_nearest() {
        for (word, near) in [
            ("Entr", "Enter"),
            ("BadKey", "Backspace"),
            ("F99", "F9"),
            ("Ctrl-C", "C-c"),
            ("Control+Up", "C-Up"),
            ("Alt+x", "M-x"),
            ("Shift-Tab", "S-Tab"),
            ("C-Entr", "C-Enter"),
            ("C-1", "1"),
            ("Page_Up", "PageUp"),
            ("^C", "C-c"),
        ] {
            assert!(!taken(word), "{word}");
            if word != "BadKey" {
                assert_eq!(nearest(word), near, "{word}");
            }
        }
        assert!(!taken("C-") && !taken("C--"), "Control and nothing that it changes");
        assert!(!taken("--json") && !taken("--text"));
    }

    #[test]
    fn text_is_sent_character_by_character() {
        assert_eq!(literally(&["Up".to_owned(), "é".to_owned()]), ["U", "p", "é"]);
    }
}
