//! Requests about questions, the messages that wait, and why a status is what it is.

use std::sync::Arc;

use belfry_protocol::explain::{Evidence, Explanation, StatusChange, Weight};
use belfry_protocol::history::Happened;
use belfry_protocol::reply::{Delivery, Message, QueuedMessage};
use belfry_protocol::signal::{Says, Source};
use belfry_protocol::{ErrorCode, MessageId, Reply, SessionId, WireError};
use belfry_store::StoredMessage;
use tokio::sync::oneshot;

use super::{Answer, Outcome};
use crate::client::Client;
use crate::session::{Command, Entry, Given, STATUS, clean};
use crate::{Daemon, clock};

/// Changes of status that are told.
const CHANGES: u32 = 50;

/// Messages that have ended and are told.
const ENDED: u32 = 20;

/// Longest text of a message in a list, in bytes, and most of all of them: an answer is one frame.
const SHOWN: usize = 16 * 1024;

/// See [`SHOWN`].
const SHOWN_IN_ALL: usize = 512 * 1024;

/// What a message's reason says that was taken back.
pub(crate) const TAKEN_BACK: &str = "taken back";

/// Answers the open question; the session's engine gives the answer.
pub(super) fn answer(
    daemon: &Arc<Daemon>,
    client: &Client,
    wanted: &str,
    (choice, text, fingerprint): (Option<String>, Option<String>, Option<String>),
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    let entry = match daemon.find(wanted) {
        Ok(entry) => entry,
        Err(error) => return Some((answer, Err(error))),
    };
    if !entry.alive() {
        return Some((answer, Err(WireError::new(ErrorCode::NotAlive, "the session has ended"))));
    }
    let given = Given { choice, text, fingerprint, by: format!("person ({})", client.kind()) };
    entry.tell(daemon, Command::Answer { given, answer });
    None
}

/// Why its status is what it is.
pub(super) async fn explain(daemon: &Arc<Daemon>, wanted: &str, answer: Answer) -> Option<(Answer, Outcome)> {
    let entry = match daemon.find(wanted) {
        Ok(entry) => entry,
        Err(error) if daemon.locals.find(wanted).is_some() => {
            let explained = daemon.explain_local(wanted).await;
            return Some((answer, explained.map(|why| Reply::Explanation(Box::new(why))).ok_or(error)));
        }
        Err(error) => return Some((answer, Err(error))),
    };
    let history = history(daemon, &entry).await;
    if !entry.alive() {
        return Some((answer, Ok(Reply::Explanation(Box::new(of_dead(daemon, &entry, history))))));
    }
    entry.tell(daemon, Command::Explain { history, answer });
    None
}

async fn history(daemon: &Daemon, entry: &Entry) -> Vec<StatusChange> {
    if entry.private {
        let status = |happened| match happened {
            Happened::Status(change) => Some(change),
            Happened::Ask(_) => None,
        };
        return entry.remembered().into_iter().filter_map(status).collect();
    }
    let id = entry.id;
    let found = daemon.store.call(move |store| store.history_of(id, STATUS, CHANGES)).await;
    let found = found.unwrap_or_else(|error| {
        tracing::warn!(session = %entry.logged(), %error, "the history cannot be read");
        Vec::new()
    });
    found.into_iter().filter_map(super::history::change).collect()
}

fn of_dead(daemon: &Daemon, entry: &Entry, history: Vec<StatusChange>) -> Explanation {
    let session = entry.session();
    let for_ms = clock::since(session.since);
    let asleep = session.hibernated().then(|| "it was put to sleep".to_owned());
    let rule = if session.hibernated() {
        "The program was put to sleep, and goes on with its conversation when the session is woken."
    } else {
        "The program has ended, and nothing that comes later changes that."
    };
    let what = asleep.or_else(|| session.reason.clone()).unwrap_or_else(|| "the process is gone".to_owned());
    Explanation {
        version: daemon.version_of(&session),
        name: session.name,
        agent: session.agent,
        status: session.status,
        rule: rule.to_owned(),
        reason: session.reason,
        for_ms,
        activity_since: None,
        evidence: vec![Evidence {
            source: Source::Process,
            says: Some(Says::Gone),
            what,
            age_ms: for_ms,
            weight: Weight::Decided,
            why: None,
        }],
        missing: Vec::new(),
        history,
    }
}

