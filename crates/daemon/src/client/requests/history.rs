//! What happened to a session.

use std::sync::Arc;

use belfry_protocol::explain::StatusChange;
use belfry_protocol::history::{Happened, PastAsk};
use belfry_protocol::{Reply, WireError};
use belfry_store::Happening;

use super::Outcome;
use crate::Daemon;
use crate::session::{Entry, STATUS, clean};

/// Most that is told: as much as is kept of a session.
const MOST: u32 = belfry_store::HISTORY_KEPT;

/// Longest question and what it is about, in characters. Its card had all of it.
const TEXT: usize = 300;

/// Bytes of an answer, which is one frame.
const ROOM: usize = belfry_protocol::frame::MAX_FRAME * 3 / 4;

pub(super) async fn list(daemon: &Arc<Daemon>, wanted: &str, limit: u32) -> Outcome {
    let entry = daemon.find(wanted)?;
    let limit = limit.min(MOST);
    let mut all = happened(daemon, &entry, limit).await?;
    all.sort_by_key(|happened| std::cmp::Reverse(happened.at()));
    all.truncate(limit as usize);
    let mut bytes = 0;
    let fits = |happened: &Happened| {
        bytes += serde_json::to_vec(happened).map_or(0, |json| json.len() + 1);
        bytes <= ROOM
    };
    Ok(Reply::History(all.into_iter().map(shown).take_while(fits).collect()))
}

/// What happened to a session, as much of it as is kept, in no order.
pub(crate) async fn happened(daemon: &Daemon, entry: &Entry, limit: u32) -> Result<Vec<Happened>, WireError> {
    if entry.private { Ok(entry.remembered()) } else { stored(daemon, entry, limit).await }
}

async fn stored(daemon: &Daemon, entry: &Entry, limit: u32) -> Result<Vec<Happened>, WireError> {
    let id = entry.id;
    let read = daemon
        .store
        .call(move |store| Ok((store.history_of(id, STATUS, limit)?, store.past_asks(id, limit)?)));
    let (changes, asks) = read
        .await
        .map_err(|error| WireError::new(error.code(), format!("the history cannot be read: {error}")))?;
    let changes = changes.into_iter().filter_map(change).map(Happened::Status);
    Ok(changes.chain(asks.into_iter().map(Happened::Ask)).collect())
}

/// A change of status as the history keeps it; none of one that is not understood.
pub(super) fn change(happening: Happening) -> Option<StatusChange> {
    serde_json::from_value(happening.detail).ok()
}

fn shown(happened: Happened) -> Happened {
    let Happened::Ask(ask) = happened else { return happened };
    let (text, about) = (clean::line(&ask.text, TEXT), ask.about.as_deref());
    let about = about.map(|about| clean::line(about, TEXT));
    Happened::Ask(PastAsk { text, about, ..ask })
}
