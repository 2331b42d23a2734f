//! Messages, each sent at most once.
//!
//! A message moves from queued to sending before its first byte is typed, and to delivered or failed after its last. One
//! that is found sending when a daemon starts was cut off somewhere in between: it becomes unsure, and is not sent again.

use std::collections::HashMap;

use belfry_protocol::reply::{Delivery, Message};
use belfry_protocol::{MessageId, SessionId};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::rows::{At, Id, from_word, word};
use crate::{Result, Store, StoreError};

/// Longest text of a message, in bytes.
const LONGEST: usize = 1 << 20;

/// A message with its text.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredMessage {
    /// As clients see it.
    pub message: Message,
    /// For which session.
    pub session: SessionId,
    /// What is sent.
    pub text: String,
    /// When it was queued.
    pub queued_at: Timestamp,
}

impl std::fmt::Debug for StoredMessage {
    // The text may be confidential, and Debug output can reach a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} for {} ({} bytes)", self.message, self.session, self.text.len())
    }
}

impl Store {
    /// Queues a text for a session of the database.
    pub fn queue_message(
        &mut self,
        id: MessageId,
        session: SessionId,
        text: &str,
        sent_by: Option<SessionId>,
        now: Timestamp,
    ) -> Result<Message> {
        if text.len() > LONGEST {
            return Err(StoreError::TooLong { what: "message", limit: LONGEST });
        }
        self.connection.prepare_cached(
            "INSERT INTO messages (id, session, text, delivery, sent_by, queued_at) VALUES (?1, ?2, ?3, 'queued', ?4, ?5)",
        )?
        .execute(params![Id(id), Id(session), text, sent_by.map(Id), At(now)])?;
        Ok(Message { id, delivery: Delivery::Queued, why: None })
    }

    /// The oldest message that waits for a session.
    pub fn next_message(&self, session: SessionId) -> Result<Option<StoredMessage>> {
        let sql = format!("{SELECT} WHERE session = ?1 AND delivery = 'queued' ORDER BY seq LIMIT 1");
        Ok(self.connection.prepare_cached(&sql)?.query_row([Id(session)], read).optional()?)
    }

    /// Takes a queued message for typing. False where it is not queued (any more): it must not be typed then.
    pub fn start_message(&mut self, id: MessageId) -> Result<bool> {
        let sql = "UPDATE messages SET delivery = 'sending' WHERE id = ?1 AND delivery = 'queued'";
        Ok(self.connection.execute(sql, [Id(id)])? == 1)
    }

    /// Puts a message that was taken for typing back in its place: nothing of it was typed. False where it was not taken.
    pub fn requeue_message(&mut self, id: MessageId) -> Result<bool> {
        let sql = "UPDATE messages SET delivery = 'queued' WHERE id = ?1 AND delivery = 'sending'";
        Ok(self.connection.execute(sql, [Id(id)])? == 1)
    }

    /// Takes a message back that still waits; false where it does not.
    pub fn take_back_message(&mut self, id: MessageId, why: &str, now: Timestamp) -> Result<bool> {
        let sql = "UPDATE messages SET delivery = 'failed', why = ?2, ended_at = ?3
                   WHERE id = ?1 AND delivery = 'queued'";
        Ok(self.connection.execute(sql, params![Id(id), why, At(now)])? == 1)
    }

    /// The messages of a session that have not ended, and the newest that have, oldest first.
    pub fn recent_messages(&self, session: SessionId, ended: u32) -> Result<Vec<StoredMessage>> {
        let sql = format!(
            "{SELECT} WHERE session = ?1 AND (delivery IN ('queued', 'sending') OR seq IN (SELECT seq FROM messages
             WHERE session = ?1 AND delivery NOT IN ('queued', 'sending') ORDER BY seq DESC LIMIT ?2)) ORDER BY seq"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params![Id(session), ended], read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Notes how the typing ended: delivered, failed or unsure; one that still waits can only fail. False where the message
    /// had ended before.
    pub fn end_message(
        &mut self,
        id: MessageId,
        how: Delivery,
        why: Option<&str>,
        now: Timestamp,
    ) -> Result<bool> {
        let from = if how == Delivery::Failed { "'sending', 'queued'" } else { "'sending'" };
        let sql = format!(
            "UPDATE messages SET delivery = ?2, why = ?3, ended_at = ?4 WHERE id = ?1 AND delivery IN ({from})"
        );
        Ok(self.connection.execute(&sql, params![Id(id), word(&how), why, At(now)])? == 1)
    }

    /// To be called once when a daemon starts: those that were being typed when the last one ended become unsure. Says which.
    pub fn messages_cut_off(&mut self, now: Timestamp) -> Result<Vec<StoredMessage>> {
        self.atomically(|connection| {
            let sql = format!("{SELECT} WHERE delivery = 'sending' ORDER BY seq");
            let mut cut: Vec<StoredMessage> =
                connection.prepare(&sql)?.query_map([], read)?.collect::<Result<_, _>>()?;
            let why = "Belfry ended while it was being typed";
            let sql =
                "UPDATE messages SET delivery = 'unsure', why = ?1, ended_at = ?2 WHERE delivery = 'sending'";
            connection.execute(sql, params![why, At(now)])?;
            for stored in &mut cut {
                stored.message.delivery = Delivery::Unsure;
                stored.message.why = Some(why.to_owned());
            }
            Ok(cut)
        })
    }

    /// One message.
    pub fn message(&self, id: MessageId) -> Result<Option<StoredMessage>> {
        Ok(self
            .connection
            .prepare_cached(&format!("{SELECT} WHERE id = ?1"))?
            .query_row([Id(id)], read)
            .optional()?)
    }

    /// The messages of a session, oldest first.
    pub fn messages(&self, session: SessionId) -> Result<Vec<StoredMessage>> {
        let mut statement =
            self.connection.prepare_cached(&format!("{SELECT} WHERE session = ?1 ORDER BY seq"))?;
        let rows = statement.query_map([Id(session)], read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

const SELECT: &str = "SELECT id, delivery, why, session, text, queued_at FROM messages";

fn read(row: &Row<'_>) -> rusqlite::Result<StoredMessage> {
    let (Id(id), Id(session), At(queued_at)) = (row.get(0)?, row.get(3)?, row.get(5)?);
    // An unknown word must not be sent.
    let delivery = from_word(&row.get::<_, String>(1)?).unwrap_or(Delivery::Unsure);
    let message = Message { id, delivery, why: row.get(2)? };
    Ok(StoredMessage { message, session, text: row.get(4)?, queued_at })
}

/// How many wait for each session.
pub(crate) fn queued(connection: &Connection) -> Result<HashMap<SessionId, u32>> {
    let mut statement = connection.prepare_cached(
        "SELECT session, count(*) FROM messages WHERE delivery IN ('queued', 'sending') AND delivery = 'queued'
         GROUP BY session",
    )?;
    let rows = statement.query_map([], |row| {
        let Id(session) = row.get(0)?;
        Ok((session, row.get(1)?))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
