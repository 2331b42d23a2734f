//! Searching.

use std::collections::HashMap;

use belfry_protocol::search::{Found as Hits, Hit, HitPlace, Search};
use belfry_protocol::transcript::Conversation;
use belfry_transcripts::Found;
use jiff::Timestamp;
use rusqlite::params_from_iter;
use rusqlite::types::Value;

use crate::query::{Conditions, containing, expression, words};
use crate::update::{BELOW_TIME, TITLE};
use crate::{Index, Result, rank, snippet};

/// Hits that are ranked by how well they fit: asking that needs a look at every place of every word. Of more than these the newest are
/// taken.
const RANKED: usize = 1000;
/// Hits of one conversation that are shown; how many more there are is said.
const OF_ONE: usize = 3;

struct Candidate {
    row: i64,
    conversation: i64,
    seq: i64,
    role: i64,
    rank: f64,
}

impl Index {
    /// The best hits, best first; `now` is what their age is measured from. What is shown of each is read from the agent's file;
    /// where that cannot be read, the hit has no text.
    pub fn search(&self, search: &Search, now: Timestamp) -> Result<Hits> {
        let Some(expression) = expression(&search.text) else { return Ok(Hits::default()) };
        let conditions = conditions(search);
        let mut candidates = self.candidates(&expression, &conditions, RANKED + 1, false, now)?;
        let all = candidates.len() <= RANKED;
        if all {
            candidates = self.candidates(&expression, &conditions, RANKED, true, now)?;
        }
        candidates.sort_by(|a, b| b.rank.total_cmp(&a.rank).then(b.row.cmp(&a.row)));
        let mut of_each: HashMap<i64, usize> = HashMap::new();
        for candidate in &candidates {
            *of_each.entry(candidate.conversation).or_default() += 1;
        }
        let mut shown: HashMap<i64, usize> = HashMap::new();
        candidates.retain(|candidate| {
            let count = shown.entry(candidate.conversation).or_default();
            *count += 1;
            *count <= OF_ONE
        });
        let total = candidates.len();
        let page = candidates.into_iter().skip(search.skip as usize).take(search.limit as usize);
        let typed = words(&search.text);
        let mut hits = Vec::new();
        for candidate in page {
            let more = of_each.get(&candidate.conversation).map_or(0, |count| count.saturating_sub(OF_ONE));
            hits.extend(self.hit(&candidate, more, &typed)?);
        }
        Ok(Hits { hits, total: total as u64, more: !all })
    }

    fn candidates(
        &self,
        expression: &str,
        conditions: &Conditions,
        limit: usize,
        fit: bool,
        now: Timestamp,
    ) -> Result<Vec<Candidate>> {
        // In the order of their numbers, which is that of time.
        let select = format!(
            "SELECT words.rowid, e.conversation, e.seq, e.role, {} FROM words
             CROSS JOIN entry e ON e.row = words.rowid CROSS JOIN conversation c ON c.key = e.conversation
             WHERE words MATCH ? AND c.gone = 0 {} ORDER BY words.rowid DESC LIMIT {limit}",
            if fit { "-bm25(words)" } else { "1.0" },
            conditions.text()
        );
        let values =
            std::iter::once(Value::from(expression.to_owned())).chain(conditions.values.iter().cloned());
        let mut select = self.database.prepare_cached(&select)?;
        let mut rows = select.query(params_from_iter(values))?;
        let mut candidates = Vec::new();
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(0)?;
            let role = row.get(3)?;
            let age = now.as_millisecond().saturating_sub(number >> BELOW_TIME);
            candidates.push(Candidate {
                row: number,
                conversation: row.get(1)?,
                seq: row.get(2)?,
                role,
                rank: rank::rank(row.get(4)?, role, age),
            });
        }
        Ok(candidates)
    }

    /// One hit, as it is shown. None where what is kept of it cannot be read.
    fn hit(&self, candidate: &Candidate, more: usize, typed: &[String]) -> Result<Option<Hit>> {
        let select =
            "SELECT c.found, c.subagent, c.agent, c.id, c.about FROM conversation c WHERE c.key = ?1";
        let (found, subagent, agent, id, about) =
            self.database.query_row(select, [candidate.conversation], |row| {
                Ok((
                    row.get::<_, String>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, String>(3)?,
                    row.get::<_, Option<String>>(4)?,
                ))
            })?;
        // A subagent's hit is one of its conversation.
        let conversation = match subagent.as_str() {
            "" => None,
            _ => self.conversation(&agent, &id)?,
        };
        let own = || about.as_deref().and_then(|about| serde_json::from_str::<Conversation>(about).ok());
        let Some(conversation) = conversation.or_else(own) else { return Ok(None) };
        let found: Option<Found> = serde_json::from_str(&found).ok();
        let text = if candidate.seq == TITLE {
            conversation.title.clone()
        } else {
            let entry = found.and_then(|found| {
                belfry_transcripts::entry(&found, candidate.seq.cast_unsigned()).ok().flatten()
            });
            entry.and_then(|entry| crate::words::shown(&entry)).unwrap_or_default()
        };
        Ok(Some(Hit {
            place: HitPlace::Entry {
                conversation: Box::new(conversation),
                subagent: (!subagent.is_empty()).then_some(subagent),
                seq: (candidate.seq != TITLE).then_some(candidate.seq.cast_unsigned()),
            },
            at: Timestamp::from_millisecond(candidate.row >> BELOW_TIME).unwrap_or_default(),
            role: crate::words::role(candidate.role),
            text: snippet::snippet(&text, typed),
            more: more as u32,
        }))
    }
}

fn conditions(search: &Search) -> Conditions {
    let mut conditions = Conditions::default();
    conditions.any_of("c.agent", search.agents.iter().cloned().map(Into::into).collect());
    conditions.beneath(search.directory.as_deref());
    conditions.any_of("e.role", search.roles.iter().map(|role| crate::words::number(*role).into()).collect());
    if !search.hidden {
        conditions.add("NOT EXISTS (SELECT 1 FROM hidden h WHERE h.agent = c.agent AND h.id = c.id)", []);
    }
    if let Some(file) = search.file.as_deref().filter(|file| !file.is_empty()) {
        let touched =
            "EXISTS (SELECT 1 FROM file f WHERE f.conversation = c.key AND f.path LIKE ? ESCAPE '\\')";
        conditions.add(touched, [containing(file)]);
    }
    if let Some(since) = search.since {
        conditions.add("words.rowid >= ?", [row(since).into()]);
    }
    if let Some(before) = search.before {
        conditions.add("words.rowid < ?", [row(before).into()]);
    }
    conditions
}

fn row(at: Timestamp) -> i64 {
    at.as_millisecond().clamp(0, 1 << 42) << BELOW_TIME
}
