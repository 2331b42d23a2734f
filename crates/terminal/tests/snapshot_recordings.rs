//! Recorded programs: the engine agrees with an xterm.js that got the very same bytes, and so does one that was given a
//! snapshot somewhere in the middle and the rest of the bytes after it.

mod support;

use std::path::{Path, PathBuf};

use belfry_terminal::inspect::{Detail, picture};
use belfry_terminal::{Options, Scope, Size, Terminal};
use serde_json::Value;

use support::chance::{Chance, seed};
use support::xterm::{Piece, Xterm};
use support::{feed_in_pieces, primary_rows, same_as_xterm, with_rows_above};

/// Output between two changes of size.
struct Part {
    size: Size,
    bytes: Vec<u8>,
}

fn recordings() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).expect("tests/corpus is there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|e| e == "cast") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn parts(path: &Path) -> Vec<Part> {
    let text = std::fs::read_to_string(path).expect("a recording");
    let mut lines = text.lines().filter(|line| !line.is_empty());
    let header: Value = serde_json::from_str(lines.next().expect("a header")).expect("JSON");
    let number = |value: &Value| u16::try_from(value.as_u64().expect("a number")).expect("a size");
    let mut parts = vec![Part {
        size: Size::new(number(&header["width"]), number(&header["height"])),
        bytes: Vec::new(),
    }];
    for line in lines {
        let event: Value = serde_json::from_str(line).expect("JSON");
        let data = event[2].as_str().expect("text");
        match event[1].as_str() {
            Some("o") => parts.last_mut().expect("one part").bytes.extend_from_slice(data.as_bytes()),
            Some("r") => {
                let (cols, rows) = data.split_once('x').expect("columns and rows");
                let size = Size::new(cols.parse().expect("columns"), rows.parse().expect("rows"));
                parts.push(Part { size, bytes: Vec::new() });
            }
            _ => (),
        }
    }
    parts
}

fn check(path: &Path, xterm: &mut Xterm, chance: &mut Chance) -> Result<(), String> {
    let parts = parts(path);
    let mut terminal = Terminal::new(parts[0].size, Options::default());
    // What a view is given at its start: nothing, or a snapshot after a change of size.
    let mut opening = Vec::new();
    for part in &parts {
        if part.size != terminal.size() {
            terminal.resize(part.size);
            opening = terminal.snapshot(Scope::All).bytes;
        }
        let size = (part.size.cols, part.size.rows);
        let start = terminal.offset();
        let mut cuts: Vec<usize> = (0..3).map(|_| chance.below(part.bytes.len().max(1))).collect();
        cuts.sort_unstable();
        let mut snapshots = Vec::new();
        let mut fed = 0;
        for cut in cuts {
            feed_in_pieces(&mut terminal, &part.bytes[fed..cut], chance, |_| ());
            fed = cut;
            let scope = if chance.one_in(2) { Scope::All } else { Scope::Recent(50) };
            snapshots.push(terminal.snapshot(scope));
        }
        feed_in_pieces(&mut terminal, &part.bytes[fed..], chance, |_| ());
        let ours = picture(&terminal, Detail::State);
        let theirs = xterm.picture(size, &[Piece::Bytes(&opening), Piece::Bytes(&part.bytes)], "state")?;
        let rows = primary_rows(&ours);
        same_as_xterm("the same bytes", &ours, &with_rows_above(&theirs, rows))?;
        for snapshot in snapshots {
            let at = usize::try_from(snapshot.offset - start).map_err(|e| e.to_string())?;
            let rest = &part.bytes[at..];
            let cut = xterm.picture(size, &[Piece::Bytes(&snapshot.bytes), Piece::Bytes(rest)], "state")?;
            let rows = primary_rows(&cut).min(rows);
            let what = format!("a snapshot at {at}, then the rest");
            same_as_xterm(&what, &with_rows_above(&ours, rows), &with_rows_above(&cut, rows))?;
        }
        // And all rows there are, archived ones too.
        let all = xterm.picture(size, &[Piece::Bytes(&terminal.snapshot(Scope::All).bytes)], "seen")?;
        let ours = picture(&terminal, Detail::Seen);
        same_as_xterm("all rows", &with_rows_above(&all, 10_000), &with_rows_above(&seen(&theirs), 10_000))?;
        same_as_xterm("rows as cells", &ours, &with_rows_above(&all, primary_rows(&ours)))?;
    }
    Ok(())
}

/// A picture with less detail.
fn seen(picture: &str) -> String {
    let kept = ["size", "title", "screen", "cursor"];
    picture
        .lines()
        .filter(|line| line.starts_with(['P', 'A']) || kept.iter().any(|k| line.starts_with(k)))
        .fold(String::new(), |text, line| text + line + "\n")
}

#[test]
#[ntest::timeout(300_000)]
fn recordings_match_xterm() {
    let mut chance = Chance::new(seed());
    let mut xterm = Xterm::start();
    let mut failed = Vec::new();
    let recordings = recordings();
    assert!(recordings.len() >= 20, "the corpus is there");
    for path in &recordings {
        if let Err(report) = check(path, &mut xterm, &mut chance) {
            println!("{}: {report}", path.display());
            failed.push(path);
        }
    }
    assert!(failed.is_empty(), "{} of {} recordings differ", failed.len(), recordings.len());
}
