//! A question, for people: in a few words, and whole.

use belfry_protocol::ask::{Approves, Ask, AskKind, Choice, Risk};
use jiff::Timestamp;

use super::{Color, Sheet, Style, ago, block, brief};

/// More of a command or a question is not read in a list.
const MOST: usize = 120;
/// Lines of a change or a plan that are shown; the dialog itself has the rest.
const MOST_LINES: usize = 40;

/// What is wanted of the person: `approve: cargo test`.
pub(crate) fn wanted(ask: &Ask) -> String {
    let of = &ask.detail;
    let subject = [&of.command, &of.path, &of.url, &of.tool].into_iter().flatten().next();
    let subject = brief(subject.map_or(ask.text.as_str(), String::as_str), MOST);
    let text = brief(&ask.text, MOST);
    let (verb, about) = match ask.kind {
        AskKind::Approval => ("approve", subject),
        AskKind::Trust => ("trust", subject),
        AskKind::Plan => ("approve its plan", text),
        AskKind::Question => ("asks", text),
        AskKind::Login => ("sign in", text),
        AskKind::Choice => ("choose", text),
        AskKind::Enter => ("press Enter", text),
        AskKind::Input => ("input", text),
    };
    if about.is_empty() { verb.to_owned() } else { format!("{verb}: {about}") }
}

/// What kind of question it is, in words.
fn kind(ask: &Ask) -> &'static str {
    match (ask.kind, ask.approves) {
        (AskKind::Approval, Some(Approves::Command)) => "to approve a command",
        (AskKind::Approval, Some(Approves::Edit)) => "to approve a change of a file",
        (AskKind::Approval, Some(Approves::Fetch)) => "to approve a fetch from the network",
        (AskKind::Approval, Some(Approves::Mcp)) => "to approve a tool of an MCP server",
        (AskKind::Approval, _) => "to approve what it does next",
        (AskKind::Plan, _) => "to approve its plan",
        (AskKind::Question, _) => "a question",
        (AskKind::Trust, _) => "to be trusted",
        (AskKind::Login, _) => "to sign in",
        (AskKind::Choice, _) => "to choose",
        (AskKind::Enter, _) => "for Enter",
        (AskKind::Input, _) => "for a line or a key",
    }
}

/// All of a question, as lines of a sheet. `answer` is the command that answers it.
pub(crate) fn describe(sheet: &mut Sheet, ask: &Ask, style: Style, now: Timestamp, answer: &str) {
    let opened = format!("{}, for {}", kind(ask), ago(ask.opened_at, now));
    sheet.add("asks", style.paint(&opened, Color::Yellow));
    sheet.add_all("", block(&ask.text, MOST_LINES));
    for (label, text) in [
        ("for command", &ask.detail.command),
        ("for file", &ask.detail.path),
        ("for address", &ask.detail.url),
        ("for tool", &ask.detail.tool),
        ("shown", &ask.detail.body),
    ] {
        sheet.add_all(label, block(text.as_deref().unwrap_or_default(), MOST_LINES));
    }
    if ask.risk > Risk::Low || ask.risk_reason.is_some() {
        let reason = ask.risk_reason.as_deref().map(|why| format!(": {}", brief(why, MOST)));
        let text = format!("{}{}", risk(ask.risk), reason.unwrap_or_default());
        sheet.add("risk", style.paint(&text, color(ask.risk)));
    }
    sheet.add_all("choices", choices(ask, style));
    sheet.add("answer", how(ask, answer));
}

/// The choices: key, label, and what is to be known of each.
pub(crate) fn choices(ask: &Ask, style: Style) -> Vec<String> {
    let width = ask.choices.iter().map(|choice| brief(&choice.key, 8).chars().count()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for choice in &ask.choices {
        let mut notes = Vec::new();
        if choice.risk > Risk::Low {
            notes.push(style.paint(&format!("{} risk", risk(choice.risk)), color(choice.risk)));
        }
        if choice.refuses {
            notes.push("refuses".to_owned());
        }
        if choice.takes_text {
            notes.push("takes --text".to_owned());
        }
        let notes = if notes.is_empty() { String::new() } else { format!("  ({})", notes.join(", ")) };
        let key = style.paint(&format!("{:<width$}", brief(&choice.key, 8)), Color::Bold);
        let tick = match choice.ticked {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => "",
        };
        lines.push(format!("{key}  {tick}{}{notes}", label(choice)));
        if let Some(text) = &choice.description {
            lines.push(format!("{:width$}  {}", "", style.paint(&brief(text, 2 * MOST), Color::Faint)));
        }
    }
    lines
}

/// A choice's label as it can be printed.
pub(crate) fn label(choice: &Choice) -> String {
    brief(&choice.label, 2 * MOST)
}

fn how(ask: &Ask, answer: &str) -> String {
    if !ask.answerable {
        return match &ask.obstacle {
            Some(obstacle) => brief(obstacle, MOST),
            None => "only where it runs: its dialog's keys are not known".to_owned(),
        };
    }
    if ask.choices.iter().any(|choice| choice.ticked.is_some()) {
        return format!("{answer} KEY,KEY ticks these and submits; {answer} KEY ticks one");
    }
    match (ask.choices.is_empty(), ask.takes_text) {
        (false, true) => format!("{answer} KEY, or --text TEXT"),
        (false, false) => format!("{answer} KEY"),
        (true, true) => format!("{answer} --text TEXT"),
        (true, false) => format!("{answer} Enter"),
    }
}

fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "low",
        Risk::Medium => "medium",
        Risk::High => "high",
    }
}

fn color(risk: Risk) -> Color {
    match risk {
        Risk::Low => Color::Faint,
        Risk::Medium => Color::Yellow,
        Risk::High => Color::Red,
    }
}

#[cfg(test)]
mod tests;
