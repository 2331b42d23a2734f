//! Screens from files, and readings as text.

use std::fmt::Write as _;
use std::sync::LazyLock;

use belfry_agents::{Agents, AnswerBy, Place, Reading, ScreenView};

/// The built-in agents.
pub(crate) static AGENTS: LazyLock<Agents> = LazyLock::new(Agents::built_in);

/// A screen that a test made or read.
#[derive(Default)]
pub(crate) struct Screen {
    pub(crate) rows: Vec<String>,
    /// 0: not known.
    pub(crate) columns: u16,
    pub(crate) cursor: (u16, u16),
    pub(crate) cursor_visible: bool,
    pub(crate) title: String,
    pub(crate) bracketed_paste: bool,
    pub(crate) alternate: bool,
    pub(crate) highlights: Vec<(u16, u16, u16)>,
}

impl Screen {
    /// From a file's text.
    pub(crate) fn of(text: &str) -> Self {
        let (head, rows) = text.split_once('\n').unwrap();
        let mut screen = Self::at_prompt(rows);
        screen.bracketed_paste = false;
        // The title is last: it may have a bar in it.
        let (head, title) = head.split_once("| title").unwrap_or((head, ""));
        title.trim().clone_into(&mut screen.title);
        for part in head.trim_start_matches('#').split('|').map(str::trim).filter(|part| !part.is_empty()) {
            let (word, rest) = part.split_once(' ').unwrap_or((part, ""));
            let number = |text: &str| text.parse().unwrap();
            match word {
                "cursor" => {
                    let (at, hidden) = rest.split_once(' ').unwrap_or((rest, ""));
                    let (column, row) = at.split_once(',').unwrap();
                    screen.cursor = (number(column), number(row));
                    screen.cursor_visible = hidden.is_empty();
                }
                "columns" => screen.columns = number(rest),
                "paste" => screen.bracketed_paste = rest == "on",
                "alternate" => screen.alternate = true,
                "stands" => {
                    let cells: Vec<u16> = rest.split(' ').skip(1).map(number).collect();
                    screen.highlights.push((cells[0], cells[1], cells[2]));
                }
                _ => panic!("{part}"),
            }
        }
        screen
    }

    /// From rows alone: as it is while a program waits at its prompt.
    pub(crate) fn at_prompt(rows: &str) -> Self {
        let rows: Vec<String> = rows.lines().map(|row| row.trim_end().to_owned()).collect();
        Self {
            rows,
            cursor: (u16::MAX, u16::MAX),
            title: "t".to_owned(),
            bracketed_paste: true,
            ..Self::default()
        }
    }

    pub(crate) fn view(&self) -> ScreenView<'_> {
        ScreenView {
            rows: &self.rows,
            columns: self.columns,
            cursor: self.cursor,
            cursor_visible: self.cursor_visible,
            title: &self.title,
            bracketed_paste: self.bracketed_paste,
            alternate: self.alternate,
            highlights: &self.highlights,
        }
    }
}

/// A reading for people.
pub(crate) fn written(reading: &Reading) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: &str| {
        let mut lines = text.lines();
        writeln!(out, "{name}: {}", lines.next().unwrap_or_default()).unwrap();
        for more in lines {
            writeln!(out, "  | {more}").unwrap();
        }
    };
    let place = match reading.place {
        Place::Unknown => "unknown",
        Place::Prompt if reading.over => "prompt, turn over",
        Place::Prompt => "prompt",
        Place::Working if reading.inferred => "working (inferred)",
        Place::Working => "working",
        Place::Dialog => "dialog",
    };
    line("place", place);
    if let Some(dialog) = &reading.dialog {
        let answer = match &dialog.answer {
            AnswerBy::Walk { next, .. } => {
                format!("walk {}", if next == b"\x1b[B" { "down" } else { "right" })
            }
            other => format!("{other:?}").to_lowercase(),
        };
        let approves = dialog.approves.map(|what| format!(" of {what:?}")).unwrap_or_default();
        let kind = format!("{:?}{approves}", dialog.kind).to_lowercase();
        line("dialog", &format!("{} ({kind}), answered by {answer}", dialog.rule));
        line("text", &dialog.text);
        for (place, choice) in dialog.choices.iter().enumerate() {
            let mark = if dialog.selected == Some(place) { "*" } else { " " };
            let mut text = format!("{} [{:?}]", choice.label, choice.risk).to_lowercase();
            text.replace_range(..choice.label.to_lowercase().len(), &choice.label);
            for (told, word) in [(choice.refuses, " refuses"), (choice.takes_text, " takes text")] {
                text.push_str(if told { word } else { "" });
            }
            text.push_str(match choice.ticked {
                Some(true) => " ticked",
                Some(false) => " not ticked",
                None => "",
            });
            if let Some(description) = &choice.description {
                text.push_str(" -- ");
                text.push_str(description);
            }
            line(&format!("{mark} {}", choice.key), &text);
        }
        if dialog.takes_text {
            line("takes text", "yes");
        }
        let detail = &dialog.detail;
        let parts = [
            ("command", &detail.command),
            ("path", &detail.path),
            ("url", &detail.url),
            ("tool", &detail.tool),
            ("body", &detail.body),
        ];
        for (name, text) in parts {
            if let Some(text) = text {
                line(name, text);
            }
        }
        let reason = dialog.risk_reason.as_deref().unwrap_or("nothing speaks of any");
        line("risk", &format!("{:?}: {reason}", dialog.risk).to_lowercase());
    }
    for (name, text) in [
        ("activity", &reading.activity),
        ("retrying", &reading.retrying),
        ("failed", &reading.failed),
        ("mode", &reading.mode),
        ("draft", &reading.draft),
    ] {
        if let Some(text) = text {
            line(name, text);
        }
    }
    if let Some(blocked) = &reading.blocked {
        line("blocked", &format!("{}, until {:?}", blocked.reason, blocked.until));
    }
    for (name, count) in [("subagents", reading.subagents), ("background", reading.background)] {
        if count > 0 {
            line(name, &count.to_string());
        }
    }
    let matched: Vec<&str> = reading.matched.iter().map(|(name, _)| name.as_str()).collect();
    line("matched", &matched.join(", "));
    out
}
