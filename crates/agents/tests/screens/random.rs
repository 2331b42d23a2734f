//! Whatever is on a screen, reading it ends, and says nothing impossible.

use belfry_agents::Place;
use proptest::collection::vec;
use proptest::prelude::*;

use super::given::{AGENTS, Screen};

/// Pieces of real screens, and what breaks careless arithmetic.
const PIECES: &[&str] = &[
    "❯ ",
    "› ",
    "● ",
    "> ",
    "1. ",
    "2. ",
    "10. ",
    "99) ",
    "Yes",
    "No",
    "│",
    "┃",
    "╭──────╮",
    "╰──────╯",
    "────────────────────",
    "▄▄▄▄▄▄▄▄▄▄",
    "▀▀▀▀▀▀▀▀▀▀",
    "╹▀▀▀▀▀▀▀▀▀▀",
    "╌╌╌╌╌╌╌╌",
    " ",
    "  ",
    "      ",
    "esc to interrupt",
    "(Y)es/(N)o [Yes]: ",
    "[y/N]",
    "Do you want to proceed?",
    "Bash command",
    "Enter to continue",
    "Allow once   Allow always   Reject",
    "日本語",
    "👩‍👩‍👧",
    "e\u{301}",
    "\u{a0}",
    "(",
    ")",
    "[",
    "]",
    "…",
    "⎿  Running…",
    "Bash(ls",
    "✢ ",
    "• ",
    "Worked for 1s • 1",
    "Permission required",
];

fn row() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => vec(proptest::sample::select(PIECES), 0..6).prop_map(|pieces| pieces.concat()),
        1 => "\\PC{0,40}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ntest::timeout(120_000)]
    fn any_screen_can_be_read(
        rows in vec(row(), 0..40),
        cursor in (0u16..300, 0u16..80),
        highlights in vec((0u16..50, 0u16..200, 0u16..200), 0..4),
        modes in any::<[bool; 3]>(),
    ) {
        let [cursor_visible, bracketed_paste, alternate] = modes;
        let rows = rows.into_iter().map(|row| row.trim_end().to_owned()).collect();
        let title = "t".to_owned();
        let screen = Screen { rows, cursor, cursor_visible, title, bracketed_paste, alternate, highlights, ..Screen::default() };
        for agent in AGENTS.iter() {
            let reading = agent.read(None, &screen.view());
            prop_assert_eq!(reading.place == Place::Dialog, reading.dialog.is_some());
            if let Some(dialog) = &reading.dialog {
                prop_assert!(dialog.selected.is_none_or(|place| place < dialog.choices.len()));
                prop_assert_eq!(dialog.fingerprint().len(), 16);
            }
            prop_assert!(!reading.inferred || reading.place == Place::Working);
        }
    }
}
