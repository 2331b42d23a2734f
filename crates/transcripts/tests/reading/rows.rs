//! OpenCode's database, which changes while it is read.

use std::fs;
use std::path::Path;

use belfry_transcripts::{Budget, Found, Homes, ReadError, Reader, find, found};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::support::Read;

/// As far as it is read.
const TABLES: &str = "
CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
CREATE INDEX part_session_idx ON part (session_id);";

struct World {
    folder: tempfile::TempDir,
    database: Connection,
    now: i64,
}

impl World {
    fn new(mode: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Connection::open(folder.path().join("opencode.db")).unwrap();
        database.execute_batch(&format!("PRAGMA journal_mode = {mode};")).unwrap();
        database.execute_batch(TABLES).unwrap();
        let mut world = Self { folder, database, now: 1_796_000_000_000 };
        world.session("ses_1", None, "New session - 2026-11-30");
        world
    }

    fn session(&mut self, id: &str, parent: Option<&str>, title: &str) {
        self.now += 1000;
        self.database
            .execute(
                "INSERT INTO session VALUES (?1, ?2, '/p/app', ?3, ?4, ?4)",
                params![id, parent, title, self.now],
            )
            .unwrap();
    }

    fn message(&mut self, id: &str, data: &Value) {
        self.now += 1000;
        let insert = "INSERT INTO message VALUES (?1, 'ses_1', ?2, ?2, ?3)
                      ON CONFLICT DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated";
        self.database.execute(insert, params![id, self.now, data.to_string()]).unwrap();
    }

    fn part(&mut self, id: &str, message: &str, data: &Value) {
        self.raw(id, message, &data.to_string());
    }

    fn raw(&mut self, id: &str, message: &str, data: &str) {
        self.now += 1000;
        let insert = "INSERT INTO part VALUES (?1, ?2, 'ses_1', ?3, ?3, ?4)
                      ON CONFLICT DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated";
        self.database.execute(insert, params![id, message, self.now, data]).unwrap();
    }

    fn homes(&self) -> Homes {
        Homes { opencode: Some(self.folder.path().join("opencode.db")), ..Homes::default() }
    }

    fn found(&self) -> Found {
        find("opencode", "ses_1", &self.homes()).unwrap()
    }

    fn ask(&mut self, text: &str) {
        self.message("m1", &json!({ "role": "user", "time": { "created": 1 } }));
        self.part("p1", "m1", &json!({ "type": "text", "text": text }));
        self.part("p2", "m1", &json!({ "type": "text", "text": "for the model", "synthetic": true }));
    }
}

fn answer(input: u64, over: bool) -> Value {
    let mut data = json!({
        "role": "assistant", "modelID": "m", "cost": if over { 0.5 } else { 0.0 }, "time": { "created": 1_796_000_000_000_i64 },
        "tokens": { "input": input, "output": 5, "reasoning": 1, "cache": { "read": 7, "write": 0 } },
    });
    if over {
        data["time"]["completed"] = json!(2);
    }
    data
}

fn call(status: &str) -> Value {
    let mut state = json!({ "status": status, "input": { "command": "ls" }, "time": { "start": 1 } });
    if status == "completed" {
        state["output"] = json!("a file");
        state["metadata"] = json!({ "sessionId": "ses_2" });
    }
    json!({ "type": "tool", "tool": "bash", "callID": "c1", "state": state })
}

