//! Bringing it up to date.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use belfry_protocol::transcript::{Said, Usage};
use belfry_transcripts::{Budget, Found, Item, ReadError, Reader, State};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::words::{Role, words};
use crate::{Index, Result};

/// Bits of an entry's number below its time in milliseconds: entries are numbered by time, so that the newest are found first and a
/// span of time is a span of numbers.
pub(crate) const BELOW_TIME: u32 = 20;
/// Largest time that has room above those, in the year 2248.
pub(crate) const LAST: i64 = 1 << 43;
/// Files that a conversation is found by.
const MOST_FILES: usize = 2000;

/// What has to be read.
#[derive(Debug, Default)]
pub struct Update {
    left: VecDeque<Found>,
    total: usize,
    /// Conversations that could not be read this time, and why.
    failed: Vec<(Found, String)>,
}

/// How far an update has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Conversations that are done.
    pub done: usize,
    /// All that have to be read.
    pub total: usize,
    /// Bytes that were read in this step.
    pub bytes: u64,
    /// Entries that were read in this step.
    pub entries: usize,
}

impl Update {
    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.left.is_empty()
    }

    /// Conversations that could not be read, and why. They are tried again when they change.
    pub fn failed(&self) -> &[(Found, String)] {
        &self.failed
    }
}

