//! Going on in any conversation of this machine, or in a copy of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use belfry_agents::Agent;
use belfry_protocol::conversation::ResumeConversation;
use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::{ErrorCode, SessionId, WireError};

use super::choose::claimed;
use super::handover;
use super::kept::{self, Kept, kept};
use crate::Daemon;
use crate::launch::{self, Again, Begin, Origin};
use crate::session::Entry;

/// Longest id of a conversation, in bytes: of Aider it is a path.
const LONGEST: usize = 4096;

/// Longest name that a session gets of a conversation, in characters.
const LONGEST_NAME: usize = 60;

/// Whether that can be an id: it becomes an argument, and must not be read as a flag.
pub(super) fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= LONGEST && !id.starts_with('-') && !id.contains(char::is_control)
}

/// Goes on in it: in the session that had it last, where that has ended, else in a new one; or in a copy of it, always in a new one.
pub(crate) async fn resume_conversation(
    daemon: &Arc<Daemon>,
    wanted: ResumeConversation,
) -> Result<Arc<Entry>, WireError> {
    let ResumeConversation { agent, id, cwd, name, fork, handover, base_env } = wanted;
    if !is_id(&id) {
        return Err(WireError::new(ErrorCode::BadRequest, "that is no conversation's id"));
    }
    let agents = daemon.agents();
    let agent = launch::agent(&agents, &agent)?;
    if handover {
        return hand_over(daemon, agent, &id, (cwd, name), base_env).await;
    }
    if !agent.can().resume {
        let what = format!("{} cannot go on with a conversation", agent.name());
        return Err(WireError::new(ErrorCode::Unsupported, what));
    }
    if fork && !agent.can().fork {
        return Err(WireError::new(ErrorCode::Unsupported, format!("{} has no fork", agent.name())));
    }
    if let Some(entry) = had_it_last(daemon, agent.id(), &id).filter(|_| !fork) {
        launch::run_again(daemon, &entry, Again::Resume, cwd.as_deref(), base_env).await?;
        return Ok(entry);
    }
    let claim = if fork { None } else { Some(claimed(daemon, agent, &id, None).await?) };
    let (known, title) = match kept::found(daemon, agent, &id, base_env.as_deref()).await {
        Some(found) => kept::about(found).await,
        None if agent.can().history && cwd.is_none() => {
            let what = format!("{} has no conversation `{}`", agent.name(), id.escape_debug());
            let error = WireError::new(ErrorCode::ConversationGone, what);
            return Err(error.next("`belfry import` lists those that there are"));
        }
        None => (None, None),
    };
    let Some(cwd) = cwd.or(known).or_else(|| directory_of(agent, &id)) else {
        let what = "it is not known which directory the conversation belongs to";
        let error = WireError::new(ErrorCode::BadDirectory, what);
        return Err(error.next("say in which directory it is to go on (`--cwd`)"));
    };
    let cwd = launch::directory(daemon, Some(&cwd)).await?;
    let new = NewSession {
        agent: agent.id().to_owned(),
        cwd: Some(cwd.display().to_string()),
        // The first line of what it is called.
        name: name.or_else(|| title?.lines().next().map(|line| line.chars().take(LONGEST_NAME).collect())),
        base_env,
        ..NewSession::default()
    };
    let nobody = SessionId::at(0);
    let env = launch::surroundings(daemon, agent, &new, &cwd, nobody).await;
    let why = match kept(agent.id(), &id, &cwd, &env).await {
        Kept::There => {
            let begin = if fork { Begin::Fork { from: id, at: None } } else { Begin::Resume(id) };
            let origin = Origin { begin, ..Origin::default() };
            let started = launch::new_session_from(daemon, new, origin).await;
            // The session is known to be in it from here on.
            drop(claim);
            return started;
        }
        Kept::OfAnotherDirectory(place) => {
            format!("{} keeps it with another directory, as {}", agent.name(), place.display())
        }
        Kept::Nowhere(place) => format!("{} has no transcript of it in {}", agent.name(), place.display()),
    };
    let instead = handover::instead(agent.id(), &id);
    Err(WireError::new(ErrorCode::ConversationGone, why).next(instead))
}

/// A session that reads what was said, where the conversation itself cannot go on: its directory is gone, or its agent has no fork.
async fn hand_over(
    daemon: &Arc<Daemon>,
    agent: &Agent,
    id: &str,
    (cwd, name): (Option<String>, Option<String>),
    base_env: Option<Vec<EnvVar>>,
) -> Result<Arc<Entry>, WireError> {
    handover::takes(agent)?;
    let Some(found) = kept::found(daemon, agent, id, base_env.as_deref()).await else {
        let what = format!("{} has no conversation `{}`", agent.name(), id.escape_debug());
        let error = WireError::new(ErrorCode::ConversationGone, what);
        return Err(error.next("`belfry import` lists those that there are"));
    };
    let (known, title) = kept::about(found.clone()).await;
    let title = title.and_then(|title| title.lines().next().map(str::to_owned));
    let Some(directory) = cwd.or_else(|| known.clone()).or_else(|| directory_of(agent, id)) else {
        let what = "it is not known which directory the conversation belongs to";
        let error = WireError::new(ErrorCode::BadDirectory, what);
        return Err(error.next("say in which directory the new session is to work (`--cwd`)"));
    };
    let directory = launch::directory(daemon, Some(&directory)).await?;
    let text = handover::of_conversation(agent, found, title.as_deref(), known.as_deref()).await?;
    let new = NewSession {
        agent: agent.id().to_owned(),
        cwd: Some(directory.display().to_string()),
        name: name.or_else(|| title.map(|line| line.chars().take(LONGEST_NAME).collect())),
        base_env,
        ..NewSession::default()
    };
    launch::new_session_from(daemon, new, Origin { handover: Some(text), ..Origin::default() }).await
}

/// The session that is in it by its record, and has ended. The newest, should there be several.
fn had_it_last(daemon: &Daemon, agent: &str, id: &str) -> Option<Arc<Entry>> {
    daemon.entries().into_iter().rev().find(|entry| {
        let session = entry.record();
        !session.alive()
            && session.trashed_at.is_none()
            && session.agent == agent
            && session.conversation_id.as_deref() == Some(id)
    })
}

/// The directory that a conversation belongs to, as far as its id tells.
fn directory_of(agent: &Agent, id: &str) -> Option<String> {
    if agent.id() != "aider" {
        return None;
    }
    let file = PathBuf::from(id);
    file.parent().filter(|dir| dir.is_absolute()).map(Path::to_string_lossy).map(std::borrow::Cow::into_owned)
}
