//! `belfry project`, `group`, `pin`, `mute`, `snooze`, `duplicate` and `focus`, and sessions in projects and groups by name.

use belfry_client::{ConnectOptions, Incoming, connect};
use belfry_protocol::Event;
use belfry_tests::cli::Belfry;
use belfry_tests::daemon::TestDaemon;
use ntest::timeout;
use serde_json::Value;

/// A home with the directories `one` and `one/two`.
fn home() -> Belfry {
    let belfry = Belfry::new();
    std::fs::create_dir_all(belfry.home().join("one/two")).expect("make directories");
    belfry
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("an array").iter().map(|one| one["name"].as_str().expect("a name")).collect()
}

#[test]
#[timeout(60000)]
fn projects_are_kept_by_name() {
    let belfry = home();
    assert_eq!(belfry.run(&["project", "ls"]).ok().stdout.lines().count(), 1);
    let said = belfry.run(&["project", "add", "one"]).ok().stdout;
    assert!(said.contains("one (~/one) is a project now"), "{said}");
    let again = belfry.run(&["project", "add", "./one/../one", "--json"]).ok().json();
    assert_eq!(again["name"], "one");
    // What was asked for and is not done is not passed over.
    let other = belfry.run(&["project", "add", "one", "--name", "other"]).exits(1).stderr;
    assert!(
        other.contains("is a project already, called one") && other.contains("belfry project rename "),
        "{other}"
    );
    belfry.run(&["project", "add", "one", "--agent", "claude"]).exits(1);
    let two =
        belfry.run(&["project", "add", "~/one/two", "--name", "the two", "--agent", "claude", "--json"]);
    let two = two.ok().json();
    assert_eq!((&two["name"], &two["defaults"]["agent"]), (&Value::from("the two"), &Value::from("claude")));
    assert_eq!(names(&belfry.run(&["project", "ls", "--json"]).ok().json()), ["one", "the two"]);

    assert_eq!(belfry.run(&["project", "add", "nowhere", "--json"]).exits(1).error_code(), "bad_directory");
    // It is added whole or not at all.
    std::fs::create_dir(belfry.home().join("three")).expect("make a directory");
    belfry.run(&["project", "add", "three", "--agent", "nobody"]).exits(2);
    assert_eq!(names(&belfry.run(&["project", "ls", "--json"]).ok().json()), ["one", "the two"]);

    let said =
        belfry.run(&["project", "set", "the two", "--model", "best", "--prompt", "read it"]).ok().stdout;
    assert!(said.contains("claude, model best, “read it”"), "{said}");
    let set = belfry.run(&["project", "set", "the two", "--prompt", "", "--json"]).ok().json();
    assert_eq!(set["defaults"], serde_json::json!({ "agent": "claude", "model": "best" }));
    belfry.run(&["project", "set", "the two"]).exits(2);
    let table = belfry.run(&["project", "ls"]).ok().stdout;
    assert!(table.contains("~/one/two") && table.contains("claude, model best"), "{table}");

    belfry.run(&["project", "rename", "~/one/two", "zwei"]).exits(1);
    let path = belfry.home().join("one/two");
    belfry.run(&["project", "rename", path.to_str().expect("a path of ours"), "zwei"]).ok();
    let missing = belfry.run(&["project", "rm", "the two"]).exits(1);
    assert!(missing.stderr.contains("There are: one, zwei."), "{}", missing.stderr);
    belfry.run(&["project", "rm", "zwei"]).ok();
    assert!(path.is_dir());
}

