//! What is written to the store, and when: at once where it must not be lost, else with the next batch.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_protocol::SessionId;
use belfry_store::Store;

use super::Daemon;
use crate::session::Entry;

impl Daemon {
    /// Work for the store whose failure is not the caller's business.
    pub(crate) fn post(&self, work: impl FnOnce(&mut Store) -> belfry_store::Result<()> + Send + 'static) {
        let done = |outcome: belfry_store::Result<()>| {
            if let Err(error) = outcome {
                tracing::warn!(%error, "something could not be kept");
            }
        };
        if let Err(error) = self.store.post(work, done) {
            tracing::warn!(%error, "something could not be kept");
        }
    }

    /// The record is to be saved with the next batch.
    pub(crate) fn mark_unsaved(&self, entry: &Entry) {
        if !entry.private && self.unsaved.lock().insert(entry.id) {
            self.unsaved_filled.notify_one();
        }
    }

    /// The record is saved without waiting for a batch.
    pub(crate) fn save_soon(&self, entry: &Arc<Entry>) {
        if entry.private {
            return;
        }
        let saved = Arc::clone(entry);
        // The record is read when it is written, so that an older one never overtakes a newer one.
        self.post(move |store| save(store, &saved));
        // Where that fails (a full disk) the batch goes on trying, and tells the person.
        self.mark_unsaved(entry);
    }

    /// Completes when there is something to save.
    pub(crate) async fn unsaved(&self) {
        self.unsaved_filled.notified().await;
    }

    /// Saves what is to be saved.
    pub(crate) async fn save(&self) -> belfry_store::Result<()> {
        let ids: Vec<SessionId> = self.unsaved.lock().drain().collect();
        let entries: Vec<_> = ids.iter().filter_map(|id| self.get(*id)).collect();
        if entries.is_empty() {
            return Ok(());
        }
        let saved =
            self.store.call(move |store| entries.iter().try_for_each(|entry| save(store, entry))).await;
        if saved.is_err() {
            self.unsaved.lock().extend(ids);
        }
        saved
    }
}

/// Saves a session's record as it is now. On the store's own thread, so that one that was removed does not come back.
fn save(store: &mut Store, entry: &Entry) -> belfry_store::Result<()> {
    if entry.removed.load(Ordering::Relaxed) {
        return Ok(());
    }
    store.save_session(&entry.session())
}
