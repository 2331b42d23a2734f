//! `belfry wait` and `belfry events`.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout};

use belfry_tests::cli::{Belfry, eventually};
use ntest::timeout;
use serde_json::Value;

#[test]
#[timeout(60000)]
fn waiting_ends_with_the_status_or_the_time() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["cat"]);
    let late = belfry.run(&["wait", &id, "--until", "dead", "--timeout", "0.2", "--json"]).exits(124);
    assert_eq!(late.error_code(), "timeout");
    // No time at all is enough for what is so already.
    belfry.run(&["wait", &id, "--until", "dead", "--timeout", "0"]).exits(124);
    belfry.run(&["wait", &id, "--until", "starting,running,idle,unknown", "--timeout", "0"]).ok();
    let mut waiting = belfry.command(&["wait", &id, "--until", "waiting,dead", "--json"]).spawn().unwrap();
    eventually("it is connected", || {
        let clients = belfry.run(&["daemon", "status", "--json"]).ok().json()["clients"].as_u64();
        // The one that asks is a client as well.
        clients >= Some(2)
    });
    assert!(waiting.try_wait().unwrap().is_none());
    belfry.run(&["kill", &id]).ok();
    let output = waiting.wait_with_output().unwrap();
    assert!(output.status.success());
    let session: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(session["status"], "dead");
    assert_eq!(belfry.run(&["wait", &id, "--until", "dead"]).ok().word(), "dead");
}

#[test]
#[timeout(60000)]
fn waiting_for_what_cannot_come_fails_at_once() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["true"]);
    belfry.run(&["wait", &id, "--until", "dead"]).ok();
    let never = belfry.run(&["wait", &id, "--until", "idle", "--json"]).exits(1);
    assert_eq!(never.error_code(), "not_alive");
    belfry.run(&["wait", "nobody", "--until", "idle"]).exits(3);
    belfry.run(&["wait", &id, "--until", "asleep"]).exits(2);
    belfry.run(&["wait", &id]).exits(2);
}

#[test]
#[timeout(60000)]
fn waiting_survives_the_daemon() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["cat"]);
    let waiting = belfry.command(&["wait", &id, "--until", "dead"]).spawn().unwrap();
    eventually("it is connected", || {
        belfry.run(&["daemon", "status", "--json"]).ok().json()["clients"].as_u64() >= Some(2)
    });
    belfry.kill_daemon();
    belfry.run(&["kill", &id]).ok();
    assert!(waiting.wait_with_output().unwrap().status.success());
}

/// `belfry events` while it runs.
struct Events {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Events {
    fn start(belfry: &Belfry, arguments: &[&str]) -> Self {
        let before = clients(belfry);
        let mut child = belfry.command(&[&["events"], arguments].concat()).spawn().expect("start belfry");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        eventually("events is connected", || clients(belfry) > before);
        Self { child, lines }
    }

    /// The first event that fits.
    fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.lines.next().expect("it goes on").expect("a line");
            let event: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert!(event["event"].is_string(), "{event}");
            if fits(&event) {
                return event;
            }
        }
    }
}

fn clients(belfry: &Belfry) -> u64 {
    belfry.run(&["daemon", "start", "--json"]).ok().json()["clients"].as_u64().expect("a number")
}

#[test]
#[timeout(60000)]
fn events_tell_what_happens_also_after_the_daemon_was_killed() {
    let belfry = Belfry::new();
    let mut events = Events::start(&belfry, &[]);
    let id = belfry.shell(&["--name", "watched"], &["cat"]);
    let made = events.until(|event| event["event"] == "session" && event["session"]["id"] == id);
    assert_eq!(made["session"]["name"], "watched");
    belfry.run(&["rename", &id, "renamed"]).ok();
    events.until(|event| event["session"]["name"] == "renamed");
    belfry.kill_daemon();
    // Whoever comes first starts the next one; the stream goes on either way.
    belfry.run(&["kill", &id]).ok();
    events.until(|event| event["session"]["status"] == "dead");
    belfry.run(&["rm", &id, "--now"]).ok();
    events.until(|event| event["event"] == "session_removed" && event["id"] == id);
    events.child.kill().unwrap();
    events.child.wait().unwrap();
}

#[test]
#[timeout(60000)]
fn events_of_one_session_are_only_its_own() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["cat"]);
    let other = belfry.shell(&[], &["cat"]);
    let mut events = Events::start(&belfry, &["--session", &id]);
    belfry.run(&["rename", &other, "not this"]).ok();
    belfry.run(&["rename", &id, "this"]).ok();
    belfry.run(&["kill", &id]).ok();
    loop {
        let event = events.until(|_| true);
        assert!(event["session"]["id"] == id || event["session"] == id, "{event}");
        if event["session"]["status"] == "dead" {
            break;
        }
    }
    belfry.run(&["rm", &id, "--now"]).ok();
    events.until(|event| event["event"] == "session_removed");
    assert!(events.child.wait().unwrap().success(), "nothing more can come");
}

#[test]
#[timeout(60000)]
fn events_end_when_nobody_reads_them_any_more() {
    let belfry = Belfry::new();
    let Events { mut child, lines } = Events::start(&belfry, &[]);
    drop(lines);
    // Nothing happens in Belfry; the closed pipe alone ends it.
    assert!(child.wait().unwrap().success());
}