#[test]
#[timeout(60000)]
fn sessions_go_into_projects_and_groups_that_are_there() {
    let belfry = home();
    belfry.run(&["project", "add", "one"]).ok();
    belfry.run(&["group", "add", "one", "a/b", "--color", "teal"]).ok();
    belfry.run(&["group", "add", "one", "a/c"]).ok();
    let groups = belfry.run(&["group", "ls", "one", "--json"]).ok().json();
    assert_eq!(names(&groups), ["a", "b", "c"]);
    assert_eq!(groups[1]["color"], "teal");
    assert_eq!(belfry.run(&["group", "add", "one", "a/b", "--json"]).ok().json()["id"], groups[1]["id"]);

    // In the project's directory, as the person is in none of it.
    let id = belfry.shell(&["--project", "one", "--group", "a/b", "--name", "s"], &["cat"]);
    let shown = belfry.show(&id);
    assert_eq!((&shown["group"], &shown["project"]), (&groups[1]["id"], &groups[1]["project"]));
    assert_eq!(shown["cwd"], belfry.home().join("one").to_str().expect("a path of ours"));
    let text = belfry.run(&["show", &id]).ok().stdout;
    assert!(text.contains("project       one") && text.contains("group         a/b"), "{text}");
    let missing = belfry.run(&["new", "--project", "one", "--group", "a/x"]).exits(1);
    assert!(missing.stderr.contains("There are: a, a/b, a/c."), "{}", missing.stderr);
    belfry.run(&["new", "--project", "nobody"]).exits(1);
    assert_eq!(
        belfry.run(&["ls", "--json"]).ok().json().as_array().map(Vec::len),
        Some(1),
        "none was started"
    );

    let said = belfry.run(&["move", "s", "--project", "one", "--group", "a/c"]).ok().stdout;
    assert_eq!(said, "s is now in the group a/c of one.\n");
    belfry.run(&["group", "rename", "one", "a/c", "d"]).ok();
    belfry.run(&["group", "move", "one", "a/d", "--into", "a/b"]).ok();
    let table = belfry.run(&["group", "ls"]).ok().stdout;
    assert!(table.contains("a/b/d"), "{table}");
    assert_eq!(
        belfry.run(&["group", "move", "one", "a", "--into", "a/b", "--json"]).exits(2).error_code(),
        "bad_request"
    );
    belfry.run(&["group", "move", "one", "a/b/d"]).ok();
    assert_eq!(belfry.run(&["group", "color", "one", "d", "pink", "--json"]).ok().json()["color"], "pink");
    assert_eq!(
        belfry.run(&["group", "color", "one", "d", "none", "--json"]).ok().json()["color"],
        Value::Null
    );
    let said = belfry.run(&["group", "rm", "one", "d"]).ok().stdout;
    assert!(said.contains("at the project's top"), "{said}");
    assert_eq!(belfry.show(&id)["group"], Value::Null);
    belfry.run(&["project", "rm", "one"]).ok();
    assert_eq!(belfry.show(&id)["project"], Value::Null);
}

#[test]
#[timeout(60000)]
fn a_project_says_what_its_sessions_begin_with() {
    let belfry = home();
    let program = belfry.script("mine", "#!/bin/sh\necho \"began with $*\"; cat\n");
    let agents = belfry.belfry_home().join("config/agents");
    std::fs::create_dir_all(&agents).expect("the agents' folder");
    let rules = format!("name = \"Mine\"\nprograms = [{program:?}]\ntakes = {{ model = true }}\n");
    let rules = rules + "[flags]\nmodel = [\"--model\", \"{}\"]\n";
    std::fs::write(agents.join("mine.toml"), rules).expect("its rules");
    belfry.run(&["project", "add", "one", "--agent", "mine", "--model", "best"]).ok();
    let new = |flags: &[&str]| {
        let started = belfry.run(&[&["new", "--project", "one", "--json"], flags].concat()).ok().json();
        (started["agent"].as_str().unwrap_or_default().to_owned(), started["model"].clone())
    };
    assert_eq!(new(&[]), ("mine".to_owned(), Value::from("best")));
    assert_eq!(new(&["--model", "cheap"]), ("mine".to_owned(), Value::from("cheap")));
    assert_eq!(new(&["--model", ""]), ("mine".to_owned(), Value::Null), "the agent's own");
    assert_eq!(new(&["--agent", "shell", "--", "cat"]), ("shell".to_owned(), Value::Null));
    // Where no project is named, nothing of it is used.
    let plain = belfry.run(&["new", "--cwd", "one", "--json", "--", "cat"]).ok().json();
    assert_eq!(plain["agent"], "shell");
    assert!(plain["project"].is_string(), "it is in the project around its directory");
}

