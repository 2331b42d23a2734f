//! All workspaces, and other worktrees of the projects' repositories.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::workspace::{Workspace, WorkspaceState};
use belfry_protocol::{ErrorCode, Reply, SessionId, WireError};
use belfry_store::StoredWorkspace;
use belfry_workspace::listed::{disk_use, strays, worktrees};
use belfry_workspace::{Git, Repository, Stop};

use super::{Outcome, make};
use crate::Daemon;

/// How long all of them may be measured; what is not by then has no figure.
const MEASURED: Duration = Duration::from_mins(2);

pub(super) async fn list(daemon: &Arc<Daemon>, disk: bool) -> Outcome {
    let git = make::git(daemon, None).await;
    let mut repositories: BTreeSet<PathBuf> =
        daemon.workspaces.all().into_iter().filter_map(|row| row.common_dir).collect();
    {
        let tree = daemon.tree.lock().await;
        repositories.extend(tree.projects.iter().map(|project| PathBuf::from(&project.path)));
    }
    let listing = {
        let daemon = Arc::clone(daemon);
        tokio::task::spawn_blocking(move || all(&daemon, &git, &repositories))
    };
    let mut workspaces = listing.await.map_err(|error| internal(&error))?;
    if disk {
        measure(daemon, &mut workspaces).await?;
    }
    Ok(Reply::Workspaces(workspaces))
}

/// Blocks; one git process for each repository, one after the other.
fn all(daemon: &Daemon, git: &Git, repositories: &BTreeSet<PathBuf>) -> Vec<Workspace> {
    let rows = daemon.workspaces.all();
    let mut shown: Vec<Workspace> = rows.iter().map(|row| self::shown(daemon, row)).collect();
    let root = daemon.workspaces_dir();
    let mut known: Vec<PathBuf> = rows.into_iter().map(|row| row.path).collect();
    for stray in strays(&root, &known) {
        let mut workspace = foreign(daemon, &stray, WorkspaceKind::Directory);
        if let Some(repository) = Repository::at(&stray) {
            workspace.kind = if repository.linked() { WorkspaceKind::Worktree } else { WorkspaceKind::Clone };
            workspace.branch = repository.branch();
        }
        workspace.notice =
            Some("it lies where Belfry makes workspaces, and no record tells of it".to_owned());
        shown.push(workspace);
        known.push(stray);
    }
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut seen: BTreeSet<PathBuf> = known.iter().map(|path| real(path)).collect();
    let real_root = real(&root);
    for repository in repositories {
        // A project may be any directory, and need not be there.
        let Ok(listed) = worktrees(git, repository) else { continue };
        let main = listed.first().map(|first| first.path.display().to_string());
        for one in listed.into_iter().skip(1) {
            let path = real(&one.path);
            if path.starts_with(&real_root) || !seen.insert(path) {
                continue;
            }
            let mut workspace = foreign(daemon, &one.path, WorkspaceKind::Worktree);
            workspace.repository.clone_from(&main);
            workspace.branch = one.branch;
            if one.prunable.is_some() {
                workspace.state = WorkspaceState::Missing;
            }
            workspace.notice = one.locked.map(|why| {
                if why.is_empty() { "it is locked".to_owned() } else { format!("it is locked: {why}") }
            });
            shown.push(workspace);
        }
    }
    shown
}

/// One that Belfry did not make, or no longer knows.
fn foreign(daemon: &Daemon, path: &Path, kind: WorkspaceKind) -> Workspace {
    Workspace {
        id: None,
        kind,
        path: path.to_string_lossy().into_owned(),
        repository: None,
        project: None,
        branch: None,
        base: None,
        state: WorkspaceState::Ready,
        sessions: sessions_under(daemon, path),
        ports: None,
        disk: None,
        created_at: None,
        notice: None,
    }
}

fn sessions_under(daemon: &Daemon, path: &Path) -> Vec<SessionId> {
    let entries = daemon.entries();
    let under = entries.iter().filter(|entry| Path::new(&entry.record().cwd).starts_with(path));
    under.map(|entry| entry.id).collect()
}

/// A workspace as clients see it. Runs no git.
pub(super) fn shown(daemon: &Daemon, row: &StoredWorkspace) -> Workspace {
    let there = row.path.symlink_metadata().is_ok();
    let state = match &row.state {
        WorkspaceState::Making { .. } | WorkspaceState::Removed { .. } => row.state.clone(),
        _ if !there => WorkspaceState::Missing,
        _ if row.warm => WorkspaceState::Warm,
        state => state.clone(),
    };
    // The agent may have gone to another branch. A detached head has none, and a commit is no branch.
    let now = Repository::at(&row.path).filter(|_| row.moved_to.is_none()).map(|found| found.branch());
    let branch = match now {
        Some(Some(name)) if name.len() == 10 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) => None,
        Some(branch) => branch,
        None => row.branch.clone(),
    };
    let mut sessions = daemon.sessions_in(row.id);
    if row.moved_to.is_none() {
        let under = sessions_under(daemon, &row.path);
        sessions.extend(under.into_iter().filter(|id| !sessions.contains(id)).collect::<Vec<_>>());
    }
    Workspace {
        id: Some(row.id),
        kind: row.kind,
        path: row.path.to_string_lossy().into_owned(),
        repository: row.repository.clone(),
        project: row.project,
        branch,
        base: row.base.clone(),
        state,
        sessions,
        ports: row.ports,
        disk: None,
        created_at: Some(row.made_at),
        notice: row.saved.get("notice").and_then(|notice| notice.as_str()).map(str::to_owned),
    }
}

async fn measure(daemon: &Arc<Daemon>, workspaces: &mut [Workspace]) -> Result<(), WireError> {
    let places: Vec<PathBuf> = workspaces
        .iter()
        .map(|one| {
            let row = one.id.and_then(|id| daemon.workspaces.get(id));
            row.and_then(|row| row.moved_to).unwrap_or_else(|| PathBuf::from(&one.path))
        })
        .collect();
    let stop = Stop::default();
    let measuring = {
        let stop = stop.clone();
        tokio::task::spawn_blocking(move || {
            places.iter().map(|place| disk_use(place, &stop)).collect::<Vec<_>>()
        })
    };
    // The walk ends by itself soon after it is told to.
    let timer = tokio::spawn(async move {
        tokio::time::sleep(MEASURED).await;
        stop.now();
    });
    let measured = measuring.await;
    timer.abort();
    for (workspace, bytes) in workspaces.iter_mut().zip(measured.map_err(|error| internal(&error))?) {
        workspace.disk = bytes;
    }
    Ok(())
}

fn internal(error: &tokio::task::JoinError) -> WireError {
    WireError::new(ErrorCode::Internal, format!("it could not be done: {error}"))
}
