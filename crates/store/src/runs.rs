//! Runs of sessions.

use std::collections::HashMap;

use belfry_protocol::SessionId;
use belfry_protocol::session::Run;
use rusqlite::{Connection, Row, params};

use crate::rows::{At, Id, from_json, json};
use crate::{Result, Store};

/// Runs that a session carries, newest first.
pub(crate) const CARRIED: u32 = 10;

impl Store {
    /// Adds a run or changes it.
    pub fn save_run(&mut self, session: SessionId, run: &Run) -> Result<()> {
        save(&self.connection, session, run)
    }

    /// All runs of a session, newest first.
    pub fn runs(&self, session: SessionId) -> Result<Vec<Run>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, started_at, ended_at, exit, pid, keeper_pid FROM runs WHERE session = ?1
             ORDER BY started_at DESC, id DESC",
        )?;
        let rows = statement.query_map([Id(session)], read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

pub(crate) fn save(connection: &Connection, session: SessionId, run: &Run) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO runs (id, session, started_at, ended_at, exit, pid, keeper_pid)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at, exit = excluded.exit, pid = excluded.pid,
             keeper_pid = excluded.keeper_pid WHERE (ended_at, exit, pid, keeper_pid)
             IS NOT (excluded.ended_at, excluded.exit, excluded.pid, excluded.keeper_pid)",
        )?
        .execute(params![
            Id(run.id),
            Id(session),
            At(run.started_at),
            run.ended_at.map(At),
            run.exit.as_ref().map(json),
            run.pid,
            run.keeper_pid
        ])?;
    Ok(())
}

/// The newest runs of every session.
pub(crate) fn newest(connection: &Connection) -> Result<HashMap<SessionId, Vec<Run>>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, started_at, ended_at, exit, pid, keeper_pid, session FROM (SELECT *, row_number() OVER
         (PARTITION BY session ORDER BY started_at DESC, id DESC) AS place FROM runs) WHERE place <= ?1 ORDER BY place",
    )?;
    let mut rows = statement.query([CARRIED])?;
    let mut runs: HashMap<SessionId, Vec<Run>> = HashMap::new();
    while let Some(row) = rows.next()? {
        let Id(session) = row.get(6)?;
        runs.entry(session).or_default().push(read(row)?);
    }
    Ok(runs)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Run> {
    let (Id(id), At(started_at)) = (row.get(0)?, row.get(1)?);
    Ok(Run {
        id,
        started_at,
        ended_at: row.get::<_, Option<At>>(2)?.map(|At(at)| at),
        exit: row.get::<_, Option<String>>(3)?.and_then(|exit| from_json(&exit)),
        pid: row.get(4)?,
        keeper_pid: row.get(5)?,
    })
}
