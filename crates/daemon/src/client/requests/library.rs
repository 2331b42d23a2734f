//! Requests about the conversations of the machine: the list, what is in one, searching.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::sync::Arc;

use belfry_protocol::search::{Hit, HitPlace, List, Search, ShownLine};
use belfry_protocol::transcript::{Conversation, ReadTranscript};
use belfry_protocol::{ErrorCode, Reply, Session, WireError};
use belfry_transcripts::{Found, Homes, ReadError, Which, find, page};

use super::Outcome;
use crate::conversations::live_in;
use crate::{Daemon, index};

/// Most conversations, hits and entries of one answer.
const MOST_LISTED: u32 = 200;
const MOST_HITS: u32 = 100;
const MOST_ENTRIES: usize = 500;
/// Longest search, in bytes.
const LONGEST: usize = 1000;

pub(super) async fn list(daemon: &Arc<Daemon>, mut list: List) -> Outcome {
    known_agents(daemon, &list.agents)?;
    list.limit = list.limit.min(MOST_LISTED);
    let (mut conversations, total) = index::ask(daemon, move |index| index.list(&list)).await?;
    with_sessions(daemon, conversations.iter_mut());
    conversations.truncate(crate::daemon::fitting(&conversations, 0));
    Ok(Reply::Conversations { conversations, total, indexing: daemon.indexer.progress() })
}

pub(super) async fn search(daemon: &Arc<Daemon>, mut search: Search) -> Outcome {
    if search.text.len() > LONGEST {
        return Err(WireError::new(ErrorCode::BadRequest, "that is too long to be looked for"));
    }
    known_agents(daemon, &search.agents)?;
    search.limit = search.limit.min(MOST_HITS);
    let now = crate::clock::wall();
    let mut found = index::ask(daemon, move |index| index.search(&search, now)).await?;
    with_sessions(daemon, found.hits.iter_mut().filter_map(conversation));
    found.hits.retain_mut(|hit| match &mut hit.place {
        HitPlace::Entry { .. } => true,
        HitPlace::Line { line } => with_session(daemon, line),
    });
    found.hits.truncate(crate::daemon::fitting(&found.hits, 0));
    Ok(Reply::Hits { found: Box::new(found), indexing: daemon.indexer.progress() })
}

/// Nothing is found of an agent that there is not: that is no answer to somebody who has mistyped its name.
fn known_agents(daemon: &Daemon, asked: &[String]) -> Result<(), WireError> {
    let agents = daemon.agents();
    asked.iter().try_for_each(|id| crate::launch::agent(&agents, id).map(drop))
}

/// What the session's record says of it now; false where it is removed.
fn with_session(daemon: &Daemon, line: &mut ShownLine) -> bool {
    let Some(entry) = daemon.get(line.session) else { return false };
    let session = entry.record();
    line.name.clone_from(&session.name);
    line.alive = session.alive();
    session.trashed_at.is_none()
}

/// The conversation of a hit in one.
fn conversation(hit: &mut Hit) -> Option<&mut Conversation> {
    match &mut hit.place {
        HitPlace::Entry { conversation, .. } => Some(conversation),
        HitPlace::Line { .. } => None,
    }
}

pub(super) async fn hide(daemon: &Arc<Daemon>, agent: String, id: String, hidden: bool) -> Outcome {
    index::ask(daemon, move |index| index.hide(&agent, &id, hidden)).await?;
    Ok(Reply::Done)
}

/// Where a conversation lies: the index knows, and else the agent's home is looked through.
pub(crate) async fn transcript(daemon: &Arc<Daemon>, agent: &str, id: &str) -> Option<Found> {
    placed(daemon, agent, id, None).await
}

