//! What a workspace is to the one who removes it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::workspace::WorkspaceState;
use belfry_protocol::{WireError, WorkspaceId};
use belfry_store::StoredWorkspace;
use belfry_workspace::losses::Subject;
use belfry_workspace::remove::MARKER;
use belfry_workspace::{Repository, clone};

use super::make;
use crate::{Daemon, clock};

/// The workspace that is meant; also a directory that lies where Belfry makes them and that no record tells of any more.
pub(super) async fn find(
    daemon: &Arc<Daemon>,
    wanted: &str,
) -> Result<(StoredWorkspace, Subject), WireError> {
    let row = match daemon.find_workspace(wanted) {
        Ok(row) => row,
        Err(error) => stray(daemon, Path::new(wanted)).ok_or(error)?,
    };
    let subject = of_row(daemon, &row).await;
    Ok((row, subject))
}

pub(super) async fn of_row(daemon: &Arc<Daemon>, row: &StoredWorkspace) -> Subject {
    let main = if row.kind == WorkspaceKind::Worktree {
        row.repository.as_ref().map(PathBuf::from)
    } else {
        let tree = daemon.tree.lock().await;
        let project = row.project.and_then(|id| tree.project(id));
        project
            .and_then(|project| Repository::containing(Path::new(&project.path)))
            .map(|repository| repository.root)
    };
    let scratch = row.kind == WorkspaceKind::Scratch;
    Subject {
        id: row.id.to_string(),
        kind: row.kind,
        path: row.path.clone(),
        root: daemon.workspaces_dir(),
        main: main.filter(|main| *main != row.path && !scratch),
        common_dir: row.common_dir.clone().filter(|_| row.kind == WorkspaceKind::Worktree),
        cache: cache_of(daemon, row).await,
        first_commit: row.base_commit.clone().filter(|_| scratch),
        branch: row.branch.clone(),
        made_branch: row.made_branch,
    }
}

async fn cache_of(daemon: &Arc<Daemon>, row: &StoredWorkspace) -> Option<PathBuf> {
    if row.kind != WorkspaceKind::Clone {
        return None;
    }
    let git = make::git(daemon, None).await;
    let (caches, path) = (daemon.caches_dir(), row.path.clone());
    tokio::task::spawn_blocking(move || clone::cache_of(&git, &caches, &path)).await.ok().flatten()
}

/// A row for a directory that has none: of a lost database, or a crash in the middle. What is not known of it is on the safe side.
fn stray(daemon: &Daemon, path: &Path) -> Option<StoredWorkspace> {
    let root = daemon.workspaces_dir();
    let inside =
        path.is_absolute() && path.strip_prefix(&root).is_ok_and(|rest| rest.components().count() == 2);
    if !inside || !path.symlink_metadata().is_ok_and(|data| data.is_dir()) {
        return None;
    }
    let repository = Repository::at(path)?;
    let now = clock::wall();
    let (kind, id, common_dir) = if repository.linked() {
        let common = repository.git_dir.parent()?.parent()?.to_owned();
        (WorkspaceKind::Worktree, WorkspaceId::at(u64::try_from(now.as_millisecond()).ok()?), Some(common))
    } else {
        let id = std::fs::read_to_string(repository.git_dir.join(MARKER)).ok()?;
        (WorkspaceKind::Clone, id.trim().parse().ok()?, None)
    };
    let main =
        common_dir.as_ref().filter(|common| common.ends_with(".git")).and_then(|common| common.parent());
    Some(StoredWorkspace {
        id,
        kind,
        path: path.to_owned(),
        repository: main.map(|main| main.display().to_string()),
        common_dir,
        project: None,
        branch: repository.branch(),
        made_branch: false,
        base: None,
        base_commit: None,
        pull_request: None,
        state: WorkspaceState::Ready,
        ports: None,
        made_at: now,
        moved_to: None,
        removed_until: None,
        saved: serde_json::Value::Null,
        warm: false,
    })
}
