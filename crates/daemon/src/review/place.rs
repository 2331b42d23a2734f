//! Where a session's changes are.

use std::path::{Path, PathBuf};

use belfry_protocol::{ErrorCode, Session, WireError};
use belfry_workspace::{Checkout, Git};

use super::blocking;
use crate::Daemon;
use crate::launch::login_environment;
use crate::session::Entry;

/// A working tree, and what it is compared with.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) checkout: Checkout,
    /// By name, where that is known.
    pub(super) base: Option<String>,
}

/// The working tree that holds a directory, no link on the way to it. Blocks.
pub(super) fn checkout(directory: &Path) -> Option<Checkout> {
    let directory = directory.canonicalize().ok()?;
    Checkout::containing(&directory, Git::default())
}

/// What a session's branch started from, as far as that was noted.
pub(super) fn base(daemon: &Daemon, session: &Session) -> Option<String> {
    let known = session.workspace_id.and_then(|id| daemon.workspaces.get(id));
    let row = known.or_else(|| daemon.workspaces.around(Path::new(&session.cwd)))?;
    row.base.or(row.base_commit)
}

/// Where a session's changes are.
pub(super) async fn of(daemon: &Daemon, entry: &Entry) -> Result<Place, WireError> {
    let session = entry.session();
    let base = base(daemon, &session);
    let cwd = PathBuf::from(&session.cwd);
    // The directory that it began in may be gone, and that is when somebody wants it back.
    let whole = session.workspace_id.and_then(|id| daemon.workspaces.get(id)).map(|row| row.path);
    let found = blocking(move || checkout(&cwd).or_else(|| checkout(&whole?))).await?;
    let Some(checkout) = found else {
        let text = format!("{} works in no repository", session.name);
        return Err(WireError::new(ErrorCode::BadDirectory, text));
    };
    Ok(Place { checkout, base })
}

/// The same with the person's own git, for what their hooks, keys and credentials are needed for.
pub(super) async fn own(daemon: &Daemon, entry: &Entry) -> Result<Place, WireError> {
    let place = of(daemon, entry).await?;
    let git = Git::with_env(login_environment(daemon).await);
    Ok(Place { checkout: place.checkout.with(git), ..place })
}
