//! Changing one value in the file's text, so that everything else stays as the person wrote it.
//!
//! A key that is written is changed where it is. One that is only there as a comment, as in the file that is made, becomes
//! one where the comment is, and a comment again when it is taken out. Whatever way is gone, the outcome is read again and
//! must differ from what was there in that value alone.

use std::ops::Range;

use toml::Value as Meaning;
use toml_edit::{Document, DocumentMut, Item, Key, Table, TableLike, Value};

use super::known::usual;

/// Why a change is not made.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotChanged {
    /// The path is none.
    #[error("`{0}` is no dotted key")]
    Path(String),
    /// TOML has no such value.
    #[error("{0}")]
    Value(&'static str),
    /// The file is written in a way that cannot be changed piecemeal.
    #[error("the file is written so that `{0}` cannot be changed in it")]
    Shape(String),
}

/// The parts of a dotted key. A command's name may have dots in it, and is one part.
pub(super) fn parts(path: &str) -> Result<Vec<String>, NotChanged> {
    if let Some(command) = path.strip_prefix("keys.")
        && !command.starts_with(['"', '\''])
    {
        return Ok(vec!["keys".to_owned(), command.to_owned()]);
    }
    let keys = Key::parse(path).map_err(|_| NotChanged::Path(path.to_owned()))?;
    Ok(keys.iter().map(|key| key.get().to_owned()).collect())
}

/// A value as TOML writes it.
pub(super) fn value(json: &serde_json::Value) -> Result<Value, NotChanged> {
    Ok(match json {
        serde_json::Value::Null => return Err(NotChanged::Value("there is no empty value within another")),
        serde_json::Value::Bool(bool) => (*bool).into(),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(float)) => float.into(),
            _ => return Err(NotChanged::Value("the number is too large")),
        },
        serde_json::Value::String(text) => text.as_str().into(),
        serde_json::Value::Array(items) => {
            let items: Vec<Value> = items.iter().map(value).collect::<Result<_, _>>()?;
            Value::Array(items.into_iter().collect())
        }
        serde_json::Value::Object(fields) => {
            let fields: Vec<(&String, Value)> = fields
                .iter()
                .map(|(name, field)| Ok((name, value(field)?)))
                .collect::<Result<_, NotChanged>>()?;
            Value::InlineTable(fields.into_iter().collect())
        }
    })
}

/// The text with that value at that path; none takes it out. The text must be valid.
pub(super) fn change(text: &str, path: &[&str], new: Option<&Value>) -> Result<String, NotChanged> {
    let shape = || NotChanged::Shape(path.join("."));
    let before: toml::Table = toml::from_str(text).map_err(|_| shape())?;
    let mut wanted = Meaning::Table(before);
    let had = take(&mut wanted, path);
    match new {
        Some(new) => put(&mut wanted, path, meaning(new).ok_or_else(shape)?).ok_or_else(shape)?,
        None if had.is_none() => return Ok(text.to_owned()),
        None => {}
    }
    let ways: [&dyn Fn() -> Option<String>; 2] = match new {
        Some(new) if had.is_some() => [&|| replaced(text, path, new), &|| None],
        Some(new) => [&|| uncommented(text, path, new), &|| inserted(text, path, new)],
        None => [&|| commented(text, path), &|| removed(text, path)],
    };
    let right = |changed: &String| {
        let after = toml::from_str(changed).ok().map(Meaning::Table);
        after.is_some_and(|after| without_empty(after) == without_empty(wanted.clone()))
    };
    ways.iter().find_map(|way| way().filter(right)).ok_or_else(shape)
}

fn meaning(value: &Value) -> Option<Meaning> {
    let table: toml::Table = toml::from_str(&format!("value = {value}")).ok()?;
    table.get("value").cloned()
}

fn take(table: &mut Meaning, path: &[&str]) -> Option<Meaning> {
    let (last, before) = path.split_last()?;
    let table = before.iter().try_fold(table, |table, name| table.get_mut(*name))?;
    table.as_table_mut()?.remove(*last)
}

fn put(table: &mut Meaning, path: &[&str], value: Meaning) -> Option<()> {
    let (last, before) = path.split_last()?;
    let table = before.iter().try_fold(table, |table, name| {
        let inner = table.as_table_mut()?;
        Some(inner.entry(*name).or_insert_with(|| Meaning::Table(toml::Table::new())))
    })?;
    table.as_table_mut()?.insert((*last).to_owned(), value);
    Some(())
}

/// Whether a table is written that has nothing in it makes no difference.
fn without_empty(value: Meaning) -> Meaning {
    let Meaning::Table(table) = value else { return value };
    let inner = table.into_iter().map(|(name, value)| (name, without_empty(value)));
    Meaning::Table(
        inner.filter(|(_, value)| value.as_table().is_none_or(|table| !table.is_empty())).collect(),
    )
}

// A value that is there.

fn replaced(text: &str, path: &[&str], new: &Value) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let (last, before) = path.split_last()?;
    let item = within(document.as_table_mut(), before)?.get_mut(last)?;
    let mut new = new.clone();
    if let Some(old) = item.as_value() {
        // Blanks and a comment around it.
        *new.decor_mut() = old.decor().clone();
    }
    *item = Item::Value(new);
    Some(document.to_string())
}

