//! Questions of sessions: those that are open, and what became of the others.

use std::collections::HashMap;

use belfry_protocol::ask::{Approves, Ask, AskDetail, AskKind, AskOutcome, Choice, Risk};
use belfry_protocol::history::PastAsk;
use belfry_protocol::{AskId, SessionId};
use jiff::Timestamp;
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use crate::rows::{At, Id, from_json, from_word, json, word};
use crate::{Result, Store};

/// Closed ones that are kept for each session.
const KEPT: u32 = 200;

/// How a question ended, by whom and how it was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedAsk {
    /// How.
    pub outcome: AskOutcome,
    /// The label of the choice; never a text that was given, which may be a password.
    pub answer: Option<String>,
    /// `person`, with the kind of client where that is known.
    pub answered_by: Option<String>,
}

/// What of a question has no column of its own.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Rest {
    approves: Option<Approves>,
    takes_text: bool,
    risk: Risk,
    risk_reason: Option<String>,
    answerable: bool,
    about: AskDetail,
}

impl Store {
    /// Adds an open question of a session of the database, or changes it; one that was closed stays closed.
    pub fn save_ask(&mut self, session: SessionId, ask: &Ask) -> Result<()> {
        let rest = Rest {
            approves: ask.approves,
            takes_text: ask.takes_text,
            risk: ask.risk,
            risk_reason: ask.risk_reason.clone(),
            answerable: ask.answerable,
            about: ask.detail.clone(),
        };
        self.connection
            .prepare_cached(
                "INSERT INTO asks (id, session, kind, text, choices, detail, fingerprint, opened_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                 ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, text = excluded.text, choices = excluded.choices,
                 detail = excluded.detail, fingerprint = excluded.fingerprint",
            )?
            .execute(params![
                Id(ask.id),
                Id(session),
                word(&ask.kind),
                ask.text,
                json(&ask.choices),
                json(&rest),
                ask.fingerprint,
                At(ask.opened_at)
            ])?;
        Ok(())
    }

    /// Notes how a question ended; the first word counts. Old ones of the same session are forgotten.
    pub fn close_ask(&mut self, id: AskId, closed: &ClosedAsk, now: Timestamp) -> Result<()> {
        self.atomically(|connection| {
            let sql = "UPDATE asks SET closed_at = ?2, outcome = ?3, answer = ?4, answered_by = ?5
                       WHERE id = ?1 AND closed_at IS NULL";
            let values =
                params![Id(id), At(now), word(&closed.outcome), closed.answer, closed.answered_by];
            connection.prepare_cached(sql)?.execute(values)?;
            let sql = "DELETE FROM asks WHERE closed_at IS NOT NULL AND session = (SELECT session FROM asks WHERE id = ?1)
                       AND id NOT IN (SELECT id FROM asks WHERE session = (SELECT session FROM asks WHERE id = ?1)
                       ORDER BY opened_at DESC, id DESC LIMIT ?2)";
            connection.prepare_cached(sql)?.execute(params![Id(id), KEPT])?;
            Ok(())
        })
    }

    /// The open question of each session; of several, which a crash can leave, the newest, and the others are closed as
    /// gone.
    pub fn open_asks(&mut self, now: Timestamp) -> Result<HashMap<SessionId, Ask>> {
        let mut open: HashMap<SessionId, Ask> = HashMap::new();
        let mut stale = Vec::new();
        {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, session, kind, text, choices, detail, fingerprint, opened_at FROM asks
                 WHERE closed_at IS NULL ORDER BY opened_at, id",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (session, ask) = read(row)?;
                stale.extend(open.insert(session, ask).map(|older| older.id));
            }
        }
        let gone = ClosedAsk { outcome: AskOutcome::Gone, answer: None, answered_by: None };
        stale.into_iter().try_for_each(|id| self.close_ask(id, &gone, now))?;
        Ok(open)
    }

    /// The newest of a session's questions, newest first, with what became of them.
    pub fn past_asks(&self, session: SessionId, limit: u32) -> Result<Vec<PastAsk>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, session, kind, text, choices, detail, fingerprint, opened_at, closed_at, outcome, answer,
             answered_by FROM asks WHERE session = ?1 ORDER BY opened_at DESC, id DESC LIMIT ?2",
        )?;
        let rows = statement.query_map(params![Id(session), limit], |row| {
            let (_, ask) = read(row)?;
            let ended_at = row.get::<_, Option<At>>(8)?.map(|At(at)| at);
            let outcome = row.get::<_, Option<String>>(9)?.and_then(|word| from_word(&word));
            let outcome = ended_at.map(|_| outcome.unwrap_or(AskOutcome::Gone));
            let (answer, answered_by) = (row.get(10)?, row.get(11)?);
            Ok(PastAsk { ended_at, outcome, answer, answered_by, ..PastAsk::of(&ask) })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How a question ended; none while it is open, or where it is not known.
    pub fn closed_ask(&self, id: AskId) -> Result<Option<ClosedAsk>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT outcome, answer, answered_by FROM asks WHERE id = ?1 AND closed_at IS NOT NULL",
        )?;
        let mut rows = statement.query([Id(id)])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let outcome = from_word(&row.get::<_, Option<String>>(0)?.unwrap_or_default());
        Ok(Some(ClosedAsk {
            outcome: outcome.unwrap_or(AskOutcome::Gone),
            answer: row.get(1)?,
            answered_by: row.get(2)?,
        }))
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<(SessionId, Ask)> {
    let (Id(id), Id(session), At(opened_at)) = (row.get(0)?, row.get(1)?, row.get(7)?);
    let rest: Rest = from_json(&row.get::<_, Option<String>>(5)?.unwrap_or_default());
    let choices: Vec<Choice> = from_json(&row.get::<_, String>(4)?);
    let ask = Ask {
        id,
        kind: from_word(&row.get::<_, String>(2)?).unwrap_or(AskKind::Choice),
        approves: rest.approves,
        text: row.get(3)?,
        choices,
        takes_text: rest.takes_text,
        detail: rest.about,
        risk: rest.risk,
        risk_reason: rest.risk_reason,
        fingerprint: row.get(6)?,
        answerable: rest.answerable,
        // It is read anew before it is answered.
        obstacle: None,
        opened_at,
    };
    Ok((session, ask))
}
