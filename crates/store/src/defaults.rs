//! What was last used in a directory, and which directories were used last.

use belfry_protocol::launch::LaunchDefaults;
use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, params};

use crate::rows::{At, from_json, json};
use crate::{Result, Store};

/// Directories that are remembered.
const REMEMBERED: u32 = 200;

impl Store {
    /// What was last used in a directory.
    pub fn launch_defaults(&self, cwd: &str) -> Result<Option<LaunchDefaults>> {
        let sql = "SELECT agent, model, system_prompt, args, env_names FROM launch_defaults WHERE cwd = ?1";
        let read = |row: &rusqlite::Row<'_>| {
            Ok(LaunchDefaults {
                cwd: cwd.to_owned(),
                agent: row.get(0)?,
                model: row.get(1)?,
                system_prompt: row.get(2)?,
                args: from_json(&row.get::<_, String>(3)?),
                env_names: from_json(&row.get::<_, String>(4)?),
            })
        };
        Ok(self.connection.prepare_cached(sql)?.query_row([cwd], read).optional()?)
    }

    /// Remembers what was used in a directory, and that it was used.
    pub fn save_launch_defaults(&mut self, defaults: &LaunchDefaults, now: Timestamp) -> Result<()> {
        self.atomically(|connection| {
            connection.execute(
                "INSERT OR REPLACE INTO launch_defaults (cwd, agent, model, system_prompt, args, env_names, saved_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    defaults.cwd,
                    defaults.agent,
                    defaults.model,
                    defaults.system_prompt,
                    json(&defaults.args),
                    json(&defaults.env_names),
                    At(now)
                ],
            )?;
            connection.execute(
                "DELETE FROM launch_defaults WHERE cwd NOT IN
                 (SELECT cwd FROM launch_defaults ORDER BY saved_at DESC LIMIT ?1)",
                [REMEMBERED],
            )?;
            touch(connection, &defaults.cwd, now)
        })
    }

    /// The directories that were used last, newest first.
    pub fn recent_directories(&self, limit: u32) -> Result<Vec<String>> {
        let sql = "SELECT path FROM recent_directories ORDER BY used_at DESC, path LIMIT ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([limit], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn touch(connection: &rusqlite::Connection, path: &str, now: Timestamp) -> Result<()> {
    let sql =
        "INSERT INTO recent_directories VALUES (?1, ?2) ON CONFLICT DO UPDATE SET used_at = excluded.used_at";
    connection.execute(sql, params![path, At(now)])?;
    connection.execute(
        "DELETE FROM recent_directories WHERE path NOT IN
         (SELECT path FROM recent_directories ORDER BY used_at DESC LIMIT ?1)",
        [REMEMBERED],
    )?;
    Ok(())
}
