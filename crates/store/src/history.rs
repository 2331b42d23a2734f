//! What happened, for a person to read later.

use belfry_protocol::SessionId;
use jiff::Timestamp;
use rusqlite::params;

use crate::rows::{At, Id, from_json, json};
use crate::{Result, Store};

/// Happenings that are kept for each session.
pub const KEPT: u32 = 500;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// When.
    pub at: Timestamp,
    /// To which session; none for what concerns Belfry itself.
    pub session: Option<SessionId>,
    /// One word: `created`, `started`, `ended`, `renamed`, …
    pub kind: String,
    /// More, by kind. Never what a terminal printed.
    pub detail: serde_json::Value,
}

impl Store {
    /// Adds to the history. Of a session's, the newest [`KEPT`] stay.
    pub fn record(&mut self, happening: &Happening) -> Result<()> {
        self.connection
            .prepare_cached("INSERT INTO events (at, session, kind, detail) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![
                At(happening.at),
                happening.session.map(Id),
                happening.kind,
                json(&happening.detail)
            ])?;
        if let Some(session) = happening.session {
            self.connection
                .prepare_cached(
                    "DELETE FROM events WHERE session = ?1 AND seq <= (SELECT seq FROM events WHERE session = ?1
                     ORDER BY seq DESC LIMIT 1 OFFSET ?2)",
                )?
                .execute(params![Id(session), KEPT])?;
        }
        Ok(())
    }

    /// The newest of a session's history of one kind, newest first.
    pub fn history_of(&self, session: SessionId, kind: &str, limit: u32) -> Result<Vec<Happening>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT at, kind, detail FROM events WHERE session = ?1 AND kind = ?2 ORDER BY seq DESC LIMIT ?3",
        )?;
        let rows = statement.query_map(params![Id(session), kind, limit], |row| read(session, row))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The newest of a session's history, newest first.
    pub fn history(&self, session: SessionId, limit: u32) -> Result<Vec<Happening>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT at, kind, detail FROM events WHERE session = ?1 ORDER BY seq DESC LIMIT ?2",
        )?;
        let rows = statement.query_map(params![Id(session), limit], |row| read(session, row))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Forgets what is older; says how much that was.
    pub fn forget_history(&mut self, before: Timestamp) -> Result<usize> {
        Ok(self.connection.execute("DELETE FROM events WHERE at < ?1", [At(before)])?)
    }
}

fn read(session: SessionId, row: &rusqlite::Row<'_>) -> rusqlite::Result<Happening> {
    let At(at) = row.get(0)?;
    Ok(Happening {
        at,
        session: Some(session),
        kind: row.get(1)?,
        detail: from_json(&row.get::<_, String>(2)?),
    })
}
