//! OpenCode's rows: a session's messages, and their parts. Measured with 1.18.33.
//!
//! A part is a row that changes until it is finished: what can be shown of it is, and it is looked at again until it is.

mod part;

use std::collections::HashMap;
use std::path::Path;

use belfry_protocol::transcript::Usage;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::database::{self, LARGEST};
use crate::found::{Found, Stamp};
use crate::json::{self, number};
use crate::out::{Item, Out};
use crate::reader::{Budget, Progress, ReadError};
use crate::shape::time;
use crate::state::{Format, State};
use crate::{clean, summary::Summary};

/// Parts that are looked at again. An agent has a handful under way; beyond that the oldest is taken for finished.
const MOST_OPEN: usize = 64;
/// Entries that a part can be.
const PLACES: u64 = 4;
/// Messages that are remembered while one reading goes on.
const MOST_MESSAGES: usize = 4096;

/// Reads a session's rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct OpenCode {
    /// The last part that was seen, by the number of its row.
    last: i64,
    /// Parts up to there.
    parts: i64,
    /// Parts that were not finished.
    open: Vec<i64>,
    /// Messages whose usage was told and will not change, by the number of the last one's row.
    counted: i64,
    /// What was told of later ones.
    used: HashMap<String, ([u64; 4], f64)>,
    /// The message of the last prompt: the text of one may be several parts.
    prompt: Option<String>,
    bytes: u64,
}

/// A part as it lies there.
struct Row {
    number: i64,
    message: String,
    data: Option<String>,
    bytes: i64,
    created: Option<i64>,
}

/// Whether nothing was taken away of what was read; a part that is taken back is deleted.
pub(crate) fn goes_on(file: &Path, session: &str, state: &State) -> Result<bool, ReadError> {
    let Format::OpenCode(format) = &state.format else { return Ok(false) };
    if std::fs::metadata(file).is_err() {
        return Err(ReadError::Gone);
    }
    let database = database::open(file)?;
    let count = "SELECT count(*) FROM part WHERE session_id = ?1 AND rowid <= ?2";
    let there: i64 = database.query_row(count, params![session, format.last], |row| row.get(0))?;
    Ok(there == format.parts)
}

pub(crate) fn read(
    file: &Path,
    session: &str,
    found: &Found,
    state: &mut State,
    budget: Budget,
    each: &mut dyn FnMut(Item),
) -> Result<Progress, ReadError> {
    let Format::OpenCode(format) = &mut state.format else { return Err(ReadError::Unreadable) };
    if std::fs::metadata(file).is_err() {
        return Err(ReadError::Gone);
    }
    let database = database::open(file)?;
    // One picture of it for the whole reading.
    database.execute_batch("BEGIN")?;
    if !about(&database, session, &mut state.summary)? {
        return Err(ReadError::Gone);
    }
    let mut out = Out::new(&mut state.summary, each, found.subagent.as_deref());
    let mut messages = HashMap::new();
    let mut bytes = 0_u64;
    let again: Vec<i64> = std::mem::take(&mut format.open);
    let mut one = database.prepare(&select("rowid = ?2"))?;
    for row in again {
        let Some(row) = one.query_row(params![session, row], Row::read).optional()? else { continue };
        bytes += row.bytes as u64;
        format.part(&database, &row, false, &mut messages, &mut out)?;
    }
    let mut on = database.prepare(&format!("{} ORDER BY rowid", select("rowid > ?2")))?;
    let mut rows = on.query(params![session, format.last])?;
    let mut caught_up = true;
    while let Some(row) = rows.next()? {
        if bytes >= budget.bytes || out.entries >= budget.entries {
            caught_up = false;
            break;
        }
        let row = Row::read(row)?;
        bytes += row.bytes as u64;
        format.bytes += row.bytes as u64;
        format.last = row.number;
        format.parts += 1;
        format.part(&database, &row, true, &mut messages, &mut out)?;
    }
    drop(rows);
    let entries = out.entries;
    format.usage(&database, session, &mut out)?;
    state.summary.bytes = Some(format.bytes);
    state.stamp = Stamp { ..found.stamp };
    Ok(Progress { caught_up, bytes, entries })
}

fn select(which: &str) -> String {
    format!(
        "SELECT rowid, message_id, CASE WHEN octet_length(data) <= {LARGEST} THEN data END, octet_length(data), time_created
         FROM part WHERE session_id = ?1 AND {which}"
    )
}

impl Row {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let bytes: Option<i64> = row.get(3)?;
        Ok(Self {
            number: row.get(0)?,
            message: row.get::<_, Option<String>>(1)?.unwrap_or_default(),
            data: row.get::<_, Option<String>>(2).unwrap_or_default(),
            bytes: bytes.unwrap_or_default().max(0),
            created: row.get(4).unwrap_or_default(),
        })
    }
}

/// What the session's own row says. No where there is none.
fn about(database: &Connection, session: &str, summary: &mut Summary) -> rusqlite::Result<bool> {
    let select = "SELECT substr(title, 1, 1000), substr(directory, 1, 4096), time_created, time_updated
                  FROM session WHERE id = ?1";
    let row = database.query_row(select, [session], |row| {
        let text = |at| row.get::<_, Option<String>>(at).unwrap_or_default();
        let at = |at| row.get::<_, Option<i64>>(at).unwrap_or_default();
        Ok((text(0), text(1), at(2), at(3)))
    });
    let Some((title, directory, created, updated)) = row.optional()? else { return Ok(false) };
    // Until the first answer it is only a date.
    let title = title.filter(|title| !title.starts_with("New session - "));
    summary.titled = title.and_then(|title| clean::line(&title, clean::LINE));
    summary.cwd = directory.as_deref().and_then(clean::path);
    for at in [created, updated].into_iter().flatten() {
        summary.dated(time(&at.into()));
    }
    Ok(true)
}

