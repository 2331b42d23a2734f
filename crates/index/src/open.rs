//! Opening it, and making it anew.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::{IndexError, Result};

/// Raised with every change to the tables. An index of another number is made anew.
const VERSION: i32 = 3;

/// Which words are in it: those of all scripts, without accents. What is typed is a beginning until it is whole, and two letters, of
/// which there are the most, have an index of their own; three as well would make it half as large again.
const TABLES: &str = "
CREATE TABLE conversation (
    key INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    subagent TEXT NOT NULL,
    place TEXT NOT NULL UNIQUE,
    found TEXT NOT NULL,
    caught_up INTEGER NOT NULL,
    gone INTEGER NOT NULL DEFAULT 0,
    state TEXT,
    about TEXT,
    listed INTEGER NOT NULL DEFAULT 0,
    title TEXT NOT NULL DEFAULT '',
    cwd TEXT NOT NULL DEFAULT '',
    updated INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX conversation_by_id ON conversation (agent, id);
CREATE INDEX conversation_by_time ON conversation (listed, updated);
CREATE TABLE entry (
    row INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    role INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX entry_by_place ON entry (conversation, seq);
CREATE TABLE file (
    conversation INTEGER NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (conversation, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE used (
    conversation INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    cost REAL NOT NULL,
    estimated INTEGER NOT NULL,
    PRIMARY KEY (conversation, hour)
) STRICT, WITHOUT ROWID;
CREATE TABLE hidden (
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2'
);
CREATE TABLE run (
    key INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    run TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    cwd TEXT NOT NULL,
    lines INTEGER NOT NULL DEFAULT 0,
    numbers INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    state BLOB
) STRICT;
CREATE INDEX run_by_session ON run (session);
CREATE TABLE shown (
    row INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    number INTEGER NOT NULL,
    screen INTEGER NOT NULL,
    lines INTEGER NOT NULL
) STRICT;
CREATE TABLE shown_text (
    row INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    places BLOB NOT NULL
) STRICT;
CREATE INDEX shown_by_run ON shown (run, screen, number);
CREATE VIRTUAL TABLE shown_words USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2'
);
";

/// What is put behind the name of a damaged one.
const ASIDE: &str = "-damaged";

/// The index. One connection; only the daemon opens it.
#[derive(Debug)]
pub struct Index {
    pub(crate) database: Connection,
}

/// How it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// As it was left.
    Kept,
    /// There was none, or one of another version of Belfry.
    Made,
    /// It was damaged, and lies there now.
    SetAside(PathBuf),
}

impl Index {
    /// Opens it, or makes it. A damaged one is set aside, in place of one that was set aside before.
    pub fn open(path: &Path) -> Result<(Self, Opened)> {
        match Self::try_open(path) {
            Ok(Some(index)) => Ok((index, Opened::Kept)),
            Ok(None) => {
                // It may just have been set aside.
                let from = if path.exists() { path.to_owned() } else { beside(path, ASIDE) };
                let hidden = hidden_in(&from);
                remove(path)?;
                Ok((Self::make(path, &hidden)?, Opened::Made))
            }
            Err(IndexError::Damaged(_)) => {
                let aside = Self::set_aside(path)?;
                Ok((Self::make(path, &hidden_in(&aside))?, Opened::SetAside(aside)))
            }
            Err(other) => Err(other),
        }
    }

    /// Sets one aside that nobody has open and that turned out to be damaged: the next [`Index::open`] makes it anew.
    pub fn set_aside(path: &Path) -> Result<PathBuf> {
        let aside = beside(path, ASIDE);
        // What was not taken over from its log is lost with it, as all of it can be made anew.
        fs::rename(path, &aside)?;
        remove(path)?;
        Ok(aside)
    }

    /// None where there is none, or one of other tables.
    fn try_open(path: &Path) -> Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let database = connect(path)?;
        let version: i32 = database.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version != VERSION {
            return Ok(None);
        }
        // Its roots can be read; the rest shows itself when it is used.
        database.execute_batch(
            "SELECT count(*) FROM hidden; SELECT max(row) FROM entry; SELECT count(*) FROM run;",
        )?;
        let _: i64 =
            database.query_row("SELECT count(*) FROM conversation WHERE gone = 0", [], |row| row.get(0))?;
        Ok(Some(Self { database }))
    }

    fn make(path: &Path, hidden: &[(String, String)]) -> Result<Self> {
        let database = connect(path)?;
        database.execute_batch("PRAGMA auto_vacuum = INCREMENTAL; BEGIN;")?;
        database.execute_batch(TABLES)?;
        for (agent, id) in hidden {
            database.execute("INSERT OR IGNORE INTO hidden VALUES (?1, ?2)", [agent, id])?;
        }
        database.pragma_update(None, "user_version", VERSION)?;
        database.execute_batch("COMMIT")?;
        Ok(Self { database })
    }
}

/// Nobody else's: it has what was said in it. SQLite makes the files beside it as this one is.
#[cfg(unix)]
fn private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    fs::OpenOptions::new().append(true).create(true).mode(0o600).open(path).map(drop)
}

/// On Windows it lies in the person's own profile, whose files are theirs.
#[cfg(not(unix))]
fn private(_: &Path) -> std::io::Result<()> {
    Ok(())
}

fn connect(path: &Path) -> Result<Connection> {
    private(path)?;
    let database = Connection::open(path)?;
    database.busy_timeout(Duration::from_secs(2))?;
    // All of it can be made anew: a transaction that a crash of the machine takes away is read again.
    database.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -8192; PRAGMA journal_size_limit = 16777216; PRAGMA trusted_schema = OFF;",
    )?;
    Ok(database)
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    PathBuf::from(name)
}

fn remove(path: &Path) -> std::io::Result<()> {
    for end in ["", "-wal", "-shm"] {
        match fs::remove_file(beside(path, end)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// What the person hid, as far as it can be read.
fn hidden_in(path: &Path) -> Vec<(String, String)> {
    if !path.exists() {
        return Vec::new();
    }
    let read = || {
        let database = Connection::open(path)?;
        let mut select = database.prepare("SELECT agent, id FROM hidden")?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok::<_, rusqlite::Error>(rows.flatten().collect())
    };
    read().unwrap_or_default()
}
