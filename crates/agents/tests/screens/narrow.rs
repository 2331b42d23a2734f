//! Dialogs whose texts go on at the left edge where the terminal is narrow, and that lose their end where it is low.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use belfry_agents::{AnswerBy, Dialog};
use belfry_protocol::ask::AskKind;

use super::given::{AGENTS, Screen};

/// What is read on a screen of Codex that a real one drew.
fn recorded(name: &str) -> Dialog {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/screens/codex/{name}.txt"));
    let screen = Screen::of(&fs::read_to_string(path).unwrap());
    let reading = AGENTS.get("codex").unwrap().read(None, &screen.view());
    reading.dialog.unwrap_or_else(|| panic!("{name}: no dialog"))
}

fn read(columns: u16, rows: &str) -> Dialog {
    let screen = Screen { columns, ..Screen::at_prompt(rows) };
    AGENTS
        .get("codex")
        .unwrap()
        .read(None, &screen.view())
        .dialog
        .unwrap_or_else(|| panic!("no dialog: {rows}"))
}

fn labels(dialog: &Dialog) -> Vec<&str> {
    dialog.choices.iter().map(|choice| choice.label.as_str()).collect()
}

#[test]
#[ntest::timeout(60000)]
fn signing_in_keeps_its_choices_at_every_size() {
    let ways = ["Sign in with ChatGPT", "Sign in with Device Code", "Sign in another way"];
    for columns in [120, 80, 60, 40] {
        for name in ["menu", "failed"] {
            let found = recorded(&format!("signin_{columns}_{name}"));
            let chosen = usize::from(name == "failed");
            assert_eq!((found.kind, labels(&found)), (AskKind::Login, ways.to_vec()), "{columns} {name}");
            assert_eq!((found.answer, found.selected), (AnswerBy::Key, Some(chosen)), "{columns} {name}");
            assert_eq!(found.text, "Choose how you want to use Codex.");
        }
        let other = recorded(&format!("signin_{columns}_other"));
        let keys = ["Use an OpenAI API key", "Use Amazon Bedrock"];
        assert_eq!((other.kind, labels(&other)), (AskKind::Login, keys.to_vec()), "{columns}");
        assert_eq!((other.answer, other.text.as_str()), (AnswerBy::Key, "Sign in another way"));
    }
    let wrapped = recorded("signin_60_menu").choices.remove(0).description;
    assert_eq!(wrapped.as_deref(), Some("Usage included with Plus, Pro, Business, and Enterprise plans"));
}

#[test]
#[ntest::timeout(60000)]
fn what_a_low_terminal_leaves_of_a_list_is_not_taken_by_enter() {
    for columns in [120, 80, 60] {
        let found = recorded(&format!("signin_{columns}_bedrock"));
        let ways = ["AWS profile", "AWS access keys", "Environment variables", "Bedrock API key"];
        assert_eq!((found.kind, labels(&found)), (AskKind::Login, ways.to_vec()), "{columns}");
    }
    // One of four is to be seen.
    let found = recorded("signin_40_bedrock");
    assert_eq!((found.kind, found.answer), (AskKind::Login, AnswerBy::Unknown));
    let two = "  Choose how you authenticate with AWS.\n\n> 1. AWS profile\n  2. AWS access keys\n  Press enter to continue";
    assert_eq!(read(40, two).answer, AnswerBy::Unknown);
    let unknown = "  Welcome.\n\n  Pick your flux.\n\n> 1. Forward\n\n  Press enter to continue";
    let found = read(40, unknown);
    assert_eq!((found.kind, found.answer), (AskKind::Choice, AnswerBy::Unknown));
    let plain = read(40, "  Welcome.\n\n  You are signed in.\n\n  Press enter to continue");
    assert_eq!((plain.kind, plain.answer), (AskKind::Enter, AnswerBy::Enter));
}

