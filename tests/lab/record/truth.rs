//! What is true of an agent, as far as a scenario needs it: from its screen, its title, its report and its modes.

/// Where the agent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Place {
    /// It has not shown its prompt.
    Starting,
    Working,
    Asking,
    Prompt,
    /// At its prompt, after an error.
    Failed,
}

impl Place {
    pub(super) fn status(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Working => "running",
            Self::Asking => "waiting",
            Self::Prompt => "idle",
            Self::Failed => "blocked",
        }
    }
}

/// What is seen.
#[derive(Debug, Default)]
pub(in super::super) struct Sight<'a> {
    pub(in super::super) rows: &'a [String],
    pub(in super::super) title: &'a str,
    /// The `state` of the last OSC 7501 without an id.
    pub(in super::super) report: Option<&'a str>,
    pub(in super::super) bracketed_paste: bool,
}

pub(in super::super) fn place(agent: &str, sight: &Sight<'_>) -> Place {
    let rows: Vec<&str> = sight.rows.iter().map(|row| row.trim_end()).filter(|row| !row.is_empty()).collect();
    match agent {
        "claude" => claude(&rows),
        "codex" => codex(&rows, sight),
        "gemini" => gemini(&rows, sight),
        "opencode" => opencode(&rows),
        _ => aider(&rows, sight),
    }
}

fn last<'a>(rows: &'a [&'a str], count: usize) -> &'a [&'a str] {
    &rows[rows.len().saturating_sub(count)..]
}

fn any(rows: &[&str], texts: &[&str]) -> bool {
    rows.iter().any(|row| texts.iter().any(|text| row.contains(text)))
}

fn claude(rows: &[&str]) -> Place {
    let rule = |row: &&str| row.starts_with("────");
    let bottom = rows.iter().rposition(rule);
    let top = bottom.and_then(|bottom| rows[..bottom].iter().rposition(rule));
    let composer = match (top, bottom) {
        (Some(top), Some(bottom)) => {
            rows.get(top + 1).is_some_and(|row| row.starts_with('❯')) && rows.len() - bottom <= 8
        }
        _ => false,
    };
    if !composer {
        let keys = ["Esc to cancel", "Enter to select", "Enter to confirm", "❯ 1. ", "Esc to close"];
        return if any(last(rows, 12), &keys) { Place::Asking } else { Place::Starting };
    }
    let (top, bottom) = (top.unwrap_or(0), bottom.unwrap_or(0));
    let spins = |row: &&str| {
        let mut chars = row.chars();
        chars.next().is_some_and(|c| "·✢✳✶✻✽*".contains(c)) && row.contains('…')
    };
    let above = &rows[top.saturating_sub(4)..top];
    // What it waited for earlier stays above.
    let waits =
        any(last(above, 1), &["background agent to finish"]) || any(above, &["Waiting for permission"]);
    if any(&rows[bottom..], &["esc to interrupt"]) || above.iter().any(spins) || waits {
        Place::Working
    } else if any(above, &["API Error"]) {
        Place::Failed
    } else {
        Place::Prompt
    }
}

fn codex(rows: &[&str], sight: &Sight<'_>) -> Place {
    let keys = ["enter to confirm", "enter to submit", "enter select", "enter confirm", "enter continue"];
    if any(last(rows, 2), &keys) {
        return Place::Asking;
    }
    let spins = matches!(sight.title.chars().next(), Some('\u{2800}'..='\u{28ff}'));
    match sight.report {
        Some("working" | "blocked") => Place::Working,
        Some("error") => Place::Failed,
        // Versions without a report: the title spins.
        None if sight.title.is_empty() => Place::Starting,
        None if spins => Place::Working,
        Some(_) | None => Place::Prompt,
    }
}

fn gemini(rows: &[&str], sight: &Sight<'_>) -> Place {
    let asks = ["● 1. ", "Enter to select", "Enter Gemini API Key"];
    let composer = any(last(rows, 6), &["Type your message", " > "]);
    match sight.title.chars().next() {
        Some('✦' | '⏲') => Place::Working,
        Some('✋') => Place::Asking,
        Some('◇') if composer => Place::Prompt,
        _ if any(last(rows, 12), &asks) => Place::Asking,
        _ => Place::Starting,
    }
}

fn opencode(rows: &[&str]) -> Place {
    let foot = last(rows, 4);
    // Cut off in narrow terminals.
    if any(foot, &["enter con", "enter submit", "esc dismiss"]) {
        Place::Asking
    } else if any(foot, &["esc interrupt", "esc again to interrupt", "[retrying"]) {
        Place::Working
    } else if any(rows, &["ctrl+p commands", "Ask anything"]) {
        Place::Prompt
    } else {
        Place::Starting
    }
}

fn aider(rows: &[&str], sight: &Sight<'_>) -> Place {
    match (sight.bracketed_paste, rows.last()) {
        (true, Some(row)) if row.contains("(Y)es/(N)o") => Place::Asking,
        (true, _) => Place::Prompt,
        (false, _) => Place::Working,
    }
}
