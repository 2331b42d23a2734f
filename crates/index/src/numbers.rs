//! What was used, by the hour.

use belfry_protocol::transcript::Usage;
use jiff::Timestamp;
use rusqlite::params;

use crate::{Index, Result};

/// By what it is added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// By conversation: its id.
    Conversation,
    /// By directory.
    Directory,
    /// By agent.
    Agent,
}

/// What was used in one hour: days begin at another one for everybody.
#[derive(Clone, Debug, PartialEq)]
pub struct Hour {
    /// Its beginning.
    pub at: Timestamp,
    /// The agent.
    pub agent: String,
    /// The conversation, the directory, or the agent.
    pub of: String,
    /// What was used. Subagents are part of their conversation.
    pub usage: Usage,
}

impl Index {
    /// What was used at and after a moment, and before another, by the hour, in order.
    pub fn used(&self, per: Per, since: Timestamp, before: Timestamp) -> Result<Vec<Hour>> {
        let of = match per {
            Per::Conversation => "c.id",
            Per::Directory => "c.cwd",
            Per::Agent => "c.agent",
        };
        let select = format!(
            "SELECT u.hour, c.agent, {of}, sum(u.input), sum(u.output), sum(u.cache_read), sum(u.cache_write), sum(u.cost),
             max(u.estimated) FROM used u JOIN conversation c ON c.key = u.conversation
             WHERE u.hour >= ?1 AND u.hour < ?2 GROUP BY u.hour, c.agent, {of} ORDER BY u.hour"
        );
        let hour = |at: Timestamp| at.as_second().div_euclid(3600);
        let mut select = self.database.prepare(&select)?;
        let mut rows = select.query(params![hour(since), hour(before)])?;
        let mut hours = Vec::new();
        while let Some(row) = rows.next()? {
            let count = |at: usize| row.get::<_, i64>(at).map(|count| count.max(0) as u64);
            let cost: f64 = row.get(7)?;
            let usage = Usage {
                input: count(3)?,
                output: count(4)?,
                cache_read: count(5)?,
                cache_write: count(6)?,
                cost: (cost > 0.0).then_some(cost),
                estimated: row.get(8)?,
                ..Usage::default()
            };
            let at = Timestamp::from_second(row.get::<_, i64>(0)?.saturating_mul(3600)).unwrap_or_default();
            hours.push(Hour { at, agent: row.get(1)?, of: row.get(2)?, usage });
        }
        Ok(hours)
    }
}
