//! Taking over what can still be read of a database that was set aside.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use crate::{Result, Store};

/// Tables in an order in which no row refers to a later one.
const TABLES: &[&str] = &[
    "projects",
    "groups",
    "workspaces",
    "sessions",
    "runs",
    "conversations",
    "asks",
    "messages",
    "events",
    "notifications",
    "launch_defaults",
    "recent_directories",
    "settings",
    "trusted_scripts",
];

/// Copies every row that can be read and fits; says how many. Damage in the old file is no error here.
pub(crate) fn take_over(store: &mut Store, old: &Path) -> Result<usize> {
    // Read-only, so that what was set aside stays as it was found.
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let Ok(old) = Connection::open_with_flags(old, flags) else { return Ok(0) };
    let mut taken = 0;
    for table in TABLES {
        let rows = readable(&old, table);
        taken += store.atomically(|new| Ok(insert(new, table, &rows)))?;
    }
    Ok(taken)
}

type Row = (Vec<String>, Vec<Value>);

/// The rows of a table up to the first that cannot be read, with their columns' names.
fn readable(old: &Connection, table: &str) -> Vec<Row> {
    let Ok(mut statement) = old.prepare(&format!("SELECT * FROM {table}")) else { return Vec::new() };
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = Vec::new();
    let Ok(mut rows) = statement.query([]) else { return found };
    while let Ok(Some(row)) = rows.next() {
        let values: Result<Vec<Value>, _> = (0..columns.len()).map(|column| row.get(column)).collect();
        if let Ok(values) = values {
            found.push((columns.clone(), values));
        }
    }
    found
}

fn insert(new: &Connection, table: &str, rows: &[Row]) -> usize {
    let known = |column: &String| column.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let mut inserted = 0;
    for (columns, values) in rows.iter().filter(|(columns, _)| columns.iter().all(known)) {
        let marks = vec!["?"; columns.len()].join(",");
        let sql = format!("INSERT OR IGNORE INTO {table} ({}) VALUES ({marks})", columns.join(","));
        // A row that does not fit (it refers to one that was lost) is passed over.
        inserted += new.execute(&sql, params_from_iter(values)).unwrap_or(0);
    }
    inserted
}
