//! `belfry answer`, `explain`, `send --list` and `--cancel`, and questions in `show`, `ls`, `wait` and `events`: with a real
//! program's question, and against a daemon that says what a test wants.

use std::io::{BufRead, BufReader};

use belfry_protocol::explain::{Evidence, Explanation, Missing, StatusChange, Weight};
use belfry_protocol::reply::{Delivery, Message, QueuedMessage};
use belfry_protocol::signal::{Says, Source};
use belfry_protocol::{ErrorCode, Event, MessageId, Reply, Request, Session, SessionId, Status, WireError};
use belfry_tests::cli::Belfry;
use belfry_tests::cli::fake::{FakeDaemon, Outcome, asking, session};
use jiff::Timestamp;
use ntest::timeout;

/// Controls, reversed writing, an 8-bit sequence: what a program could put anywhere.
const HOSTILE: &str = "x\u{1b}]0;t\u{7}\u{202e}\u{9b}31my";

fn reply(session: &Session) -> Reply {
    Reply::Session(Box::new(session.clone()))
}

/// A daemon with one session, which answers to its id and its name; the rest is `rest`'s.
fn with(
    belfry: &Belfry,
    one: Session,
    rest: impl Fn(&Request) -> Outcome + Send + Sync + 'static,
) -> FakeDaemon {
    FakeDaemon::start(belfry, move |request| match request {
        Request::ShowSession { session } if *session == one.name || *session == one.id.to_string() => {
            Ok(reply(&one))
        }
        Request::ShowSession { session } => {
            Err(WireError::new(ErrorCode::NoSuchSession, format!("there is no session {session}")))
        }
        Request::ListSessions { after: None, .. } => Ok(Reply::Sessions(vec![one.clone()])),
        Request::ListSessions { .. } => Ok(Reply::Sessions(Vec::new())),
        Request::Subscribe => Ok(Reply::Overview {
            sessions: vec![one.clone()],
            projects: Vec::new(),
            groups: Vec::new(),
            more: false,
        }),
        other => rest(other),
    })
}

fn unsupported(_: &Request) -> Outcome {
    Err(WireError::new(ErrorCode::Unsupported, "this daemon cannot do that yet"))
}

fn answers(fake: &FakeDaemon) -> Vec<(Option<String>, Option<String>, Option<String>)> {
    let answer = |request| match request {
        Request::AnswerAsk { choice, text, fingerprint, .. } => Some((choice, text, fingerprint)),
        _ => None,
    };
    fake.seen().into_iter().filter_map(answer).collect()
}

#[test]
#[timeout(60000)]
fn an_answer_is_for_the_question_that_was_seen() {
    let belfry = Belfry::new();
    let fake = with(&belfry, asking("shop"), |_| Ok(reply(&session("shop", Status::Running))));
    let said = belfry.run(&["answer", "shop", "1"]).ok().stdout;
    assert!(said.contains("“Yes”") && said.contains("shop is running"), "{said}");
    let after = belfry
        .run(&["answer", "shop", "No, and tell it what to do", "--text", "later", "--json"])
        .ok()
        .json();
    assert_eq!(after["status"], "running");
    belfry.run(&["answer", "shop", "--text", "-x", "--fingerprint", "mine"]).ok();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        answers(&fake),
        [
            (some("1"), None, some("f1")),
            (some("No, and tell it what to do"), some("later"), some("f1")),
            (None, some("-x"), some("mine")),
        ]
    );
}

#[test]
#[timeout(60000)]
fn without_an_answer_the_question_is_shown_and_nothing_is_typed() {
    let belfry = Belfry::new();
    let fake = with(&belfry, asking("shop"), unsupported);
    let shown = belfry.run(&["answer", "shop"]).ok();
    for part in ["Do you want to proceed?", "cargo test", "1  Yes", "2  No, and tell it"] {
        assert!(shown.stdout.contains(part), "{part} in {}", shown.stdout);
    }
    let shown = belfry.run(&["answer", "shop", "--json"]).ok();
    assert_eq!(shown.json()["choices"][0]["key"], "1");
    // What stands in an empty variable is no answer, and is not taken for none.
    belfry.run(&["answer", "shop", ""]).exits(2);
    belfry.run(&["answer", "nobody"]).exits(3);
    belfry.run(&["answer", "nobody", "1"]).exits(3);
    assert_eq!(answers(&fake), []);
}