/// The messages that wait and the last that have ended; the engine knows what the first one waits for.
pub(super) async fn messages(
    daemon: &Arc<Daemon>,
    wanted: &str,
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    let entry = match daemon.find(wanted) {
        Ok(entry) => entry,
        Err(error) => return Some((answer, Err(error))),
    };
    let id = entry.id;
    let stored = if entry.private {
        Vec::new()
    } else {
        match daemon.store.call(move |store| store.recent_messages(id, ENDED)).await {
            Ok(stored) => stored,
            Err(error) => {
                return Some((
                    answer,
                    Err(WireError::new(error.code(), format!("the messages cannot be read: {error}"))),
                ));
            }
        }
    };
    let listed = listed(stored);
    if !entry.alive() {
        return Some((answer, Ok(Reply::Messages(listed))));
    }
    entry.tell(daemon, Command::Messages { listed, answer });
    None
}

/// Messages as a list shows them.
pub(crate) fn listed(stored: Vec<StoredMessage>) -> Vec<QueuedMessage> {
    let mut room = SHOWN_IN_ALL;
    let shown = stored.into_iter().rev().map(|stored| {
        let text = cut(stored.text, SHOWN.min(room));
        room -= text.len().min(room);
        let Message { id, delivery, why } = stored.message;
        QueuedMessage { id, text, delivery, why, queued_at: stored.queued_at }
    });
    let mut shown: Vec<_> = shown.collect();
    shown.reverse();
    shown
}

/// What of a text is shown in a list.
pub(crate) fn shown(text: &str) -> String {
    cut(text.to_owned(), SHOWN)
}

fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        let mut at = most;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.truncate(at);
        text.push('…');
    }
    clean::text(&text, usize::MAX)
}

/// Takes a message back that still waits.
pub(super) async fn cancel(daemon: &Arc<Daemon>, id: MessageId) -> Outcome {
    let not_found = || WireError::new(ErrorCode::NotFound, "there is no such message");
    let stored = daemon.store.call(move |store| store.message(id)).await;
    let stored = stored.map_err(|error| WireError::new(error.code(), error.to_string()))?;
    let (taken, session) = match stored {
        Some(stored) => (taken_from(daemon, stored.session, id).await, Some(stored.session)),
        None => (from_private(daemon, id).await, None),
    };
    match (taken, session) {
        (Some(true), _) => Ok(Reply::Message(taken_back(id))),
        (Some(false), _) => Err(being_typed()),
        // No engine has it (yet): the database decides.
        (None, Some(_)) => {
            let at = clock::wall();
            let taken = daemon.store.call(move |store| store.take_back_message(id, TAKEN_BACK, at)).await;
            match taken {
                Ok(true) => Ok(Reply::Message(taken_back(id))),
                Ok(false) => Err(being_typed()),
                Err(error) => Err(WireError::new(error.code(), error.to_string())),
            }
        }
        (None, None) => Err(not_found()),
    }
}

fn taken_back(id: MessageId) -> Message {
    Message { id, delivery: Delivery::Failed, why: Some(TAKEN_BACK.to_owned()) }
}

fn being_typed() -> WireError {
    WireError::new(ErrorCode::Changed, "the message does not wait any more").kept("it was or is being typed")
}

/// Whether the session's engine has taken it back; none where it does not know it.
async fn taken_from(daemon: &Daemon, session: SessionId, id: MessageId) -> Option<bool> {
    let entry = daemon.get(session)?;
    let (done, outcome) = oneshot::channel();
    if !entry.tell_if_running(Command::Cancel { id, done }) {
        return None;
    }
    outcome.await.ok().flatten()
}

async fn from_private(daemon: &Daemon, id: MessageId) -> Option<bool> {
    for entry in daemon.entries().into_iter().filter(|entry| entry.private && entry.alive()) {
        if let Some(taken) = taken_from(daemon, entry.id, id).await {
            return Some(taken);
        }
    }
    None
}
