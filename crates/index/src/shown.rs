//! What the sessions' terminals showed: lines, a few to a row, with their text, as there is nowhere else where it could be read again
//! at once.

use std::collections::HashMap;

use belfry_protocol::{RunId, SessionId};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::update::{BELOW_TIME, LAST};
use crate::{Index, Result};

/// Lines that are kept of a run, as many as its scrollback has.
pub const MOST_LINES: usize = 10_000;

/// What of a run is found together: words of a question may be in several lines.
const TOGETHER: usize = 16;
const BYTES_TOGETHER: usize = 1500;
const MILLIS_TOGETHER: i64 = 60_000;

/// Longest line, in bytes.
const LONGEST: usize = 2000;

/// A line that a terminal showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its text, in one line.
    pub text: String,
    /// Bytes that the run's program had printed when it was there.
    pub offset: u64,
    /// When that was, in milliseconds since the epoch.
    pub at: i64,
}

/// A run of a session.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The session.
    pub session: SessionId,
    /// The run.
    pub run: RunId,
    /// The session's agent.
    pub agent: &'a str,
    /// Its directory.
    pub cwd: &'a str,
}

/// What is new of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'a> {
    /// Lines that left the screen, oldest first.
    pub lines: &'a [Line],
    /// Those on the screen now, in place of those before; none where they are the same.
    pub screen: Option<&'a [Line]>,
    /// Where the reading of it has come to; none where that stays as it was.
    pub state: Option<&'a [u8]>,
    /// Nothing more will come.
    pub done: bool,
}

impl Index {
    /// Runs that it knows, and whether nothing more will come of each.
    pub fn runs(&self) -> Result<HashMap<RunId, bool>> {
        let mut select = self.database.prepare_cached("SELECT run, done FROM run")?;
        let rows = select.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
        let mut runs = HashMap::new();
        for row in rows {
            let (run, done) = row?;
            runs.extend(run.parse::<RunId>().ok().map(|run| (run, done)));
        }
        Ok(runs)
    }

    /// Where the reading of a run has come to.
    pub fn state_of(&self, run: RunId) -> Result<Option<Vec<u8>>> {
        let select = "SELECT state FROM run WHERE run = ?1";
        let state = self.database.query_row(select, [run.to_string()], |row| row.get(0)).optional()?;
        Ok(state.flatten())
    }

    /// The lines that are kept of a run, but for those on its screen, oldest first.
    pub fn lines_of(&self, run: RunId, mut each: impl FnMut(&str)) -> Result<()> {
        let select =
            "SELECT t.text FROM shown s JOIN run r ON r.key = s.run JOIN shown_text t ON t.row = s.row
                      WHERE r.run = ?1 AND s.screen = 0 ORDER BY s.number";
        let mut select = self.database.prepare_cached(select)?;
        let mut rows = select.query([run.to_string()])?;
        while let Some(row) = rows.next()? {
            row.get_ref(0)?.as_str().unwrap_or_default().split('\n').for_each(&mut each);
        }
        Ok(())
    }

