//! What a setting can be, and what is said of a value that it cannot be.

use toml_edit::{Item, Value};

use super::names::{self, KnownNames, nearest};
use super::{keys, minute};
use crate::session::clean;

/// Most of a value that a sentence repeats, in characters.
const REPEATED: usize = 60;

/// Longest name of a theme or of a font, in characters.
const WORD: usize = 100;

/// Most key combinations of a command.
const COMBINATIONS: usize = 8;

/// What a setting can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// True or false.
    Switch,
    /// A whole number.
    Whole {
        /// The smallest.
        least: i64,
        /// The largest.
        most: i64,
    },
    /// One of some words.
    OneOf(&'static [&'static str]),
    /// The name of a terminal theme.
    Theme,
    /// The name of a font.
    Font,
    /// From when to when.
    QuietHours,
    /// A time of day.
    Time,
    /// Key combinations of a command.
    Keys,
    /// One combination for the whole desktop, or none.
    Shortcut,
    /// Where a program is.
    Program,
    /// A program's arguments.
    Arguments,
    /// Variables for a program.
    Variables,
    /// The value of one.
    Variable,
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It cannot be.
    Value(String),
    /// It is a name that is not known here: a newer Belfry may have written it. It has no effect.
    Name(String),
}

impl Kind {
    /// Whether it is written as a text: whoever types one need not write quotes.
    pub(super) fn is_text(self) -> bool {
        !matches!(
            self,
            Self::Switch
                | Self::Whole { .. }
                | Self::QuietHours
                | Self::Keys
                | Self::Arguments
                | Self::Variables
        )
    }

    /// What it can be, as the end of the sentence "it is …".
    fn can_be(self) -> String {
        match self {
            Self::Switch => "true or false".to_owned(),
            Self::Whole { least, most } => format!("a whole number from {least} to {most}"),
            Self::OneOf(words) => one_of(words),
            Self::Theme => "a theme's name, as in \"dracula\"".to_owned(),
            Self::Font => {
                "a font's name, as in \"DejaVu Sans Mono\"; without it, the one that comes with Belfry is used"
                    .to_owned()
            }
            Self::QuietHours => "two times of day, as in { from = \"22:00\", to = \"07:00\" }".to_owned(),
            Self::Time => "a time of day, as in \"22:30\"".to_owned(),
            Self::Keys => "a list of keys, as in [\"Ctrl+Shift+K\"]; [] is none".to_owned(),
            Self::Shortcut => "keys, as in \"Ctrl+Alt+B\"; \"\" is none".to_owned(),
            Self::Program => "a program's absolute path, or one that starts with ~/".to_owned(),
            Self::Arguments => "a list of texts, as in [\"--verbose\"]".to_owned(),
            Self::Variables => "variables, as in { EDITOR = \"vi\" }".to_owned(),
            Self::Variable => "a text, as in \"vi\"".to_owned(),
        }
    }

    /// What is wrong with that value.
    pub(super) fn wrong(self, item: &Item, known: &KnownNames) -> Option<Wrong> {
        let value = item.as_value();
        let text = value.and_then(Value::as_str);
        let cannot = || {
            // Arguments and variables can be secrets.
            let shown =
                Some(item).filter(|_| !matches!(self, Self::Arguments | Self::Variables | Self::Variable));
            let shown = shown.map(|item| format!(", not {}", written(item))).unwrap_or_default();
            Some(Wrong::Value(format!("it is {}{shown}", self.can_be())))
        };
        let or_not = |fits: bool| if fits { None } else { cannot() };
        match (self, text) {
            (Self::Switch, _) => or_not(value.is_some_and(Value::is_bool)),
            (Self::Whole { least, most }, _) => {
                or_not(value.and_then(Value::as_integer).is_some_and(|n| (least..=most).contains(&n)))
            }
            (Self::OneOf(words), Some(text)) if words.contains(&text) => None,
            (Self::OneOf(words), Some(text)) => {
                let near = nearest(text, words.iter().copied());
                let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                Some(Wrong::Value(format!("it is {}, not `{}`{hint}", one_of(words), short(text))))
            }
            (Self::Theme, Some(text)) if word(text) => names::theme(text).map(Wrong::Name),
            (Self::Font, Some(text)) if word(text) => known.font(text).map(Wrong::Name),
            (Self::Time, Some(text)) => or_not(minute(text).is_some()),
            (Self::Shortcut, Some("")) => None,
            (Self::Shortcut, Some(text)) => keys::wrong_everywhere(text).map(Wrong::Value),
            (Self::Program, Some(text)) => {
                let whole = std::path::Path::new(text).is_absolute() || text.starts_with("~/");
                or_not(whole && !text.contains('\0'))
            }
            (Self::Variable, Some(text)) => {
                let zero = || {
                    Wrong::Value(
                        "there is a zero byte in it, and no program can be given such a text".to_owned(),
                    )
                };
                text.contains('\0').then(zero)
            }
            (Self::Keys, _) => texts(item).map_or_else(cannot, |all| {
                let many = || format!("it is {COMBINATIONS} key combinations at the most");
                let many = (all.len() > COMBINATIONS).then(many);
                many.or_else(|| all.into_iter().find_map(keys::wrong)).map(Wrong::Value)
            }),
            (Self::Arguments, _) => {
                or_not(texts(item).is_some_and(|all| !all.iter().any(|arg| arg.contains('\0'))))
            }
            // What is in them is looked at one by one.
            (Self::QuietHours, _) => {
                let times = item.as_table_like();
                match times.map(|times| ["from", "to"].map(|name| times.contains_key(name))) {
                    Some([true, true]) => None,
                    Some([true, false] | [false, true]) => {
                        Some(Wrong::Value(format!("it is {}: one of them is missing", self.can_be())))
                    }
                    _ => cannot(),
                }
            }
            (Self::Variables, _) => or_not(item.is_table_like()),
            _ => cannot(),
        }
    }
}

