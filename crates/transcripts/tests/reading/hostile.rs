//! Files that mean no good.

use std::fs;
use std::io::Write as _;

use belfry_protocol::transcript::{Note, Said};
use belfry_transcripts::{Budget, Found, Place, Stamp};
use proptest::prelude::*;

use crate::support::{Read, one};

fn file(agent: &str, bytes: &[u8]) -> (tempfile::TempDir, Found) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.jsonl");
    fs::write(&path, bytes).unwrap();
    let stamp = Stamp::of(&fs::metadata(&path).unwrap());
    let found = Found {
        agent: agent.to_owned(),
        id: "x".to_owned(),
        subagent: None,
        place: Place::File(path),
        stamp,
        cwd: None,
        named: None,
        titled: None,
    };
    (folder, found)
}

#[test]
#[ntest::timeout(60_000)]
fn a_huge_line_is_passed_over() {
    let prompt = |text: &str| format!(r#"{{"type":"user","message":{{"content":"{text}"}}}}"#);
    let (_folder, found) = file("claude", format!("{}\n", prompt("before")).as_bytes());
    let mut out = fs::OpenOptions::new().append(true).open(found.file()).unwrap();
    // 50 MB without an end of line: waited for, then passed over.
    out.write_all(br#"{"type":"user","message":{"content":""#).unwrap();
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..50 {
        out.write_all(&piece).unwrap();
    }
    let mut read = Read::default();
    let state = read.go_on(&found, None, Budget::ALL);
    assert_eq!(read.lines(), ["P before"]);
    out.write_all(format!("\"}}}}\n{}\n", prompt("after")).as_bytes()).unwrap();
    let state = read.go_on(&found, Some(state), Budget::ALL);
    assert_eq!(read.lines(), ["P before", "unread", "P after"]);
    assert!(serde_json::to_string(&state).unwrap().len() < 4096, "what is kept is small");
    assert!(read.summary.conversation(&found).unread.is_some());
    let unread =
        read.entries.values().find(|entry| matches!(entry.said, Said::Note { note: Note::Unread, .. }));
    let Said::Note { text, .. } = &unread.unwrap().said else { panic!() };
    assert!(text.text.contains("52 MB") && text.text.len() < 200, "{}", text.text);
}

#[test]
#[ntest::timeout(60_000)]
fn texts_are_cut() {
    let long = "x".repeat(3 << 20);
    let line = format!(r#"{{"type":"user","message":{{"content":"{long}"}}}}"#);
    let (_folder, found) = file("claude", line.as_bytes());
    let read = Read::all(&found);
    let Said::Prompt(text) = &read.entries.values().next().unwrap().said else { panic!() };
    assert_eq!((text.text.len(), text.cut), (64 << 10, (3 << 20) - (64 << 10)));
    assert_eq!(read.summary.first_prompt.unwrap().chars().count(), 500);
}

#[test]
#[ntest::timeout(60_000)]
fn deep_and_many_values_are_passed_over() {
    for value in ["[".repeat(1 << 20), format!("[{}1]", "1,".repeat(1 << 20)), "{\"a\":".repeat(5000)] {
        for agent in ["claude", "codex", "gemini"] {
            let line = format!(r#"{{"type":"user","id":"a","message":{value}}}"#);
            let (_folder, found) = file(agent, format!("{line}\n").as_bytes());
            assert_eq!(Read::all(&found).lines(), ["unread"], "{agent}");
        }
    }
}

/// Every value of a record, one by one, of another type.
#[test]
#[ntest::timeout(120_000)]
fn fields_can_be_of_any_type() {
    for (agent, id) in [("claude", "11111111"), ("codex", "01a22a71"), ("gemini", "33333333")] {
        let text = fs::read(one(agent, id).file()).unwrap();
        let mut changed = Vec::new();
        for line in text.split(|byte| *byte == b'\n') {
            let Ok(record) = serde_json::from_slice::<serde_json::Value>(line) else { continue };
            let mut places = Vec::new();
            walk(&record, String::new(), &mut places);
            for place in places {
                for odd in [
                    serde_json::json!(null),
                    serde_json::json!(7),
                    serde_json::json!("x"),
                    serde_json::json!([{}, [1]]),
                    serde_json::json!({ "type": "text" }),
                ] {
                    let mut record = record.clone();
                    if let Some(value) = record.pointer_mut(&place) {
                        *value = odd;
                    }
                    changed.extend(record.to_string().into_bytes());
                    changed.push(b'\n');
                }
            }
        }
        let (_folder, found) = file(agent, &changed);
        let read = Read::all(&found);
        assert!(read.entries.len() > 10 && read.summary.unread == 0, "{agent} {}", read.entries.len());
    }
}

fn walk(value: &serde_json::Value, place: String, places: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                walk(value, format!("{place}/{}", name.replace('~', "~0").replace('/', "~1")), places);
            }
        }
        serde_json::Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                walk(value, format!("{place}/{at}"), places);
            }
        }
        _ => {}
    }
    places.push(place);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..2000), cut in 0_usize..2000) {
        for agent in ["claude", "codex", "gemini", "aider"] {
            let (_folder, found) = file(agent, &bytes[..cut.min(bytes.len())]);
            let (mut read, whole) = (Read::default(), |found: &Found| Read::all(found));
            let state = read.go_on(&found, None, Budget::ALL);
            fs::write(found.file(), &bytes).unwrap();
            read.go_on(&found, Some(state), Budget::ALL);
            prop_assert_eq!(&read.entries, &whole(&found).entries);
        }
    }

    #[test]
    fn pieces_of_conversations_in_any_order(order in proptest::collection::vec(0_usize..200, 1..60)) {
        for (agent, id) in [("claude", "11111111"), ("codex", "01a22a71"), ("gemini", "33333333"), ("aider", "aider")] {
            let text = fs::read(one(agent, id).file()).unwrap();
            let lines: Vec<_> = text.split_inclusive(|byte| *byte == b'\n').collect();
            let shuffled: Vec<u8> = order.iter().flat_map(|at| lines[at % lines.len()]).copied().collect();
            let (_folder, found) = file(agent, &shuffled);
            let read = Read::all(&found);
            let mut one_by_one = Read::default();
            one_by_one.go_on(&found, None, Budget { bytes: 1, entries: 1 });
            prop_assert_eq!(read.entries, one_by_one.entries);
        }
    }
}
