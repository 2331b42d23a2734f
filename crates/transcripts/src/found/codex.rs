//! Codex: a file for each conversation, by the day it began. Measured with 0.161 and 0.171.

use std::collections::HashMap;
use std::io::BufRead as _;
use std::path::Path;

use super::{Found, entries, id_before, regular};
use crate::{clean, database, json};

/// Characters of `rollout-YYYY-MM-DDTHH-MM-SS-`.
const BEFORE_ID: usize = 28;
/// Names that are remembered. Each is a line of a small file.
const MOST_NAMES: u32 = 100_000;

pub(super) fn find(home: &Path, all: &mut Vec<Found>) {
    let first = all.len();
    for year in entries(&home.join("sessions")) {
        for month in entries(&year.path()) {
            for day in entries(&month.path()) {
                rollouts(&day.path(), all);
            }
        }
    }
    rollouts(&home.join("archived_sessions"), all);
    if all.len() > first {
        let names = names(home);
        let titles = titles(home);
        for found in &mut all[first..] {
            found.named = names.get(&found.id).cloned();
            found.titled = titles.get(&found.id).cloned();
        }
    }
}

fn rollouts(folder: &Path, all: &mut Vec<Found>) {
    for entry in entries(folder) {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with("rollout-")) else { continue };
        let Some(id) = name.get(BEFORE_ID..).and_then(|id| id_before(id, ".jsonl")) else { continue };
        let path = entry.path();
        if let Some(meta) = regular(&path) {
            let id = id.to_owned();
            all.push(Found::file_of("codex", id, path, &meta));
        }
    }
}

/// What the person called them: a file to which each name is added, the last one counts.
fn names(home: &Path) -> HashMap<String, String> {
    let mut names = HashMap::new();
    let path = home.join("session_index.jsonl");
    let Some(file) = regular(&path).and_then(|_| std::fs::File::open(&path).ok()) else { return names };
    let mut lines = std::io::BufReader::new(std::io::Read::take(file, 64 << 20));
    let mut line = Vec::new();
    while names.len() < MOST_NAMES as usize && lines.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        if let Some(record) = json::parse(&line)
            && let (Some(id), Some(name)) = (record["id"].as_str(), record["thread_name"].as_str())
            && let Some(name) = clean::line(name, clean::LINE)
        {
            names.insert(clean::name(id), name);
        }
        line.clear();
    }
    names
}

/// What its database calls them, which it makes of the first message unless it was told better.
fn titles(home: &Path) -> HashMap<String, String> {
    let newest = entries(home)
        .filter_map(|entry| {
            let name = entry.file_name();
            let version =
                name.to_str()?.strip_prefix("state_")?.strip_suffix(".sqlite")?.parse::<u32>().ok()?;
            Some((version, entry.path()))
        })
        .max_by_key(|(version, _)| *version);
    let read = |path: &Path| {
        let database = database::open(path)?;
        let mut select = database.prepare("SELECT id, substr(title, 1, 400) FROM threads LIMIT ?1")?;
        let rows = select.query_map([MOST_NAMES], |row| {
            Ok((row.get::<_, Option<String>>(0)?, row.get::<_, Option<String>>(1)?))
        })?;
        let named = rows.flatten().filter_map(|(id, title)| Some((id?, clean::line(&title?, clean::LINE)?)));
        Ok::<_, rusqlite::Error>(named.collect())
    };
    newest.and_then(|(_, path)| read(&path).ok()).unwrap_or_default()
}
