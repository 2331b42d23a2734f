//! Opening, checking and closing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::{Notice, Result, StoreError, aside, migrate, salvage};

/// Marks a file as ours (`PRAGMA application_id`): "BLFY".
pub(crate) const APPLICATION: i32 = 0x424c_4659;

/// The open database. Calls block; a change is durable when its call returns.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
}

/// An opened database.
#[derive(Debug)]
pub struct Opened {
    /// The database.
    pub store: Store,
    /// It was made just now, because there was none or because the old one was damaged: what the runs' `meta.json` files
    /// tell should be added with [`Store::rebuild_from`].
    pub fresh: bool,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// The version of SQLite that is built in.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

impl Store {
    /// Opens the database, or makes one, 0600. Brings an older schema up to date after copying the file (the last three
    /// copies are kept beside it), checks it after an unclean end, and sets a damaged one aside. The directory must exist.
    /// `now` names copies and files set aside.
    pub fn open(path: &Path, now: Timestamp) -> Result<Opened> {
        let found = path.exists();
        match Self::open_file(path, now) {
            Ok((store, migrated)) => {
                Ok(Opened { store, fresh: !found, notices: migrated.into_iter().collect() })
            }
            Err(StoreError::Damaged(why)) if found => {
                tracing::error!(%why, "the database is damaged");
                let old = aside::set_aside(path, now)?;
                let (mut store, _) = Self::open_file(path, now)?;
                let taken_over = salvage::take_over(&mut store, &old)?;
                let notices = vec![Notice::SetAside { path: old, why, taken_over }];
                Ok(Opened { store, fresh: true, notices })
            }
            Err(error) => Err(error),
        }
    }

    fn open_file(path: &Path, now: Timestamp) -> Result<(Self, Option<Notice>)> {
        aside::make_private(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(Duration::from_secs(2))?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.pragma_update(None, "cell_size_check", true)?;
        // A reader of the disk should not find what was removed.
        connection.pragma_update(None, "secure_delete", true)?;
        let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let tables: u32 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if application != APPLICATION && (application != 0 || tables > 0) {
            return Err(StoreError::NotOurs { path: path.to_owned() });
        }
        if version > migrate::newest() {
            return Err(StoreError::Newer { found: version, known: migrate::newest() });
        }
        let mode: String =
            connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
        if mode != "wal" {
            return Err(StoreError::CannotOpen { why: format!("it cannot be put in WAL mode, only {mode}") });
        }
        connection.pragma_update(None, "synchronous", "full")?;
        // macOS: fsync alone does not reach the disk there. The pragmas do nothing elsewhere.
        connection.pragma_update(None, "fullfsync", true)?;
        connection.pragma_update(None, "checkpoint_fullfsync", true)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "journal_size_limit", 16 * 1024 * 1024)?;
        let mut store = Self { connection, path: path.to_owned() };
        if version > 0 && !store.ended_cleanly()? {
            store.check("quick_check")?;
        }
        let migrated = migrate::to_newest(&mut store, version, now)?;
        store.keep("ended", "no")?;
        Ok((store, migrated))
    }

    /// Checks everything. An empty list is a sound database; a line is a fault.
    pub fn integrity_check(&self) -> Result<Vec<String>> {
        let mut faults = self.faults("integrity_check")?;
        let mut statement = self.connection.prepare("PRAGMA foreign_key_check")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            faults.push(format!("a row of {} refers to nothing", row.get::<_, String>(0)?));
        }
        Ok(faults)
    }

    /// Marks a clean end and closes. Dropping a store instead is an unclean end: safe, and checked at the next start.
    pub fn close(mut self) -> Result<()> {
        self.keep("ended", "yes")?;
        self.connection.close().map_err(|(_, error)| error.into())
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` so that all of it is kept or none.
    pub(crate) fn atomically<T>(&mut self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        // A savepoint is a transaction of its own where none is open, and nests in one otherwise.
        self.connection.execute_batch("SAVEPOINT work")?;
        match work(&self.connection).and_then(|value| {
            self.connection.execute_batch("RELEASE work")?;
            Ok(value)
        }) {
            Ok(value) => Ok(value),
            Err(error) => {
                self.undo("work");
                Err(error)
            }
        }
    }

    /// Undoes a savepoint. After some errors (a full disk) SQLite has undone the whole transaction by itself.
    pub(crate) fn undo(&self, savepoint: &str) {
        if !self.connection.is_autocommit() {
            let _ = self.connection.execute_batch(&format!("ROLLBACK TO {savepoint}; RELEASE {savepoint}"));
        }
    }

    fn ended_cleanly(&self) -> Result<bool> {
        let ended = self
            .connection
            .query_row("SELECT value FROM keeping WHERE name = 'ended'", [], |row| row.get::<_, String>(0));
        match ended {
            Ok(ended) => Ok(ended == "yes"),
            Err(rusqlite::Error::QueryReturnedNoRows) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn keep(&mut self, name: &str, value: &str) -> Result<()> {
        let sql = "INSERT INTO keeping VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value";
        self.connection.execute(sql, [name, value])?;
        Ok(())
    }

    fn check(&self, pragma: &str) -> Result<()> {
        match self.faults(pragma)?.into_iter().next() {
            None => Ok(()),
            Some(fault) => Err(StoreError::Damaged(fault)),
        }
    }

    fn faults(&self, pragma: &str) -> Result<Vec<String>> {
        let mut statement = self.connection.prepare(&format!("PRAGMA {pragma}"))?;
        let lines = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}
