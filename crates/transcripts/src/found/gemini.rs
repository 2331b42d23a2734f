//! Gemini CLI: a folder for each directory, in it a file for each conversation. Measured with 0.61.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use super::{Found, Place, entries, first_line, id_before, regular};
use crate::{clean, json};

pub(super) fn find(home: &Path, all: &mut Vec<Found>) {
    let directories = directories(home);
    for folder in entries(&home.join("tmp")) {
        let slug = folder.file_name().to_string_lossy().into_owned();
        let chats = folder.path().join("chats");
        let first = all.len();
        for entry in entries(&chats) {
            let path = entry.path();
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if id_before(name, ".jsonl")
                .or(id_before(name, ".json"))
                .is_some_and(|id| id.starts_with("session-"))
            {
                conversation(&path, all);
            } else if id_before(name, "").is_some() {
                subagents(&path, name, all);
            }
        }
        if all.len() > first {
            only_one_of_each(all, first);
            let noted = || {
                let text = small(&folder.path().join(".project_root"), 64 << 10)?;
                clean::path(String::from_utf8_lossy(&text).trim())
            };
            let cwd = directories.get(&slug).cloned().or_else(noted);
            all[first..].iter_mut().for_each(|found| found.cwd.clone_from(&cwd));
        }
    }
}

fn conversation(path: &Path, all: &mut Vec<Found>) {
    let Some(meta) = regular(path) else { return };
    // The name has only the beginning of the id. An old file is one object, which begins with it too but ends far below.
    let id = match first_line(path) {
        Some(line) => line["sessionId"].as_str().map(clean::name),
        None => id_at_the_beginning(path),
    };
    if let Some(id) = id.filter(|id| !id.is_empty()) {
        all.push(Found::file_of("gemini", id, path.to_owned(), &meta));
    }
}

fn id_at_the_beginning(path: &Path) -> Option<String> {
    use std::io::Read as _;
    let mut head = Vec::new();
    fs::File::open(path).ok()?.take(4096).read_to_end(&mut head).ok()?;
    let head = String::from_utf8_lossy(&head);
    let (_, rest) = head.split_once("\"sessionId\"")?;
    let id = rest.trim_start_matches([':', ' ', '\n', '\t']).strip_prefix('"')?.split('"').next()?;
    id_before(id, "").map(str::to_owned)
}

/// A conversation can lie there twice: in the format of an old version and in that of the one that went on with it; or in a file
/// where it began, and one that was begun when it was resumed and has nothing but the beginning in it. The newer format is meant, and of
/// two of the same the larger one.
fn only_one_of_each(all: &mut Vec<Found>, first: usize) {
    let worth = |found: &Found| (!is_old(&found.place), found.stamp.bytes);
    let mut its: Vec<Found> = all.drain(first..).collect();
    its.sort_by(|a, b| (&a.id, &a.subagent).cmp(&(&b.id, &b.subagent)).then(worth(b).cmp(&worth(a))));
    its.dedup_by(|a, b| a.id == b.id && a.subagent == b.subagent);
    all.append(&mut its);
}

fn is_old(place: &Place) -> bool {
    matches!(place, Place::File(path) if path.extension().is_some_and(|end| end == "json"))
}

fn subagents(folder: &Path, conversation: &str, all: &mut Vec<Found>) {
    for entry in entries(folder) {
        let name = entry.file_name();
        let Some(id) = name.to_str().and_then(|name| id_before(name, ".jsonl")) else { continue };
        let path = entry.path();
        if let Some(meta) = regular(&path) {
            let mut found = Found::file_of("gemini", conversation.to_owned(), path, &meta);
            found.subagent = Some(id.to_owned());
            all.push(found);
        }
    }
}

/// What is in a file, if it is a regular one of at most so many bytes.
fn small(path: &Path, most: u64) -> Option<Vec<u8>> {
    regular(path).filter(|meta| meta.len() <= most)?;
    fs::read(path).ok()
}

/// Which directory each folder is of.
fn directories(home: &Path) -> HashMap<String, String> {
    let projects =
        small(&home.join("projects.json"), 8 << 20).and_then(|text| json::parse(&text)).unwrap_or_default();
    let projects = projects["projects"].as_object().or_else(|| projects.as_object());
    let by_slug = projects
        .into_iter()
        .flatten()
        .filter_map(|(directory, slug)| Some((slug.as_str()?.to_owned(), clean::path(directory)?)));
    by_slug.collect()
}
