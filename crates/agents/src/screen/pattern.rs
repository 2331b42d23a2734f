//! What a rule looks for.

use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::{Captures, Regex, RegexBuilder};
use serde::de::{Deserialize, Deserializer, Error};

use super::rows::Rows;

/// Largest compiled regular expression, in bytes: a person's file must not take the daemon's memory.
const SIZE_LIMIT: usize = 1 << 20;

/// A plain text, or a regular expression between slashes.
///
/// A plain text is looked for where rows are joined by single blanks, so that it is found wherever a narrow terminal wraps
/// it. A regular expression sees the rows as they are, one a line, without the frame of a box: `^` and `$` are a row's
/// ends, and `\s+` is a blank that may be a wrapped one.
#[derive(Clone)]
pub(crate) enum Pattern {
    Text(String),
    Regex(Regex),
}

/// Compiled once: a file's expressions are needed for each version range, and again when files are reloaded.
static COMPILED: LazyLock<Mutex<HashMap<String, Regex>>> = LazyLock::new(Mutex::default);

/// Most of them; the built-in files have some 250.
const MOST: usize = 4096;

fn compiled(source: &str) -> Result<Regex, regex::Error> {
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled.get(source) {
        return Ok(known.clone());
    }
    let regex = RegexBuilder::new(source).multi_line(true).size_limit(SIZE_LIMIT).build()?;
    if compiled.len() >= MOST {
        compiled.clear();
    }
    compiled.insert(source.to_owned(), regex.clone());
    Ok(regex)
}

impl Pattern {
    fn new(source: &str) -> Result<Self, regex::Error> {
        match source.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
            Some(inner) if !inner.is_empty() => compiled(inner).map(Self::Regex),
            _ => Ok(Self::Text(source.to_owned())),
        }
    }

    /// Whether it is in some rows.
    pub(crate) fn is_in(&self, rows: &Rows<'_>) -> bool {
        match self {
            Self::Text(text) => rows.flat().contains(text.as_str()),
            Self::Regex(regex) => regex.is_match(rows.lines()),
        }
    }

    /// What was found in some rows.
    pub(crate) fn find<'a>(&'a self, rows: &'a Rows<'_>) -> Option<Found<'a>> {
        match self {
            Self::Text(_) => self.find_in(rows.flat()),
            Self::Regex(_) => self.find_in(rows.lines()),
        }
    }

    /// What was found in a text.
    pub(crate) fn find_in<'a>(&'a self, text: &'a str) -> Option<Found<'a>> {
        match self {
            Self::Text(wanted) => text.contains(wanted.as_str()).then_some(Found::Text(wanted)),
            Self::Regex(regex) => regex.captures(text).map(Found::Captures),
        }
    }

    /// Whether it is in a text.
    pub(crate) fn matches(&self, text: &str) -> bool {
        match self {
            Self::Text(wanted) => text.contains(wanted.as_str()),
            Self::Regex(regex) => regex.is_match(text),
        }
    }

    /// How many times it is in some rows.
    pub(crate) fn count(&self, rows: &Rows<'_>) -> usize {
        match self {
            Self::Text(text) => rows.flat().matches(text.as_str()).count(),
            Self::Regex(regex) => regex.find_iter(rows.lines()).count(),
        }
    }

    /// Whether a part of it is meant.
    pub(crate) fn has_group(&self) -> bool {
        matches!(self, Self::Regex(regex) if regex.captures_len() > 1)
    }

    /// How many bytes of a row's beginning it takes, where it is there. A plain text must be followed by a blank or nothing.
    pub(crate) fn prefix_of(&self, row: &str) -> Option<usize> {
        match self {
            Self::Text(text) => {
                let rest = row.strip_prefix(text.as_str())?;
                match rest.chars().next() {
                    None => Some(text.len()),
                    Some(next) if next.is_whitespace() => Some(text.len() + next.len_utf8()),
                    Some(_) => None,
                }
            }
            Self::Regex(regex) => regex.find(row).filter(|found| found.start() == 0).map(|found| found.end()),
        }
    }
}

/// What a pattern found.
pub(crate) enum Found<'a> {
    Text(&'a str),
    Captures(Captures<'a>),
}

impl Found<'_> {
    /// The text: the first group, else the whole.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Captures(captures) => {
                let first = captures.iter().skip(1).flatten().next();
                first.or_else(|| captures.get(0)).map_or("", |found| found.as_str())
            }
        }
    }

    /// Where the text begins in what was searched; none for a plain text, which is its own.
    pub(crate) fn begins(&self) -> Option<usize> {
        match self {
            Self::Text(_) => None,
            Self::Captures(captures) => {
                let first = captures.iter().skip(1).flatten().next();
                first.or_else(|| captures.get(0)).map(|found| found.start())
            }
        }
    }

    /// The whole text.
    pub(crate) fn whole(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Captures(captures) => captures.get(0).map_or("", |found| found.as_str()),
        }
    }

    /// A sentence with `$name` and `$1` filled in, on one line.
    pub(crate) fn say(&self, sentence: &str) -> String {
        let mut said = String::new();
        match self {
            Self::Text(_) => said.push_str(sentence),
            Self::Captures(captures) => captures.expand(sentence, &mut said),
        }
        one_line(&said)
    }
}

/// Blanks and line breaks as single blanks.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Regex(regex) => write!(f, "/{}/", regex.as_str()),
        }
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = String::deserialize(deserializer)?;
        if source.is_empty() {
            return Err(D::Error::custom("an empty text is found everywhere"));
        }
        Self::new(&source).map_err(D::Error::custom)
    }
}
