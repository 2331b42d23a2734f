//! The workspaces that there are: in memory, and in the database before anybody is told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use belfry_protocol::workspace::WorkspaceState;
use belfry_protocol::{ErrorCode, SessionId, WireError, WorkspaceId};
use belfry_store::StoredWorkspace;
use parking_lot::Mutex;

use crate::Daemon;

/// All that Belfry made, removed ones that can still be had back too.
#[derive(Debug, Default)]
pub(crate) struct Known {
    rows: Mutex<BTreeMap<WorkspaceId, StoredWorkspace>>,
}

impl Known {
    /// Those that the database has.
    pub(crate) fn of(rows: Vec<StoredWorkspace>) -> Self {
        Self { rows: Mutex::new(rows.into_iter().map(|row| (row.id, row)).collect()) }
    }

    pub(crate) fn get(&self, id: WorkspaceId) -> Option<StoredWorkspace> {
        self.rows.lock().get(&id).cloned()
    }

    /// All, oldest first.
    pub(crate) fn all(&self) -> Vec<StoredWorkspace> {
        self.rows.lock().values().cloned().collect()
    }

    /// The one whose directory that is, or lies in. A removed one has none.
    pub(crate) fn around(&self, path: &Path) -> Option<StoredWorkspace> {
        let rows = self.rows.lock();
        rows.values().find(|row| row.moved_to.is_none() && path.starts_with(&row.path)).cloned()
    }

    /// Adds one, unless `fits` says that it does not go with those that there are: asked and added in one step, so that no two
    /// get the same path or port.
    pub(super) fn add(
        &self,
        make: impl FnOnce(&BTreeMap<WorkspaceId, StoredWorkspace>) -> Result<StoredWorkspace, WireError>,
    ) -> Result<StoredWorkspace, WireError> {
        let mut rows = self.rows.lock();
        let row = make(&rows)?;
        rows.insert(row.id, row.clone());
        Ok(row)
    }
}

impl Daemon {
    /// Where workspaces lie.
    pub(crate) fn workspaces_dir(&self) -> PathBuf {
        self.home.state_dir().join("workspaces")
    }

    /// Where what remotes have is kept for clones.
    pub(crate) fn caches_dir(&self) -> PathBuf {
        self.home.state_dir().join("clones")
    }

    /// Adds a workspace or changes it; once this returns, the disk has it.
    pub(crate) async fn save_workspace(&self, row: StoredWorkspace) -> Result<(), WireError> {
        self.workspaces.rows.lock().insert(row.id, row.clone());
        self.store
            .call(move |store| store.save_workspace(&row))
            .await
            .map_err(|error| WireError::new(error.code(), format!("the workspace cannot be kept: {error}")))
    }

    /// Changes a workspace, where it is still there. The disk has it soon.
    pub(crate) fn change_workspace(&self, id: WorkspaceId, change: impl FnOnce(&mut StoredWorkspace)) {
        let row = {
            let mut rows = self.workspaces.rows.lock();
            let Some(row) = rows.get_mut(&id) else { return };
            let before = row.clone();
            change(row);
            if *row == before {
                return;
            }
            row.clone()
        };
        self.post(move |store| store.save_workspace(&row));
    }

    /// Forgets a workspace. Its directory is the caller's business.
    pub(crate) async fn forget_workspace(&self, id: WorkspaceId) -> Result<(), WireError> {
        self.store.call(move |store| store.remove_workspace(id)).await.map_err(|error| {
            WireError::new(error.code(), format!("the workspace cannot be forgotten: {error}"))
        })?;
        self.workspaces.rows.lock().remove(&id);
        Ok(())
    }

    /// Sessions that work in a workspace, trashed ones too, commands that run in it too.
    pub(crate) fn sessions_in(&self, workspace: WorkspaceId) -> Vec<SessionId> {
        let entries = self.entries();
        entries
            .iter()
            .filter(|entry| entry.record().workspace_id == Some(workspace))
            .map(|entry| entry.id)
            .collect()
    }

    /// The workspace of that id, path, or of a session that works in it.
    pub(crate) fn find_workspace(&self, wanted: &str) -> Result<StoredWorkspace, WireError> {
        let none = || {
            let text = format!("there is no workspace `{}`", wanted.escape_debug());
            WireError::new(ErrorCode::NotFound, text).next("`belfry worktree ls` lists them")
        };
        if let Ok(id) = wanted.parse::<WorkspaceId>()
            && let Some(row) = self.workspaces.get(id)
        {
            return Ok(row);
        }
        if Path::new(wanted).is_absolute() {
            return self.workspaces.around(Path::new(wanted)).ok_or_else(none);
        }
        let id = self.find(wanted)?.record().workspace_id;
        id.and_then(|id| self.workspaces.get(id)).ok_or_else(none)
    }

    /// Notes how far a workspace is, in its row and on its sessions that wait for it.
    pub(crate) fn workspace_is(&self, id: WorkspaceId, state: &WorkspaceState) {
        self.change_workspace(id, |row| row.state = state.clone());
        for session in self.sessions_in(id) {
            let Some(entry) = self.get(session) else { continue };
            self.change(&entry, |session| {
                if let Some(preparing) = &mut session.preparing {
                    preparing.state = state.clone();
                }
            });
        }
    }
}
