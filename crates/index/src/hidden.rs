//! What the person does not want to see.

use std::path::PathBuf;

use belfry_protocol::transcript::Conversation;
use belfry_transcripts::Found;
use rusqlite::{OptionalExtension as _, params};

use crate::{Index, Result};

impl Index {
    /// Hides a conversation from lists and searches, or shows it again.
    pub fn hide(&mut self, agent: &str, id: &str, hidden: bool) -> Result<()> {
        let change = if hidden {
            "INSERT OR IGNORE INTO hidden VALUES (?1, ?2)"
        } else {
            "DELETE FROM hidden WHERE agent = ?1 AND id = ?2"
        };
        self.database.execute(change, [agent, id])?;
        Ok(())
    }

    /// Where a conversation, or what a subagent of it did, lies; none where it is not known.
    pub fn place(&self, agent: &str, id: &str, subagent: Option<&str>) -> Result<Option<Found>> {
        let select =
            "SELECT found FROM conversation WHERE agent = ?1 AND id = ?2 AND subagent = ?3 AND gone = 0
                      AND found != '' ORDER BY updated DESC LIMIT 1";
        let values = params![agent, id, subagent.unwrap_or_default()];
        let found: Option<String> = self.database.query_row(select, values, |row| row.get(0)).optional()?;
        Ok(found.map(|found| serde_json::from_str(&found)).transpose()?)
    }

    /// Directories that any conversation is of.
    pub fn directories(&self) -> Result<Vec<PathBuf>> {
        let select = "SELECT DISTINCT cwd FROM conversation WHERE cwd != '' AND gone = 0 LIMIT 5000";
        let mut select = self.database.prepare(select)?;
        let rows = select.query_map([], |row| row.get::<_, String>(0))?;
        Ok(rows.flatten().map(PathBuf::from).filter(|path| path.is_absolute()).collect())
    }

    /// One conversation; none where it is not known.
    pub fn conversation(&self, agent: &str, id: &str) -> Result<Option<Conversation>> {
        let select =
            "SELECT about, EXISTS (SELECT 1 FROM hidden WHERE agent = ?1 AND id = ?2) FROM conversation
                      WHERE agent = ?1 AND id = ?2 AND subagent = '' AND about IS NOT NULL
                      ORDER BY gone, updated DESC LIMIT 1";
        let row = self.database.query_row(select, params![agent, id], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?))
        });
        let Some((about, hidden)) = row.optional()? else { return Ok(None) };
        let mut conversation: Conversation = serde_json::from_str(&about)?;
        conversation.hidden = hidden;
        Ok(Some(conversation))
    }
}
