//! Requests to an open window.

use std::sync::Arc;

use belfry_protocol::{ErrorCode, Event, Reply, Session, Status, WireError};

use super::Outcome;
use crate::session::Entry;
use crate::{Daemon, clock};

/// What a window calls itself; a command that follows events is none.
const WINDOWS: &[&str] = &["desktop", "browser"];

pub(super) fn focus(daemon: &Daemon, wanted: Option<&str>, next: bool) -> Outcome {
    let entry = match wanted {
        _ if next => longest_waiting(daemon),
        Some(wanted) => Some(daemon.find(wanted)?),
        None => None,
    };
    let event = Event::FocusWindow { session: entry.as_ref().map(|entry| entry.id) };
    if !daemon.tell_windows(&event, WINDOWS) {
        return Err(WireError::new(ErrorCode::NotFound, "no window is open").next("start belfry-desktop"));
    }
    Ok(entry.map_or(Reply::Done, |entry| Reply::Session(Box::new(entry.session()))))
}

/// The session that needs the person for the longest time; those that are to be quiet come after the others.
fn longest_waiting(daemon: &Daemon) -> Option<Arc<Entry>> {
    let now = clock::wall();
    let needs = |session: &Session| {
        matches!(session.status, Status::Waiting | Status::Blocked)
            && session.archived_at.is_none()
            && session.trashed_at.is_none()
            && session.runs_for.is_none()
            && !session.unspoken
    };
    let rank = |session: &Session| {
        let quiet = session.muted || session.snoozed_until.is_some_and(|until| now < until);
        let since = session.ask.as_ref().map_or(session.since, |ask| ask.opened_at);
        (quiet, since)
    };
    let ranked = daemon.entries().into_iter().filter_map(|entry| {
        let rank = {
            let session = entry.record();
            needs(&session).then(|| rank(&session))
        };
        rank.map(|rank| (rank, entry))
    });
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, entry)| entry)
}