impl Index {
    /// What has to be read so that the index knows all of this, what was written to last first. What is not among it any more is
    /// not shown any more; what is known of it stays, for a home that is only away for a while.
    pub fn compare(&mut self, found: &[Found]) -> Result<Update> {
        let transaction = self.database.transaction()?;
        let mut known: HashMap<String, (i64, String, bool, bool)> = HashMap::new();
        {
            let mut select =
                transaction.prepare("SELECT place, key, found, caught_up, gone FROM conversation")?;
            let mut rows = select.query([])?;
            while let Some(row) = rows.next()? {
                known.insert(row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
            }
        }
        let mut left = Vec::new();
        for one in found {
            match known.remove(&serde_json::to_string(&one.place)?) {
                Some((key, as_it_was, caught_up, gone)) => {
                    if gone {
                        transaction.execute("UPDATE conversation SET gone = 0 WHERE key = ?1", [key])?;
                    }
                    if !caught_up || as_it_was != serde_json::to_string(one)? {
                        left.push(one.clone());
                    }
                }
                None => left.push(one.clone()),
            }
        }
        for (key, ..) in known.into_values().filter(|(.., gone)| !gone) {
            transaction.execute("UPDATE conversation SET gone = 1 WHERE key = ?1", [key])?;
        }
        transaction.commit()?;
        left.sort_by_key(|one| std::cmp::Reverse(one.stamp.modified));
        Ok(Update { total: left.len(), left: left.into(), failed: Vec::new() })
    }

    /// Only this one, or more of it.
    pub fn only(found: Found) -> Update {
        Update { left: VecDeque::from([found]), total: 1, failed: Vec::new() }
    }

    /// Reads on, about as much as the budget says, in one transaction: a step that is cut off by a crash is read again, and
    /// nothing twice.
    pub fn step(&mut self, update: &mut Update, budget: Budget) -> Result<Step> {
        let transaction = self.database.transaction()?;
        let mut batch = Batch::default();
        let (mut bytes, mut entries) = (0, 0);
        while let Some(found) = update.left.front()
            && bytes < budget.bytes
            && entries < budget.entries
        {
            let rest = Budget { bytes: budget.bytes - bytes, entries: budget.entries - entries };
            match batch.read(&transaction, found, rest)? {
                Ok(progress) => {
                    // A file that is opened costs something too.
                    bytes += progress.bytes + 4096;
                    entries += progress.entries + 1;
                    if progress.caught_up {
                        update.left.pop_front();
                    }
                }
                Err(why) => {
                    bytes += 4096;
                    if let Some(found) = update.left.pop_front() {
                        update.failed.push((found, why.to_string()));
                    }
                }
            }
        }
        batch.write(&transaction)?;
        transaction.commit()?;
        Ok(Step { done: update.total - update.left.len(), total: update.total, bytes, entries })
    }
}

/// Entries that are written at once, in the order of their numbers: the words' table is slow in any other.
#[derive(Debug, Default)]
struct Batch(BTreeMap<(i64, i64), Waiting>);

#[derive(Debug)]
struct Waiting {
    at: i64,
    role: Role,
    words: String,
}

impl Batch {
    /// Reads some of a conversation. The inner error is the conversation's own.
    fn read(
        &mut self,
        database: &Connection,
        found: &Found,
        budget: Budget,
    ) -> Result<std::result::Result<belfry_transcripts::Progress, ReadError>> {
        let place = serde_json::to_string(&found.place)?;
        let row = database
            .query_row("SELECT key, state FROM conversation WHERE place = ?1", [&place], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?))
            })
            .optional()?;
        let key = if let Some((key, _)) = &row {
            *key
        } else {
            let insert = "INSERT INTO conversation (agent, id, subagent, place, found, caught_up)
                          VALUES (?1, ?2, ?3, ?4, '', 0)";
            let subagent = found.subagent.as_deref().unwrap_or_default();
            database.execute(insert, params![found.agent, found.id, subagent, place])?;
            database.last_insert_rowid()
        };
        let state: Option<State> =
            row.and_then(|(_, state)| state).and_then(|state| serde_json::from_str(&state).ok());
        let mut reader = match Reader::open(found, state) {
            Ok(reader) => reader,
            Err(why) => return Ok(Err(why)),
        };
        if reader.restarted() {
            forget(database, key)?;
            self.0.retain(|(conversation, _), _| *conversation != key);
        }
        let mut files = BTreeSet::new();
        let mut used: BTreeMap<i64, Usage> = BTreeMap::new();
        let fallback = found.stamp.modified / 1_000_000;
        let millis =
            |at: Option<Timestamp>| at.map_or(fallback, Timestamp::as_millisecond).clamp(0, LAST - 1);
        let progress = reader.read(budget, &mut |item| match item {
            Item::Entry(entry) => {
                if let Said::Tool(call) = &entry.said
                    && files.len() < MOST_FILES
                {
                    files.extend(call.files.iter().cloned());
                }
                if let Some((role, words)) = words(&entry) {
                    let waiting = Waiting { at: millis(entry.at), role, words };
                    self.0.insert((key, entry.seq.cast_signed()), waiting);
                }
            }
            Item::Used { at, usage } => add(used.entry(millis(at) / 3_600_000).or_default(), &usage),
        });
        let progress = match progress {
            Ok(progress) => progress,
            Err(why) => return Ok(Err(why)),
        };
        for file in &files {
            database.execute("INSERT OR IGNORE INTO file VALUES (?1, ?2)", params![key, file])?;
        }
        for (hour, usage) in &used {
            count(database, key, *hour, usage)?;
        }
        self.about(database, key, found, &reader, progress.caught_up)?;
        Ok(Ok(progress))
    }

    /// What a list shows of it, and where its reading has come to.
    fn about(
        &mut self,
        database: &Connection,
        key: i64,
        found: &Found,
        reader: &Reader,
        caught_up: bool,
    ) -> Result<()> {
        let summary = reader.summary();
        let mut about = summary.conversation(found);
        let parent = summary.parent.clone().filter(|parent| *parent != found.id);
        // A file can say only inside whose subagent it is of.
        let (id, subagent) = match (&found.subagent, parent) {
            (Some(subagent), _) => (found.id.clone(), subagent.clone()),
            (None, Some(parent)) => (parent, found.id.clone()),
            (None, None) => (found.id.clone(), String::new()),
        };
        about.id.clone_from(&id);
        // What was opened and left again is no conversation.
        let listed = subagent.is_empty() && (summary.prompts > 0 || !about.title.is_empty());
        let updated = about.updated_at.as_millisecond().clamp(0, LAST - 1);
        let before: Option<String> =
            database.query_row("SELECT title FROM conversation WHERE key = ?1", [key], |row| row.get(0))?;
        database.execute(
            "UPDATE conversation SET id = ?2, subagent = ?3, found = ?4, caught_up = ?5, state = ?6, about = ?7,
             listed = ?8, title = ?9, cwd = ?10, updated = ?11 WHERE key = ?1",
            params![
                key,
                id,
                subagent,
                serde_json::to_string(found)?,
                caught_up,
                serde_json::to_string(reader.state())?,
                serde_json::to_string(&about)?,
                listed,
                about.title,
                about.cwd.unwrap_or_default(),
                updated,
            ],
        )?;
        if listed && before.as_deref() != Some(about.title.as_str()) {
            let waiting = Waiting { at: updated, role: Role::Title, words: about.title };
            self.0.insert((key, TITLE), waiting);
        }
        Ok(())
    }

    fn write(self, database: &Connection) -> Result<()> {
        let mut rows: Vec<_> = self.0.into_iter().collect();
        rows.sort_by_key(|((conversation, seq), waiting)| (waiting.at, *conversation, *seq));
        let mut find =
            database.prepare_cached("SELECT row FROM entry WHERE conversation = ?1 AND seq = ?2")?;
        let mut insert = database.prepare_cached("INSERT OR IGNORE INTO entry VALUES (?1, ?2, ?3, ?4)")?;
        let mut index = database.prepare_cached("INSERT INTO words (rowid, text) VALUES (?1, ?2)")?;
        let mut unindex = database.prepare_cached("DELETE FROM words WHERE rowid = ?1")?;
        let mut remove = database.prepare_cached("DELETE FROM entry WHERE row = ?1")?;
        let mut next = 0;
        for ((conversation, seq), waiting) in rows {
            // One that has grown.
            let before: Option<i64> = find.query_row([conversation, seq], |row| row.get(0)).optional()?;
            if let Some(before) = before {
                unindex.execute([before])?;
                remove.execute([before])?;
            }
            let mut row = (waiting.at << BELOW_TIME).max(next);
            while insert.execute(params![row, conversation, seq, waiting.role as i64])? == 0 {
                row += 1;
            }
            next = row + 1;
            index.execute(params![row, waiting.words])?;
        }
        Ok(())
    }
}