/// A message's own data, cut down to what is of use.
fn message<'a>(
    database: &Connection,
    id: &str,
    messages: &'a mut HashMap<String, Value>,
) -> rusqlite::Result<&'a Value> {
    if messages.len() >= MOST_MESSAGES {
        messages.clear();
    }
    if !messages.contains_key(id) {
        let select = format!("SELECT data FROM message WHERE id = ?1 AND octet_length(data) <= {LARGEST}");
        let data: Option<String> = database.query_row(&select, [id], |row| row.get(0)).optional()?;
        let mut data = data.and_then(|data| json::parse(data.as_bytes())).unwrap_or_default();
        if let Some(fields) = data.as_object_mut() {
            fields.retain(|name, _| {
                ["role", "time", "error", "modelID", "providerID", "model"].contains(&name.as_str())
            });
        }
        messages.insert(id.to_owned(), data);
    }
    Ok(messages.get(id).unwrap_or(&Value::Null))
}

impl OpenCode {
    /// Begins with the part that an entry is of.
    pub(crate) fn start_at(&mut self, seq: u64) {
        self.last = i64::try_from(seq / PLACES).unwrap_or(i64::MAX).saturating_sub(1);
    }

    fn part(
        &mut self,
        database: &Connection,
        row: &Row,
        new: bool,
        messages: &mut HashMap<String, Value>,
        out: &mut Out<'_>,
    ) -> Result<(), ReadError> {
        out.record(0);
        out.seq = row.number.max(0) as u64 * PLACES;
        out.id = Some(clean::name(&row.message));
        let Some(data) = row.data.as_deref().and_then(|data| json::parse(data.as_bytes())) else {
            if row.bytes > 0 {
                out.unread("a part that could not be read");
            }
            return Ok(());
        };
        let message = message(database, &row.message, messages)?;
        out.dated(row.created.and_then(|at| time(&at.into())));
        let person = message["role"] == "user";
        if let Some(model) = message["modelID"].as_str().filter(|_| !person && out.subagent.is_none()) {
            out.summary.model = Some(clean::name(model));
        }
        let over = person || message["time"]["completed"].is_number() || !message["error"].is_null();
        // The text of a prompt may be several parts, of which some are the agent's.
        let first = person && self.prompt.as_deref() != Some(row.message.as_str());
        let shown = part::show(&data, person, new && first, out);
        if shown.prompt {
            self.prompt = Some(row.message.clone());
        }
        if !shown.finished && !over {
            if self.open.len() >= MOST_OPEN {
                self.open.remove(0);
            }
            self.open.push(row.number);
        }
        Ok(())
    }

    /// What its answers have used: each message has it, and changes it until it is over.
    fn usage(&mut self, database: &Connection, session: &str, out: &mut Out<'_>) -> rusqlite::Result<()> {
        let select = format!(
            "SELECT rowid, id, data FROM message WHERE session_id = ?1 AND rowid > ?2
             AND octet_length(data) <= {LARGEST} ORDER BY rowid"
        );
        let mut select = database.prepare(&select)?;
        let mut rows = select.query(params![session, self.counted])?;
        let mut counting = true;
        while let Some(row) = rows.next()? {
            let id: String = row.get::<_, Option<String>>(1)?.unwrap_or_default();
            let data = row.get::<_, Option<String>>(2).unwrap_or_default();
            let data = data.and_then(|data| json::parse(data.as_bytes())).unwrap_or_default();
            let answer = data["role"] == "assistant";
            if answer {
                self.count(&id, &data, out);
            }
            let over = !answer || data["time"]["completed"].is_number() || !data["error"].is_null();
            // One that a crash left unfinished does not keep all after it from being forgotten.
            counting &= over || self.used.len() > MOST_OPEN;
            if counting {
                self.counted = row.get(0)?;
                self.used.remove(&id);
            }
        }
        Ok(())
    }

    fn count(&mut self, id: &str, data: &Value, out: &mut Out<'_>) {
        let tokens = &data["tokens"];
        let output = number(&tokens["output"]).saturating_add(number(&tokens["reasoning"]));
        let cache = &tokens["cache"];
        let told = [number(&tokens["input"]), output, number(&cache["read"]), number(&cache["write"])];
        let cost = data["cost"].as_f64().filter(|cost| cost.is_finite() && *cost > 0.0).unwrap_or(0.0);
        let (before, paid) = self.used.insert(id.to_owned(), (told, cost)).unwrap_or_default();
        if told.iter().any(|count| *count > 0) && out.subagent.is_none() {
            out.summary.usage.context =
                Some(told.iter().fold(0, |sum: u64, count| sum.saturating_add(*count)));
        }
        let more: Vec<u64> =
            told.iter().zip(before).map(|(told, before)| told.saturating_sub(before)).collect();
        let cost = cost - paid;
        if more.iter().any(|more| *more > 0) || cost > 0.0 {
            out.at = time(&data["time"]["created"]);
            out.used(Usage {
                input: more[0],
                output: more[1],
                cache_read: more[2],
                cache_write: more[3],
                cost: (cost > 0.0).then_some(cost),
                ..Usage::default()
            });
        }
    }
}
