//! A run whose program carries a pane of tmux.

use std::path::PathBuf;
use std::sync::Arc;

use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::{ErrorCode, Session, WireError};

use super::start::{Begin, Launching, launch as start};
use crate::Daemon;
use crate::local::bridge::Bridge;
use crate::session::Live;

/// Starts it. The record comes back with the run in it; its conversation stays.
pub(crate) async fn launch(
    daemon: &Arc<Daemon>,
    record: Session,
    bridge: &Bridge,
    journal_cap: u64,
) -> Result<(Session, Live), WireError> {
    let internal = |what: &str| WireError::new(ErrorCode::Internal, what);
    let program =
        daemon.program.as_deref().ok_or_else(|| internal("it is not known where belfry itself is"))?;
    let command = bridge.command(program).ok_or_else(|| internal("belfry's own path is not UTF-8"))?;
    let agents = daemon.agents();
    let shell = agents.get("shell").ok_or_else(|| internal("the shell is unknown"))?;
    let var = |name: &str| std::env::var(name).ok().map(|value| EnvVar { name: name.to_owned(), value });
    let own = ["PATH", "HOME", "LANG", "LC_ALL"].into_iter().filter_map(var).collect();
    let new =
        NewSession { agent: "shell".to_owned(), args: command, base_env: Some(own), ..NewSession::default() };
    // Its directory may be gone, and it needs none.
    let cwd = PathBuf::from("/");
    let launching =
        Launching { agent: shell, new: &new, cwd: &cwd, journal_cap, begin: &Begin::New, handover: None };
    let (id, conversation) = (record.id, record.conversation_id.clone());
    let begun = !record.runs.is_empty();
    match start(daemon, &launching, record).await {
        Ok((record, live)) => Ok((Session { conversation_id: conversation, ..record }, live)),
        Err(error) => {
            if !begun {
                daemon.forget_files(id, false).await;
            }
            Err(error)
        }
    }
}
