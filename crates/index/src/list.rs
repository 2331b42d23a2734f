//! Which conversations there are.

use belfry_protocol::search::List;
use belfry_protocol::transcript::Conversation;
use rusqlite::params_from_iter;

use crate::query::{Conditions, containing};
use crate::{Index, Result};

impl Index {
    /// Conversations, what was written to last first; and how many there are in all.
    pub fn list(&self, list: &List) -> Result<(Vec<Conversation>, u64)> {
        let mut conditions = Conditions::default();
        conditions.any_of("c.agent", list.agents.iter().cloned().map(Into::into).collect());
        if let Some(id) = list.id.clone() {
            conditions.add("c.id = ?", [id.into()]);
        }
        conditions.beneath(list.directory.as_deref());
        if !list.hidden {
            conditions.add("h.id IS NULL", []);
        }
        if let Some(text) = list.text.as_deref().filter(|text| !text.trim().is_empty()) {
            for word in text.split_whitespace().take(8) {
                // The rest of what is kept as JSON holds no words of the person but the prompts.
                let asked = "(c.title LIKE ? ESCAPE '\\' OR c.cwd LIKE ? ESCAPE '\\'
                    OR c.about ->> 'first_prompt' LIKE ? ESCAPE '\\' OR c.about ->> 'last_prompt' LIKE ? ESCAPE '\\')";
                conditions.add(asked, std::iter::repeat_n(containing(word), 4));
            }
        }
        if let Some(since) = list.since {
            conditions.add("c.updated >= ?", [since.as_millisecond().into()]);
        }
        if let Some(before) = list.before {
            conditions.add("c.updated < ?", [before.as_millisecond().into()]);
        }
        let from = format!(
            "FROM conversation c LEFT JOIN hidden h ON h.agent = c.agent AND h.id = c.id
             WHERE c.listed = 1 AND c.gone = 0 AND c.about IS NOT NULL {}",
            conditions.text()
        );
        let total: i64 = self.database.query_row(
            &format!("SELECT count(*) {from}"),
            params_from_iter(&conditions.values),
            |row| row.get(0),
        )?;
        let (limit, skip) = (list.limit, list.skip);
        let select = format!(
            "SELECT c.about, h.id IS NOT NULL {from} ORDER BY c.updated DESC, c.key LIMIT {limit} OFFSET {skip}"
        );
        let mut select = self.database.prepare(&select)?;
        let mut rows = select.query(params_from_iter(&conditions.values))?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let mut conversation: Conversation = serde_json::from_str(&row.get::<_, String>(0)?)?;
            conversation.hidden = row.get(1)?;
            all.push(conversation);
        }
        Ok((all, total.max(0) as u64))
    }
}
