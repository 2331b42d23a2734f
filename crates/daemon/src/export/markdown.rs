//! Conversations as Markdown, from the agents' own records.

mod text;
mod turns;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use belfry_protocol::frame::MAX_PIECE;
use belfry_protocol::transcript::Entry;
use belfry_protocol::{ErrorCode, StreamId, WireError};
use belfry_transcripts::{Budget, Found, Item, ReadError, Reader};
use jiff::tz::TimeZone;
use tokio::sync::mpsc;

use self::text::{code, plain};
use self::turns::{Speaks, Turns};
use super::{Outcome, give, send};
use crate::Daemon;
use crate::client::{Answer, Client};
use crate::conversations::{ledger, transcript_of};

/// Entries that are kept back for those that come again, as they grow.
const KEPT_BACK: usize = 64;

/// Read in one go.
const STEP: Budget = Budget { bytes: 1024 * 1024, entries: 1000 };

/// What is written.
struct Document {
    /// The session's name, where it is of one.
    session: Option<String>,
    /// The agent, for people.
    agent: String,
    /// The conversations, oldest first, and where each of them is; none where that is not there any more.
    conversations: Vec<(String, Option<Found>)>,
}

/// Sends the conversations of a session.
pub(crate) async fn session(
    daemon: &Arc<Daemon>,
    client: &Arc<Client>,
    wanted: &str,
    stream: StreamId,
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    match of_session(daemon, wanted).await {
        Ok(document) => send(daemon, client, stream, answer, move |pieces| document.write(pieces)).await,
        Err(error) => Some((answer, Err(error))),
    }
}

/// Sends one conversation.
pub(crate) async fn conversation(
    daemon: &Arc<Daemon>,
    client: &Arc<Client>,
    (agent, id): (String, String),
    stream: StreamId,
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    if let Err(error) = crate::launch::agent(&daemon.agents(), &agent) {
        return Some((answer, Err(error)));
    }
    let Some(found) = crate::client::transcript(daemon, &agent, &id).await else {
        let gone = "its agent does not have this conversation any more, or never had it";
        return Some((answer, Err(WireError::new(ErrorCode::ConversationGone, gone))));
    };
    let agent = daemon.agents().get(&agent).map_or(agent, |agent| agent.name().to_owned());
    let document = Document { session: None, agent, conversations: vec![(id, Some(found))] };
    send(daemon, client, stream, answer, move |pieces| document.write(pieces)).await
}

async fn of_session(daemon: &Arc<Daemon>, wanted: &str) -> Result<Document, WireError> {
    let entry = daemon.find(wanted)?;
    let session = entry.session();
    let agents = daemon.agents();
    let agent = agents.get(&session.agent);
    let name = agent.map_or(session.agent.as_str(), belfry_agents::Agent::name);
    let gone = |why: String| {
        let next = "`belfry export SESSION --asciicast FILE` writes what its terminal showed.";
        Err(WireError::new(ErrorCode::ConversationGone, why).next(next))
    };
    let mut ids: Vec<String> = Vec::new();
    let known = ledger::of(daemon, &entry).await.into_iter().rev().map(|line| line.id);
    for id in known.chain(session.conversation_id.clone()).filter(|id| !id.is_empty()) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let Some(agent) = agent.filter(|_| !ids.is_empty()) else {
        return gone(format!("{} has no conversation: {name} has kept none of it", session.name));
    };
    let mut conversations = Vec::new();
    for id in ids {
        let found = transcript_of(daemon, agent, &id).await;
        conversations.push((id, found));
    }
    if conversations.iter().all(|(_, found)| found.is_none()) {
        return gone(format!(
            "{name} does not have the conversation of {} any more, or not yet",
            session.name
        ));
    }
    Ok(Document { session: Some(session.name), agent: name.to_owned(), conversations })
}

impl Document {
    /// Writes all of it. Blocks.
    fn write(&self, pieces: &mpsc::Sender<Vec<u8>>) -> Result<(), ReadError> {
        let zone = TimeZone::system();
        let mut out = String::new();
        let level = if self.session.is_some() { 2 } else { 1 };
        if let Some(name) = &self.session {
            out = format!("# {}\n\n", plain(name));
        }
        let name = zone.iana_name().unwrap_or("this machine's zone");
        let _ = write!(out, "Times are those of {}. What subagents did is not in here.\n\n", plain(name));
        for (id, found) in &self.conversations {
            let written = match found {
                Some(found) => self.conversation(found, &zone, level, &mut out, pieces),
                None => Err(ReadError::Gone),
            };
            match written {
                Ok(true) => {}
                // Nobody listens any more.
                Ok(false) => return Ok(()),
                Err(why) if self.conversations.len() > 1 => {
                    let heading = "#".repeat(level);
                    let (id, why) = (code(id), plain(&why.to_string()));
                    let _ = write!(out, "{heading} {id}\n\n*Left out: {why}.*\n\n");
                }
                Err(why) => return Err(why),
            }
        }
        let _ = give(&mut out.into_bytes(), pieces);
        Ok(())
    }

    /// False where nobody listens any more.
    fn conversation(
        &self,
        found: &Found,
        zone: &TimeZone,
        level: usize,
        out: &mut String,
        pieces: &mpsc::Sender<Vec<u8>>,
    ) -> Result<bool, ReadError> {
        // Once for what stands above it, once for what is in it: it can be larger than what may be kept in memory.
        let mut reader = Reader::open(found, None)?;
        reader.read(Budget::ALL, &mut |_| {})?;
        let mut turns = Turns { agent: &self.agent, zone, speaks: Speaks::Nobody };
        turns.head(&reader.summary().conversation(found), level, out);
        let mut reader = Reader::open(found, None)?;
        let mut waiting: BTreeMap<u64, Entry> = BTreeMap::new();
        let mut written = None;
        loop {
            let progress = reader.read(STEP, &mut |item| {
                let Item::Entry(entry) = item else { return };
                // One that has grown too late stays as it was.
                if written.is_none_or(|written| entry.seq > written) {
                    waiting.insert(entry.seq, entry);
                }
                while waiting.len() > KEPT_BACK
                    && let Some((seq, entry)) = waiting.pop_first()
                {
                    turns.entry(&entry, out);
                    written = Some(seq);
                }
            })?;
            if out.len() >= MAX_PIECE / 2 && !flush(out, pieces) {
                return Ok(false);
            }
            if progress.caught_up {
                break;
            }
        }
        for entry in waiting.values() {
            turns.entry(entry, out);
        }
        Ok(flush(out, pieces))
    }
}

fn flush(out: &mut String, pieces: &mpsc::Sender<Vec<u8>>) -> bool {
    give(&mut std::mem::take(out).into_bytes(), pieces).is_ok()
}
