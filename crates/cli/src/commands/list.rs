//! `belfry ls`.

use std::fmt::Write;

use belfry_client::Connection;
use belfry_protocol::session::Kind;
use belfry_protocol::{Reply, Request, Session, Status};
use jiff::Timestamp;

use super::mark::snoozed;
use crate::args::ListArgs;
use crate::context::{Context, unexpected};
use crate::failure::Failure;
use crate::print::{Color, Table, ago, doing, plain, shape, short_path};

pub(crate) async fn run(context: &Context, args: &ListArgs) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let sessions = sessions(&connection, args).await?;
    if context.printer.json {
        return Ok(crate::print::value(&sessions)?);
    }
    if sessions.is_empty() {
        let none = if args.status.is_empty() {
            "No sessions. `belfry new` starts one."
        } else {
            "No session is in that status."
        };
        return Ok(crate::print::line(none)?);
    }
    // An id is short as far as it fits no other session, listed or not.
    let every = crate::args::ListArgs { status: Vec::new(), all: true };
    let mut ids: Vec<String> =
        self::sessions(&connection, &every).await?.iter().map(|session| session.id.to_string()).collect();
    ids.sort_unstable();
    let table = table(&sessions, &ids, &connection.welcome().home, Timestamp::now());
    for line in table.lines(context.printer.style, crate::print::width()) {
        crate::print::line(&line)?;
    }
    Ok(())
}

/// All of them: an answer has as many as fit in a message.
pub(crate) async fn sessions(connection: &Connection, args: &ListArgs) -> Result<Vec<Session>, Failure> {
    let mut sessions: Vec<Session> = Vec::new();
    loop {
        let after = sessions.last().map(|session| session.id);
        let request = Request::ListSessions { status: args.status.clone(), all: args.all, after };
        match connection.request(request).await? {
            Reply::Sessions(page) if page.is_empty() => return Ok(sessions),
            Reply::Sessions(page) => sessions.extend(page),
            other => return Err(unexpected(&other)),
        }
    }
}

/// The columns that are cut where the terminal is narrow, and what each needs to be read: what it does or asks first.
const ELASTIC: &[(usize, usize)] = &[(2, 26), (4, 12), (6, 14)];
const DIRECTORY: usize = 6;
const DOING: usize = 2;

/// The most that the column takes of a wide terminal, in cells: the others are to stay beside it.
const MOST_DOING: usize = 56;

/// The list; `ids` are those of every session, sorted.
fn table(sessions: &[Session], ids: &[String], home: &str, now: Timestamp) -> Table {
    let head = ["ID", "STATUS", "DOING", "FOR", "NAME", "AGENT", "DIRECTORY"];
    let mut table = Table::new(&head, ELASTIC).spare(DIRECTORY).most(DOING, MOST_DOING);
    for session in sessions {
        let id = session.id.to_string();
        let (shape, word, color) = shape(session);
        let mut name = plain(&session.name);
        for (mark, is) in [
            ("pinned", session.pinned),
            ("muted", session.muted),
            ("snoozed", snoozed(session, now)),
            ("private", session.private),
            ("archived", session.archived_at.is_some()),
            ("in the trash", session.trashed_at.is_some()),
        ] {
            if is {
                let _ = write!(name, " ({mark})");
            }
        }
        if let Some(local) = session.local.as_ref().filter(|_| session.kind == Kind::Local) {
            let _ = write!(name, " ({})", plain(&local.place));
        }
        let cells = vec![
            (shortest(&id, ids).to_owned(), None),
            (format!("{shape} {word}"), Some(color)),
            (doing(session), None),
            (ago(session.since, now), Some(Color::Faint)),
            (name, Some(Color::Bold)),
            (plain(&session.agent), None),
            (short_path(&session.cwd, home), None),
        ];
        // Half an error says nothing.
        if matches!(session.status, Status::Blocked | Status::Dead | Status::Unknown) {
            table.row_whole(DOING, cells);
        } else {
            table.row(cells);
        }
    }
    table
}

/// The shortest beginning of `id` that fits no other one of `all`, which are sorted; at least eight characters. Ids begin
/// with their time, so those of sessions that were started together are alike for longer.
pub(crate) fn shortest<'a>(id: &'a str, all: &[String]) -> &'a str {
    let at = all.partition_point(|other| other.as_str() < id);
    let before = at.checked_sub(1).and_then(|before| all.get(before));
    let alike = before
        .into_iter()
        .chain(all.get(at + 1))
        .map(|other| other.bytes().zip(id.bytes()).take_while(|(a, b)| a == b).count())
        .max()
        .unwrap_or(0);
    &id[..(alike + 1).max(8).min(id.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_as_short_as_they_may_be() {
        let all = ["0190aaaa-1111", "0190aaaa-1122", "0190bbbb-0000"].map(str::to_owned);
        assert_eq!(shortest(&all[0], &all), "0190aaaa-111");
        assert_eq!(shortest(&all[2], &all), "0190bbbb");
        assert_eq!(shortest(&all[2], &all[2..]), "0190bbbb");
    }
}