#[test]
#[timeout(60000)]
fn what_is_no_choice_and_no_question_is_refused() {
    let belfry = Belfry::new();
    let fake = with(&belfry, asking("shop"), unsupported);
    let wrong = belfry.run(&["answer", "shop", "7", "--json"]).exits(2);
    assert_eq!(wrong.error_code(), "usage");
    assert!(wrong.stderr.contains("1 (Yes)"), "{}", wrong.stderr);
    assert_eq!(answers(&fake), [], "nothing was sent");

    let belfry = Belfry::new();
    with(&belfry, session("shop", Status::Idle), unsupported);
    assert_eq!(belfry.run(&["answer", "shop", "1", "--json"]).exits(4).error_code(), "no_question");
    assert_eq!(belfry.run(&["answer", "shop", "--json"]).exits(4).error_code(), "no_question");
}

#[test]
#[timeout(60000)]
fn a_question_that_changed_is_told_with_what_is_there_now() {
    for (code, exit) in [
        (ErrorCode::Changed, 4),
        (ErrorCode::NotFound, 4),
        (ErrorCode::Forbidden, 4),
        (ErrorCode::NotAlive, 1),
        (ErrorCode::Unsupported, 1),
    ] {
        let belfry = Belfry::new();
        with(&belfry, asking("shop"), move |_| Err(WireError::new(code, "it has changed")));
        let ran = belfry.run(&["answer", "shop", "1"]).exits(exit);
        let told = ran.stderr.contains("approve: cargo test");
        assert_eq!(told, matches!(code, ErrorCode::Changed | ErrorCode::NotFound), "{}", ran.stderr);
    }
}

#[test]
#[timeout(60000)]
fn questions_are_in_show_and_ls_and_hostile_ones_are_harmless() {
    let belfry = Belfry::new();
    let mut one = asking(&format!("name {HOSTILE}"));
    one.queued = 1;
    one.title = Some(HOSTILE.to_owned());
    one.activity = Some(HOSTILE.to_owned());
    let ask = one.ask.as_mut().unwrap();
    ask.text = format!("Proceed?\n{HOSTILE}");
    ask.detail.command = Some(format!("cargo test {HOSTILE}"));
    ask.detail.body = Some(HOSTILE.repeat(10_000));
    ask.choices[0].label = HOSTILE.to_owned();
    let id = one.id.to_string();
    with(&belfry, one, |_| {
        let queued_at = Timestamp::now();
        let (id, why) = (MessageId::at(1), Some(format!("a dialog is open {HOSTILE}")));
        let text = format!("go on {HOSTILE}");
        Ok(Reply::Messages(vec![QueuedMessage { id, text, delivery: Delivery::Queued, why, queued_at }]))
    });
    let show = belfry.run(&["show", &id]).ok().stdout;
    for part in ["Proceed?", "cargo test x", "belfry answer", "go on x", "a dialog is open"] {
        assert!(show.contains(part), "{part} in {show}");
    }
    let list = belfry.run(&["ls"]).ok().stdout;
    assert!(list.contains("waiting  approve: cargo test"), "{list}");
    let json = belfry.run(&["show", &id, "--json"]).ok();
    assert!(json.json()["ask"]["text"].as_str().unwrap().contains(HOSTILE), "it means the same");
    let messages = belfry.run(&["send", &id, "--list"]).ok().stdout;
    let answer = belfry.run(&["answer", &id]).ok().stdout;
    let wrong = belfry.run(&["answer", &id, &format!("7{HOSTILE}")]).exits(2).stderr;
    let wrong_json = belfry.run(&["answer", &id, &format!("7{HOSTILE}"), "--json"]).exits(2).stderr;
    let messages_json = belfry.run(&["send", &id, "--list", "--json"]).ok().stdout;
    for shown in [show, list, json.stdout, messages, answer, wrong, wrong_json, messages_json] {
        let hostile = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!shown.contains(hostile), "{shown:?}");
    }
}

