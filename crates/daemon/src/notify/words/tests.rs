use belfry_protocol::Status;
use belfry_protocol::ask::AskDetail;

use super::super::decide::tests::session;
use super::*;

fn choice(key: &str, label: &str) -> Choice {
    let (refuses, takes_text) = (label.starts_with("No"), label.contains("tell"));
    let choice = serde_json::json!({
        "key": key, "label": label, "risk": "medium", "refuses": refuses, "takes_text": takes_text,
    });
    serde_json::from_value(choice).expect("a choice")
}

fn ask(command: &str) -> Ask {
    let ask = serde_json::json!({
        "id": uuid::Uuid::from_u128(1), "kind": "approval", "approves": "command", "text": "Do you want to proceed?",
        "choices": [], "takes_text": false, "detail": { "command": command }, "risk": "medium", "fingerprint": "f",
        "answerable": true, "opened_at": "2026-01-01T00:00:00Z",
    });
    let choices =
        vec![choice("1", "Yes"), choice("2", "Yes, and don't ask again"), choice("3", "No, and tell it why")];
    Ask { choices, ..serde_json::from_value(ask).expect("an ask") }
}

fn said(ask: Ask) -> Words {
    let session = Session { ask: Some(Box::new(ask)), ..session(Status::Waiting, 0) };
    words(&session, NotificationKind::Waiting, None)
}

fn keys(words: &Words) -> (Option<&str>, Option<&str>) {
    let ask = words.ask.as_ref();
    (ask.and_then(|ask| ask.allow.as_deref()), ask.and_then(|ask| ask.deny.as_deref()))
}

#[test]
fn a_question_is_said_with_what_it_is_about() {
    let words = said(ask("touch x"));
    assert_eq!(words.title, "fix the tests waits for you");
    assert_eq!(words.text, "Do you want to proceed?\ntouch x");
    assert_eq!(keys(&words), (Some("1"), Some("3")));
}

#[test]
fn only_what_is_shown_whole_and_not_dangerous_can_be_allowed() {
    let long = "x".repeat(600);
    let lines = "a\nb\nc\nd\ne\nf";
    for command in [long.as_str(), lines, "make …", "for i in 1 2\n..."] {
        assert_eq!(keys(&said(ask(command))), (None, Some("3")), "{command}");
    }
    let dangerous = Ask { risk: Risk::High, risk_reason: Some("it destroys".to_owned()), ..ask("rm -rf x") };
    let words = said(dangerous);
    assert_eq!(words.text, "Do you want to proceed?\nCareful: it destroys\nrm -rf x");
    assert_eq!(keys(&words), (None, Some("3")));
    let always = Ask { choices: vec![choice("2", "Yes, always")], ..ask("x") };
    assert_eq!(keys(&said(always)), (None, None), "more than this once");
    let nothing = Ask { detail: AskDetail::default(), ..ask("x") };
    assert_eq!(keys(&said(nothing)), (None, Some("3")), "nobody knows what it is about");
    let body = Some("-a\n+b\n".repeat(10));
    let diff = Ask { detail: AskDetail { body, ..ask("x").detail }, ..ask("x") };
    assert_eq!(keys(&said(diff)), (None, Some("3")), "a change that is not shown");
    assert_eq!(said(Ask { answerable: false, ..ask("x") }).ask, None);
    assert_eq!(said(Ask { kind: AskKind::Question, ..ask("x") }).ask, None);
    assert_eq!(keys(&said(Ask { kind: AskKind::Plan, ..ask("x") })), (None, Some("3")));
}

#[test]
fn a_hostile_screen_says_nothing_that_a_desktop_obeys() {
    let hostile = Ask { text: "\u{1b}]0;x\u{7}Go\u{202e}?\u{9b}31m".to_owned(), ..ask("a\u{0}b\u{1b}[2J") };
    let words = said(hostile);
    assert!(words.text.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", words.text);
    assert!(!words.text.contains('\u{202e}'));
    let named = Session { name: format!("\u{1b}{}", "n".repeat(300)), ..session(Status::Dead, 0) };
    let named = words_of(&named, NotificationKind::Died);
    assert!(named.title.chars().count() <= TITLE && named.title.ends_with("n has ended"), "{}", named.title);
    let long = said(ask(&"ü".repeat(4000)));
    assert!(long.text.chars().count() <= TEXT && long.text.ends_with('…'));
}

fn words_of(session: &Session, kind: NotificationKind) -> Words {
    words(session, kind, Some(SignedDuration::from_secs(3725)))
}

#[test]
fn each_kind_says_why() {
    let named = |reason: &str| Session { reason: Some(reason.to_owned()), ..session(Status::Blocked, 0) };
    assert_eq!(words_of(&named("usage limit"), NotificationKind::Blocked).text, "usage limit");
    assert_eq!(words_of(&named("exit 1"), NotificationKind::Died).text, "exit 1");
    assert_eq!(words_of(&named(""), NotificationKind::Done).text, "Its turn took 1 h 2 min.");
    assert_eq!(length(SignedDuration::from_secs(59)), "59 s");
    assert_eq!(length(SignedDuration::from_secs(3600)), "1 h");
}

#[test]
fn a_private_session_says_only_that_it_waits() {
    let private =
        Session { private: true, ask: Some(Box::new(ask("secret"))), ..session(Status::Waiting, 0) };
    for kind in
        [NotificationKind::Waiting, NotificationKind::Blocked, NotificationKind::Done, NotificationKind::Died]
    {
        let words = words_of(&private, kind);
        assert_eq!((words.title.as_str(), &words.ask), ("A private session", &None));
        assert!(!words.text.contains("secret") && !words.text.contains("fix the tests"), "{}", words.text);
    }
}