#[test]
fn parts_are_shown_as_far_as_they_are() {
    for mode in ["wal", "delete"] {
        let mut world = World::new(mode);
        world.ask("list it");
        world.message("m2", &answer(0, false));
        world.part("p3", "m2", &json!({ "type": "tool", "tool": "bash", "callID": "c1", "state": { "status": "pending", "input": {} } }));
        let mut read = Read::default();
        let state = read.go_on(&world.found(), None, Budget::ALL);
        assert_eq!(read.lines(), ["P list it"], "{mode}");
        world.part("p3", "m2", &call("running"));
        world.part("p4", "m2", &json!({ "type": "text", "text": "I li", "time": { "start": 1 } }));
        let state = read.go_on(&world.found(), Some(state), Budget::ALL);
        assert_eq!(read.lines(), ["P list it", "> bash ls []", "A I li"]);
        world.part(
            "p4",
            "m2",
            &json!({ "type": "text", "text": "I listed.", "time": { "start": 1, "end": 2 } }),
        );
        world.part("p3", "m2", &call("completed"));
        world.message("m2", &answer(10, true));
        let state = read.go_on(&world.found(), Some(state), Budget::ALL);
        let all = ["P list it", "> bash ls []", "< a file (ses_2)", "A I listed."];
        assert_eq!(read.lines(), all);
        assert_eq!(
            (read.used.input, read.used.output, read.used.cache_read, read.used.cost),
            (10, 6, 7, Some(0.5))
        );
        // Once more, and from the beginning.
        read.go_on(&world.found(), Some(state.clone()), Budget::ALL);
        assert_eq!((read.lines(), read.used.input), (all.map(str::to_owned).to_vec(), 10));
        let anew = Read::all(&world.found());
        assert_eq!((anew.entries, anew.used), (read.entries.clone(), read.used.clone()));
        let about = anew.summary.conversation(&world.found());
        assert_eq!((about.title.as_str(), about.prompts, about.model.as_deref()), ("list it", 1, Some("m")));
        assert_eq!((about.usage.context, about.cwd.as_deref()), (Some(23), Some("/p/app")));
        // Taken back.
        world.database.execute("DELETE FROM part WHERE id = 'p4'", []).unwrap();
        assert!(Reader::open(&world.found(), Some(state)).unwrap().restarted());
    }
}

#[test]
fn nothing_is_written_beside_it() {
    for mode in ["wal", "delete"] {
        let mut world = World::new(mode);
        world.ask("hello");
        let names = |folder: &Path| {
            let mut names: Vec<_> =
                fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name()).collect();
            names.sort();
            names
        };
        let folder = world.folder.path().to_owned();
        let homes = world.homes();
        world.database.close().unwrap();
        let before = (names(&folder), fs::read(folder.join("opencode.db")).unwrap());
        assert_eq!(before.0, ["opencode.db"]);
        let found = find("opencode", "ses_1", &homes).unwrap();
        assert_eq!(Read::all(&found).lines(), ["P hello"]);
        assert_eq!((names(&folder), fs::read(folder.join("opencode.db")).unwrap()), before, "{mode}");
    }
}

#[test]
fn subagents_are_of_the_one_at_the_top() {
    let mut world = World::new("wal");
    world.session("ses_2", Some("ses_1"), "sub");
    world.session("ses_3", Some("ses_2"), "sub sub");
    // In a circle, as no honest one is.
    world.session("ses_4", Some("ses_5"), "x");
    world.session("ses_5", Some("ses_4"), "x");
    let all = found(&world.homes());
    let of = |subagent: &str| {
        all.iter().find(|found| found.subagent.as_deref() == Some(subagent)).unwrap().id.clone()
    };
    assert_eq!((of("ses_2").as_str(), of("ses_3").as_str()), ("ses_1", "ses_1"));
    assert_eq!(all.len(), 5);
}

#[test]
fn rows_can_have_anything_in_them() {
    let mut world = World::new("wal");
    world.ask("hello");
    world.raw("p3", "m1", "{ half");
    world.raw("p4", "nowhere", r#"{"type":"text","text":7,"time":[]}"#);
    world.raw("p5", "m1", &format!(r#"{{"type":"text","text":"{}"}}"#, "x".repeat(9 << 20)));
    world.raw("p6", "m1", "[]");
    world.database.execute("UPDATE part SET data = x'ff00' WHERE id = 'p6'", []).unwrap();
    let read = Read::all(&world.found());
    assert_eq!(read.lines(), ["P hello", "unread", "unread", "unread"]);
    // Other tables, and no database at all.
    world.database.execute_batch("ALTER TABLE part RENAME TO parts;").unwrap();
    let mut reader = Reader::open(&world.found(), None).unwrap();
    assert!(matches!(reader.read(Budget::ALL, &mut |_| ()), Err(ReadError::Database(_))));
    let file = world.folder.path().join("other.db");
    fs::write(&file, "no database").unwrap();
    assert_eq!(found(&Homes { opencode: Some(file), ..Homes::default() }), []);
}
