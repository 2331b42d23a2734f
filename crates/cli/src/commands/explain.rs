//! `belfry explain`: why a session's status is what it is, in words for somebody who has never seen the code.

use belfry_protocol::explain::{Evidence, Explanation, StatusChange, Weight};
use belfry_protocol::signal::{Says, Source};
use belfry_protocol::{Reply, Request, Session, Status};
use jiff::Timestamp;

use crate::args::OneSession;
use crate::context::{Context, session, unexpected};
use crate::failure::Failure;
use crate::print::{Color, Style, Table, ago, brief, doing, plain, shape, span, word, wrap};

/// Changes that are shown; `--json` has all that the daemon keeps.
const MOST_CHANGES: usize = 10;
/// More of one observation is not read.
const MOST: usize = 300;

pub(crate) async fn run(context: &Context, args: OneSession) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let request = Request::ExplainSession { session: args.session.clone() };
    let explanation = match connection.request(request).await? {
        Reply::Explanation(explanation) => explanation,
        other => return Err(unexpected(&other)),
    };
    if context.printer.json {
        return Ok(crate::print::value(&explanation)?);
    }
    // What the list says of it, in the same words; by now it may have changed.
    let shown = connection.request(Request::ShowSession { session: args.session }).await;
    let shown = shown.map_err(Failure::from).and_then(session).ok();
    let shown = shown.filter(|session| session.status == explanation.status);
    let width = crate::print::width();
    for line in lines(&explanation, shown.as_ref(), context.printer.style, width, Timestamp::now()) {
        crate::print::line(&line)?;
    }
    Ok(())
}

fn lines(
    all: &Explanation,
    shown: Option<&Session>,
    style: Style,
    width: Option<usize>,
    now: Timestamp,
) -> Vec<String> {
    let (shape, word, color) = shown.map_or_else(|| word(all.status), shape);
    let reason = match shown {
        Some(session) => doing(session),
        None => all.reason.as_deref().map(|reason| brief(reason, MOST)).unwrap_or_default(),
    };
    let reason = if reason.is_empty() { reason } else { format!(": {reason}") };
    // `done` is not a status of its own.
    let unseen = shown.is_some_and(|session| session.status == Status::Idle && session.unseen);
    let reason = if unseen { format!(" (idle, and not looked at since){reason}") } else { reason };
    let version = all.version.as_deref().map(|version| format!(" {}", plain(version))).unwrap_or_default();
    let mut lines = vec![format!(
        "{} {} is {}{reason}",
        style.paint(shape, color),
        style.paint(&plain(&all.name), Color::Bold),
        style.paint(word, color)
    )];
    let doing = all.activity_since.map(|since| {
        let ms = u64::try_from(now.duration_since(since).as_millis()).unwrap_or(0);
        format!(", at that for {}", span(ms))
    });
    let doing = doing.unwrap_or_default();
    let since = format!("for {}{doing}; agent {}{version}", span(all.for_ms), plain(&all.agent));
    lines.extend(indented(&since, width));
    lines.push(String::new());
    lines.extend(indented(&plain(&all.rule), width));
    let inner = width.map(|width| width.saturating_sub(2));
    if !all.evidence.is_empty() {
        lines.extend(section("What was seen", style));
        lines.extend(inset(evidence(&all.evidence).lines(style, inner)));
    }
    if !all.missing.is_empty() {
        lines.extend(section("What could not be seen", style));
        for missing in &all.missing {
            let (why, costs) = (brief(&missing.why, MOST), brief(&missing.costs, MOST));
            let (why, costs) = (why.trim_end_matches('.'), costs.trim_end_matches('.'));
            let text = format!("{}: {why}. Without it: {costs}.", name(missing.source));
            lines.extend(indented(&text, width));
        }
    }
    if !all.history.is_empty() {
        lines.extend(section("How it came to this", style));
        lines.extend(inset(history(&all.history, now).lines(style, inner)));
        if let Some(more @ 1..) = all.history.len().checked_sub(MOST_CHANGES) {
            let text = format!("  and {more} earlier, with --json");
            lines.push(style.paint(&text, Color::Faint));
        }
    }
    lines
}

fn section(title: &str, style: Style) -> [String; 2] {
    [String::new(), style.paint(title, Color::Bold)]
}

fn inset(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}

fn indented(text: &str, width: Option<usize>) -> Vec<String> {
    let lines = match width {
        Some(width) => wrap(text, width.saturating_sub(2).max(20)),
        None => vec![text.to_owned()],
    };
    inset(lines).collect()
}

fn evidence(all: &[Evidence]) -> Table {
    let mut table = Table::new(&["WHERE", "AGE", "SAYS", "COUNTS", "WHAT"], &[(4, 24)]).wrapping();
    for one in all {
        let (weight, color) = weight(one.weight);
        let why = one.why.as_deref().map(|why| format!("; {}", brief(why, MOST))).unwrap_or_default();
        table.row(vec![
            (name(one.source).to_owned(), None),
            (span(one.age_ms), None),
            (one.says.map_or("", said).to_owned(), None),
            (weight.to_owned(), color),
            (format!("{}{why}", brief(&one.what, MOST)), None),
        ]);
    }
    table
}

fn history(all: &[StatusChange], now: Timestamp) -> Table {
    let mut table = Table::new(&["AGO", "FROM", "TO", "BY", "WHAT"], &[(4, 24)]).wrapping();
    for change in all.iter().take(MOST_CHANGES) {
        let by = Source::of(&change.source)
            .map_or_else(|| plain(&change.source), |source| name(source).to_owned());
        let reason = change.reason.as_deref().map(|reason| brief(reason, MOST)).unwrap_or_default();
        let what = brief(&change.what, MOST);
        let what = match (reason.is_empty(), what.is_empty()) {
            (false, false) => format!("{reason} ({what})"),
            _ => format!("{reason}{what}"),
        };
        table.row(vec![
            (ago(change.at, now), None),
            (change.from.word().to_owned(), None),
            (change.to.word().to_owned(), Some(word(change.to).2)),
            (by, None),
            (what, None),
        ]);
    }
    table
}

/// A source, as somebody would call it who does not know ours.
fn name(source: Source) -> &'static str {
    match source {
        Source::Process => "its process",
        Source::Program => "its own report",
        Source::Registry => "its session file",
        Source::Api => "its interface",
        Source::Hook => "its hooks",
        Source::Transcript => "its transcript",
        Source::Title => "terminal title",
        Source::Progress => "progress report",
        Source::Notification => "notification",
        Source::Modes => "terminal modes",
        Source::Screen => "its screen",
        Source::Foreground => "program in front",
        Source::Shell => "shell's marks",
        Source::Output => "amount of output",
        Source::Report => "worker's word",
    }
}

fn said(says: Says) -> &'static str {
    match says {
        Says::Starting => "starting",
        Says::Working => "working",
        Says::Asking => "asking",
        Says::Idle => "at its prompt",
        Says::Done => "turn over",
        Says::Failed => "failed",
        Says::Blocked => "cannot go on",
        Says::Gone => "gone",
    }
}

fn weight(weight: Weight) -> (&'static str, Option<Color>) {
    match weight {
        Weight::Decided => ("decides", Some(Color::Green)),
        Weight::Agrees => ("agrees", None),
        Weight::Overruled => ("overruled", Some(Color::Yellow)),
        Weight::Expired => ("too old", Some(Color::Faint)),
        Weight::Adds => ("adds to it", Some(Color::Faint)),
    }
}

#[cfg(test)]
mod tests;