/// Why no program can be given a variable of that name.
pub(super) fn wrong_variable(name: &str) -> Option<String> {
    (name.is_empty() || name.contains(['=', '\0']) || name.contains(char::is_control))
        .then(|| format!("no program can be given a variable `{}`", short(name)))
}

fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}

fn texts(item: &Item) -> Option<Vec<&str>> {
    item.as_array()?.iter().map(Value::as_str).collect()
}

fn word(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= WORD && !text.contains(char::is_control)
}

/// The value as a sentence repeats it.
fn written(item: &Item) -> String {
    let text = match item {
        Item::Value(Value::String(text)) if text.value().trim().is_empty() => return "empty".to_owned(),
        Item::Value(Value::String(text)) => text.value().clone(),
        Item::Value(value) => value.clone().decorated("", "").to_string(),
        _ => return "a table".to_owned(),
    };
    format!("`{}`", short(&text))
}

fn short(text: &str) -> String {
    let line = clean::line(text, REPEATED + 1);
    if line.chars().count() > REPEATED { line.chars().take(REPEATED).chain(['…']).collect() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(kind: Kind, value: &str) -> Option<String> {
        let document: toml_edit::DocumentMut = format!("value = {value}").parse().expect("TOML");
        kind.wrong(&document["value"], &KnownNames::default()).map(|wrong| match wrong {
            Wrong::Value(text) => text,
            Wrong::Name(text) => format!("name: {text}"),
        })
    }

    #[test]
    fn what_is_allowed_is_said_in_our_words() {
        let whole = Kind::Whole { least: 8, most: 32 };
        let theme = Kind::OneOf(&["system", "dark", "light"]);
        for (kind, value, expected) in [
            (Kind::Switch, "true", None),
            (Kind::Switch, "1", Some("it is true or false, not `1`")),
            (Kind::Switch, "\"yes\"", Some("it is true or false, not `yes`")),
            (whole, "13", None),
            (whole, "-1", Some("it is a whole number from 8 to 32, not `-1`")),
            (
                whole,
                "9223372036854775807",
                Some("it is a whole number from 8 to 32, not `9223372036854775807`"),
            ),
            (whole, "13.5", Some("it is a whole number from 8 to 32, not `13.5`")),
            (whole, "\"big\"", Some("it is a whole number from 8 to 32, not `big`")),
            (whole, "{ a = 1 }", Some("it is a whole number from 8 to 32, not `{ a = 1 }`")),
            (theme, "\"dark\"", None),
            (theme, "\"drak\"", Some("it is `system`, `dark` or `light`, not `drak`; did you mean `dark`?")),
            (theme, "3", Some("it is `system`, `dark` or `light`, not `3`")),
            (Kind::Theme, "\"drakula\"", Some("name: there is no theme `drakula`; did you mean `dracula`?")),
            (Kind::Theme, "\"\"", Some("it is a theme's name, as in \"dracula\", not empty")),
            (Kind::Time, "\"24:00\"", Some("it is a time of day, as in \"22:30\", not `24:00`")),
            (Kind::QuietHours, "{ from = \"22:00\", to = \"07:00\" }", None),
            (Kind::Keys, "[\"Ctrl+K\"]", None),
            (Kind::Keys, "[]", None),
            (
                Kind::Keys,
                "\"Ctrl+K\"",
                Some("it is a list of keys, as in [\"Ctrl+Shift+K\"]; [] is none, not `Ctrl+K`"),
            ),
            (
                Kind::Keys,
                "[1]",
                Some("it is a list of keys, as in [\"Ctrl+Shift+K\"]; [] is none, not `[1]`"),
            ),
            (Kind::Keys, "[\"\"]", Some("keys are written as in \"Ctrl+Shift+K\"")),
            (Kind::Shortcut, "\"\"", None),
            (
                Kind::Program,
                "\"bin/x\"",
                Some("it is a program's absolute path, or one that starts with ~/, not `bin/x`"),
            ),
            (Kind::Arguments, "[\"-v\", 1]", Some("it is a list of texts, as in [\"--verbose\"]")),
            (Kind::Variables, "{ A = \"b\" }", None),
            (Kind::Variables, "3", Some("it is variables, as in { EDITOR = \"vi\" }")),
            (Kind::Variable, "3", Some("it is a text, as in \"vi\"")),
        ] {
            assert_eq!(said(kind, value).as_deref(), expected, "{kind:?} {value}");
        }
        let half = said(Kind::QuietHours, "{ from = \"22:00\" }").expect("half");
        assert!(half.contains("one of them is missing"), "{half}");
    }
}
