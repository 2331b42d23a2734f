//! Which conversation a new run of a session begins with.

use std::path::Path;
use std::sync::Arc;

use belfry_agents::Agent;
use belfry_protocol::{ErrorCode, SessionId, Status, WireError};
use jiff::Timestamp;

use super::kept::{Kept, kept};
use super::live::{is_live, live_anywhere};
use super::{Claim, ledger};
use crate::Daemon;
use crate::launch::{Again, Begin, Environment};
use crate::session::{Entry, STATUS};

/// What was chosen.
pub(crate) struct Choice {
    /// What the run begins with.
    pub(crate) begin: Begin,
    /// Keeps everybody else out of it until the session is known to be in it.
    pub(crate) claim: Option<Claim>,
    /// What the person should know of it.
    pub(crate) notice: Option<String>,
}

impl Choice {
    fn anew(notice: Option<String>) -> Self {
        Self { begin: Begin::New, claim: None, notice }
    }
}

/// Chooses, and looks at all that could speak against it.
pub(crate) async fn choose(
    daemon: &Arc<Daemon>,
    entry: &Entry,
    agent: &Agent,
    again: Again,
    cwd: &Path,
    env: &Environment,
) -> Result<Choice, WireError> {
    if again == Again::Anew || !agent.can().resume {
        return Ok(Choice::anew(None));
    }
    let conversation = entry.record().conversation_id.clone();
    let Some(id) = conversation else {
        return if again == Again::Resume && was_said(daemon, entry).await {
            Err(gone(entry.id, format!("it is not known which conversation of {} it was", agent.name())))
        } else {
            Ok(Choice::anew(None))
        };
    };
    let claim = claimed(daemon, agent, &id, Some(entry.id)).await?;
    let place = match kept(agent.id(), &id, cwd, env).await {
        Kept::There => return Ok(Choice { begin: Begin::Resume(id), claim: Some(claim), notice: None }),
        Kept::OfAnotherDirectory(place) => {
            format!("{} keeps it with another directory, as {}", agent.name(), place.display())
        }
        Kept::Nowhere(place) => format!("{} has no transcript of it in {}", agent.name(), place.display()),
    };
    if !was_said(daemon, entry).await {
        // It was never written down, or was cleared: nothing is lost.
        return Ok(Choice::anew(None));
    }
    if again == Again::Resume {
        return Err(gone(entry.id, place));
    }
    Ok(Choice::anew(Some(format!("a new conversation: the one before cannot go on, as {place}"))))
}

/// Claims a conversation that goes on nowhere. `own` is the session that is to go on with it.
pub(super) async fn claimed(
    daemon: &Arc<Daemon>,
    agent: &Agent,
    id: &str,
    own: Option<SessionId>,
) -> Result<Claim, WireError> {
    let claim = Claim::on(daemon, agent.id(), id).ok_or_else(|| {
        WireError::new(ErrorCode::ConversationLive, "the conversation is being resumed just now")
    })?;
    match live_anywhere(daemon, agent.id(), id, own).await {
        Some(live) => Err(is_live(&live)),
        None => Ok(claim),
    }
}

fn gone(session: SessionId, why: String) -> WireError {
    WireError::new(ErrorCode::ConversationGone, why)
        .kept("the session, its last screen and its recording are as they were")
        .next(format!("`belfry restart {session}` starts anew in the same directory"))
}

/// Whether anything was said in the conversation that the session is in: its agent has worked since it is.
pub(super) async fn was_said(daemon: &Daemon, entry: &Entry) -> bool {
    let since = ledger::of(daemon, entry).await.first().map(|newest| {
        // Codex begins one with its first turn, and which one it is, is seen in the middle of that.
        let in_a_turn = newest.how == ledger::OPEN_FILE;
        Since { at: newest.learnt_at, in_a_turn }
    });
    if entry.private {
        let changes = entry.remembered().into_iter().filter_map(|happened| match happened {
            belfry_protocol::history::Happened::Status(change) => Some((change.at, change.to)),
            belfry_protocol::history::Happened::Ask(_) => None,
        });
        return worked(changes.collect(), since);
    }
    let id = entry.id;
    let all = daemon.store.call(move |store| store.history_of(id, STATUS, belfry_store::HISTORY_KEPT)).await;
    let changes = all.unwrap_or_default().into_iter().filter_map(|happening| {
        let change: belfry_protocol::explain::StatusChange = serde_json::from_value(happening.detail).ok()?;
        Some((change.at, change.to))
    });
    worked(changes.collect(), since)
}

/// Since when a session is in its conversation.
#[derive(Clone, Copy)]
struct Since {
    at: Timestamp,
    /// A turn of it had begun already.
    in_a_turn: bool,
}

/// Whether it has worked since then, or worked then where that counts.
fn worked(mut changes: Vec<(Timestamp, Status)>, since: Option<Since>) -> bool {
    changes.sort_by_key(|(at, _)| *at);
    let Some(since) = since else { return changes.iter().any(|(_, to)| *to == Status::Running) };
    let ends_later = |at: usize| changes.get(at + 1).is_none_or(|(next, _)| *next > since.at);
    let counts = |at: usize| changes[at].0 >= since.at || (since.in_a_turn && ends_later(at));
    (0..changes.len()).any(|at| changes[at].1 == Status::Running && counts(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_counts_in_which_its_conversation_was_found() {
        let at = |second| Timestamp::from_second(second).expect("a time");
        let turn = || vec![(at(5), Status::Idle), (at(3), Status::Running), (at(1), Status::Idle)];
        let since = |second, in_a_turn| Some(Since { at: at(second), in_a_turn });
        assert!(worked(turn(), None) && worked(turn(), since(2, false)));
        assert!(worked(turn(), since(4, true)));
        assert!(!worked(turn(), since(4, false)), "what was cleared had a turn");
        assert!(!worked(turn(), since(6, true)), "that was in the one before");
        assert!(!worked(vec![(at(1), Status::Idle)], None));
    }
}
