//! `belfry screen`, `keys`, `send` and `export`.

use std::os::unix::fs::PermissionsExt;

use belfry_tests::cli::{Belfry, Outer, eventually};
use ntest::timeout;
use serde_json::Value;

#[test]
#[timeout(60000)]
fn the_screen_is_text_or_colours_with_scrollback() {
    let belfry = Belfry::new();
    let script =
        r"i=0; while [ $i -lt 60 ]; do echo line-$i; i=$((i+1)); done; printf '\033[31mred\033[0m end'; cat";
    let id = belfry.shell(&["--size", "80x24"], &["sh", "-c", script]);
    belfry.until_screen(&id, "red end");
    let plain = belfry.screen(&id);
    assert!(!plain.contains('\x1b') && !plain.contains("line-30\n"), "{plain:?}");
    assert!(plain.lines().count() <= 25, "{plain:?}");
    let ansi = belfry.run(&["screen", &id, "--ansi"]).ok().stdout;
    assert!(ansi.contains("\x1b[") && ansi.contains("red"), "{ansi:?}");
    let back = belfry.run(&["screen", &id, "--scrollback", "1000"]).ok().stdout;
    assert!(back.starts_with("line-0\n") && back.contains("line-59"), "{back:?}");
    let some = belfry.run(&["screen", &id, "--scrollback", "2"]).ok().stdout;
    assert_eq!(some.lines().count(), plain.lines().count() + 2, "{some:?}");
    let json = belfry.run(&["screen", &id, "--json"]).ok().json();
    assert!(json["text"].as_str().unwrap().contains("red end"));
    assert_eq!((json["size"]["cols"].as_u64(), json["size"]["rows"].as_u64()), (Some(80), Some(24)));
    assert_eq!(json["cursor_col"], 7);
    assert!(json["offset"].as_u64().unwrap() > 400);
}

#[test]
#[timeout(60000)]
fn a_screen_on_a_terminal_reverses_nothing() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["sh", "-c", r"printf 'a\342\200\256b \033[31mred'; exec cat"]);
    belfry.until_screen(&id, "red");
    assert!(belfry.screen(&id).contains("a\u{202e}b"), "a program gets what is there");
    for flags in [&["screen", &id][..], &["screen", &id, "--ansi"]] {
        let outer = Outer::run(&belfry, 80, 50, flags, &[]);
        outer.until("ab red");
        let raw = String::from_utf8_lossy(&outer.raw()).into_owned();
        assert!(!raw.contains('\u{202e}'), "{raw:?}");
        assert_eq!(raw.contains("\x1b[31m"), flags.len() == 3, "{raw:?}");
    }
}

#[test]
#[timeout(60000)]
fn keys_are_pressed_by_name() {
    let belfry = Belfry::new();
    // Shows each byte that arrives.
    let id = belfry
        .shell(&["--size", "100x24"], &["sh", "-c", "stty raw -echo; echo ready; exec od -An -v -tx1 -w1"]);
    belfry.until_screen(&id, "ready");
    belfry.run(&["keys", &id, "a", "Enter", "Esc", "C-c", "Tab", "Up", "-", "é"]).ok();
    let wanted = ["61", "0d", "1b", "03", "09", "1b", "5b", "41", "2d", "c3", "a9"];
    // od writes in blocks, so the input is ended by another key than the shell's.
    let count = |text: &str| text.split_whitespace().filter(|word| word.len() == 2).count();
    eventually("the keys arrive", || {
        if count(&belfry.screen(&id)) >= wanted.len() {
            return true;
        }
        belfry.run(&["keys", &id, "~"]).ok();
        false
    });
    let text = belfry.screen(&id);
    let seen: Vec<&str> = text.split_whitespace().filter(|word| word.len() == 2).take(wanted.len()).collect();
    assert_eq!(seen, wanted);
    belfry.run(&["keys", &id]).exits(2);
}

#[test]
#[timeout(60000)]
fn a_mistyped_key_is_refused_and_text_is_typed() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["cat"]);
    let refused = belfry.run(&["keys", &id, "first", "Entr"]).exits(2);
    assert!(refused.stderr.contains("Enter") && refused.stderr.contains("--text"), "{}", refused.stderr);
    for word in ["BadKey", "F99", "C-Foo", "Ctrl-C", "^C"] {
        belfry.run(&["keys", &id, word]).exits(2);
    }
    belfry.run(&["keys", "--text", &id, "Entr", "F5"]).ok();
    belfry.until_screen(&id, "EntrF5");
    // What was typed, and what cat gives back.
    belfry.run(&["keys", &id, "Enter"]).ok();
    belfry.until_screen(&id, "EntrF5\nEntrF5\n");
    belfry.run(&["keys", &id, "echo hi", "Enter"]).ok();
    belfry.until_screen(&id, "echo hi\necho hi\n");
    belfry.run(&["keys", &id, "y"]).ok();
    belfry.until_screen(&id, "echo hi\ny");
    assert!(!belfry.screen(&id).contains("first"), "nothing of a refused line is typed");
}