#[test]
#[timeout(60000)]
fn sessions_are_marked_and_made_again() {
    let belfry = home();
    let id = belfry.shell(&["--name", "s"], &["cat"]);
    belfry.run(&["pin", "s"]).ok();
    belfry.run(&["mute", "s"]).ok();
    let snoozed = belfry.run(&["snooze", "s", "15m", "--json"]).ok().json();
    assert!(snoozed["snoozed_until"].is_string() && snoozed["pinned"] == true && snoozed["muted"] == true);
    let table = belfry.run(&["ls"]).ok().stdout;
    assert!(table.contains("s (pinned) (muted) (snoozed)"), "{table}");
    let text = belfry.run(&["show", "s"]).ok().stdout;
    assert!(text.contains("snoozed       until"), "{text}");
    belfry.run(&["pin", "s", "--off"]).ok();
    belfry.run(&["mute", "s", "--off"]).ok();
    let said = belfry.run(&["snooze", "s", "off"]).ok().stdout;
    assert!(said.contains("calls you again"), "{said}");
    let shown = belfry.show(&id);
    assert_eq!(
        (&shown["pinned"], &shown["muted"], &shown["snoozed_until"]),
        (&false.into(), &false.into(), &Value::Null)
    );
    assert!(belfry.run(&["snooze", "s", "tomorrow"]).ok().stdout.contains("tomorrow 08:00"));
    belfry.run(&["snooze", "s", "8d"]).exits(2);
    belfry.run(&["snooze", "s", "soon"]).exits(2);
    belfry.run(&["pin", "nobody"]).exits(3);

    let second = belfry.run(&["duplicate", "s"]).ok().word().to_owned();
    let shown = belfry.show(&second);
    assert_eq!((&shown["name"], &shown["command"]), (&Value::from("s 2"), &belfry.show(&id)["command"]));
    assert_eq!(shown["pinned"], false);
    belfry.run(&["duplicate", "nobody"]).exits(3);
}

