use belfry_protocol::Status;
use belfry_protocol::explain::Missing;
use unicode_width::UnicodeWidthStr;

use super::*;

fn seen(source: Source, says: Option<Says>, what: &str, age_ms: u64, weight: Weight) -> Evidence {
    Evidence { source, says, what: what.to_owned(), age_ms, weight, why: None }
}

fn explanation() -> Explanation {
    let change = |second, from, to, reason: &str| StatusChange {
        at: Timestamp::from_second(second).unwrap(),
        from,
        to,
        reason: Some(reason.to_owned()),
        source: "screen".to_owned(),
        what: "a dialog".to_owned(),
    };
    Explanation {
        name: "shop".to_owned(),
        agent: "claude".to_owned(),
        version: Some("2.1.332, its rules were made for it".to_owned()),
        status: Status::Waiting,
        reason: Some("approve: cargo test".to_owned()),
        for_ms: 182_000,
        activity_since: None,
        rule: "A dialog is on the screen, and an open dialog means that only you can answer.".to_owned(),
        evidence: vec![
            seen(
                Source::Screen,
                Some(Says::Asking),
                "dialog `bash`: Do you want to proceed?",
                120,
                Weight::Decided,
            ),
            Evidence {
                why: Some("an approval sends no hook".to_owned()),
                ..seen(Source::Hook, Some(Says::Working), "PreToolUse", 4000, Weight::Overruled)
            },
            seen(Source::Foreground, None, "claude", 90_000, Weight::Adds),
        ],
        missing: vec![Missing {
            source: Source::Registry,
            why: "no file for this process.".to_owned(),
            costs: "questions are seen on the screen only".to_owned(),
        }],
        history: vec![
            change(100, Status::Running, Status::Waiting, "approve: cargo test"),
            change(40, Status::Idle, Status::Running, "Thinking"),
        ],
    }
}

fn text(all: &Explanation, width: Option<usize>) -> Vec<String> {
    lines(all, None, Style { on: false }, width, Timestamp::from_second(160).unwrap())
}

#[test]
fn it_reads_from_the_sentence_to_the_past() {
    let lines = text(&explanation(), None);
    assert_eq!(
        lines.join("\n"),
        "\
◆ shop is waiting: approve: cargo test
  for 3 min; agent claude 2.1.332, its rules were made for it

  A dialog is on the screen, and an open dialog means that only you can answer.

What was seen
  WHERE             AGE    SAYS     COUNTS      WHAT
  its screen        0.1 s  asking   decides     dialog `bash`: Do you want to proceed?
  its hooks         4.0 s  working  overruled   PreToolUse; an approval sends no hook
  program in front  1 min           adds to it  claude

What could not be seen
  its session file: no file for this process. Without it: questions are seen on the screen only.

How it came to this
  AGO    FROM     TO       BY          WHAT
  1 min  running  waiting  its screen  approve: cargo test (a dialog)
  2 min  idle     running  its screen  Thinking (a dialog)"
    );
}

#[test]
fn it_fits_a_narrow_terminal_and_nothing_is_cut() {
    let lines = text(&explanation(), Some(60));
    assert!(lines.iter().all(|line| line.width() <= 60), "{lines:#?}");
    let words = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["only you can answer.", "to proceed?", "on the screen only."] {
        assert!(words.contains(part), "{part} in {words}");
    }
}

#[test]
fn it_is_bounded_and_harmless() {
    let hostile = format!("\x1b[2J\u{202e}{}", "x ".repeat(5000));
    let mut all = explanation();
    all.name.clone_from(&hostile);
    all.rule.clone_from(&hostile);
    for one in &mut all.evidence {
        one.what.clone_from(&hostile);
        one.why = Some(hostile.clone());
    }
    all.history = vec![all.history[0].clone(); 500];
    all.history[0].source.clone_from(&hostile);
    let lines = text(&all, None);
    assert!(lines.len() < 60, "{}", lines.len());
    assert!(!lines.iter().any(|line| line.contains(crate::print::is_hostile)));
    assert!(lines.iter().any(|line| line.contains("490 earlier")), "{:?}", lines.last());
}