    /// Takes in what a run showed, all of it or nothing.
    pub fn show(&mut self, run: &Run<'_>, shown: &Shown<'_>) -> Result<()> {
        let transaction = self.database.transaction()?;
        let insert = "INSERT INTO run (session, run, agent, cwd) VALUES (?1, ?2, ?3, ?4)
                      ON CONFLICT (run) DO UPDATE SET cwd = excluded.cwd RETURNING key, lines, numbers";
        let values = params![run.session.to_string(), run.run.to_string(), run.agent, run.cwd];
        let (key, mut lines, mut number): (i64, i64, i64) =
            transaction.query_row(insert, values, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let skipped = shown.lines.len().saturating_sub(MOST_LINES);
        for together in groups(&shown.lines[skipped..]) {
            put(&transaction, key, number, false, together)?;
            number += 1;
            lines += count(together.len());
        }
        if lines > count(MOST_LINES) {
            lines -= drop_oldest(&transaction, key, lines - count(MOST_LINES))?;
        }
        if let Some(screen) = shown.screen {
            remove(&transaction, "run = ?1 AND screen = 1", key)?;
            for (number, together) in groups(screen).enumerate() {
                put(&transaction, key, count(number), true, together)?;
            }
        }
        let update = "UPDATE run SET lines = ?2, numbers = ?3, done = ?4,
                      state = CASE WHEN ?4 THEN NULL ELSE coalesce(?5, state) END WHERE key = ?1";
        transaction.execute(update, params![key, lines, number, shown.done, shown.state])?;
        Ok(transaction.commit()?)
    }

    /// Forgets a session, and all that its terminal showed.
    pub fn forget_session(&mut self, session: SessionId) -> Result<()> {
        let transaction = self.database.transaction()?;
        let runs: Vec<i64> = {
            let mut select = transaction.prepare_cached("SELECT key FROM run WHERE session = ?1")?;
            let rows = select.query_map([session.to_string()], |row| row.get(0))?;
            rows.collect::<std::result::Result<_, _>>()?
        };
        runs.into_iter().try_for_each(|run| forget(&transaction, run))?;
        Ok(transaction.commit()?)
    }

    /// Forgets a run, and all that it showed.
    pub fn forget_run(&mut self, run: RunId) -> Result<()> {
        let transaction = self.database.transaction()?;
        let key = transaction
            .query_row("SELECT key FROM run WHERE run = ?1", [run.to_string()], |row| row.get(0))
            .optional()?;
        if let Some(key) = key {
            forget(&transaction, key)?;
        }
        Ok(transaction.commit()?)
    }
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Lines that are found together.
fn groups(lines: &[Line]) -> impl Iterator<Item = &[Line]> {
    let mut rest = lines;
    std::iter::from_fn(move || {
        let first = rest.first()?;
        let mut bytes = 0;
        let fits = |line: &&Line| {
            bytes += line.text.len();
            bytes <= BYTES_TOGETHER && (line.at - first.at).abs() <= MILLIS_TOGETHER
        };
        let count = rest.iter().take(TOGETHER).take_while(fits).count().max(1);
        let (together, later) = rest.split_at(count);
        rest = later;
        Some(together)
    })
}

fn put(database: &Connection, run: i64, number: i64, screen: bool, lines: &[Line]) -> Result<()> {
    let mut text = String::new();
    let mut places = Vec::with_capacity(lines.len() * PLACE);
    for line in lines {
        if !places.is_empty() {
            text.push('\n');
        }
        // A line's end stands between lines alone.
        let shown = &line.text[..line.text.floor_char_boundary(LONGEST)];
        text.extend(shown.chars().map(|c| if c == '\n' { ' ' } else { c }));
        places.extend_from_slice(&line.offset.to_le_bytes());
        places.extend_from_slice(&line.at.to_le_bytes());
    }
    let at = lines.iter().map(|line| line.at).max().unwrap_or_default().clamp(0, LAST - 1);
    let mut insert = database.prepare_cached("INSERT OR IGNORE INTO shown VALUES (?1, ?2, ?3, ?4, ?5)")?;
    let mut row = at << BELOW_TIME;
    while insert.execute(params![row, run, number, screen, count(lines.len())])? == 0 {
        row += 1;
    }
    // Apart: a search goes through many rows, and shows the text of a few.
    let mut keep = database.prepare_cached("INSERT INTO shown_text VALUES (?1, ?2, ?3)")?;
    keep.execute(params![row, text, places])?;
    let mut index = database.prepare_cached("INSERT INTO shown_words (rowid, text) VALUES (?1, ?2)")?;
    index.execute(params![row, text])?;
    Ok(())
}

/// Bytes of a line's place.
const PLACE: usize = 16;

/// Where the line of that number in its row was: offset and milliseconds.
pub(crate) fn place(places: &[u8], line: usize) -> Option<(u64, i64)> {
    let place = places.get(line * PLACE..(line + 1) * PLACE)?;
    let (offset, at) = place.split_at(8);
    Some((u64::from_le_bytes(offset.try_into().ok()?), i64::from_le_bytes(at.try_into().ok()?)))
}

/// Drops about so many of the oldest lines, and says how many.
fn drop_oldest(database: &Connection, run: i64, lines: i64) -> Result<i64> {
    let mut dropped = 0;
    let mut last = None;
    {
        let select = "SELECT number, lines FROM shown WHERE run = ?1 AND screen = 0 ORDER BY number";
        let mut select = database.prepare_cached(select)?;
        let mut rows = select.query([run])?;
        while dropped < lines
            && let Some(row) = rows.next()?
        {
            last = Some(row.get::<_, i64>(0)?);
            dropped += row.get::<_, i64>(1)?;
        }
    }
    if let Some(last) = last {
        remove(database, &format!("run = ?1 AND screen = 0 AND number <= {last}"), run)?;
    }
    Ok(dropped)
}

fn forget(database: &Connection, run: i64) -> Result<()> {
    remove(database, "run = ?1", run)?;
    database.execute("DELETE FROM run WHERE key = ?1", [run])?;
    Ok(())
}

fn remove(database: &Connection, which: &str, run: i64) -> Result<()> {
    for (table, row) in [("shown_words", "rowid"), ("shown_text", "row")] {
        let delete = format!("DELETE FROM {table} WHERE {row} IN (SELECT row FROM shown WHERE {which})");
        database.execute(&delete, [run])?;
    }
    database.execute(&format!("DELETE FROM shown WHERE {which}"), [run])?;
    Ok(())
}
