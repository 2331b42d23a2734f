//! An answer that is owed.

use std::sync::Arc;

use belfry_protocol::{ErrorCode, Reply, WireError};

use tokio::sync::OwnedSemaphorePermit;

use super::Client;

/// The answer to one request. Dropped without being given, it says that something went wrong: a client never waits for ever.
pub(crate) struct Answer {
    owed: Option<(Arc<Client>, u64)>,
    /// Its place among the requests of the client that are worked on; free for the next one once this is gone.
    _place: OwnedSemaphorePermit,
}

impl Answer {
    pub(crate) fn new(client: Arc<Client>, id: u64, place: OwnedSemaphorePermit) -> Self {
        Self { owed: Some((client, id)), _place: place }
    }

    /// Gives it.
    pub(crate) fn give(mut self, answer: Result<Reply, WireError>) {
        if let Some((client, id)) = self.owed.take() {
            client.answer(id, answer);
        }
    }

    /// Says that it was done.
    pub(crate) fn done(self) {
        self.give(Ok(Reply::Done));
    }

    /// Says that it was not.
    pub(crate) fn fail(self, code: ErrorCode, message: impl Into<String>) {
        self.give(Err(WireError::new(code, message)));
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if let Some((client, id)) = self.owed.take() {
            client.answer(id, Err(WireError::new(ErrorCode::Internal, "the session could not answer")));
        }
    }
}
