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
            if name.starts_with("session-") && (name.ends_with(".jsonl") || name.ends_with(".json")) {
                conversation(&path, all);
            } else if id_before(name, "").is_some() {
                subagents(&path, name, all);
            }
        }
        if all.len() > first {
            only_one_of_each(all, first);
            let noted = || {
                let text = fs::read(folder.path().join(".project_root")).ok()?;
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

/// A conversation of an old version that was gone on with lies there in both formats.
fn only_one_of_each(all: &mut Vec<Found>, first: usize) {
    let lines: Vec<(String, bool)> = all[first..]
        .iter()
        .filter(|found| found.subagent.is_none())
        .map(|found| (found.id.clone(), is_old(&found.place)))
        .collect();
    let mut at = first;
    while at < all.len() {
        let one = &all[at];
        let newer = |(id, old): &(String, bool)| *id == one.id && !old;
        if one.subagent.is_none() && is_old(&one.place) && lines.iter().any(newer) {
            all.swap_remove(at);
        } else {
            at += 1;
        }
    }
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

/// Which directory each folder is of.
fn directories(home: &Path) -> HashMap<String, String> {
    let path = home.join("projects.json");
    let small = regular(&path).is_some_and(|meta| meta.len() < 8 << 20);
    let file = if small { fs::read(&path).ok() } else { None };
    let projects = file.and_then(|text| json::parse(&text)).unwrap_or_default();
    let projects = projects["projects"].as_object().or_else(|| projects.as_object());
    let by_slug = projects
        .into_iter()
        .flatten()
        .filter_map(|(directory, slug)| Some((slug.as_str()?.to_owned(), clean::path(directory)?)));
    by_slug.collect()
}