async fn placed(daemon: &Arc<Daemon>, agent: &str, id: &str, subagent: Option<&str>) -> Option<Found> {
    let (agent, id, subagent) = (agent.to_owned(), id.to_owned(), subagent.map(str::to_owned));
    let (of, wanted, inside) = (agent.clone(), id.clone(), subagent.clone());
    let known = index::ask(daemon, move |index| index.place(&of, &wanted, inside.as_deref())).await;
    if let Ok(Some(known)) = known {
        return Some(known);
    }
    // Aider's are where they were told to be: a session's own is known before the index has it.
    let has_it = |record: &Session| record.agent == agent && record.conversation_id.as_ref() == Some(&id);
    let own = agent == "aider" && daemon.entries().iter().any(|entry| has_it(&entry.record()));
    let looked = move || {
        let homes = Homes::of(|name| std::env::var(name).ok()).with_aider(own.then(|| id.clone().into()));
        find(&agent, &id, &homes).filter(|_| subagent.is_none())
    };
    tokio::task::spawn_blocking(looked).await.ok().flatten()
}

pub(super) async fn read(daemon: &Arc<Daemon>, asked: ReadTranscript) -> Outcome {
    known_agents(daemon, std::slice::from_ref(&asked.agent))?;
    let known = placed(daemon, &asked.agent, &asked.id, asked.subagent.as_deref()).await;
    let read = tokio::task::spawn_blocking(move || {
        let found = known.ok_or(ReadError::Gone)?;
        let which = match (asked.from, asked.before) {
            (Some(seq), _) => Which::From(seq),
            (None, Some(seq)) => Which::Before(seq),
            (None, None) => Which::Last,
        };
        Ok((page(&found, which, (asked.limit as usize).clamp(1, MOST_ENTRIES))?, which))
    });
    let read: Result<_, ReadError> =
        read.await.map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))?;
    match read {
        Ok((mut page, which)) => {
            // What does not fit is left for the next page, at the end that is further away.
            if matches!(which, Which::From(_)) {
                let fitting = crate::daemon::fitting(&page.entries, 0);
                page.later |= fitting < page.entries.len();
                page.entries.truncate(fitting);
            } else {
                page.entries.reverse();
                let fitting = crate::daemon::fitting(&page.entries, 0);
                page.earlier |= fitting < page.entries.len();
                page.entries.truncate(fitting);
                page.entries.reverse();
            }
            Ok(Reply::Transcript { entries: page.entries, earlier: page.earlier, later: page.later })
        }
        Err(ReadError::Gone) => {
            let gone = "its agent does not have this conversation any more, or never had it";
            Err(WireError::new(ErrorCode::ConversationGone, gone))
        }
        Err(error) => {
            Err(WireError::new(ErrorCode::Internal, format!("the transcript cannot be read: {error}")))
        }
    }
}

/// Which sessions are in them, or were last, and where they go on.
fn with_sessions<'a>(daemon: &Daemon, conversations: impl Iterator<Item = &'a mut Conversation>) {
    let key_of = |session: &Session| Some((session.agent.clone(), session.conversation_id.clone()?));
    let mut sessions = HashMap::new();
    for entry in daemon.entries() {
        let record = entry.record();
        let Some(key) = key_of(&record) else { continue };
        let known = (record.id, live_in(&record), record.cwd.clone());
        // Of several, the one in which it goes on, else the newest.
        match sessions.entry(key) {
            Slot::Vacant(slot) => _ = slot.insert(known),
            Slot::Occupied(slot) if slot.get().1.is_some() => {}
            Slot::Occupied(mut slot) => _ = slot.insert(known),
        }
    }
    let elsewhere: HashMap<_, _> = daemon
        .locals
        .sessions()
        .iter()
        .filter_map(|session| Some((key_of(session)?, live_in(session)?)))
        .collect();
    for conversation in conversations {
        let key = (conversation.agent.clone(), conversation.id.clone());
        if let Some((session, live, cwd)) = sessions.get(&key) {
            conversation.session = Some(*session);
            conversation.live.clone_from(live);
            conversation.cwd.get_or_insert_with(|| cwd.clone());
        }
        conversation.live = conversation.live.take().or_else(|| elsewhere.get(&key).cloned());
    }
}