#[test]
#[timeout(60000)]
fn what_sessions_do_stands_beside_their_status() {
    let belfry = Belfry::new();
    let sessions = |status, activity: Option<&str>, reason: Option<&str>| {
        let texts = (activity.map(str::to_owned), reason.map(str::to_owned));
        Session { activity: texts.0, reason: texts.1, ..session("shop", status) }
    };
    let mut all = vec![
        sessions(Status::Running, Some("Running npm test"), None),
        sessions(Status::Blocked, None, Some("usage limit, resets 15:30")),
        asking("other"),
    ];
    for (session, at) in all.iter_mut().zip(1..) {
        session.id = SessionId::at(at * 1_000_000_000_000);
    }
    FakeDaemon::start(&belfry, move |request| match request {
        Request::ListSessions { after: None, .. } => Ok(Reply::Sessions(all.clone())),
        _ => Ok(Reply::Sessions(Vec::new())),
    });
    let list = belfry.run(&["ls"]).ok().stdout;
    for part in [
        "running  Running npm test",
        "blocked  usage limit, resets 15:30",
        "waiting  approve: cargo test",
        "3 min",
    ] {
        assert!(list.contains(part), "{part} in\n{list}");
    }
    let narrow = belfry_tests::cli::Outer::run(&belfry, 80, 24, &["ls"], &[]);
    narrow.until("other");
    let text = narrow.text();
    for part in
        ["Running npm test", "usage limit, resets 15:30", "approve: cargo test", "3 min", "shop", "claude"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert_eq!(text.lines().filter(|line| !line.trim().is_empty()).count(), 4, "no line is broken:\n{text}");
}

#[test]
#[timeout(60000)]
fn waiting_and_events_give_the_question() {
    let belfry = Belfry::new();
    let fake = with(&belfry, asking("shop"), unsupported);
    let waited = belfry.run(&["wait", "shop", "--until", "waiting", "--json"]).ok().json();
    assert_eq!(waited["ask"]["choices"][1]["key"], "2");
    assert_eq!(belfry.run(&["wait", "shop", "--until", "waiting"]).ok().word(), "waiting");

    let before = fake.seen().len();
    let mut child = belfry.command(&["events", "--session", "shop"]).spawn().unwrap();
    belfry_tests::cli::eventually("events subscribes", || fake.seen().len() >= before + 2);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    fake.tell(&Event::Session { session: Box::new(asking("shop")) });
    let line = lines.next().unwrap().unwrap();
    let event: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(event["session"]["ask"]["detail"]["command"], "cargo test");
    child.kill().unwrap();
    child.wait().unwrap();
}

fn explanation() -> Explanation {
    Explanation {
        name: "shop".to_owned(),
        agent: "claude".to_owned(),
        version: None,
        status: Status::Waiting,
        reason: Some("approve: cargo test".to_owned()),
        for_ms: 61_000,
        activity_since: None,
        rule: "A dialog is on its screen.".to_owned(),
        evidence: vec![Evidence {
            source: Source::Screen,
            says: Some(Says::Asking),
            what: format!("dialog {HOSTILE}"),
            age_ms: 100,
            weight: Weight::Decided,
            why: None,
        }],
        missing: vec![Missing {
            source: Source::Hook,
            why: "they were not loaded".to_owned(),
            costs: "a second".to_owned(),
        }],
        history: vec![StatusChange {
            at: Timestamp::now(),
            from: Status::Running,
            to: Status::Waiting,
            reason: None,
            source: "screen".to_owned(),
            what: "a dialog".to_owned(),
        }],
    }
}

#[test]
#[timeout(60000)]
fn a_status_is_explained() {
    let belfry = Belfry::new();
    with(&belfry, asking("shop"), |request| match request {
        Request::ExplainSession { session } if session == "shop" => {
            Ok(Reply::Explanation(Box::new(explanation())))
        }
        _ => Err(WireError::new(ErrorCode::NoSuchSession, "there is no such session")),
    });
    let text = belfry.run(&["explain", "shop"]).ok().stdout;
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
    assert!(at("shop is waiting") < at("A dialog is on its screen.") && at("A dialog") < at("decides"));
    assert!(at("decides") < at("they were not loaded") && at("they were not loaded") < at("a dialog"));
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    let json = belfry.run(&["explain", "shop", "--json"]).ok().json();
    assert_eq!((&json["evidence"][0]["weight"], &json["for_ms"]), (&"decided".into(), &61_000.into()));
    belfry.run(&["explain", "nobody"]).exits(3);

    let belfry = Belfry::new();
    with(&belfry, asking("shop"), unsupported);
    assert_eq!(belfry.run(&["explain", "shop", "--json"]).exits(1).error_code(), "unsupported");
}

#[test]
#[timeout(60000)]
fn messages_are_listed_and_taken_back() {
    let belfry = Belfry::new();
    let (first, second) = (MessageId::at(1_700_000_000_000), MessageId::at(1_800_000_000_000));
    let message = move |id, delivery| QueuedMessage {
        id,
        text: "go on".to_owned(),
        delivery,
        why: None,
        queued_at: Timestamp::now(),
    };
    with(&belfry, asking("shop"), move |request| match request {
        Request::ListMessages { session } if session == "shop" => {
            Ok(Reply::Messages(vec![message(first, Delivery::Delivered), message(second, Delivery::Queued)]))
        }
        Request::CancelMessage { message } if *message == second => Ok(Reply::Message(Message {
            id: *message,
            delivery: Delivery::Failed,
            why: Some("taken back".to_owned()),
        })),
        Request::CancelMessage { .. } => Err(WireError::new(ErrorCode::Changed, "it was typed")),
        _ => unsupported(request),
    });
    let all = belfry.run(&["send", "shop", "--list", "--json"]).ok().json();
    assert_eq!((&all[0]["delivery"], &all[1]["id"]), (&"delivered".into(), &second.to_string().into()));
    let text = belfry.run(&["send", "--list", "shop"]).ok().stdout;
    assert!(text.contains("go on") && text.contains(&second.to_string()[..8]), "{text}");
    let back = belfry.run(&["send", "shop", "--cancel", &second.to_string()[..9], "--json"]).ok().json();
    assert_eq!(back["id"], second.to_string());
    belfry.run(&["send", "--cancel", &second.to_string()]).ok();
    assert_eq!(
        belfry.run(&["send", "--cancel", &first.to_string(), "--json"]).exits(4).error_code(),
        "changed"
    );
    belfry.run(&["send", "shop", "--cancel", "01"]).exits(2);
    belfry.run(&["send", "shop", "--cancel", "zz"]).exits(1);
    belfry.run(&["send", "--cancel", "zz"]).exits(2);
}

/// A program that asks twice, and then shows what it is told.
const ASKS_TWICE: &str =
    "for what in Overwrite Sure; do printf '%s? [y/N] ' $what; read -r x; echo \"got:$x\"; done; exec cat";

#[test]
#[timeout(60000)]
fn a_program_s_question_is_seen_answered_and_explained() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--name", "asker"], &["sh", "-c", ASKS_TWICE]);
    let first = belfry.run(&["wait", &id, "--until", "waiting", "--timeout", "30", "--json"]).ok().json();
    let fingerprint = first["ask"]["fingerprint"].as_str().expect("a question").to_owned();
    assert!(belfry.run(&["ls"]).ok().stdout.contains("waiting  input: Overwrite? [y/N]"));
    let explained = belfry.run(&["explain", &id]).ok().stdout;
    assert!(explained.contains("asker is waiting") && explained.contains("decides"), "{explained}");
    belfry.run(&["answer", &id]).ok();
    belfry.run(&["answer", &id, "maybe"]).exits(2);
    assert!(!belfry.screen(&id).contains("got:"), "nothing was typed");

    belfry.run(&["answer", &id, "y"]).ok();
    belfry.until_screen(&id, "got:y");
    let second = belfry.run(&["wait", &id, "--until", "waiting", "--timeout", "30", "--json"]).ok().json();
    assert_ne!(second["ask"]["fingerprint"], fingerprint.as_str());
    // Whoever still looks at the first one is told, and nothing is typed.
    let late = belfry.run(&["answer", &id, "y", "--fingerprint", &fingerprint, "--json"]).exits(4);
    assert_eq!(late.error_code(), "changed");
    assert!(late.stderr.contains("Sure?"), "{}", late.stderr);
    assert!(belfry.screen(&id).trim_end().ends_with("Sure? [y/N]"), "{}", belfry.screen(&id));
    belfry.run(&["answer", &id, "No"]).ok();
    belfry.until_screen(&id, "got:n");
    belfry.run(&["wait", &id, "--until", "idle", "--timeout", "30"]).ok();
    assert_eq!(belfry.run(&["answer", &id, "y", "--json"]).exits(4).error_code(), "no_question");
}

#[test]
#[timeout(60000)]
fn a_message_that_waits_for_an_answer_can_be_taken_back() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--name", "asker"], &["sh", "-c", ASKS_TWICE]);
    belfry.run(&["wait", &id, "--until", "waiting", "--timeout", "30"]).ok();
    let queued = belfry.run(&["send", &id, "not this", "--now", "--json"]).ok().json();
    assert_eq!(queued["delivery"], "queued", "{queued}");
    belfry.run(&["send", &id, "but this"]).ok();
    let shown = belfry.run(&["show", &id]).ok().stdout;
    assert!(shown.contains("not this") && shown.contains("but this"), "{shown}");
    let message = queued["id"].as_str().unwrap();
    belfry.run(&["send", &id, "--cancel", message]).ok();
    belfry.run(&["send", "--cancel", message]).exits(4);
    for _ in 0..2 {
        belfry.run(&["wait", &id, "--until", "waiting", "--timeout", "30"]).ok();
        belfry.run(&["answer", &id, "n"]).ok();
    }
    belfry.until_screen(&id, "but this\nbut this");
    assert!(!belfry.screen(&id).contains("not this"));
}
