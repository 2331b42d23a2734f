//! What looks like a dialog or like work, and is neither.

use belfry_agents::{Place, Reading};

use super::given::{AGENTS, Screen};

/// Rows that an agent may print: quoted dialogs, files, logs, spinners.
const TRAPS: &[&str] = &[
    " Do you want to proceed?\n ❯ 1. Yes\n   2. Yes, and don't ask again\n   3. No\n\n Esc to cancel · Tab to amend",
    "  Would you like to run the following command?\n\n  $ rm -rf /\n\n› 1. Yes, proceed (y)\n  2. No (esc)\n\n  \
     Press enter to confirm or esc to cancel",
    " Quick safety check: Is this a project you created or one you trust?\n ❯ No, exit\n   Yes, I trust this folder\n\n \
     Enter to confirm · Esc to cancel",
    "│ ? Shell  touch x │\n│ Allow execution of [Shell]? │\n│ ● 1. Allow once │\n│   2. No, suggest changes (esc) │",
    "  ┃  △ Permission required\n  ┃    # Shell command\n  ┃  $ touch x\n  ┃   Allow once   Allow always   Reject",
    "Create new file? (Y)es/(N)o [Yes]: ",
    "Overwrite? [y/N]\nContinue? [Y/n]\n12 tests: [Y/n] [y/N] (yes/no)\nPassword:",
    "✢ Crafting… (4s · ↓ 38 tokens)\n  esc to interrupt\n• Working (5s • esc to interrupt)\n ⠏ Thinking... (esc to cancel, 3s)",
    "We're changing auto mode\n\n  Enter to continue · Esc to cancel",
    "● API Error: 529\n■ exceeded retry limit\n✕ [API Error: 400]",
    "❯ 1. Red\n     A warm one\n  2. Blue\n\nEnter to select · ↑/↓ to navigate · Esc to cancel",
];

fn read(agent: &str, rows: &str) -> Reading {
    AGENTS.get(agent).unwrap().read(None, &Screen::at_prompt(rows).view())
}

/// The foot of each agent's screen at its prompt, below a conversation and below the end of its last turn.
fn foot(agent: &str, width: usize) -> String {
    let line = "─".repeat(width);
    match agent {
        "claude" => format!("\n● That is all.\n\n✻ Baked for 5s · done 2:01 PM\n\n{line}\n❯\n{line}\n  ? for shortcuts"),
        "codex" => "\n  Worked for 5s • 14:14\n\n\n› Ask Codex to do anything\n\n  gpt · /home/me/p\n  ? for shortcuts".to_owned(),
        "gemini" => format!(
            "\n✦ That is all.\n\n\n{:>width$}\n{line}\n Shift+Tab to accept edits\n{}\n >   Type your message\n{}\n workspace (/directory)\n /home/me/p",
            "? for shortcuts",
            "▄".repeat(width),
            "▀".repeat(width)
        ),
        "opencode" => format!(
            "\n     ▣  Build · Model · 4.3s\n\n  ┃\n  ┃\n  ┃\n  ┃  Build · Model\n  ╹{}\n   /home/me/p    ctrl+p commands",
            "▀".repeat(width - 4)
        ),
        _ => format!("\nTokens: 777 sent, 10 received.\n{line}\n>"),
    }
}

#[test]
#[ntest::timeout(60000)]
fn what_stands_above_an_input_box_is_conversation() {
    for agent in ["claude", "codex", "gemini", "opencode", "aider"] {
        for width in [44, 80, 120, 200] {
            for trap in TRAPS.iter().map(|trap| (*trap).to_owned()).chain([TRAPS.join("\n\n")]) {
                let indented = format!("     {}", trap.replace('\n', "\n     "));
                for text in [&trap, &indented] {
                    let reading = read(agent, &format!("{text}\n{}", foot(agent, width)));
                    assert_eq!(reading.place, Place::Prompt, "{agent} at {width}:\n{text}\n{reading:?}");
                    assert_eq!(reading.dialog, None);
                    assert_eq!(
                        (reading.failed, reading.blocked, reading.draft),
                        (None, None, None),
                        "{agent}: {text}"
                    );
                }
            }
        }
    }
}

#[test]
#[ntest::timeout(60000)]
fn dialogs_of_others_in_the_middle_of_an_answer_are_no_dialogs() {
    // While Claude works, its footer says so; the quoted dialog is right above the input box.
    let line = "─".repeat(80);
    for trap in TRAPS {
        let rows = format!(
            "● It said:\n{trap}\n\n✢ Crafting… (4s · ↓ 38 tokens)\n\n{line}\n❯\n{line}\n  esc to interrupt"
        );
        let reading = read("claude", &rows);
        assert_eq!((reading.place, reading.dialog), (Place::Working, None), "{trap}");
    }
}

#[test]
#[ntest::timeout(60000)]
fn a_question_at_the_top_of_a_long_screen_is_old() {
    for agent in ["claude", "codex", "gemini", "opencode", "aider"] {
        for trap in TRAPS {
            let rows = format!("{trap}\n{}", "more of the answer\n".repeat(30));
            let reading = read(agent, &rows);
            assert_eq!(reading.dialog, None, "{agent}: {trap}");
        }
    }
}

#[test]
#[ntest::timeout(60000)]
fn a_numbered_draft_is_no_menu() {
    let rows =
        "  Worked for 5s • 14:14\n\n\n› 1. do this\n  2. do that\n\n  gpt · /home/me/p\n  ? for shortcuts";
    let mut screen = Screen::at_prompt(rows);
    screen.cursor = (12, 4);
    screen.cursor_visible = true;
    let reading = AGENTS.get("codex").unwrap().read(None, &screen.view());
    assert_eq!((reading.place, reading.dialog), (Place::Prompt, None));
    assert_eq!(reading.draft.as_deref(), Some("1. do this\n2. do that"));
}

#[test]
#[ntest::timeout(60000)]
fn drafts_and_hints_are_told_apart() {
    let line = "─".repeat(80);
    let rows = format!("\n{line}\n❯ write the tests\n  and run them\n{line}\n  ? for shortcuts");
    let mut screen = Screen::at_prompt(&rows);
    let claude = AGENTS.get("claude").unwrap();
    screen.cursor = (14, 3);
    let draft = claude.read(None, &screen.view()).draft;
    assert_eq!(draft.as_deref(), Some("write the tests\nand run them"));
    // A suggestion: the cursor is still where a text would begin.
    screen.cursor = (2, 2);
    assert_eq!(claude.read(None, &screen.view()).draft, None);
}
