//! Checkpoints that are made by themselves: before each prompt, of sessions that have a workspace of their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::Session;
use serde_json::Value;

use super::{blocking, place};
use crate::session::Entry;
use crate::{Daemon, clock};

/// One prompt is told of by the message that was typed, by the agent's hook and by its beginning to work, in this order and
/// within this time.
const ONE_PROMPT: Duration = Duration::from_secs(5);

/// A prompt goes to a session's agent now. The files are kept beside: an agent asks its model before it touches any.
pub(crate) fn prompted(daemon: &Arc<Daemon>, entry: &Arc<Entry>, text: Option<&str>) {
    let session = entry.session();
    // Nothing of a private session is written down, and a shared directory is others' as well.
    if session.workspace_id.is_none() || session.private || session.agent == "shell" {
        return;
    }
    if !daemon.spots.prompt_is_new(entry.id, ONE_PROMPT) {
        return;
    }
    let label = text.unwrap_or("a turn of the agent").to_owned();
    let now = clock::wall();
    let (daemon, entry) = (Arc::clone(daemon), Arc::clone(entry));
    tokio::spawn(async move {
        let cwd = PathBuf::from(&session.cwd);
        let id = entry.id.to_string();
        let kept = blocking(move || match place::checkout(&cwd) {
            Some(checkout) => checkout.make_checkpoint(&id, &label, now).map(Some),
            None => Ok(None),
        });
        if let Ok(Err(error)) = kept.await {
            tracing::warn!(session = %entry.logged(), %error, "no checkpoint could be made before a prompt");
        }
        // The counts after it are the first of the turn.
        daemon.spots.stirred(entry.id);
    });
}

/// A hook of the agent speaks; where it says that it was prompted, that is it.
pub(crate) fn prompted_by_hook(daemon: &Arc<Daemon>, entry: &Arc<Entry>, name: &str, payload: &Value) {
    if matches!(name, "UserPromptSubmit" | "BeforeAgent") {
        prompted(daemon, entry, payload.get("prompt").and_then(Value::as_str));
    }
}

/// A session is gone for good, and its checkpoints with it: they are refs in a repository that stays.
pub(crate) fn forget(daemon: &Daemon, session: &Session) {
    let row = session.workspace_id.and_then(|id| daemon.workspaces.get(id));
    // Its own directory may be gone, and the repository that it was made from still has them.
    let directories = [Some(session.cwd.clone()), row.and_then(|row| row.repository)];
    let id = session.id.to_string();
    tokio::task::spawn_blocking(move || {
        let found = directories.into_iter().flatten().find_map(|path| place::checkout(Path::new(&path)));
        if let Some(checkout) = found
            && let Err(error) = checkout.forget_checkpoints(&id)
        {
            tracing::debug!(%error, "the checkpoints of a removed session are still there");
        }
    });
}
