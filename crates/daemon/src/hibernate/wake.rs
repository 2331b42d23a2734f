//! Waking a session for a message.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::reply::Delivery;
use belfry_protocol::{ErrorCode, MessageId, WireError};

use crate::client::Answer;
use crate::launch::{Again, run_again};
use crate::session::{Command, Entry};
use crate::{Daemon, clock};

/// How long a program that is just being put to sleep may take to end.
const END: Duration = Duration::from_secs(25);

/// A message that was kept for a session that sleeps, or is about to.
pub(crate) struct Letter {
    pub(crate) id: MessageId,
    pub(crate) text: String,
    /// Not to wait for its turn's end.
    pub(crate) now: bool,
    pub(crate) answer: Option<Answer>,
}

/// Wakes a session and gives the message to it, which types it as soon as its agent takes one: at most once, as any message.
/// Where it cannot be woken, the message has failed, and its sender is told why.
pub(crate) fn deliver(
    daemon: Arc<Daemon>,
    entry: Arc<Entry>,
    letter: Letter,
) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    // Boxed: an engine starts this, and this starts an engine.
    Box::pin(async move {
        let Letter { id, text, now, answer } = letter;
        match wake(&daemon, &entry).await {
            Ok(()) => entry.tell(&daemon, Command::Message { id, text, now, answer }),
            Err(error) => failed(&daemon, &entry, id, error, answer),
        }
    })
}

/// Wakes it. One that is awake, or was woken by somebody else meanwhile, is left as it is.
async fn wake(daemon: &Arc<Daemon>, entry: &Arc<Entry>) -> Result<(), WireError> {
    asleep(entry).await;
    let turn = Arc::clone(&daemon.waking).acquire_owned().await.ok();
    let woken = Box::pin(run_again(daemon, entry, Again::Resume, None, None)).await;
    if woken.is_ok() {
        let entry = Arc::clone(entry);
        tokio::spawn(async move {
            crate::conversations::started(&entry).await;
            drop(turn);
        });
    }
    match woken {
        // Somebody was quicker; what it has begun is seen in its record in a moment.
        Err(error) if error.code == ErrorCode::StillAlive => {
            drop(entry.starting.lock().await);
            if entry.alive() { Ok(()) } else { Err(error) }
        }
        other => other,
    }
}

/// Waits for the end of a program that is just being put to sleep.
async fn asleep(entry: &Entry) {
    let mut changes = entry.changed.subscribe();
    let over = async {
        while entry.alive() && entry.falls_asleep() {
            if changes.changed().await.is_err() {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(END, over).await;
}

fn failed(daemon: &Daemon, entry: &Entry, id: MessageId, error: WireError, answer: Option<Answer>) {
    let why = format!("it could not be woken: {}", error.message);
    daemon.change(entry, |session| session.notice = Some(why.clone()));
    let at = clock::wall();
    let kept = (!entry.private).then_some(why);
    if let Some(why) = kept {
        daemon.post(move |store| store.end_message(id, Delivery::Failed, Some(&why), at).map(drop));
    }
    if let Some(answer) = answer {
        answer.give(Err(error));
    }
}

/// Wakes the sessions for which messages waited when the last daemon ended.
pub(crate) async fn wake_awaited(daemon: Arc<Daemon>) {
    let awaited = |entry: &Arc<Entry>| {
        let session = entry.record();
        session.hibernated() && session.queued > 0
    };
    for entry in daemon.entries().into_iter().filter(awaited) {
        let id = entry.id;
        let stored = daemon.store.call(move |store| store.messages(id)).await.unwrap_or_else(|error| {
            tracing::warn!(session = %entry.logged(), %error, "queued messages cannot be read");
            Vec::new()
        });
        for stored in stored.into_iter().filter(|stored| stored.message.delivery == Delivery::Queued) {
            let letter = Letter { id: stored.message.id, text: stored.text, now: false, answer: None };
            deliver(Arc::clone(&daemon), Arc::clone(&entry), letter).await;
        }
    }
}
