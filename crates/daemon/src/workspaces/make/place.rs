//! Where a workspace lies, and what else is its own.

use std::path::PathBuf;

use belfry_protocol::session::WorkspaceKind;
use belfry_protocol::workspace::{PortRange, WorkspaceState};
use belfry_protocol::{ErrorCode, WireError, WorkspaceId};
use belfry_store::StoredWorkspace;
use belfry_workspace::branch::Branch;
use belfry_workspace::{Git, Source, base, names, without_credentials};
use serde_json::Value;

use super::Wanted;
use crate::workspaces::ports;
use crate::{Daemon, clock};

/// Numbers that are tried behind a directory's name.
const TRIES: u32 = 10_000;

/// Takes a place for it. Blocks.
pub(super) fn take(
    daemon: &Daemon,
    git: &Git,
    wanted: &Wanted,
    source: Option<&Source>,
    branch: Option<&Branch>,
) -> Result<StoredWorkspace, WireError> {
    let address = source.filter(|_| wanted.kind == WorkspaceKind::Clone).and_then(|source| {
        let remote = base::default_remote(git, source).ok().flatten()?;
        base::address(git, source, &remote)
    });
    let parent = parent(daemon, source).map_err(|error| {
        let what = format!("the directory for workspaces cannot be made: {error}");
        WireError::new(ErrorCode::Storage, what)
    })?;
    let name = match branch {
        Some(branch) => names::for_directory(branch.name()),
        None => names::for_directory(&wanted.text.as_deref().and_then(names::from_text).unwrap_or_default()),
    };
    let now = clock::wall();
    let settings = daemon.settings().settings.workspaces;
    daemon.workspaces.add(|rows| {
        let free = |path: &PathBuf| {
            // A removed one comes back to where it was.
            !rows.values().any(|row| row.path == *path) && std::fs::symlink_metadata(path).is_err()
        };
        let numbered = (2..TRIES).map(|number| format!("{name}-{number}"));
        let mut paths = std::iter::once(name.clone()).chain(numbered).map(|name| parent.join(name));
        let path = paths.find(free).ok_or_else(|| {
            WireError::new(ErrorCode::Storage, "there are too many workspaces of that name")
        })?;
        let taken: Vec<PortRange> = rows.values().filter_map(|row| row.ports).collect();
        Ok(StoredWorkspace {
            id: WorkspaceId::at(u64::try_from(now.as_millisecond()).unwrap_or(0)),
            kind: wanted.kind,
            path,
            repository: match wanted.kind {
                WorkspaceKind::Clone => address.map(|address| without_credentials(&address)),
                _ => source.map(|source| source.main.display().to_string()),
            },
            common_dir: source
                .filter(|_| wanted.kind == WorkspaceKind::Worktree)
                .map(|source| source.common_dir.clone()),
            project: wanted.project,
            branch: branch.map(|branch| branch.name().to_owned()),
            made_branch: branch.is_some_and(Branch::is_made),
            base: None,
            base_commit: None,
            pull_request: wanted.pull_request,
            state: WorkspaceState::Making { step: "starting".to_owned() },
            ports: ports::lease(settings, &taken, ports::is_listened),
            made_at: now,
            moved_to: None,
            removed_until: None,
            saved: Value::Null,
            warm: wanted.warm,
        })
    })
}

/// The directory for workspaces of that repository, made where it is not there. Git tells of worktrees by their real paths, and
/// so do we.
fn parent(daemon: &Daemon, source: Option<&Source>) -> std::io::Result<PathBuf> {
    let name = match source {
        Some(source) => format!("{}-{}", names::for_directory(&source.name()), names::mark_of(&source.main)),
        None => "scratch".to_owned(),
    };
    let dir = daemon.workspaces_dir().join(name);
    belfry_platform::directory::create_private(&dir).map_err(std::io::Error::other)?;
    std::fs::canonicalize(dir)
}
