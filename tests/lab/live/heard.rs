//! What the daemon says of its sessions.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use belfry_client::Incoming;
use belfry_platform::clock;
use belfry_protocol::{Event, Session, SessionId, Status};

use super::super::World;
use crate::status_score::{Said, Timeline};

/// One change, as an event told it.
struct Word {
    /// When it arrived, in microseconds of the machine's monotonic clock.
    at: u64,
    session: SessionId,
    status: Status,
    why: String,
}

/// A subscribed client that takes everything down. It ends when this is dropped.
pub(super) struct Heard {
    words: Arc<Mutex<Vec<Word>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Heard {
    pub(super) async fn listen(world: &World) -> Result<Self> {
        let (requests, mut incoming) = world.connect().await?.split();
        incoming.subscribe(&requests).await?;
        let words = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&words);
        let task = tokio::spawn(async move {
            // The connection lives as long as who asks.
            let _requests = requests;
            while let Some(arrival) = incoming.next().await {
                let at = clock::monotonic();
                if let Incoming::Event(event) = arrival
                    && let Event::Session { session } = *event
                {
                    all.lock().unwrap_or_else(PoisonError::into_inner).push(word(at, &session));
                }
            }
        });
        Ok(Self { words, task })
    }

    /// What was said of a session, in milliseconds since that moment.
    pub(super) fn timeline(&self, session: SessionId, began: u64) -> Timeline {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let mut said: Vec<Said> = Vec::new();
        for word in words.iter().filter(|word| word.session == session) {
            if said.last().is_none_or(|last| last.status != word.status) {
                let from = word.at.saturating_sub(began) / 1000;
                said.push(Said { from, status: word.status, why: word.why.clone() });
            }
        }
        Timeline(said)
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn word(at: u64, session: &Session) -> Word {
    let about = session.reason.as_deref().or(session.activity.as_deref()).unwrap_or_default();
    Word { at, session: session.id, status: session.status, why: format!("{}: {about}", session.source) }
}
