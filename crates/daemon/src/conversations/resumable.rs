//! Whether a session could go on with all that was said in it, were its program to end now.

use std::sync::Arc;

use belfry_agents::Agent;
use belfry_protocol::launch::EnvVar;

use super::choose::was_said;
use super::kept::{Kept, kept};
use crate::Daemon;
use crate::launch;
use crate::session::Entry;

/// Why it could not, with that environment.
pub(crate) async fn resumable(
    daemon: &Arc<Daemon>,
    entry: &Entry,
    agent: &Agent,
    env: Vec<EnvVar>,
) -> Result<(), String> {
    let session = entry.session();
    let Some(id) = session.conversation_id.as_deref() else {
        return Err("it is not known which conversation it is in".to_owned());
    };
    if !was_said(daemon, entry).await {
        return Err("nothing has been said in it yet".to_owned());
    }
    let mut new = launch::asked_for(daemon, entry, &session);
    new.base_env = Some(env);
    let cwd = launch::directory(daemon, Some(&session.cwd)).await.map_err(|error| error.message)?;
    let env = launch::surroundings(daemon, agent, &new, &cwd, session.id).await;
    match kept(agent.id(), id, &cwd, &env).await {
        Kept::There => Ok(()),
        Kept::OfAnotherDirectory(_) => {
            Err(format!("{} keeps its conversation with another directory", agent.name()))
        }
        Kept::Nowhere(_) => Err(format!("{} has no transcript of its conversation", agent.name())),
    }
}
