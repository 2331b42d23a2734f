//! `belfry replay`: a recording, played in a real terminal.

use belfry_tests::cli::{Belfry, Outer, eventually};
use ntest::timeout;

/// Prints something now, asks the terminal what only a real one may be asked, and prints more after a second.
const STORY: &str = "stty -echo; printf 'first\\033[c\\033]52;c;?\\007'; sleep 1; printf ' second'; stty size; read -r line; \
                     sleep 1; printf '\\033[?1049h\\033[2J\\033[Hother screen'; read -r line";

fn told(belfry: &Belfry) -> String {
    let id = belfry.shell(&["--name", "story", "--size", "60x12"], &["sh", "-c", STORY]);
    belfry.until_screen(&id, "second");
    belfry.run(&["keys", &id, "Enter"]).ok();
    belfry.until_screen(&id, "other screen");
    belfry.run(&["kill", &id]).ok();
    id
}

#[test]
#[timeout(60000)]
fn what_there_is_is_told() {
    let belfry = Belfry::new();
    let id = told(&belfry);
    belfry.run(&["restart", &id]).ok();
    belfry.until_screen(&id, "second");
    let recording = belfry.run(&["replay", &id, "--json"]).ok().json();
    let (runs, marks) = (recording["runs"].as_array().unwrap(), recording["marks"].as_array().unwrap());
    assert_eq!(runs.len(), 2, "{recording}");
    assert_eq!((recording["cols"].as_u64(), recording["rows"].as_u64()), (Some(60), Some(12)));
    let (length, second) = (recording["length"].as_u64().unwrap(), runs[1]["from"].as_u64().unwrap());
    assert!(length >= 2000 && second >= 2000 && second <= length, "{recording}");
    assert_eq!(marks.iter().filter(|mark| mark["kind"] == "run").count(), 2, "{recording}");
    assert_eq!(recording["sizes"][0], serde_json::json!({ "at": 0, "cols": 60, "rows": 12 }), "{recording}");
    let clocks: Vec<_> =
        recording["clocks"].as_array().unwrap().iter().map(|clock| clock["at"].as_u64()).collect();
    assert_eq!(clocks, [Some(0), Some(second)], "{recording}");
    assert_eq!(recording["holes"], serde_json::json!([]));
    let activity: u64 =
        recording["activity"].as_array().unwrap().iter().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(Some(activity), recording["bytes"].as_u64());
    belfry.run(&["replay", "nobody", "--json"]).exits(3);
    belfry.run(&["replay", &id]).exits(2);
    for wrong in [["--from", "1:75"], ["--from", "soon"], ["--speed", "0"], ["--idle", "-1"]] {
        belfry.run(&[&["replay", &id][..], &wrong].concat()).exits(2);
    }
}

#[test]
#[timeout(60000)]
fn it_is_played_at_the_terminals_own_size_and_gone_through_by_keys() {
    let belfry = Belfry::new();
    let id = told(&belfry);
    // Slow enough to be paused before the second part is due.
    let mut outer = Outer::run(&belfry, 100, 30, &["replay", &id, "--speed", "0.125", "--idle", "0"], &[]);
    outer.until("first");
    assert!(!outer.text().contains("second"), "{}", outer.text());
    outer.type_bytes(b" ");
    outer.until("‖");
    // The end: the other screen, and nothing of the first.
    outer.type_bytes(b"G");
    outer.until("other screen");
    outer.until("■");
    assert!(!outer.text().contains("second"), "{}", outer.text());
    // From the beginning, faster.
    outer.type_bytes(b"0+++");
    outer.until("1×");
    outer.until("other screen");
    let raw = outer.raw();
    let played = String::from_utf8_lossy(&raw);
    assert!(played.contains("first second12 60"), "the whole story is played: {played}");
    assert!(!raw.windows(3).any(|three| three == b"\x1b[c"), "no query reaches the outer terminal");
    assert!(!raw.windows(5).any(|five| five == b"\x1b]52;"), "nor the clipboard");
    outer.type_bytes(b"q");
    assert_eq!(outer.ended(), 0);
    outer.assert_restored();
}

#[test]
#[timeout(60000)]
fn a_small_terminal_sees_what_fits_and_a_live_session_is_played_too() {
    let belfry = Belfry::new();
    let id = belfry.shell(
        &["--size", "120x40"],
        &["sh", "-c", "i=0; while [ $i -lt 39 ]; do i=$((i+1)); echo line-$i; done; exec cat"],
    );
    belfry.until_screen(&id, "line-39");
    let mut outer = Outer::run(&belfry, 40, 10, &["replay", &id, "--from", "9999"], &[]);
    outer.until("line-39");
    outer.until("■");
    outer.resize(60, 20);
    eventually("more of it", || outer.text().contains("line-25"));
    assert_ne!(belfry.show(&id)["status"], "dead");
    assert_eq!((belfry.show(&id)["cols"].as_u64(), belfry.show(&id)["views"].as_u64()), (Some(120), Some(0)));
    outer.type_bytes(b"\x03");
    assert_eq!(outer.ended(), 0);
    outer.assert_restored();
}

#[test]
#[timeout(60000)]
fn a_session_that_printed_nothing_says_so() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["sh", "-c", "read -r line"]);
    assert_eq!(belfry.run(&["replay", &id, "--json"]).ok().json()["bytes"], 0);
    let mut outer = Outer::run(&belfry, 80, 24, &["replay", &id], &[]);
    outer.until("Nothing is recorded");
    assert_eq!(outer.ended(), 1);
}
