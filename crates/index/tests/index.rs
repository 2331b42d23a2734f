//! The index over a home that changes.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use belfry_index::{Index, Opened, Per, Update};
use belfry_protocol::search::{Hit, HitPlace, List, Role, Search};
use belfry_transcripts::{Budget, Found, Homes, found};
use jiff::Timestamp;
use serde_json::json;

struct World {
    folder: tempfile::TempDir,
    index: Index,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (index, opened) = Index::open(&folder.path().join("index.db")).unwrap();
        assert_eq!(opened, Opened::Made);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(folder.path().join("index.db")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        Self { folder, index }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("index.db")
    }

    fn transcript(&self, id: &str) -> PathBuf {
        self.folder.path().join(format!("home/.claude/projects/-p/{id}.jsonl"))
    }

    /// Adds a line to a conversation.
    fn say(&self, id: &str, who: &str, cwd: &str, at: &str, content: &serde_json::Value) {
        let path = self.transcript(id);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut out = fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
        let usage = json!({ "input_tokens": 10, "output_tokens": 5 });
        let message = json!({ "id": format!("{id}{at}"), "content": content, "usage": usage, "model": "m" });
        let record = json!({ "type": who, "sessionId": id, "cwd": cwd, "timestamp": at, "message": message });
        writeln!(out, "{record}").unwrap();
    }

    fn ask(&self, id: &str, cwd: &str, at: &str, text: &str) {
        self.say(id, "user", cwd, at, &json!(text));
    }

    fn answer(&self, id: &str, at: &str, text: &str) {
        self.say(id, "assistant", "/p", at, &json!([{ "type": "text", "text": text }]));
    }

    fn found(&self) -> Vec<Found> {
        let home = self.folder.path().join("home").to_string_lossy().into_owned();
        found(&Homes::of(|name| (name == "HOME").then(|| home.clone())))
    }

    /// Brings it up to date, and says how many conversations were read.
    fn update(&mut self) -> usize {
        let mut update = self.index.compare(&self.found()).unwrap();
        let count = finish(&mut self.index, &mut update);
        assert!(self.index.compare(&self.found()).unwrap().is_done(), "nothing is left to do");
        count
    }

    fn search(&self, text: &str) -> Vec<Hit> {
        self.hits(&Search { text: text.to_owned(), ..Search::default() })
    }

    fn hits(&self, search: &Search) -> Vec<Hit> {
        self.index.search(search, now()).unwrap().hits
    }

    fn list(&self, list: &List) -> Vec<String> {
        self.index.list(list).unwrap().0.into_iter().map(|conversation| conversation.id).collect()
    }
}

fn now() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

fn finish(index: &mut Index, update: &mut Update) -> usize {
    let mut count = 0;
    while !update.is_done() {
        let step = index.step(update, Budget { bytes: 1000, entries: 3 }).unwrap();
        count = step.total;
    }
    assert!(update.failed().is_empty(), "{:?}", update.failed());
    count
}

fn conversation(hit: &Hit) -> &str {
    match &hit.place {
        HitPlace::Entry { conversation, .. } => &conversation.id,
        HitPlace::Line { line } => panic!("{line:?}"),
    }
}

fn text(hit: &Hit) -> String {
    hit.text
        .iter()
        .map(|piece| if piece.marked { format!("[{}]", piece.text) } else { piece.text.clone() })
        .collect()
}

fn two() -> World {
    let mut world = World::new();
    world.ask("one", "/p/app", "2026-11-30T10:00:00Z", "Fix the Café's door");
    world.answer("one", "2026-11-30T10:01:00Z", "The door is green. It opens again.");
    world.say(
        "one",
        "assistant",
        "/p/app",
        "2026-11-30T10:02:00Z",
        &json!([{ "type": "tool_use", "id": "t", "name": "Write", "input": { "file_path": "/p/app/door_50%.rs", "content": "x" } }]),
    );
    world.ask("two", "/p/other", "2026-01-02T10:00:00Z", "Paint the door, please");
    assert_eq!(world.update(), 2);
    world
}

