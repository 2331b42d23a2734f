//! `belfry new`, `ls`, `show`, `rename`, `archive`, `kill`, `restart`, `rm`, `restore` and `move`.

use belfry_tests::cli::{Belfry, eventually};
use ntest::timeout;

/// Every field of a session object that the design promises.
const FIELDS: [&str; 24] = [
    "id",
    "name",
    "agent",
    "kind",
    "status",
    "reason",
    "activity",
    "source",
    "since",
    "unseen",
    "ask",
    "cwd",
    "project",
    "group",
    "branch",
    "conversation_id",
    "started_by",
    "views",
    "pid",
    "exit",
    "cols",
    "rows",
    "created_at",
    "last_activity_at",
];

#[test]
#[timeout(60000)]
fn a_session_lives_and_is_listed() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--name", "the one", "--size", "100x30"], &["cat"]);
    assert_eq!(id.len(), 36, "{id}");
    let all = belfry.run(&["ls", "--json"]).ok().json();
    let session = &all.as_array().expect("an array")[0];
    for field in FIELDS {
        assert!(session.get(field).is_some(), "{field} is missing in {session}");
    }
    assert_eq!(session["id"], id);
    assert_eq!(session["name"], "the one");
    assert_eq!(session["agent"], "shell");
    assert_eq!(session["kind"], "managed");
    assert_eq!((session["cols"].as_u64(), session["rows"].as_u64()), (Some(100), Some(30)));
    assert_eq!(session["cwd"], belfry.home().to_str().unwrap());
    assert!(session["pid"].as_u64().is_some_and(|pid| pid > 1));
    assert_eq!(session["exit"], serde_json::Value::Null);

    let table = belfry.run(&["ls"]).ok().stdout;
    let row = table.lines().nth(1).expect("a row");
    assert!(row.contains("the one") && row.contains("shell") && row.starts_with(&id[..8]), "{table}");
    assert!(!table.contains('\x1b'), "no colours where nobody sees them: {table:?}");
}

#[test]
#[timeout(60000)]
fn sessions_are_named_by_id_prefix_or_name() {
    let belfry = Belfry::new();
    let one = belfry.shell(&["--name", "first thing"], &["cat"]);
    let two = belfry.shell(&["--name", "twin"], &["cat"]);
    let three = belfry.shell(&["--name", "twin"], &["cat"]);
    for name in [one.as_str(), &one[..35], "first thing"] {
        assert_eq!(belfry.show(name)["id"], one, "{name}");
    }
    assert_eq!(belfry.show(&two)["id"], two);
    let ambiguous = belfry.run(&["show", "twin", "--json"]).exits(2);
    assert_eq!(ambiguous.error_code(), "ambiguous");
    let alike = two.bytes().zip(three.bytes()).take_while(|(a, b)| a == b).count();
    belfry.run(&["show", &two[..alike]]).exits(2);
    let missing = belfry.run(&["show", "no such thing", "--json"]).exits(3);
    assert_eq!(missing.error_code(), "no_such_session");
    for command in ["kill", "restart", "rm", "screen", "archive"] {
        belfry.run(&[command, "no such thing"]).exits(3);
    }
}

#[test]
#[timeout(60000)]
fn the_exit_is_told_exactly() {
    let belfry = Belfry::new();
    let code = belfry.shell(&[], &["sh", "-c", "exit 7"]);
    belfry.run(&["wait", &code, "--until", "dead"]).ok();
    assert_eq!(belfry.show(&code)["exit"]["code"], 7);
    let signal = belfry.shell(&[], &["sh", "-c", "kill -SEGV $$"]);
    belfry.run(&["wait", &signal, "--until", "dead"]).ok();
    let shown = belfry.show(&signal);
    assert_eq!(shown["exit"]["name"], "SIGSEGV", "{shown}");
    let table = belfry.run(&["ls"]).ok().stdout;
    assert!(table.contains("exit 7") && table.contains("SIGSEGV"), "{table}");
}

