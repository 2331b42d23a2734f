//! Agents' conversations: which one a session is in, whether it goes on anywhere, and going on in it.
//!
//! One conversation is never in two places: whoever is about to resume one first claims it, then looks for it in all sessions
//! and among the machine's processes ([`live::live_anywhere`]), and lets the claim go once the session is known to be in it. What an
//! agent kept of it is looked for before anything is started ([`kept`]): a start that fails would tell the person less.

mod all;
mod any;
mod choose;
mod fork;
mod handover;
#[cfg(target_os = "linux")]
mod holders;
mod kept;
pub(crate) mod ledger;
mod live;
mod resumable;

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::Daemon;

pub(crate) use all::{Boots, after_reboot, resume_all, started};
pub(crate) use any::resume_conversation;
pub(crate) use choose::{Choice, choose};
pub(crate) use fork::fork;
pub(crate) use handover::{file as handover_file, prompt as handover_prompt};
pub(crate) use live::live_in;
pub(crate) use resumable::resumable;

/// The agent's own record of a conversation of a session's, where it is still there.
pub(crate) async fn transcript_of(
    daemon: &Arc<Daemon>,
    agent: &belfry_agents::Agent,
    id: &str,
) -> Option<belfry_transcripts::Found> {
    kept::found(daemon, agent, id, None).await
}

/// Conversations that are just being resumed, by agent and id.
#[derive(Debug, Default)]
pub(crate) struct Claims(Mutex<HashSet<(String, String)>>);

/// One of them, for as long as this is kept.
pub(crate) struct Claim {
    daemon: Arc<Daemon>,
    what: (String, String),
}

impl Claim {
    /// None where somebody else has it.
    pub(crate) fn on(daemon: &Arc<Daemon>, agent: &str, conversation: &str) -> Option<Self> {
        let what = (agent.to_owned(), conversation.to_owned());
        let first = daemon.claims.0.lock().insert(what.clone());
        first.then(|| Self { daemon: Arc::clone(daemon), what })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.daemon.claims.0.lock().remove(&self.what);
    }
}