#[test]
#[timeout(60000)]
fn projects_and_groups_are_completed() {
    let belfry = home();
    belfry.run(&["project", "add", "one", "--name", "my shop"]).ok();
    belfry.run(&["group", "add", "my shop", "front end/a"]).ok();
    let offered = |words: &[&str]| {
        let given = [&["complete", "zsh", "--", "belfry"], words].concat();
        let text = belfry.run(&given).ok().stdout;
        let words = text.lines().skip(1).filter_map(|line| line.split('\t').next());
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(offered(&["project", "rm", ""]), ["my shop"]);
    assert_eq!(offered(&["new", "--project", "m"]), ["my shop"]);
    assert_eq!(offered(&["group", "rm", "my shop", ""]), ["front end", "front end/a"]);
    assert_eq!(offered(&["new", "--project", "my shop", "--group", "front end/"]), ["front end/a"]);
    let bash = "belfry project rm my";
    let text = belfry.run(&["complete", "bash", "--", bash, &bash.len().to_string(), " \t\n"]).ok().stdout;
    assert_eq!(text.lines().nth(1), Some(r"my\ shop"));
}

#[tokio::test]
#[timeout(60000)]
async fn the_window_is_shown_where_there_is_one() {
    let daemon = TestDaemon::start().await;
    let belfry = daemon.cli();
    let started = daemon.shell(&["cat"]).await;
    let id = started.id.to_string();
    let none = belfry.run(&["focus", "--next", "--json"]).exits(1);
    assert_eq!(none.error_code(), "not_found");
    let none = belfry.run(&["focus"]).exits(1);
    assert!(none.stderr.contains("No window is open"), "{}", none.stderr);

    let window = connect(daemon.home(), &ConnectOptions::new("desktop")).await.expect("a connection");
    let (requests, mut incoming) = window.split();
    incoming.subscribe(&requests).await.expect("an overview");
    assert!(belfry.run(&["focus", "--next"]).ok().stdout.contains("No session needs you"));
    assert_eq!(belfry.run(&["focus", &id, "--json"]).ok().json()["id"], id);
    belfry.run(&["focus", "nobody"]).exits(3);
    let mut told = Vec::new();
    while told.len() < 2 {
        if let Some(Incoming::Event(event)) = incoming.next().await
            && let Event::FocusWindow { session } = *event
        {
            told.push(session);
        }
    }
    assert_eq!(told, [None, Some(started.id)]);
}

#[test]
#[timeout(60000)]
fn where_no_daemon_runs_no_window_is_shown_and_none_is_started() {
    let belfry = Belfry::new();
    belfry.run(&["focus"]).exits(5);
    belfry.run(&["daemon", "status"]).exits(5);
}

#[test]
#[timeout(60000)]
fn projects_of_the_same_name_are_told_apart_by_their_directories() {
    let belfry = home();
    std::fs::create_dir_all(belfry.home().join("two/shop")).expect("a directory");
    std::fs::create_dir_all(belfry.home().join("one/shop")).expect("a directory");
    belfry.run(&["project", "add", "one/shop"]).ok();
    belfry.run(&["project", "add", "two/shop"]).ok();
    let which = belfry.run(&["new", "--project", "shop", "--", "cat"]).exits(2).stderr;
    assert!(
        which.contains("2 projects are called shop")
            && which.contains("one/shop, ")
            && which.contains("two/shop"),
        "{which}"
    );
    let path = belfry.home().join("two/shop");
    let id = belfry.shell(&["--project", path.to_str().expect("a path of ours")], &["cat"]);
    assert_eq!(belfry.show(&id)["cwd"], path.to_str().expect("a path of ours"));
}

#[test]
#[timeout(60000)]
fn a_project_can_begin_with_a_workspace() {
    let belfry = home();
    belfry.run(&["project", "add", "one", "--workspace", "scratch"]).ok();
    let id = belfry.run(&["new", "--project", "one", "--", "cat"]).ok().stdout.trim().to_owned();
    assert_eq!(belfry.show(&id)["workspace"], "scratch");
    // What is given goes before it, and words say what a directory lacks.
    let id =
        belfry.run(&["new", "--project", "one", "--directory", "--", "cat"]).ok().stdout.trim().to_owned();
    assert_eq!(belfry.show(&id)["workspace"], "directory");
    belfry.run(&["project", "set", "one", "--workspace", "clone"]).ok();
    let refused = belfry.run(&["new", "--project", "one", "--", "cat"]).exits(1).stderr;
    assert!(refused.contains("no git repository"), "{refused}");
}

#[test]
#[timeout(60000)]
fn a_name_is_kept_whole_or_refused() {
    let belfry = home();
    let longest = "n".repeat(200);
    let too_long = "n".repeat(201);
    belfry.run(&["project", "add", "one", "--name", &longest]).ok();
    let id = belfry.shell(&["--name", &longest], &["cat"]);
    assert_eq!(belfry.show(&id)["name"], longest.as_str());
    for words in [
        &["new", "--name", &too_long][..],
        &["rename", &id, &too_long],
        &["project", "rename", &longest, &too_long],
        &["group", "add", &longest, &too_long],
    ] {
        let refused = belfry.run(words).exits(2).stderr;
        assert!(refused.contains("200 characters at the most"), "{refused}");
    }
}