/// In place of an entry's number, for a title.
pub(crate) const TITLE: i64 = i64::MAX;

/// Forgets all that was read of it.
fn forget(database: &Connection, key: i64) -> Result<()> {
    database
        .execute("DELETE FROM words WHERE rowid IN (SELECT row FROM entry WHERE conversation = ?1)", [key])?;
    for table in ["entry", "file", "used"] {
        database.execute(&format!("DELETE FROM {table} WHERE conversation = ?1"), [key])?;
    }
    database.execute("UPDATE conversation SET title = '' WHERE key = ?1", [key])?;
    Ok(())
}

pub(crate) fn add(to: &mut Usage, more: &Usage) {
    to.input = to.input.saturating_add(more.input);
    to.output = to.output.saturating_add(more.output);
    to.cache_read = to.cache_read.saturating_add(more.cache_read);
    to.cache_write = to.cache_write.saturating_add(more.cache_write);
    if let Some(cost) = more.cost {
        to.cost = Some(to.cost.unwrap_or(0.0) + cost);
    }
    to.estimated |= more.estimated;
}

fn count(database: &Connection, key: i64, hour: i64, usage: &Usage) -> Result<()> {
    // A number beyond this is nobody's; the sum of a few thousand of them still fits.
    let bounded = |count: u64| i64::try_from(count).unwrap_or(i64::MAX).min(1 << 50);
    let mut add = database.prepare_cached(
        "INSERT INTO used VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET
         input = input + excluded.input, output = output + excluded.output,
         cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
         cost = cost + excluded.cost, estimated = max(estimated, excluded.estimated)",
    )?;
    add.execute(params![
        key,
        hour,
        bounded(usage.input),
        bounded(usage.output),
        bounded(usage.cache_read),
        bounded(usage.cache_write),
        usage.cost.unwrap_or(0.0),
        usage.estimated,
    ])?;
    Ok(())
}
