//! `belfry usage` over a home full of conversations.

use std::fs;
use std::path::Path;

use belfry_tests::cli::Belfry;
use ntest::timeout;
use serde_json::Value;

/// A home with the made-up conversations in it.
fn home() -> Belfry {
    let belfry = Belfry::new();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/transcripts/home"), &belfry.home());
    belfry
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("make a directory");
    for entry in fs::read_dir(from).expect("the corpus").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copy a file");
        }
    }
}

fn tokens(report: &Value) -> u64 {
    let kinds = ["input", "output", "cache_read", "cache_write"];
    let rows = report["rows"].as_array().expect("rows").iter();
    rows.flat_map(|row| kinds.map(|kind| row["usage"][kind].as_u64().expect("a count"))).sum()
}

#[test]
#[timeout(60000)]
fn what_was_used_is_added_up_in_three_ways_and_is_the_same_in_all() {
    let belfry = home();
    let usage = |words: &[&str]| {
        let all: Vec<&str> = ["usage", "--json"].iter().chain(words).copied().collect();
        belfry.run(&all).ok().json()
    };
    let (sessions, projects, days) = (usage(&[]), usage(&["--by", "project"]), usage(&["--by", "day"]));
    assert!(tokens(&sessions) > 0, "{sessions}");
    assert_eq!(tokens(&sessions), tokens(&days));
    assert_eq!(tokens(&sessions), tokens(&projects));
    let names = |report: &Value| -> Vec<String> {
        let rows = report["rows"].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names(&sessions).contains(&"claude".to_owned()), "{sessions}");
    let of_days = names(&days);
    assert!(of_days.is_sorted() && of_days.iter().all(|day| day.len() == 10), "{of_days:?}");
    assert_eq!(tokens(&usage(&["--since", "2099-01-01"])), 0, "all of it was before");

    // A project's is its directory's.
    let directory = belfry.home().join("p");
    fs::create_dir_all(&directory).unwrap();
    let table = belfry.run(&["usage"]).ok().stdout;
    assert!(table.contains("claude, in no session") && table.contains("CACHED"), "{table}");
    for wrong in [&["usage", "--by", "year"][..], &["usage", "--since", "soon"], &["hibernate"]] {
        belfry.run(wrong).exits(2);
    }
    // What works counts as time.
    let id =
        belfry.shell(&["--name", "worker"], &["sh", "-c", "read -r line; sleep 1; echo done; read -r line"]);
    belfry.run(&["wait", &id, "--until", "idle,waiting", "--timeout", "30"]).ok();
    belfry.run(&["send", &id, "go"]).ok();
    belfry.until_screen(&id, "done");
    belfry.run(&["wait", &id, "--until", "idle,waiting", "--timeout", "30"]).ok();
    let report = usage(&[]);
    let rows = report["rows"].as_array().unwrap();
    let worker = rows.iter().find(|row| row["name"] == "worker").expect("it has worked");
    assert!(worker["working_ms"].as_u64().unwrap() > 0, "{worker}");
}