#[test]
#[timeout(60000)]
fn a_program_that_is_not_there_is_told_at_once() {
    let belfry = Belfry::new();
    let ran = belfry.run(&["new", "--json", "--", "/no/such/program"]).exits(1);
    assert!(["missing_program", "launch_failed"].contains(&ran.error_code().as_str()), "{}", ran.stderr);
    let ran = belfry.run(&["new", "--json", "--cwd", "/no/such/directory"]).exits(1);
    assert_eq!(ran.error_code(), "bad_directory");
    let ran = belfry.run(&["new", "--json", "--agent", "no-such-agent"]);
    assert!(ran.code == 1 || ran.code == 2, "{ran:?}");
    assert!(!ran.stderr.is_empty());
}

#[test]
#[timeout(60000)]
fn arguments_environment_and_directory_arrive() {
    let belfry = Belfry::new();
    std::fs::create_dir(belfry.home().join("sub dir")).unwrap();
    let script = r#"printf '[%s]' "$@" "$A" "$B" "${PWD##*/}" "$BELFRY_SESSION"; cat"#;
    let id = belfry.shell(
        &["--cwd", "sub dir", "--env", "A=a b", "--env", "B=x=y", "--size", "200x10"],
        &["sh", "-c", script, "sh", "one two", "", "--json"],
    );
    belfry.until_screen(&id, &format!("[one two][][--json][a b][x=y][sub dir][{id}]"));
    let shown = belfry.show(&id);
    assert!(shown["env_names"].as_array().unwrap().iter().any(|name| name == "A"), "{shown}");
    assert!(!shown.to_string().contains("x=y"), "values are not shown: {shown}");
}

#[test]
#[timeout(60000)]
fn it_ends_starts_again_and_goes_to_the_trash_and_back() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--name", "once"], &["sh", "-c", "echo born; exec cat"]);
    belfry.until_screen(&id, "born");
    let pid = belfry.show(&id)["pid"].clone();
    belfry.run(&["restart", &id, "--json"]).exits(4);
    let way_out = |words: &[&str]| belfry.run(words).exits(4).stderr;
    assert!(way_out(&["restart", "once"]).contains(&format!("`belfry restart --kill {id}`")));
    assert!(way_out(&["rm", "once"]).contains(&format!("`belfry rm --kill {id}` ends it first")));
    let refused = belfry.run(&["rm", &id, "--json"]).exits(4);
    assert_eq!(refused.error_code(), "still_alive");
    assert_eq!(belfry.show(&id)["pid"], pid, "a refusal changes nothing");

    let killed = belfry.run(&["kill", &id, "--json"]).ok().json();
    assert_eq!(killed["status"], "dead");
    assert_eq!(killed["pid"], serde_json::Value::Null);
    assert!(belfry.screen(&id).contains("born"), "the last screen stays");

    let again = belfry.run(&["restart", &id, "--json"]).ok().json();
    assert_ne!(again["status"], "dead");
    assert_ne!(again["pid"], pid);
    assert_eq!(again["runs"].as_array().map(Vec::len), Some(2));
    belfry.until_screen(&id, "born");

    belfry.run(&["rm", &id, "--kill"]).ok();
    assert_eq!(belfry.run(&["ls", "--json"]).ok().json(), serde_json::json!([]));
    assert_ne!(belfry.run(&["ls", "--all", "--json"]).ok().json(), serde_json::json!([]));
    assert!(belfry.run(&["show", &id]).ok().stdout.contains("in the trash"));
    let refused = belfry.run(&["restart", "once", "--json"]).exits(4);
    assert_eq!(refused.error_code(), "in_the_trash");
    assert!(refused.stderr.contains(&format!("belfry restore {id}")), "{}", refused.stderr);
    assert_ne!(belfry.show(&id)["trashed_at"], serde_json::Value::Null, "a refusal changes nothing");
    let back = belfry.run(&["restore", &id, "--json"]).ok().json();
    assert_eq!(back["trashed_at"], serde_json::Value::Null);
    assert_eq!(belfry.run(&["ls", "--json"]).ok().json().as_array().map(Vec::len), Some(1));

    belfry.run(&["rm", &id, "--now"]).ok();
    belfry.run(&["show", &id]).exits(3);
    assert_eq!(belfry.run(&["ls", "--all", "--json"]).ok().json(), serde_json::json!([]));
    let sessions = belfry.belfry_home().join("state/sessions");
    eventually("its files are gone", || !sessions.join(&id).exists());
}