fn within<'a>(table: &'a mut dyn TableLike, path: &[&str]) -> Option<&'a mut dyn TableLike> {
    let Some((first, rest)) = path.split_first() else { return Some(table) };
    within(table.get_mut(first)?.as_table_like_mut()?, rest)
}

/// Its lines become the comment that it is in the file that is made; they go where there is such a comment already, or
/// where the key is the person's own.
fn commented(text: &str, path: &[&str]) -> Option<String> {
    let lines = lines_of(text, path)?;
    let [section, name] = path else { return Some(without(text, lines)) };
    let usual = usual(path).filter(|_| comment_of(text, section, name).is_none());
    let Some(usual) = usual else { return Some(without(text, lines)) };
    Some(format!("{}#{name} = {usual}\n{}", &text[..lines.start], &text[lines.end..]))
}

fn without(text: &str, lines: Range<usize>) -> String {
    format!("{}{}", &text[..lines.start], &text[lines.end..])
}

/// The lines that a value has to itself.
fn lines_of(text: &str, path: &[&str]) -> Option<Range<usize>> {
    let document = Document::parse(text).ok()?;
    let (last, before) = path.split_last()?;
    let table = before
        .iter()
        .try_fold(document.as_table() as &dyn TableLike, |table, name| table.get(name)?.as_table_like())?;
    let (key, item) = table.get_key_value(last)?;
    let (key, value) = (key.span()?, item.as_value()?.span()?);
    let start = text[..key.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[value.end..].find('\n').map_or(text.len(), |at| value.end + at + 1);
    let rest = text[value.end..end].trim();
    let alone = text[start..key.start].trim().is_empty() && (rest.is_empty() || rest.starts_with('#'));
    alone.then_some(start..end)
}

fn removed(text: &str, path: &[&str]) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let (last, before) = path.split_last()?;
    within(document.as_table_mut(), before)?.remove(last)?;
    Some(document.to_string())
}

// A value that is not there.

fn uncommented(text: &str, path: &[&str], new: &Value) -> Option<String> {
    let [section, name] = path else { return None };
    let line = comment_of(text, section, name)?;
    Some(format!("{}{name} = {new}\n{}", &text[..line.start], &text[line.end..]))
}

/// The line `#name = …` in a section, with its end.
fn comment_of(text: &str, section: &str, name: &str) -> Option<Range<usize>> {
    let (mut inside, mut at) = (false, 0);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim();
        if line.starts_with('[') {
            let header = line.split('#').next().unwrap_or_default().trim();
            inside = header == format!("[{section}]");
        } else if inside
            && let Some(rest) = line.strip_prefix('#')
            && rest.trim_start().strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('='))
        {
            return Some(start..at);
        }
    }
    None
}

fn inserted(text: &str, path: &[&str], new: &Value) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    insert(&mut document, path, new)?;
    let plain = document.to_string();
    let trailing = document.trailing().as_str().unwrap_or_default().to_owned();
    let added = new_table(text, path);
    if trailing.trim().is_empty() || added.is_empty() {
        return Some(plain);
    }
    // What stands below the last table would stand below the new one, and be about something else.
    let header = plain.rfind("\n[")?;
    let last = plain[header + 1..].starts_with(&format!("[{}", added.join(".")));
    if !last {
        return Some(plain);
    }
    document.set_trailing("");
    let table =
        added.iter().try_fold(document.as_table_mut(), |table, name| table.get_mut(name)?.as_table_mut())?;
    table.decor_mut().set_prefix(format!("{}\n", trailing.trim_end_matches('\n').to_owned() + "\n"));
    Some(document.to_string())
}

/// The table that has to be added for a path: none where all of them are there.
fn new_table<'a>(text: &str, path: &[&'a str]) -> Vec<&'a str> {
    let Ok(document) = Document::parse(text) else { return Vec::new() };
    let own = tables(path);
    let there = own
        .iter()
        .try_fold(document.as_table() as &dyn TableLike, |table, name| table.get(name)?.as_table_like());
    if there.is_some() { Vec::new() } else { own.to_vec() }
}

/// The tables of a path that are written with a header; what lies deeper is written on one line.
fn tables<'a, 'b>(path: &'b [&'a str]) -> &'b [&'a str] {
    let most = if path.first() == Some(&"agents") { 2 } else { 1 };
    &path[..most.min(path.len().saturating_sub(1))]
}

fn insert(document: &mut DocumentMut, path: &[&str], new: &Value) -> Option<()> {
    let headers = tables(path).len();
    let (last, before) = path.split_last()?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for (depth, name) in before.iter().enumerate() {
        if !table.contains_key(name) {
            let item = if depth < headers {
                let mut new = Table::new();
                // `[agents.claude]` says that there is `agents`.
                new.set_implicit(depth + 1 < headers);
                Item::Table(new)
            } else {
                Item::Value(Value::InlineTable(toml_edit::InlineTable::new()))
            };
            table.insert(name, item);
        }
        table = table.get_mut(name)?.as_table_like_mut()?;
    }
    table.insert(last, Item::Value(new.clone()));
    Some(())
}

#[cfg(test)]
mod tests;
