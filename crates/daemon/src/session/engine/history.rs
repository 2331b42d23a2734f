//! What a session's status was: every change, with what it rests on.

use belfry_protocol::Status;
use belfry_protocol::explain::StatusChange;
use belfry_protocol::history::Happened;
use belfry_store::Happening;

use super::Engine;
use crate::clock;
use crate::session::clean;

/// What the history calls a change of status.
pub(crate) const STATUS: &str = "status";

/// Longest reason and longest sentence of what was seen, in characters.
const LONGEST: usize = 200;

impl Engine {
    /// Notes a change of status, off this task.
    pub(super) fn note_status(
        &self,
        from: Status,
        to: Status,
        source: &str,
        reason: Option<&str>,
        what: &str,
    ) {
        let change = StatusChange {
            at: clock::wall(),
            from,
            to,
            reason: reason.map(|reason| clean::line(reason, LONGEST)),
            source: source.to_owned(),
            what: clean::line(what, LONGEST),
        };
        if self.entry.private {
            // In memory only, as everything of it.
            self.entry.remember(Happened::Status(change));
            return;
        }
        let Ok(detail) = serde_json::to_value(&change) else { return };
        let session = Some(self.entry.id);
        let happening = Happening { at: change.at, session, kind: STATUS.to_owned(), detail };
        self.daemon.post(move |store| store.record(&happening));
    }
}
