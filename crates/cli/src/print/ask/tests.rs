use belfry_protocol::AskId;
use belfry_protocol::ask::AskDetail;

use super::*;

fn ask() -> Ask {
    let choice = |key: &str, label: &str, risk| Choice {
        key: key.to_owned(),
        label: label.to_owned(),
        description: None,
        risk,
        refuses: false,
        takes_text: false,
        ticked: None,
    };
    Ask {
        id: AskId::at(1),
        kind: AskKind::Approval,
        approves: Some(Approves::Command),
        text: "Do you want\nto proceed?".to_owned(),
        choices: vec![
            choice("1", "Yes", Risk::Low),
            choice("2", "Yes, and don't ask again", Risk::Medium),
            Choice { refuses: true, takes_text: true, ..choice("3", "No", Risk::Low) },
        ],
        takes_text: true,
        detail: AskDetail {
            command: Some("rm -rf build\x1b[8m && cargo test".to_owned()),
            ..AskDetail::default()
        },
        risk: Risk::High,
        risk_reason: Some("rm -rf".to_owned()),
        fingerprint: "f".to_owned(),
        answerable: true,
        obstacle: None,
        opened_at: Timestamp::from_second(100).unwrap(),
    }
}

fn described(ask: &Ask) -> String {
    let style = Style { on: false };
    let mut sheet = Sheet::new(style);
    describe(&mut sheet, ask, style, Timestamp::from_second(280).unwrap(), "belfry answer x");
    sheet.text()
}

#[test]
fn what_is_wanted_is_said_in_a_line() {
    let mut ask = ask();
    assert_eq!(wanted(&ask), "approve: rm -rf build[8m && cargo test");
    ask.kind = AskKind::Question;
    assert_eq!(wanted(&ask), "asks: Do you want to proceed?");
    ask.kind = AskKind::Enter;
    ask.text = String::new();
    assert_eq!(wanted(&ask), "press Enter");
    ask.kind = AskKind::Plan;
    ask.text = "long ".repeat(1000);
    assert!(wanted(&ask).chars().count() < 150);
}

#[test]
fn a_question_is_shown_whole() {
    let text = described(&ask());
    assert_eq!(
        text,
        "   asks          to approve a command, for 3 min\n\
         \u{20}                Do you want\n\
         \u{20}                to proceed?\n\
         \u{20}  for command   rm -rf build[8m && cargo test\n\
         \u{20}  risk          high: rm -rf\n\
         \u{20}  choices       1  Yes\n\
         \u{20}                2  Yes, and don't ask again  (medium risk)\n\
         \u{20}                3  No  (refuses, takes --text)\n\
         \u{20}  answer        belfry answer x KEY, or --text TEXT"
    );
}

#[test]
fn hostile_questions_are_harmless() {
    let mut ask = ask();
    let hostile = "\x1b]0;x\x07\u{202e}a\u{9b}2J\r\nb";
    ask.text = hostile.to_owned();
    ask.risk_reason = Some(hostile.to_owned());
    ask.detail = AskDetail {
        command: Some(hostile.to_owned()),
        path: Some(hostile.to_owned()),
        url: Some(hostile.to_owned()),
        tool: Some(hostile.to_owned()),
        body: Some("line\n".repeat(1000)),
    };
    for choice in &mut ask.choices {
        choice.key = hostile.to_owned();
        choice.label = hostile.to_owned();
        choice.description = Some(hostile.to_owned());
    }
    let text = described(&ask);
    assert!(!text.contains(|c| super::super::is_hostile(c) && c != '\n'), "{text:?}");
    assert!(text.lines().count() < 80, "bounded");
    assert!(!wanted(&ask).contains(super::super::is_hostile));
}

#[test]
fn what_cannot_be_answered_says_so() {
    let ask = Ask { answerable: false, ..ask() };
    assert!(described(&ask).contains("only where it runs"));
}