#[test]
#[timeout(60000)]
fn a_private_session_leaves_nothing_on_disk() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--private", "--name", "secret"], &["sh", "-c", "echo hidden-words; exec cat"]);
    belfry.until_screen(&id, "hidden-words");
    assert_eq!(belfry.show(&id)["private"], true);
    let state = belfry.belfry_home().join("state");
    assert!(!contains(&state, b"hidden-words"), "its output is on disk");
    belfry.run(&["rm", &id, "--kill", "--now"]).ok();
    assert!(!contains(&state, b"hidden-words"), "its output is on disk");
}

#[test]
#[timeout(60000)]
fn names_change_and_hostile_ones_are_harmless() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--name", "before"], &["cat"]);
    let renamed = belfry.run(&["rename", &id, "after it"]).ok();
    assert!(renamed.stdout.contains("after it"));
    assert_eq!(belfry.show("after it")["id"], id);
    belfry.run(&["rename", &id, ""]).exits(2);
    belfry.run(&["rename", &id, "x\x1b]0;gotcha\x07\u{202e}y"]);
    for shown in [belfry.run(&["ls"]).ok().stdout, belfry.run(&["show", &id]).ok().stdout] {
        assert!(!shown.contains(['\x1b', '\x07', '\u{202e}']), "{shown:?}");
    }
    // A title that the program sets is as hostile.
    let id =
        belfry.shell(&["--name", "titled"], &["sh", "-c", r"printf '\033]2;evil\303\202\233\007'; exec cat"]);
    eventually("the title is known", || {
        belfry.show(&id)["title"].as_str().is_some_and(|title| title.contains("evil"))
    });
    let shown = belfry.run(&["show", &id]).ok().stdout;
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
}

#[test]
#[timeout(60000)]
fn the_archive_hides_and_gives_back() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--name", "old"], &["true"]);
    belfry.run(&["wait", &id, "--until", "dead"]).ok();
    belfry.run(&["archive", &id]).ok();
    assert_eq!(belfry.run(&["ls", "--json"]).ok().json(), serde_json::json!([]));
    assert!(belfry.run(&["ls", "--all"]).ok().stdout.contains("old (archived)"));
    belfry.run(&["archive", &id, "--off"]).ok();
    assert!(belfry.run(&["ls"]).ok().stdout.contains("old"));
    belfry.run(&["archive", &id]).ok();
    let again = belfry.run(&["restart", &id]).ok().stdout;
    assert!(again.contains("out of the archive"), "{again}");
    assert!(belfry.run(&["restore", &id]).ok().stdout.contains("was not in the trash"));
}

#[test]
#[timeout(60000)]
fn lists_are_filtered_by_status() {
    let belfry = Belfry::new();
    assert_eq!(belfry.run(&["ls", "--json"]).ok().json(), serde_json::json!([]));
    let dead = belfry.shell(&[], &["true"]);
    let alive = belfry.shell(&[], &["cat"]);
    belfry.run(&["wait", &dead, "--until", "dead"]).ok();
    let ids = |arguments: &[&str]| -> Vec<String> {
        let all = belfry.run(&[&["ls", "--json"], arguments].concat()).ok().json();
        all.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&["--status", "dead"]), std::slice::from_ref(&dead));
    assert_eq!(ids(&["--status", "starting,running,idle,done,unknown"]), std::slice::from_ref(&alive));
    assert_eq!(ids(&["--status", "dead", "--status", "waiting"]), std::slice::from_ref(&dead));
    assert_eq!(ids(&[]), [dead, alive]);
    belfry.run(&["ls", "--status", "asleep"]).exits(2);
    assert!(
        !belfry.run(&["ls", "--status", "blocked"]).ok().stdout.contains("belfry new"),
        "there are sessions"
    );
}

#[test]
#[timeout(60000)]
fn projects_that_are_not_there_are_told() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["cat"]);
    let ran = belfry.run(&["move", &id, "--project", "nowhere", "--json"]).exits(1);
    assert_eq!(ran.error_code(), "not_found");
    belfry.run(&["new", "--project", "nowhere", "--", "cat"]).exits(1);
    belfry.run(&["move", &id]).ok();
}

fn contains(directory: &std::path::Path, words: &[u8]) -> bool {
    let Ok(entries) = std::fs::read_dir(directory) else { return false };
    entries.flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return contains(&path, words);
        }
        std::fs::read(&path).is_ok_and(|bytes| bytes.windows(words.len()).any(|window| window == words))
    })
}
