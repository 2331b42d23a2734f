//! A session that begins with all that was said in another one.

use std::sync::Arc;

use belfry_agents::Agent;
use belfry_protocol::conversation::ForkSession;
use belfry_protocol::launch::NewSession;
use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::{ErrorCode, Session, WireError};

use super::handover;
use super::kept::{Kept, kept};
use crate::Daemon;
use crate::launch::{self, Begin, Origin};
use crate::session::Entry;

/// Starts it. The other session is not touched, and may be alive.
pub(crate) async fn fork(
    daemon: &Arc<Daemon>,
    entry: &Arc<Entry>,
    fork: ForkSession,
) -> Result<Arc<Entry>, WireError> {
    let session = entry.session();
    let agents = daemon.agents();
    let agent = launch::agent(&agents, &session.agent)?;
    let like = launch::like(daemon, entry, fork.base_env.clone())?;
    let new = NewSession {
        name: fork.name.or_else(|| like.name.clone()),
        workspace: WorkspaceKind::Directory,
        ..like
    };
    let (begin, handover) = if fork.handover {
        if fork.at.is_some() {
            let what = "a handover is of all that was said; only a fork can end earlier";
            return Err(WireError::new(ErrorCode::BadRequest, what));
        }
        takes_handover(agent, &session)?;
        (Begin::New, Some(handover::text(daemon, entry, agent, fork.base_env.as_deref()).await?))
    } else {
        (copy(daemon, agent, &session, &new, fork.at).await?, None)
    };
    let origin = Origin { begin, forked_from: Some(session.id), handover };
    launch::new_session_from(daemon, new, origin).await
}

fn takes_handover(agent: &Agent, session: &Session) -> Result<(), WireError> {
    handover::takes(agent)
        .map_err(|error| error.next(format!("`belfry duplicate {}` starts another one like it", session.id)))
}

/// The agent's own fork, where it has one and there is something to copy.
async fn copy(
    daemon: &Arc<Daemon>,
    agent: &Agent,
    session: &Session,
    new: &NewSession,
    at: Option<String>,
) -> Result<Begin, WireError> {
    let can = agent.can();
    let instead =
        format!("`belfry fork --handover {}` starts a session that reads what was said", session.id);
    if !can.fork {
        takes_handover(agent, session)?;
        let error = WireError::new(ErrorCode::Unsupported, format!("{} has no fork", agent.name()));
        return Err(error.next(instead));
    }
    if at.is_some() && !can.fork_earlier {
        let what = format!("{} forks at the latest turn only", agent.name());
        return Err(WireError::new(ErrorCode::Unsupported, what));
    }
    if at.as_deref().is_some_and(|at| !super::any::is_id(at)) {
        return Err(WireError::new(ErrorCode::BadRequest, "that is no entry's id"));
    }
    let nothing = |why: String| Err(WireError::new(ErrorCode::ConversationGone, why).next(instead.clone()));
    let Some(from) = session.conversation_id.clone() else {
        return nothing(format!(
            "{} has not said which conversation it is in: nothing was said yet",
            agent.name()
        ));
    };
    let cwd = launch::directory(daemon, Some(&session.cwd)).await?;
    let env = launch::surroundings(daemon, agent, new, &cwd, session.id).await;
    match kept(agent.id(), &from, &cwd, &env).await {
        Kept::There => Ok(Begin::Fork { from, at }),
        Kept::OfAnotherDirectory(place) => {
            nothing(format!("{} keeps it with another directory, as {}", agent.name(), place.display()))
        }
        Kept::Nowhere(place) => {
            let what = "nothing was said yet, or it is gone";
            nothing(format!("{} has no transcript of it in {}: {what}", agent.name(), place.display()))
        }
    }
}
