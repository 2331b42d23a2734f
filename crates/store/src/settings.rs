//! Settings of clients: a name, and JSON that means nothing here.

use rusqlite::OptionalExtension as _;
use serde_json::Value;

use crate::{Result, Store, StoreError};

/// Longest value, in bytes of JSON; the protocol promises as much.
const LONGEST: usize = 256 * 1024;

/// Longest name, in bytes.
const LONGEST_NAME: usize = 200;

impl Store {
    /// A setting; null where there is none.
    pub fn setting(&self, name: &str) -> Result<Value> {
        let sql = "SELECT value FROM settings WHERE name = ?1";
        let text = self
            .connection
            .prepare_cached(sql)?
            .query_row([name], |row| row.get::<_, String>(0))
            .optional()?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null))
    }

    /// Keeps a setting; null removes it.
    pub fn put_setting(&mut self, name: &str, value: &Value) -> Result<()> {
        if value.is_null() {
            self.connection.execute("DELETE FROM settings WHERE name = ?1", [name])?;
            return Ok(());
        }
        let text = value.to_string();
        if name.len() > LONGEST_NAME {
            return Err(StoreError::TooLong { what: "name of the setting", limit: LONGEST_NAME });
        }
        if text.len() > LONGEST {
            return Err(StoreError::TooLong { what: "setting", limit: LONGEST });
        }
        let sql = "INSERT INTO settings VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value";
        self.connection.execute(sql, [name, &text])?;
        Ok(())
    }
}
