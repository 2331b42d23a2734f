//! What the parser says of a file that a person wrote, in words that they know: it talks of `u8`, of variants and of maps.

use toml::de::Error;

/// What is wrong, with line and column where they are known.
pub(crate) fn fault(error: &Error, text: &str) -> String {
    let what = words(error.message());
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else { return what };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |start| start.chars().count()) + 1;
    format!("line {line}, column {column}: {what}")
}

/// The parser's sentence about a file in other words; one that is not known stays.
pub fn words(said: &str) -> String {
    let said = said.trim();
    let split = |start: &str| said.strip_prefix(start)?.split_once(", expected ");
    if let Some((is, wanted)) = split("invalid type: ").or_else(|| split("invalid value: ")) {
        return format!("it has to be {}, and is {}", wanted_words(wanted), found_words(is));
    }
    if let Some((name, known)) = split("unknown field ") {
        return format!("there is no key {name} here; there is {}", known.trim_start_matches("one of "));
    }
    if let Some((name, known)) = split("unknown variant ") {
        return format!(
            "{name} is none of the words that can stand here: {}",
            known.trim_start_matches("one of ")
        );
    }
    if let Some(name) = said.strip_prefix("missing field ") {
        return format!("the key {name} is missing");
    }
    if let Some(name) = said.strip_prefix("duplicate field ") {
        return format!("the key {name} is there twice");
    }
    if let Some((length, _)) = split("invalid length ") {
        return format!("there are {length} items in it, which is not how many belong there");
    }
    if said.starts_with("data did not match any variant") {
        return "it is written in none of the ways that it can be".to_owned();
    }
    syntax(said)
}

/// What is no TOML at all.
fn syntax(said: &str) -> String {
    let (what, missing) = said.split_once(", expected ").unwrap_or((said, ""));
    match (what, missing) {
        // A bare word begins like one of these.
        ("invalid boolean" | "string values must be quoted", _) => {
            "a text stands in quotes, as in \"dark\"; without them it is `true`, `false` or a number"
                .to_owned()
        }
        ("invalid basic string" | "invalid literal string", _) => {
            "the quotes of the text are not closed".to_owned()
        }
        ("key with no value", _) => "there is no `=` between the name and its value".to_owned(),
        ("duplicate key", _) => "the key here is there already, further up".to_owned(),
        ("integer number overflowed", _) => "the number is too large".to_owned(),
        (what, "" | "nothing") => what.to_owned(),
        (what, missing) if missing.starts_with('`') && missing.ends_with('`') => {
            format!("{what}: {missing} is missing")
        }
        (what, missing) => format!("{what}: here stands {missing}"),
    }
}

fn wanted_words(wanted: &str) -> String {
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, not below 0 and not too large".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        "a string" | "string" | "a borrowed string" | "a character" => "a text".to_owned(),
        "string or map" | "string or table" => "a text or a table".to_owned(),
        other if other.starts_with("struct ") => "a table".to_owned(),
        other
            if other.starts_with("tuple ")
                || other.starts_with("a tuple")
                || other.starts_with("an array") =>
        {
            "a list".to_owned()
        }
        other if other.starts_with("enum ") => "one of some words".to_owned(),
        other => other.to_owned(),
    }
}

fn found_words(is: &str) -> String {
    let value = |kind: &str| is.strip_prefix(kind).map(str::trim).filter(|value| !value.is_empty());
    if let Some(text) = value("string ") {
        format!("the text {text}")
    } else if let Some(number) = value("integer ").or_else(|| value("floating point ")) {
        format!("the number {number}")
    } else if let Some(boolean) = value("boolean ") {
        boolean.to_owned()
    } else {
        match is {
            "sequence" => "a list".to_owned(),
            "map" => "a table".to_owned(),
            "unit value" | "null" | "Option value" => "nothing".to_owned(),
            other => other.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct File {
        name: String,
        size: Option<u8>,
        kind: Option<Kind>,
        list: Option<Vec<String>>,
        inner: Option<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        One,
        Two,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Inner {
        on: bool,
    }

    #[test]
    fn the_parser_s_words_become_a_person_s() {
        let said = |text: &str| fault(&toml::from_str::<File>(text).expect_err("it is wrong"), text);
        for (text, expected) in [
            ("name = 3\n", "line 1, column 8: it has to be a text, and is the number `3`"),
            (
                "name = 'a'\nsize = -1\n",
                "line 2, column 8: it has to be a whole number, not below 0 and not too large, and is the number `-1`",
            ),
            (
                "name = 'a'\nsize = 'big'\n",
                "line 2, column 8: it has to be a whole number, not below 0 and not too large, and is the text \"big\"",
            ),
            (
                "name = 'a'\nkind = 'three'\n",
                "line 2, column 8: `three` is none of the words that can stand here: `one` or `two`",
            ),
            ("name = 'a'\nlist = 'x'\n", "line 2, column 8: it has to be a list, and is the text \"x\""),
            (
                "name = 'a'\ninner = { on = 1 }\n",
                "line 2, column 16: it has to be true or false, and is the number `1`",
            ),
            (
                "name = 'a'\nsise = 1\n",
                "line 2, column 1: there is no key `sise` here; there is `name`, `size`, `kind`, `list`, `inner`",
            ),
        ] {
            assert_eq!(said(text), expected);
        }
        assert!(said("size = 1\n").contains("the key `name` is missing"));
        for (text, expected) in [
            ("name = word\n", "a text stands in quotes"),
            ("name = twelve\n", "a text stands in quotes"),
            ("name = 'a\n", "the quotes of the text are not closed"),
            ("name 'a'\n", "there is no `=` between the name and its value"),
            ("name = 'a'\nname = 'b'\n", "the key here is there already"),
            ("[name\n", "unclosed table: `]` is missing"),
            ("name = = 'a'\n", "extra `=`"),
        ] {
            let said = said(text);
            assert!(said.contains(expected) && !said.contains("expected"), "{text}: {said}");
        }
        assert_eq!(words("a sentence of our own"), "a sentence of our own");
        assert!(matches!(
            toml::from_str::<File>("name = 'a'\nkind = 'one'").map(|file| file.kind),
            Ok(Some(Kind::One))
        ));
        assert!(matches!(
            toml::from_str::<File>("name = 'a'\nkind = 'two'").map(|file| file.kind),
            Ok(Some(Kind::Two))
        ));
    }
}