#[test]
fn words_are_found_as_they_are_typed() {
    let world = two();
    for (typed, expected) in [
        ("gre", vec!["The door is [gre]en. It opens again."]),
        ("cafe", vec!["Fix the [Café]'s door", "Fix the [Café]'s door"]),
        ("\"opens again\"", vec!["The door is green. It [opens] [again]."]),
        ("\"again opens\"", vec![]),
        ("gre ", vec![]),
        (
            "door_50",
            vec![
                "Write /p/app/[door]_[50]%.rs /p/app/[door]_[50]%.rs {\"content\":\"x\",\"file_path\":\"/p/app/[door]_[50]%.rs\"}",
            ],
        ),
        ("nothing of that", vec![]),
        ("AND (", vec![]),
        ("\"", vec![]),
    ] {
        let hits = world.search(typed);
        assert_eq!(hits.iter().map(text).collect::<Vec<_>>(), expected, "{typed}");
    }
    // Asked before answered, newer before older, of each conversation the best three.
    let hits = world.search("door");
    let places: Vec<_> = hits.iter().map(|hit| (conversation(hit), hit.role, hit.more)).collect();
    assert_eq!(places[0], ("one", Role::Title, 1));
    assert_eq!(places.iter().filter(|(id, ..)| *id == "one").count(), 3);
    assert!(places.contains(&("two", Role::Prompt, 0)), "{places:?}");
    let prompt = hits.iter().find(|hit| hit.role == Role::Prompt && conversation(hit) == "one").unwrap();
    assert!(matches!(prompt.place, HitPlace::Entry { seq: Some(0), .. }), "{prompt:?}");
    assert_eq!(prompt.at, "2026-11-30T10:00:00Z".parse().unwrap());
}

#[test]
fn a_search_can_be_narrowed() {
    let world = two();
    let search = |change: &dyn Fn(&mut Search)| {
        let mut search = Search { text: "door".to_owned(), ..Search::default() };
        change(&mut search);
        let mut ids: Vec<_> = world.hits(&search).iter().map(|hit| conversation(hit).to_owned()).collect();
        ids.dedup();
        ids
    };
    assert_eq!(search(&|search| search.directory = Some("/p/app/".to_owned())), ["one"]);
    assert_eq!(search(&|search| search.directory = Some("/p/ap".to_owned())), [""; 0]);
    assert_eq!(search(&|search| search.agents = vec!["codex".to_owned()]), [""; 0]);
    assert_eq!(search(&|search| search.before = Some("2026-06-01T00:00:00Z".parse().unwrap())), ["two"]);
    assert_eq!(search(&|search| search.since = Some("2026-06-01T00:00:00Z".parse().unwrap())), ["one"]);
    assert_eq!(search(&|search| search.file = Some("_50%".to_owned())), ["one"]);
    assert_eq!(search(&|search| search.file = Some("d%r".to_owned())), [""; 0]);
    assert_eq!(search(&|search| search.roles = vec![Role::Answer]), ["one"]);
    assert_eq!(search(&|search| search.skip = 100), [""; 0]);
}

#[test]
fn lists_are_by_time_and_can_be_narrowed() {
    let mut world = two();
    let list = |world: &World, change: &dyn Fn(&mut List)| {
        let mut list = List::default();
        change(&mut list);
        world.list(&list)
    };
    assert_eq!(list(&world, &|_| ()), ["one", "two"]);
    assert_eq!(list(&world, &|list| list.text = Some("PAINT".to_owned())), ["two"]);
    assert_eq!(list(&world, &|list| list.text = Some("%".to_owned())), [""; 0]);
    assert_eq!(list(&world, &|list| list.directory = Some("/p".to_owned())), ["one", "two"]);
    assert_eq!(list(&world, &|list| list.directory = Some("/p/other".to_owned())), ["two"]);
    assert_eq!(list(&world, &|list| (list.skip, list.limit) = (1, 1)), ["two"]);
    assert_eq!(list(&world, &|list| list.id = Some("two".to_owned())), ["two"]);
    assert_eq!(list(&world, &|list| list.id = Some("tw".to_owned())), [""; 0]);
    world.index.hide("claude", "two", true).unwrap();
    assert_eq!(list(&world, &|_| ()), ["one"]);
    assert_eq!(list(&world, &|list| list.hidden = true), ["one", "two"]);
    assert!(world.search("paint").is_empty());
    assert!(world.index.conversation("claude", "two").unwrap().unwrap().hidden);
    world.index.hide("claude", "two", false).unwrap();
    assert_eq!(world.search("paint").len(), 2);
    assert!(world.index.conversation("claude", "three").unwrap().is_none());
}

#[test]
fn only_what_changed_is_read() {
    let mut world = two();
    assert_eq!(world.update(), 0);
    world.answer("two", "2026-11-30T11:00:00Z", "It is violet.");
    assert_eq!(world.update(), 1);
    assert_eq!(world.list(&List::default()), ["two", "one"]);
    assert_eq!(text(&world.search("violet")[0]), "It is [violet].");
    // Rewritten: what was said before is not found any more.
    fs::remove_file(world.transcript("two")).unwrap();
    world.ask("two", "/p/other", "2026-11-30T11:30:00Z", "Something else");
    assert_eq!(world.update(), 1);
    assert!(world.search("violet").is_empty() && world.search("paint").is_empty());
    assert_eq!(world.search("something").len(), 2);
    // Gone, and there again.
    let path = world.transcript("two");
    fs::rename(&path, path.with_extension("away")).unwrap();
    assert_eq!(world.update(), 0);
    assert!(world.search("something").is_empty());
    assert_eq!(world.list(&List::default()), ["one"]);
    fs::rename(path.with_extension("away"), &path).unwrap();
    assert_eq!(world.update(), 0);
    assert_eq!(world.search("something").len(), 2);
}

