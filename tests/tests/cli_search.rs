//! `belfry search` in what sessions' terminals showed.

use std::fs;

use belfry_tests::cli::{Belfry, eventually};
use jiff::Timestamp;
use ntest::timeout;
use serde_json::Value;

/// Hits in what was shown.
fn hits(belfry: &Belfry, words: &str) -> Vec<Value> {
    let found = belfry.run(&["search", words, "--only", "shown", "--json"]).ok().json();
    found["hits"].as_array().expect("an array").clone()
}

/// Waits until there are so many: what was printed a moment ago is read with one of the next questions.
fn until(belfry: &Belfry, words: &str, count: usize) -> Vec<Value> {
    eventually(&format!("{count} hits of {words:?}"), || hits(belfry, words).len() == count);
    hits(belfry, words)
}

fn text(hit: &Value) -> String {
    let pieces = hit["text"].as_array().expect("pieces").iter();
    pieces.map(|piece| piece["text"].as_str().expect("a text")).collect()
}

/// Whether a word lies anywhere in the index's files, in whatever form it is kept there.
fn is_in_the_files(belfry: &Belfry, word: &str) -> bool {
    let state = belfry.belfry_home().join("state");
    let files = fs::read_dir(state).expect("the state's directory").flatten();
    let index = files.filter(|file| file.file_name().to_string_lossy().starts_with("index.db"));
    index.into_iter().any(|file| {
        let bytes = fs::read(file.path()).unwrap_or_default();
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    })
}

#[test]
#[timeout(120000)]
fn what_a_terminal_showed_is_found_while_it_lives_and_when_it_is_dead() {
    let belfry = Belfry::new();
    let began = Timestamp::now();
    // A hundred lines that leave the screen, one that is drawn over itself, and more when it is told to.
    let story = "seq -f 'pebble number %g' 100; i=0; while [ $i -lt 40 ]; do i=$((i+1)); printf '\\rturning %d' $i; done; \
                 printf '\\r\\033[Kthe turning is over\\n'; read -r line; echo \"a second mountain\"; read -r line";
    let id = belfry.shell(&["--name", "quarry", "--size", "60x10"], &["sh", "-c", story]);
    belfry.until_screen(&id, "turning is over");

    let found = until(&belfry, "\"number 17\"", 1);
    let line = &found[0]["line"];
    assert_eq!((line["session"].as_str(), line["name"].as_str()), (Some(id.as_str()), Some("quarry")));
    assert_eq!((line["agent"].as_str(), line["alive"].as_bool()), (Some("shell"), Some(true)));
    let run = belfry.show(&id)["runs"][0]["id"].clone();
    assert_eq!(line["run"], run);
    let at: Timestamp = found[0]["at"].as_str().expect("a time").parse().expect("a time");
    assert!(at >= began && at <= Timestamp::now(), "{at}");
    let printed = belfry.run(&["screen", &id, "--json"]).ok().json()["offset"].as_u64().expect("an offset");
    assert!((1..=printed).contains(&line["offset"].as_u64().expect("an offset")), "{line}");
    assert!(text(&found[0]).starts_with("pebble number 17 pebble number 18"), "{}", text(&found[0]));
    // What it was drawn over was never there to be read.
    let turning = until(&belfry, "turning", 1);
    assert!(text(&turning[0]).contains("the turning is over"), "{}", text(&turning[0]));
    let shown = belfry.run(&["search", "\"number 17\""]).ok().stdout;
    assert!(shown.contains("quarry  shell") && shown.contains("shown ") && shown.contains(&id), "{shown}");

    belfry.run(&["keys", &id, "Enter"]).ok();
    let second = until(&belfry, "second mountain", 1);
    assert!(second[0]["line"]["offset"].as_u64() > line["offset"].as_u64());

    belfry.run(&["kill", &id]).ok();
    eventually("it is told as dead", || hits(&belfry, "mountain")[0]["line"]["alive"] == Value::Bool(false));
    belfry.kill_daemon();
    assert_eq!(until(&belfry, "\"number 17\"", 1)[0]["line"]["run"], run);
    // Another run of the session is searched as well.
    belfry.run(&["restart", &id]).ok();
    belfry.until_screen(&id, "turning is over");
    assert_eq!(until(&belfry, "\"number 17\"", 2).len(), 2);
}

#[test]
#[timeout(120000)]
fn private_and_removed_sessions_are_not_in_it() {
    let belfry = Belfry::new();
    let open = belfry.shell(&["--name", "open"], &["sh", "-c", "echo an owl in the open; read -r line"]);
    let private = belfry.shell(&["--private"], &["sh", "-c", "echo a secret nightingale; read -r line"]);
    belfry.until_screen(&open, "owl");
    belfry.until_screen(&private, "nightingale");
    until(&belfry, "owl", 1);
    assert!(hits(&belfry, "nightingale").is_empty());
    assert!(is_in_the_files(&belfry, "owl") && !is_in_the_files(&belfry, "nightingale"));

    // In the trash it is not shown; taken out of it, it is again; removed for good, it is not there any more.
    belfry.run(&["rm", &open, "--kill"]).ok();
    assert!(hits(&belfry, "owl").is_empty());
    belfry.run(&["restore", &open]).ok();
    until(&belfry, "owl", 1);
    belfry.run(&["rm", &open, "--now"]).ok();
    assert!(hits(&belfry, "owl").is_empty());
}

#[test]
#[timeout(120000)]
fn a_damaged_index_is_made_anew() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["sh", "-c", "seq -f 'stone %g' 50; echo a last heron"]);
    eventually("it ends", || belfry.show(&id)["status"] == "dead");
    until(&belfry, "heron", 1);
    belfry.kill_daemon();
    let index = belfry.belfry_home().join("state/index.db");
    let length = fs::metadata(&index).expect("the index").len();
    for end in ["-wal", "-shm"] {
        let _ = fs::remove_file(index.with_file_name(format!("index.db{end}")));
    }
    fs::write(&index, vec![0x5a; usize::try_from(length).expect("a size")]).expect("damage it");
    until(&belfry, "heron", 1);
    until(&belfry, "\"stone 7\"", 1);
}
