#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::*;

fn append(file: &Path, text: &str) {
    OpenOptions::new().create(true).append(true).open(file).unwrap().write_all(text.as_bytes()).unwrap();
}

fn lines(tail: &mut Tail) -> Vec<String> {
    let mut lines = Vec::new();
    let _ = tail.read(|line| lines.push(String::from_utf8_lossy(line).into_owned()));
    lines
}

#[test]
#[ntest::timeout(60000)]
fn lines_come_when_they_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    let mut tail = Tail::new(folder.path(), "t.jsonl".into());
    assert!(lines(&mut tail).is_empty(), "it is not there yet");
    append(&file, "one\ntw");
    assert_eq!(lines(&mut tail), ["one"]);
    append(&file, "o");
    assert!(lines(&mut tail).is_empty());
    append(&file, "\n\nthree\n");
    assert_eq!(lines(&mut tail), ["two", "", "three"]);
    fs::write(&file, "cut\n").unwrap();
    assert_eq!(lines(&mut tail), ["cut"]);
    let other = folder.path().join("other");
    append(&other, "replaced\n");
    fs::rename(&other, &file).unwrap();
    assert_eq!(lines(&mut tail), ["replaced"]);
    fs::remove_file(&file).unwrap();
    append(&file, "again\n");
    assert_eq!(lines(&mut tail), ["again"]);
}

#[test]
#[ntest::timeout(60000)]
fn of_a_large_file_only_the_end_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    // 100 MB, most of which is a hole.
    append(&file, "first\n");
    OpenOptions::new().write(true).open(&file).unwrap().set_len(100 * 1024 * 1024).unwrap();
    append(&file, "\nlast\n");
    let mut tail = Tail::new(folder.path(), "t.jsonl".into());
    assert_eq!(lines(&mut tail), ["last"]);
    // So is what comes in one go.
    OpenOptions::new().write(true).open(&file).unwrap().set_len(200 * 1024 * 1024).unwrap();
    append(&file, "\nnewest\n");
    assert_eq!(lines(&mut tail), ["newest"]);
    // A line that is too long is passed over, and what comes after is read.
    append(&file, &"x".repeat(LONGEST));
    assert!(lines(&mut tail).is_empty());
    append(&file, "x");
    assert!(lines(&mut tail).is_empty());
    append(&file, "x\nafter\n");
    assert_eq!(lines(&mut tail), ["after"]);
}

#[test]
#[ntest::timeout(60000)]
fn a_line_that_begins_where_reading_begins_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    let line = format!("{}\n", "y".repeat(BACK as usize - 1));
    append(&file, &format!("before\n{line}"));
    let read = lines(&mut Tail::new(folder.path(), "t.jsonl".into()));
    assert_eq!(read.iter().map(String::len).collect::<Vec<_>>(), [BACK as usize - 1]);
}

#[test]
#[ntest::timeout(60000)]
fn what_is_no_file_of_the_folder_is_not_waited_for_and_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let (inside, outside) = (folder.path().join("inside"), folder.path().join("outside"));
    fs::create_dir_all(inside.join("real")).unwrap();
    fs::create_dir(&outside).unwrap();
    append(&outside.join("t.jsonl"), "secret\n");
    append(&inside.join("real/t.jsonl"), "fine\n");
    mknodat(CWD, inside.join("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    std::os::unix::fs::symlink(outside.join("t.jsonl"), inside.join("link.jsonl")).unwrap();
    std::os::unix::fs::symlink(&outside, inside.join("folder")).unwrap();
    for refused in
        ["pipe", "link.jsonl", "folder/t.jsonl", "real", "../outside/t.jsonl", "real/../real/t.jsonl"]
    {
        let mut tail = Tail::new(&inside, refused.into());
        assert!(tail.read(|_| panic!("{refused} was read")).is_err(), "{refused}");
    }
    assert_eq!(lines(&mut Tail::new(&inside, "real/t.jsonl".into())), ["fine"]);
    // The person may keep their whole folder elsewhere.
    std::os::unix::fs::symlink(&inside, folder.path().join("moved")).unwrap();
    assert_eq!(lines(&mut Tail::new(&folder.path().join("moved"), "real/t.jsonl".into())), ["fine"]);
}
