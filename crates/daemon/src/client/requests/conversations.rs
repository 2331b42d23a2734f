//! Requests about conversations: resume, fork, and which ones a session has been in.

use std::sync::Arc;

use belfry_protocol::conversation::{ForkSession, ResumeConversation};
use belfry_protocol::launch::EnvVar;
use belfry_protocol::{Reply, SessionId};

use super::Outcome;
use crate::Daemon;
use crate::client::Client;
use crate::conversations::{self, ledger};
use crate::launch::{self, Again};
use crate::session::Entry;

fn session(entry: &Entry) -> Reply {
    Reply::Session(Box::new(entry.session()))
}

pub(super) async fn restart(
    daemon: &Arc<Daemon>,
    wanted: &str,
    anew: bool,
    base_env: Option<Vec<EnvVar>>,
) -> Outcome {
    let entry = daemon.find(wanted)?;
    let again = if anew { Again::Anew } else { Again::Restart };
    launch::run_again(daemon, &entry, again, None, base_env).await?;
    Ok(session(&entry))
}

pub(super) async fn resume(
    daemon: &Arc<Daemon>,
    wanted: &str,
    cwd: Option<&str>,
    base_env: Option<Vec<EnvVar>>,
) -> Outcome {
    let entry = daemon.find(wanted)?;
    launch::run_again(daemon, &entry, Again::Resume, cwd, base_env).await?;
    Ok(session(&entry))
}

pub(super) async fn resume_all(
    daemon: &Arc<Daemon>,
    sessions: Option<Vec<SessionId>>,
    base_env: Option<Vec<EnvVar>>,
) -> Outcome {
    let resumed = conversations::resume_all(daemon, sessions, base_env).await;
    let mut sessions: Vec<_> = resumed.iter().map(|entry| entry.session()).collect();
    sessions.truncate(crate::daemon::fitting(&sessions, 0));
    Ok(Reply::Sessions(sessions))
}

pub(super) async fn resume_any(daemon: &Arc<Daemon>, wanted: ResumeConversation) -> Outcome {
    Ok(session(&*conversations::resume_conversation(daemon, wanted).await?))
}

pub(super) async fn fork(daemon: &Arc<Daemon>, fork: ForkSession) -> Outcome {
    let entry = daemon.find(&fork.session)?;
    Ok(session(&*conversations::fork(daemon, &entry, fork).await?))
}

pub(super) async fn ledger(daemon: &Daemon, client: &Client, wanted: &str) -> Outcome {
    let entry = daemon.find(wanted)?;
    client.authority.reaches(entry.id)?;
    Ok(Reply::Ledger(ledger::of(daemon, &entry).await))
}
