//! What was used: tokens and cost from the search index, which has them from the agents' own records by the hour; time at work
//! and waiting from the history of each session's status.

mod time;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use belfry_index::{Hour, Per};
use belfry_protocol::explain::StatusChange;
use belfry_protocol::history::Happened;
use belfry_protocol::transcript::Usage;
use belfry_protocol::usage::{ReadUsage, UsageBy, UsageReport, UsageRow};
use belfry_protocol::{ProjectId, Reply, Session, SessionId, WireError};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use self::time::{Spent, days, spent};
use crate::session::STATUS;
use crate::tree::Tree;
use crate::{Daemon, clock, index};

/// By what something is added up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Session(SessionId),
    /// Conversations of an agent that no session has been in.
    Agent(String),
    Project(Option<ProjectId>),
    Day(jiff::civil::Date),
}

/// A session with all that is known of its past.
struct Past {
    session: Session,
    /// Its changes of status that are kept, oldest first.
    changes: Vec<StatusChange>,
    /// Its conversations.
    conversations: Vec<String>,
}

/// Reads what was used.
pub(crate) async fn read(daemon: &Arc<Daemon>, wanted: ReadUsage) -> Result<Reply, WireError> {
    let since = wanted.since.unwrap_or(Timestamp::UNIX_EPOCH);
    let before = wanted.before.unwrap_or_else(|| {
        // The hour that has begun counts.
        clock::wall().saturating_add(jiff::SignedDuration::from_hours(1)).unwrap_or(Timestamp::MAX)
    });
    let per = match wanted.by {
        UsageBy::Session => Per::Conversation,
        UsageBy::Project => Per::Directory,
        UsageBy::Day => Per::Agent,
    };
    let hours = index::ask(daemon, move |index| index.used(per, since, before)).await?;
    let past = past(daemon).await?;
    let tree = daemon.tree.lock().await.clone();
    let zone = TimeZone::system();
    let mut sums: BTreeMap<Key, (Usage, Spent)> = BTreeMap::new();
    let by_conversation: HashMap<(&str, &str), SessionId> = past
        .iter()
        .flat_map(|past| {
            let of = |id| ((past.session.agent.as_str(), id), past.session.id);
            past.conversations.iter().map(String::as_str).map(of)
        })
        .collect();
    for hour in &hours {
        let key = match wanted.by {
            UsageBy::Session => {
                let session = by_conversation.get(&(hour.agent.as_str(), hour.of.as_str()));
                session.map_or_else(|| Key::Agent(hour.agent.clone()), |id| Key::Session(*id))
            }
            UsageBy::Project => Key::Project(tree.project_around(Path::new(&hour.of)).map(|one| one.id)),
            UsageBy::Day => Key::Day(hour.at.to_zoned_datetime(zone.clone()).date()),
        };
        add(&mut sums.entry(key).or_default().0, hour);
    }
    let now = clock::wall();
    for one in &past {
        let spans = time::spans(&one.session, &one.changes, now);
        match wanted.by {
            UsageBy::Session | UsageBy::Project => {
                let key = match wanted.by {
                    UsageBy::Session => Key::Session(one.session.id),
                    _ => Key::Project(one.session.project),
                };
                sums.entry(key).or_default().1 += spent(&spans, since, before);
            }
            UsageBy::Day => {
                for (day, of_day) in days(&spans, since, before, &zone) {
                    sums.entry(Key::Day(day)).or_default().1 += of_day;
                }
            }
        }
    }
    let mut rows: Vec<UsageRow> = sums
        .into_iter()
        .filter(|(_, (usage, spent))| *usage != Usage::default() || *spent != Spent::default())
        .map(|(key, sum)| row(key, sum, &past, &tree))
        .collect();
    if wanted.by != UsageBy::Day {
        rows.sort_by_key(|row| std::cmp::Reverse((tokens(&row.usage), row.working_ms)));
    }
    rows.truncate(crate::daemon::fitting(&rows, 0));
    Ok(Reply::Usage(Box::new(UsageReport { rows, indexing: daemon.indexer.progress() })))
}

fn row(key: Key, (usage, spent): (Usage, Spent), past: &[Past], tree: &Tree) -> UsageRow {
    let Spent { working_ms, waiting_ms } = spent;
    let row = UsageRow {
        name: String::new(),
        session: None,
        project: None,
        agent: None,
        usage,
        working_ms,
        waiting_ms,
    };
    match key {
        Key::Session(id) => {
            let known = past.iter().map(|past| &past.session).find(|session| session.id == id);
            let name = known.map(|session| session.name.clone()).unwrap_or_default();
            let agent = known.map(|session| session.agent.clone());
            let project = known.and_then(|session| session.project);
            UsageRow { name, session: Some(id), project, agent, ..row }
        }
        Key::Agent(agent) => UsageRow { name: agent.clone(), agent: Some(agent), ..row },
        Key::Project(id) => {
            let name = id.and_then(|id| tree.project(id)).map(|project| project.name.clone());
            UsageRow { name: name.unwrap_or_default(), project: id, ..row }
        }
        Key::Day(day) => UsageRow { name: day.to_string(), ..row },
    }
}

fn add(sum: &mut Usage, hour: &Hour) {
    let Usage { input, output, cache_read, cache_write, cost, estimated, .. } = &hour.usage;
    sum.input += input;
    sum.output += output;
    sum.cache_read += cache_read;
    sum.cache_write += cache_write;
    sum.estimated |= estimated;
    if let Some(cost) = cost {
        sum.cost = Some(sum.cost.unwrap_or(0.0) + cost);
    }
}

fn tokens(usage: &Usage) -> u64 {
    usage.input + usage.output + usage.cache_read + usage.cache_write
}

/// All sessions, those in the trash too: what they used was used.
async fn past(daemon: &Arc<Daemon>) -> Result<Vec<Past>, WireError> {
    let entries = daemon.entries();
    let ids: Vec<SessionId> = entries.iter().filter(|entry| !entry.private).map(|entry| entry.id).collect();
    let stored = daemon.store.call(move |store| {
        let of = |id: SessionId| {
            let changes = store.history_of(id, STATUS, belfry_store::HISTORY_KEPT)?;
            Ok((id, (changes, store.conversations(id)?)))
        };
        ids.into_iter().map(of).collect::<belfry_store::Result<HashMap<_, _>>>()
    });
    let mut stored = stored
        .await
        .map_err(|error| WireError::new(error.code(), format!("the history cannot be read: {error}")))?;
    let past = |entry: &Arc<crate::session::Entry>| {
        let session = entry.session();
        let (mut changes, conversations): (Vec<StatusChange>, Vec<String>) = match stored.remove(&entry.id) {
            Some((changes, ledger)) => (
                changes.into_iter().filter_map(|one| serde_json::from_value(one.detail).ok()).collect(),
                ledger.into_iter().map(|line| line.id).collect(),
            ),
            None => (
                entry.remembered().into_iter().filter_map(change).collect(),
                entry.ledger.lock().iter().map(|line| line.id.clone()).collect(),
            ),
        };
        changes.sort_by_key(|change| change.at);
        Past { session, changes, conversations }
    };
    Ok(entries.iter().map(past).collect())
}

fn change(happened: Happened) -> Option<StatusChange> {
    match happened {
        Happened::Status(change) => Some(change),
        Happened::Ask(_) => None,
    }
}