#[test]
#[ntest::timeout(60000)]
fn a_question_about_signing_in_is_the_agents() {
    let rows = "  Question 1/1 (1 unanswered)\n  How do they sign in?\n\n  › 1. Sign in with ChatGPT  Theirs\n    2. AWS profile           Ours\n\n  \
                enter to submit answer";
    assert_eq!(read(60, rows).rule, "question");
}

#[test]
#[ntest::timeout(60000)]
fn fields_and_browsers_are_no_enter_either() {
    let fields = ["key", "bedrock_keys", "bedrock_profile"];
    let narrow = [60, 40].iter().flat_map(|columns| fields.map(|name| format!("signin_{columns}_{name}")));
    for name in narrow.chain(["signin_80_browser".to_owned(), "signin_40_browser".to_owned()]) {
        let found = recorded(&name);
        assert_eq!((found.kind, found.answer), (AskKind::Login, AnswerBy::Unknown), "{name}");
    }
}

#[test]
#[ntest::timeout(60000)]
fn a_folder_is_trusted_by_its_whole_path_or_in_its_terminal() {
    let found = recorded("narrow_60_trust");
    assert_eq!(labels(&found), ["Trust and continue", "Back to Agent Command Center"]);
    let path = "/home/somebody/code/repo/with/a/rather/long/path/of/folders";
    assert_eq!(found.detail.path.as_deref(), Some(path));
    // Its answers are below the edge.
    let found = recorded("narrow_40_trust");
    assert_eq!((found.kind, found.text.as_str()), (AskKind::Trust, "Trust this folder?"));
    assert_eq!((found.answer, found.cut), (AnswerBy::Unknown, true));
}

#[test]
#[ntest::timeout(60000)]
fn a_question_that_goes_on_at_the_left_edge_is_one() {
    let asked =
        "Shall the flux of this machine be reversed now, before anybody has looked at what it is good for?";
    for columns in 24..=120 {
        let rows = format!("{}\n\n› 1. Yes\n  2. No\n\n  enter select", edged(2, asked, columns));
        assert_eq!(read(columns as u16, &rows).text, asked, "{columns}");
    }
}

/// A text from a column on, as a paragraph is broken that goes on at the left edge.
fn edged(indent: usize, text: &str, columns: usize) -> String {
    let mut rows = vec![" ".repeat(indent)];
    for word in text.split(' ') {
        let row = rows.last_mut().unwrap();
        let blank = usize::from(!row.trim().is_empty());
        if row.len() + blank + word.len() > columns && blank > 0 {
            rows.push(word.to_owned());
        } else {
            row.push_str(&" "[..blank]);
            row.push_str(word);
        }
    }
    rows.join("\n")
}

#[test]
#[ntest::timeout(60000)]
fn texts_that_go_on_at_the_left_edge_stay_with_their_answers() {
    let answers = [
        (
            "Reverse the flux of this machine and of all others here",
            "It takes effect at once and for all who work here",
        ),
        (
            "Leave it as it is until somebody says what it should be",
            "Nothing happens to it before the end of the next week",
        ),
        ("Ask later", "The question comes again when the next conversation begins"),
    ];
    for columns in 30..=120 {
        let mut rows = String::from("  Shall it be?\n\n");
        for (at, (label, description)) in answers.iter().enumerate() {
            let label = edged(5, label, columns).split_off(5);
            let mark = if at == 0 { '>' } else { ' ' };
            let description = edged(5, description, columns);
            let _ = write!(rows, "{mark} {}. {label}\n{description}\n\n", at + 1);
        }
        rows += "  Press enter to continue";
        let found = read(columns as u16, &rows);
        assert_eq!(found.kind, AskKind::Choice, "{columns}\n{rows}");
        assert_eq!(labels(&found).len(), 3, "{columns}\n{rows}");
        for (choice, (label, description)) in found.choices.iter().zip(answers) {
            // Where a label's last row is full, nobody can tell where it ends.
            let all = [Some(choice.label.as_str()), choice.description.as_deref()];
            let all = all.into_iter().flatten().collect::<Vec<_>>().join(" ");
            assert_eq!(all, format!("{label} {description}"), "{columns}\n{rows}");
        }
    }
}
