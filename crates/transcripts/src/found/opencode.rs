//! OpenCode: one database for all. Measured with 1.18.33.

use std::path::Path;

use rusqlite::Connection;

use super::{Found, Place, Stamp, regular};
use crate::{clean, database};

/// Conversations for which the newest part is looked for: those that are gone on with now are among them. The row of a
/// conversation is not touched by every word in it.
const FRESH: usize = 30;
/// Parents that are gone up to find whose subagent a session is.
const DEEPEST: usize = 16;

pub(super) fn find(file: &Path, all: &mut Vec<Found>) {
    if regular(file).is_none() {
        return;
    }
    let first = all.len();
    if rows(file, all).is_err() {
        all.truncate(first);
    }
}

fn rows(file: &Path, all: &mut Vec<Found>) -> rusqlite::Result<()> {
    let database = database::open(file)?;
    let mut select = database.prepare(
        "SELECT id, parent_id, substr(directory, 1, 4096), substr(title, 1, 1000), time_updated
         FROM session ORDER BY time_updated DESC LIMIT 1000000",
    )?;
    let rows = select.query_map([], |row| {
        let text = |at| row.get::<_, Option<String>>(at).unwrap_or_default();
        Ok((text(0), text(1), text(2), text(3), row.get::<_, Option<i64>>(4).unwrap_or_default()))
    })?;
    let first = all.len();
    for (at, (id, parent, directory, title, updated)) in rows.flatten().enumerate() {
        let Some(id) = id.filter(|id| !id.is_empty() && id.len() <= clean::ID) else { continue };
        let newest = if at < FRESH { newest_part(&database, &id) } else { None };
        let modified = updated.max(newest).unwrap_or(0).saturating_mul(1_000_000);
        all.push(Found {
            agent: "opencode".to_owned(),
            // For now whose subagent it is.
            subagent: parent.filter(|parent| !parent.is_empty()),
            place: Place::Rows { file: file.to_owned(), session: id.clone() },
            id,
            stamp: Stamp { bytes: 0, modified, inode: 0 },
            cwd: directory.as_deref().and_then(clean::path),
            named: None,
            // Until the first answer it is only a date.
            titled: title.filter(|title| !title.starts_with("New session - ")),
        });
    }
    let parents: std::collections::HashMap<String, String> =
        all[first..].iter().filter_map(|found| Some((found.id.clone(), found.subagent.clone()?))).collect();
    for found in &mut all[first..] {
        let Some(mut parent) = found.subagent.take() else { continue };
        for _ in 0..DEEPEST {
            let Some(above) = parents.get(&parent) else { break };
            parent.clone_from(above);
        }
        found.subagent = Some(std::mem::replace(&mut found.id, parent));
    }
    Ok(())
}

fn newest_part(database: &Connection, session: &str) -> Option<i64> {
    let newest = "SELECT max(time_updated) FROM part WHERE session_id = ?1";
    database.query_row(newest, [session], |row| row.get(0)).ok().flatten()
}
