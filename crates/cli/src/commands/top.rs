//! `belfry top`: what each session takes of the machine.

use std::time::Duration;

use belfry_protocol::figures::{Figures, SessionFigures};
use belfry_protocol::{Reply, Request, Session, SessionId};

use super::list::{sessions, shortest};
use crate::args::{ListArgs, TopArgs};
use crate::context::{Context, session, unexpected};
use crate::failure::Failure;
use crate::print::{Color, Table, plain, shape};

/// The time between two looks, of which the second says how busy a session was since the first.
const BETWEEN: Duration = Duration::from_secs(1);

/// A session's line.
struct Line {
    session: Session,
    figures: SessionFigures,
    /// Percent of one core.
    cpu: f64,
}

pub(crate) async fn run(context: &Context, args: TopArgs) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let listed = sessions(&connection, &ListArgs { status: Vec::new(), all: true }).await?;
    let mut wanted: Option<Vec<SessionId>> = None;
    for named in args.sessions {
        let found = session(connection.request(Request::ShowSession { session: named }).await?)?;
        wanted.get_or_insert_default().push(found.id);
    }
    let look = || async {
        match connection.request(Request::MeasureSessions { sessions: wanted.clone() }).await? {
            Reply::Figures(figures) => Ok(figures),
            other => Err(unexpected(&other)),
        }
    };
    let before = look().await?;
    tokio::time::sleep(BETWEEN).await;
    let mut ids: Vec<String> = listed.iter().map(|session| session.id.to_string()).collect();
    ids.sort();
    let lines = lines(listed, &before, look().await?);
    if context.printer.json {
        let json = |line: &Line| {
            serde_json::json!({
                "id": line.session.id,
                "name": line.session.name,
                "status": line.session.status,
                "processes": line.figures.processes,
                "memory": line.figures.memory,
                "estimated": line.figures.estimated,
                "cpu_ms": line.figures.cpu_ms,
                "cpu_percent": (line.cpu * 10.0).round() / 10.0,
            })
        };
        return Ok(crate::print::value(&lines.iter().map(json).collect::<Vec<_>>())?);
    }
    if lines.is_empty() {
        return Ok(crate::print::line("No session lives.")?);
    }
    for line in table(&lines, &ids).lines(context.printer.style, crate::print::width()) {
        crate::print::line(&line)?;
    }
    Ok(())
}

/// What was found of each, that which takes most memory first.
fn lines(listed: Vec<Session>, before: &Figures, now: Figures) -> Vec<Line> {
    let passed = now.at_ms.saturating_sub(before.at_ms).max(1) as f64;
    let mut figures = now.sessions;
    let mut lines = Vec::new();
    for session in listed {
        let Some(at) = figures.iter().position(|one| one.id == session.id) else { continue };
        let figures = figures.swap_remove(at);
        let earlier = before.sessions.iter().find(|one| one.id == session.id);
        let used = earlier.map_or(0, |earlier| figures.cpu_ms.saturating_sub(earlier.cpu_ms));
        lines.push(Line { session, cpu: used as f64 * 100.0 / passed, figures });
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.figures.memory));
    lines
}

const NAME: usize = 5;

/// `all` are the ids of all sessions, sorted: an id is shortened by those that are not shown, too.
fn table(lines: &[Line], all: &[String]) -> Table {
    let head = ["ID", "MEMORY", "CPU", "PROCESSES", "STATUS", "NAME", "AGENT"];
    let mut table = Table::new(&head, &[(NAME, 12)]);
    for Line { session, figures, cpu } in lines {
        let id = session.id.to_string();
        let (shape, word, color) = shape(session);
        table.row(vec![
            (shortest(&id, all).to_owned(), None),
            (bytes(figures.memory, figures.estimated), None),
            (format!("{cpu:.1} %"), None),
            (figures.processes.to_string(), None),
            (format!("{shape} {word}"), Some(color)),
            (plain(&session.name), Some(Color::Bold)),
            (plain(&session.agent), None),
        ]);
    }
    if lines.len() > 1 {
        let memory = lines.iter().map(|line| line.figures.memory).sum();
        let estimated = lines.iter().any(|line| line.figures.estimated);
        let cpu: f64 = lines.iter().map(|line| line.cpu).sum();
        let processes: u32 = lines.iter().map(|line| line.figures.processes).sum();
        let cells = [
            "all".to_owned(),
            bytes(memory, estimated),
            format!("{cpu:.1} %"),
            processes.to_string(),
            String::new(),
            String::new(),
            String::new(),
        ];
        table.row(cells.into_iter().map(|text| (text, Some(Color::Faint))).collect());
    }
    table
}

/// An amount of memory for people.
pub(super) fn bytes(bytes: u64, estimated: bool) -> String {
    let about = if estimated { "~" } else { "" };
    let mb = bytes as f64 / f64::from(1 << 20);
    match mb {
        ..9.95 => format!("{about}{mb:.1} MB"),
        ..1000.0 => format!("{about}{mb:.0} MB"),
        _ => format!("{about}{:.1} GB", mb / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_short_to_read() {
        assert_eq!(bytes(300 << 20, false), "300 MB");
        assert_eq!(bytes(1536 << 20, true), "~1.5 GB");
        assert_eq!(bytes(1_500_000, false), "1.4 MB");
    }
}