#[test]
fn an_update_that_is_cut_off_goes_on() {
    let mut world = World::new();
    for number in 0..40 {
        let at = format!("2026-11-30T10:{number:02}:00Z");
        world.ask("long", "/p", &at, &format!("word{number} for all"));
        world.answer("long", &at, &format!("answer{number}"));
    }
    let mut update = world.index.compare(&world.found()).unwrap();
    for _ in 0..5 {
        world.index.step(&mut update, Budget { bytes: 500, entries: 2 }).unwrap();
    }
    assert!(!update.is_done());
    // The process ends here.
    drop(update);
    let file = world.file();
    let (index, opened) = Index::open(&file).unwrap();
    assert_eq!(opened, Opened::Kept);
    world.index = index;
    assert_eq!(world.update(), 1);
    for number in [0, 3, 39] {
        assert_eq!(world.search(&format!("answer{number} ")).len(), 1, "{number}");
    }
    let conversation = world.index.conversation("claude", "long").unwrap().unwrap();
    assert_eq!((conversation.prompts, conversation.usage.output), (40, 200));
    // Nothing was counted twice.
    let hours = world.index.used(Per::Directory, Timestamp::MIN, Timestamp::MAX).unwrap();
    assert_eq!(hours.iter().map(|hour| hour.usage.output).sum::<u64>(), 200);
}

#[test]
fn what_was_used_is_by_the_hour() {
    let mut world = two();
    world.answer("two", "2026-11-30T10:30:00Z", "More.");
    world.update();
    let used = |per| {
        let hours = world.index.used(per, "2026-11-30T00:00:00Z".parse().unwrap(), now()).unwrap();
        hours.into_iter().map(|hour| (hour.at.to_string(), hour.of, hour.usage.input)).collect::<Vec<_>>()
    };
    let hour = |of: &str, count| ("2026-11-30T10:00:00Z".to_owned(), of.to_owned(), count);
    assert_eq!(used(Per::Conversation), [hour("one", 20), hour("two", 10)]);
    assert_eq!(used(Per::Directory), [hour("/p/app", 20), hour("/p/other", 10)]);
    assert_eq!(used(Per::Agent), [hour("claude", 30)]);
}

#[test]
fn a_damaged_one_is_set_aside_and_made_anew() {
    let damages: [fn(&Path); 2] = [
        |file| fs::write(file, "no database at all, but long enough to be taken for one").unwrap(),
        |file| {
            let mut bytes = fs::read(file).unwrap();
            let end = bytes.len();
            bytes[4096..end].fill(0x5a);
            fs::write(file, bytes).unwrap();
        },
    ];
    for damage in damages {
        let mut world = two();
        world.index.hide("claude", "two", true).unwrap();
        let file = world.file();
        // Everything is in the file itself.
        drop(std::mem::replace(
            &mut world.index,
            Index::open(&world.folder.path().join("another")).unwrap().0,
        ));
        damage(&file);
        let (index, opened) = Index::open(&file).unwrap();
        let Opened::SetAside(aside) = opened else { panic!("{opened:?}") };
        assert!(aside.is_file());
        world.index = index;
        assert_eq!(world.update(), 2);
        assert!(!world.search("door").is_empty());
    }
    // One of another version is made anew, and what is hidden stays so.
    let mut world = two();
    world.index.hide("claude", "two", true).unwrap();
    let file = world.file();
    drop(std::mem::replace(&mut world.index, Index::open(&world.folder.path().join("another")).unwrap().0));
    rusqlite::Connection::open(&file).unwrap().pragma_update(None, "user_version", 4711).unwrap();
    let (index, opened) = Index::open(&file).unwrap();
    assert_eq!(opened, Opened::Made);
    world.index = index;
    world.update();
    assert_eq!(world.list(&List::default()), ["one"]);
}

#[test]
fn what_cannot_be_read_is_told_and_keeps_nothing_up() {
    let mut world = two();
    let mut all = world.found();
    let mut gone = all[0].clone();
    gone.place = belfry_transcripts::Place::File(world.folder.path().join("nowhere.jsonl"));
    all.insert(0, gone);
    let mut update = world.index.compare(&all).unwrap();
    while !update.is_done() {
        world.index.step(&mut update, Budget::ALL).unwrap();
    }
    assert_eq!(update.failed().len(), 1);
    assert_eq!(world.list(&List::default()), ["one", "two"]);
}
