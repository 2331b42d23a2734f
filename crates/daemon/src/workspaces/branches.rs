//! What new branches can start from.

use std::path::Path;
use std::sync::Arc;

use belfry_protocol::workspace::{Branches, WorkspaceState};
use belfry_protocol::{ErrorCode, Reply, WireError};
use belfry_workspace::base::{self, Ask};
use belfry_workspace::branch::Names;
use belfry_workspace::{Git, MakeError, MakeResult, Source, Stop, rules, without_credentials};

use super::{Outcome, make};
use crate::{Daemon, places};

/// Most names that are told.
const MOST: usize = 500;

pub(super) async fn show(daemon: &Arc<Daemon>, typed: &str) -> Outcome {
    let directory = places::absolute(typed, &daemon.person_home).ok_or_else(|| {
        WireError::new(ErrorCode::BadDirectory, format!("`{}` is not an absolute path", typed.escape_debug()))
    })?;
    let git = make::git(daemon, None).await;
    let project = {
        let tree = daemon.tree.lock().await;
        tree.project_around(&directory).and_then(|project| project.defaults.rules.clone())
    };
    let own = project.and_then(|rules| rules.base);
    let at = directory.clone();
    let asked = tokio::task::spawn_blocking(move || match look(&git, &at, own.as_deref()) {
        Ok(branches) => Ok(branches),
        Err(MakeError::NoRepository(_)) => Ok(Branches::default()),
        Err(error @ (MakeError::NotOwned(_) | MakeError::NotUtf8(_))) => {
            Ok(Branches { refused: Some(error.to_string()), ..Branches::default() })
        }
        Err(error) => Err(error.wire()),
    });
    let mut branches =
        asked.await.map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))??;
    branches.warm = branches.repository.as_ref().is_some_and(|main| {
        daemon
            .workspaces
            .all()
            .iter()
            .any(|row| row.state == WorkspaceState::Warm && row.repository.as_ref() == Some(main))
    });
    Ok(Reply::Branches(Box::new(branches)))
}

/// Blocks. Asks no other machine.
fn look(git: &Git, directory: &Path, own: Option<&str>) -> MakeResult<Branches> {
    let source = Source::of(git, directory)?;
    let head = source.head(git)?;
    let brought = rules::read(source.at()).ok().flatten().and_then(|rules| rules.base);
    let stop = Stop::default();
    let base = base::resolve(git, &source, own.or(brought.as_deref()), Ask { limit: None, stop: &stop });
    let Names { names, taken } = Names::read(git, &source, MOST)?;
    let remote = base::default_remote(git, &source)?.and_then(|remote| base::address(git, &source, &remote));
    let refused = match &base {
        Err(MakeError::NoCommit(_)) => base.as_ref().err().map(ToString::to_string),
        _ => None,
    };
    let changed = if source.top.is_some() { belfry_workspace::branch::changed(git, &source)? } else { 0 };
    Ok(Branches {
        repository: Some(source.main.display().to_string()),
        current: head.and_then(|(_, branch)| branch),
        base: base.ok().map(|base| base.name),
        names,
        taken,
        changed,
        remote: remote.map(|address| without_credentials(&address)),
        warm: false,
        refused,
    })
}
