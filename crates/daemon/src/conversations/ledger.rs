//! Which conversations a session has been in, since when, and how that was learnt.

use std::sync::Arc;

use belfry_protocol::session::LearntConversation;
use jiff::Timestamp;

use crate::launch::Meta;
use crate::session::Entry;
use crate::{Daemon, clock};

/// Conversations of a private session that are remembered, newest first: they are nowhere else.
const REMEMBERED: usize = 50;

/// How one was learnt that the agent's process has open.
pub(crate) const OPEN_FILE: &str = "open file";

/// The conversations of a session, newest first. Empty where it has none, or the database cannot be read.
pub(crate) async fn of(daemon: &Daemon, entry: &Entry) -> Vec<LearntConversation> {
    if entry.private {
        return entry.ledger.lock().clone();
    }
    let id = entry.id;
    let all = daemon.store.call(move |store| store.conversations(id)).await.unwrap_or_default();
    all.into_iter()
        .map(|line| LearntConversation { id: line.id, learnt_at: line.at, how: line.how })
        .collect()
}

/// A run was started: the session is in the conversation of its record, or in none yet.
pub(crate) fn note_start(daemon: &Daemon, entry: &Arc<Entry>, how: &'static str) {
    let mut session = entry.session();
    let conversation = session.conversation_id.take().unwrap_or_default();
    let now = clock::wall();
    if entry.private {
        remember(entry, &conversation, how, now);
        return;
    }
    daemon.post(move |store| {
        // Without its conversation, which would count as learnt otherwise.
        store.save_session(&session)?;
        store.learn_conversation(session.id, &conversation, how, now)
    });
}

/// It was learnt that the session is in another conversation now, which is noted at once: it is what a crash must not lose.
pub(crate) fn note(daemon: &Daemon, entry: &Arc<Entry>, conversation: &str, how: &'static str) {
    let now = clock::wall();
    daemon.change(entry, |session| session.conversation_id = Some(conversation.to_owned()));
    if entry.private {
        remember(entry, conversation, how, now);
    }
    let (id, conversation) = (entry.id, conversation.to_owned());
    let run = entry.newest_run();
    let dir = run.and_then(|run| entry.run_dir(daemon, run));
    let noted = Arc::clone(entry);
    // On the thread of the store, one after the other: the run's own note is what a lost database is rebuilt from, and the
    // only one of a private session.
    daemon.post(move |store| {
        if let (Some(dir), Some(run)) = (dir, run)
            && let Some(mut meta) = Meta::read(&dir)
            && meta.run == run
        {
            meta.session.conversation_id.clone_from(&noted.record().conversation_id);
            if let Err(error) = meta.write(&dir) {
                tracing::warn!(session = %noted.logged(), %error, "a run's conversation cannot be noted");
            }
        }
        if noted.private { Ok(()) } else { store.learn_conversation(id, &conversation, how, now) }
    });
}

fn remember(entry: &Entry, conversation: &str, how: &str, at: Timestamp) {
    let mut ledger = entry.ledger.lock();
    if conversation.is_empty() || ledger.first().is_some_and(|newest| newest.id == conversation) {
        return;
    }
    ledger.truncate(REMEMBERED - 1);
    let line = LearntConversation { id: conversation.to_owned(), learnt_at: at, how: how.to_owned() };
    ledger.insert(0, line);
}
