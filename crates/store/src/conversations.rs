//! The ledger of conversations: which of the agent's own threads a session had, since when, and how that was learnt.

use std::collections::HashMap;

use belfry_protocol::SessionId;
use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::rows::{At, Id};
use crate::{Result, Store};

/// One line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearntConversation {
    /// The agent's own id.
    pub id: String,
    /// When it was learnt.
    pub at: Timestamp,
    /// How: `launch`, `resume`, `registry`, `hook`, `transcript`, …
    pub how: String,
}

impl Store {
    /// Notes that a session is in that conversation from now on; an empty id says that it is in none yet. Nothing is written
    /// where it was so already.
    pub fn learn_conversation(
        &mut self,
        session: SessionId,
        id: &str,
        how: &str,
        at: Timestamp,
    ) -> Result<()> {
        learn(&self.connection, session, id, how, at)
    }

    /// The conversations of a session, newest first.
    pub fn conversations(&self, session: SessionId) -> Result<Vec<LearntConversation>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT conversation, learnt_at, how FROM conversations WHERE session = ?1 AND conversation != ''
             ORDER BY seq DESC",
        )?;
        let rows = statement.query_map([Id(session)], |row| {
            let At(at) = row.get(1)?;
            Ok(LearntConversation { id: row.get(0)?, at, how: row.get(2)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

pub(crate) fn learn(
    connection: &Connection,
    session: SessionId,
    id: &str,
    how: &str,
    at: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO conversations (session, conversation, learnt_at, how) SELECT ?1, ?2, ?3, ?4 WHERE ?2 IS NOT
             (SELECT conversation FROM conversations WHERE session = ?1 ORDER BY seq DESC LIMIT 1)",
        )?
        .execute(params![Id(session), id, At(at), how])?;
    Ok(())
}

/// The newest conversation of every session that is in one.
pub(crate) fn newest(connection: &Connection) -> Result<HashMap<SessionId, String>> {
    let mut statement =
        connection.prepare_cached("SELECT session, conversation FROM conversations ORDER BY seq")?;
    let rows = statement.query_map([], |row| {
        let Id(session) = row.get(0)?;
        Ok((session, row.get(1)?))
    })?;
    let mut newest: HashMap<SessionId, String> = rows.collect::<Result<_, _>>()?;
    newest.retain(|_, conversation| !conversation.is_empty());
    Ok(newest)
}
