//! The part of a text that is shown with a hit.

use belfry_protocol::search::Piece;

/// Characters that are shown, and how many of them before the first word that was found.
const LONGEST: usize = 240;
const BEFORE: usize = 60;

/// A text in small letters without accents, character by character, so that places in it are places in the text.
pub(crate) fn folded(text: &str) -> String {
    text.chars().map(fold).collect()
}

fn fold(c: char) -> char {
    const LATIN: &str = "aaaaaaæceeeeiiiiðnooooo÷øuuuuyþß";
    let lower = c.to_lowercase().next().unwrap_or(c);
    match lower {
        '\u{e0}'..='\u{ff}' => LATIN.chars().nth(lower as usize - 0xe0).map_or(lower, |base| {
            if lower == 'ÿ' {
                'y'
            } else if lower == 'ß' {
                lower
            } else {
                base
            }
        }),
        'ā' | 'ă' | 'ą' => 'a',
        'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' => 'd',
        'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĩ' | 'ī' | 'ĭ' | 'į' => 'i',
        'ĺ' | 'ļ' | 'ľ' => 'l',
        'ń' | 'ņ' | 'ň' => 'n',
        'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' => 's',
        'ţ' | 'ť' => 't',
        'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ź' | 'ż' | 'ž' => 'z',
        _ => lower,
    }
}

/// Cuts out what stands around the first of the words, and marks all of them. Words are found at their beginning, as the last
/// one may have been typed so far only.
pub(crate) fn snippet(text: &str, words: &[String]) -> Vec<Piece> {
    let chars: Vec<char> = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let plain: Vec<char> = chars.iter().copied().map(fold).collect();
    let words: Vec<Vec<char>> = words.iter().map(|word| word.chars().collect()).collect();
    let longest_at = |at: usize| {
        let begins = at == 0 || !plain[at - 1].is_alphanumeric();
        let here = words.iter().filter(|word| begins && !word.is_empty() && plain[at..].starts_with(word));
        here.map(Vec::len).max()
    };
    // Of several places the one with the most of the words.
    let first = (0..plain.len()).find(|at| longest_at(*at).is_some()).unwrap_or(0);
    let mut from = first.saturating_sub(BEFORE);
    while from > 0 && from < first && !chars[from - 1].is_whitespace() {
        from += 1;
    }
    let to = chars.len().min(from + LONGEST);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut push = |text: String, marked: bool| match pieces.last_mut() {
        Some(last) if last.marked == marked => last.text.push_str(&text),
        _ => pieces.push(Piece { text, marked }),
    };
    if from > 0 {
        push("…".to_owned(), false);
    }
    let mut at = from;
    while at < to {
        let marked = longest_at(at);
        let length = marked.unwrap_or(1);
        push(chars[at..(at + length).min(to)].iter().collect(), marked.is_some());
        at += length;
    }
    if to < chars.len() {
        push("…".to_owned(), false);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, words: &[&str]) -> String {
        let words: Vec<String> = words.iter().map(|word| folded(word)).collect();
        let pieces = snippet(text, &words);
        pieces
            .iter()
            .map(|piece| if piece.marked { format!("[{}]", piece.text) } else { piece.text.clone() })
            .collect()
    }

    #[test]
    fn words_are_marked_where_they_begin() {
        assert_eq!(shown("The Café, the cafeteria", &["cafe"]), "The [Café], the [cafe]teria");
        assert_eq!(shown("decafé", &["cafe"]), "decafé");
        assert_eq!(shown("a\nb c", &["b", "c"]), "a [b] [c]");
        assert_eq!(shown("", &["x"]), "");
        let long = format!("{} needle {}", "hay ".repeat(100), "straw ".repeat(100));
        let found = shown(&long, &["needle"]);
        assert!(found.starts_with("…hay") && found.contains("[needle]") && found.ends_with('…'), "{found}");
        assert!(found.chars().count() < 260);
    }

    #[test]
    fn letters_stay_in_their_places() {
        for text in ["Äöü ß ÿ Ø ÷", "İstanbul", "日本語", "ŻÓŁĆ"] {
            assert_eq!(folded(text).chars().count(), text.chars().count(), "{text}");
        }
        assert_eq!(folded("Äöüñçÿß÷"), "aouncyß÷");
    }
}
