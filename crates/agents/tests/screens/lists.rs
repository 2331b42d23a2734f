//! Lists that show a few of their answers at a time, boxes to tick, and answers that are half typed.

use belfry_agents::{AnswerBy, Dialog};
use belfry_protocol::ask::{AskKind, Choice};

use super::given::{AGENTS, Screen};

fn dialog(agent: &str, rows: &str) -> Dialog {
    let reading = AGENTS.get(agent).unwrap().read(None, &Screen::at_prompt(rows).view());
    reading.dialog.unwrap_or_else(|| panic!("no dialog: {rows}"))
}

fn keys(dialog: &Dialog) -> Vec<&str> {
    dialog.choices.iter().map(|choice| choice.key.as_str()).collect()
}

const TOP: &str = "
╭──────────────────────────────────────────────────────╮
│ Answer Questions                                     │
│                                                      │
│ Which colour do you want?                            │
│ (Select all that apply)                              │
│                                                      │
│ ▲                                                    │
│ ● 1. [ ] Red                                         │
│          A warm one                                  │
│   2. [ ] Blue                                        │
│          A cold one                                  │
│   3. [ ] All of the above                            │
│          Select all options                          │
│ ▼                                                    │
│                                                      │
│ Enter to select · ↑/↓ to navigate · Esc to cancel    │
╰──────────────────────────────────────────────────────╯";

const END: &str = "
╭──────────────────────────────────────────────────────╮
│ Answer Questions                                     │
│                                                      │
│ Which colour do you want?                            │
│ (Select all that apply)                              │
│                                                      │
│ ▲                                                    │
│   3. [ ] All of the above                            │
│          Select all options                          │
│   4. [ ] Enter a custom value                        │
│ ●  Done                                              │
│    Finish selection                                  │
│ ▼                                                    │
│                                                      │
│ Enter to select · ↑/↓ to navigate · Esc to cancel    │
╰──────────────────────────────────────────────────────╯";

#[test]
#[ntest::timeout(60000)]
fn a_list_that_scrolls_is_known_by_what_was_seen_of_it() {
    let (top, end) = (dialog("gemini", TOP), dialog("gemini", END));
    assert_eq!(top.text, "Which colour do you want?");
    assert_eq!((keys(&top), top.selected, top.ticks_all), (vec!["1", "2", "3", "s"], Some(0), Some(2)));
    assert!(top.scrolls && matches!(top.answer, AnswerBy::Walk { .. }), "{top:?}");
    assert_eq!((keys(&end), end.selected), (vec!["3", "t", "s"], Some(2)));
    assert!(end.choices[1].takes_text);
    let both = end.joined(&top).unwrap();
    assert_eq!(
        (keys(&both), both.selected, both.ticks_all),
        (vec!["1", "2", "3", "t", "s"], Some(4), Some(2))
    );
    assert_eq!(both.joined(&top).unwrap(), both);
    // Whatever lies in the field, it is one.
    let filled = dialog("gemini", &END.replace("Enter a custom value", "green               "));
    assert_eq!((keys(&filled), filled.choices[1].takes_text), (vec!["3", "t", "s"], true));
    // Another question with the same answers is another list.
    let other = dialog("gemini", &TOP.replace("colour", "flavor"));
    assert_eq!(other.joined(&top), None);
    assert!(dialog("gemini", &TOP.replace("Blue", "Teal")).joined(&top).is_none());
}

#[test]
#[ntest::timeout(60000)]
fn one_of_many_and_a_text_of_ones_own() {
    let one =
        TOP.replace("│ (Select all that apply)                              │\n", "").replace("[ ] ", " ");
    let one = one.replace("All of the above", "Green           ");
    let one = dialog("gemini", &one);
    assert_eq!(keys(&one), ["1", "2", "3", "t"]);
    assert!(one.choices[3].takes_text && one.takes_text && one.answer != AnswerBy::Unknown);
}

#[test]
#[ntest::timeout(60000)]
fn several_questions_are_reviewed_and_some_want_words() {
    let review = dialog(
        "gemini",
        "
╭──────────────────────────────────────────────────────────────────╮
│ Answer Questions                                                 │
│                                                                  │
│ ← ✓ Colour │ ✓ Size │ ≡ Review →                                 │
│                                                                  │
│ Review your answers:                                             │
│                                                                  │
│ Colour → Red                                                     │
│ Size → Blue                                                      │
│                                                                  │
│ Enter to submit · Tab/Shift+Tab to edit answers · Esc to cancel  │
╰──────────────────────────────────────────────────────────────────╯",
    );
    assert_eq!((review.kind, &review.answer), (AskKind::Enter, &AnswerBy::Enter));
    assert_eq!(review.detail.body.as_deref(), Some("Colour → Red\nSize → Blue"));
    let words = dialog(
        "gemini",
        "
╭──────────────────────────────────────────────────────────────────╮
│ Answer Questions                                                 │
│                                                                  │
│ What shall it be called?                                         │
│                                                                  │
│ > Enter your response                                            │
│                                                                  │
│ Enter to submit · Esc to cancel                                  │
╰──────────────────────────────────────────────────────────────────╯",
    );
    assert_eq!((words.kind, words.takes_text), (AskKind::Question, true));
    assert_eq!(words.text, "What shall it be called?");
    assert!(words.choices.is_empty() && words.answer == AnswerBy::Enter);
}

#[test]
#[ntest::timeout(60000)]
fn boxes_for_the_servers_of_a_project() {
    let rows = "
────────────────────────────────────────────────────────────
  3 new MCP servers found in this project
  Select any you wish to enable.

  MCP servers may execute code or access system resources.

  ❯ [✔] one
    [✔] two
    [ ] three
       Enable selected

 Space to select · Esc to reject all";
    let boxes = dialog("claude", rows);
    assert_eq!((boxes.kind, keys(&boxes)), (AskKind::Trust, vec!["1", "2", "3", Choice::SUBMIT]));
    assert_eq!((boxes.tick.as_deref(), boxes.selected), (Some(b" ".as_slice()), Some(0)));
    let ticked: Vec<_> = boxes.choices.iter().map(|choice| choice.ticked).collect();
    assert_eq!(ticked, [Some(true), Some(true), Some(false), None]);
    let submit = dialog(
        "claude",
        &rows.replace("❯ [✔] one", "  [✔] one").replace("     Enable selected", "❯    Enable selected"),
    );
    assert_eq!((submit.selected, submit.fingerprint()), (Some(3), boxes.fingerprint()));
}

#[test]
#[ntest::timeout(60000)]
fn an_answer_that_is_half_typed_is_seen() {
    let asked = |typed: &str| dialog("aider", &format!("Create new file? (Y)es/(N)o [Yes]: {typed}"));
    assert_eq!((asked("").half_typed, asked("y").half_typed), (false, true));
    assert_eq!(asked("").fingerprint(), asked("y").fingerprint());
}