#[test]
#[timeout(60000)]
fn a_message_is_typed_when_the_session_can_take_it() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["sh", "-c", "echo prompt; while read -r line; do echo got:$line; done"]);
    belfry.until_screen(&id, "prompt");
    let sent = belfry.run(&["send", &id, "hello there", "--now", "--json"]).ok().json();
    assert!(["delivered", "sending", "queued"].contains(&sent["delivery"].as_str().unwrap()), "{sent}");
    belfry.until_screen(&id, "got:hello there");
    belfry.run_with(&["send", &id, "-", "--now"], "from stdin\n").ok();
    belfry.until_screen(&id, "got:from stdin");
    belfry.run(&["kill", &id]).ok();
    let dead = belfry.run(&["send", &id, "too late", "--json"]).exits(1);
    assert_eq!(dead.error_code(), "not_alive");
    belfry.run(&["keys", &id, "Enter"]).exits(1);
}

#[test]
#[timeout(60000)]
fn a_message_is_sent_whole_or_not_at_all() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["cat"]);
    let refused = belfry.run_with(&["send", &id, "-", "--json"], &"x".repeat((1 << 20) + 1)).exits(1);
    assert_eq!(refused.error_code(), "too_much");
    assert!(!belfry.screen(&id).contains('x'), "nothing was typed");
    belfry.run(&["send", &id, ""]).exits(2);
}

#[test]
#[timeout(60000)]
fn where_nothing_is_asked_nothing_is_typed() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["sleep", "1000"]);
    let ran = belfry.run(&["answer", &id, "y", "--json"]).exits(4);
    assert_eq!(ran.error_code(), "no_question");
    belfry.run(&["answer", "nobody", "y"]).exits(3);
    assert!(!belfry.screen(&id).contains('y'), "nothing was typed");
}

#[test]
#[timeout(60000)]
fn a_recording_is_exported_whole() {
    let belfry = Belfry::new();
    let script =
        "for i in 1 2 3 4 5; do echo step-$i; done; printf 'caf\\303\\251 \\033[1mbold\\033[0m'; exit 3";
    let id = belfry.shell(&["--size", "90x20"], &["sh", "-c", script]);
    belfry.run(&["wait", &id, "--until", "dead"]).ok();
    let said = belfry.run(&["export", &id, "--asciicast", "out.cast"]).ok().stdout;
    assert!(said.contains("out.cast"), "{said}");
    let text = std::fs::read_to_string(belfry.home().join("out.cast")).unwrap();
    let mut lines = text.lines();
    let head: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert_eq!(head["version"], 2, "{head}");
    assert_eq!((head["width"].as_u64(), head["height"].as_u64()), (Some(90), Some(20)), "{head}");
    let (mut time, mut output) = (0.0, String::new());
    for line in lines {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let at = event[0].as_f64().expect("a time");
        assert!(at >= time, "time goes on: {line}");
        time = at;
        assert!(["o", "r", "i", "m"].contains(&event[1].as_str().unwrap()), "{line}");
        if event[1] == "o" {
            output.push_str(event[2].as_str().unwrap());
        }
    }
    assert!(output.contains("step-1\r\n") && output.contains("step-5\r\n"), "{output:?}");
    assert!(output.contains("café \x1b[1mbold"), "{output:?}");

    let piped = belfry.run(&["export", &id, "--asciicast", "-"]).ok().stdout;
    assert_eq!(piped, text);
    let file = belfry.write("mine", "kept");
    let refused = belfry.run(&["export", &id, "--asciicast", "mine", "--json"]).exits(4);
    assert_eq!(refused.error_code(), "exists");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "kept");
    belfry.run(&["export", &id, "--asciicast", "mine", "--force"]).ok();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    belfry.run(&["export", &id, "--asciicast", ".", "--force"]).exits(4);
    let mode = std::fs::metadata(belfry.home().join("out.cast")).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "a recording is for the person alone");

    belfry.run(&["export", &id, "--markdown", "out.md"]).exits(1);
    belfry.run(&["export", "nobody", "--asciicast", "none.cast"]).exits(3);
    belfry.run(&["export", &id, "--asciicast", "/no/such/directory/x.cast"]).exits(1);
    let left: Vec<_> =
        std::fs::read_dir(belfry.home()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| name.to_str().is_some_and(|name| !name.contains("partial"))), "{left:?}");
    assert!(!belfry.home().join("none.cast").exists());
}
