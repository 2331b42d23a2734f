//! What a killed daemon may leave behind: each clone that goes on is noted in a file of its own, by the directory that it fills.

use std::path::{Path, PathBuf};

use belfry_protocol::ProjectId;
use belfry_workspace::fetch_project::Fetch;

use crate::Daemon;

fn notes(daemon: &Daemon) -> PathBuf {
    daemon.home.state_dir().join("fetching")
}

/// Notes that the directory is being filled.
pub(super) fn note(daemon: &Daemon, id: ProjectId, hidden: &Path) {
    let dir = notes(daemon);
    let noted = std::fs::create_dir_all(&dir)
        .and_then(|()| std::fs::write(dir.join(id.to_string()), hidden.as_os_str().as_encoded_bytes()));
    if let Err(error) = noted {
        tracing::warn!(%error, "where a repository is fetched into cannot be noted");
    }
}

/// It is not any more.
pub(super) fn forget(daemon: &Daemon, id: ProjectId) {
    let _ = std::fs::remove_file(notes(daemon).join(id.to_string()));
}

/// Deletes what an earlier daemon was fetching when it was killed. Blocks.
pub(crate) fn sweep(daemon: &Daemon) {
    for entry in std::fs::read_dir(notes(daemon)).into_iter().flatten().flatten() {
        let note = entry.path();
        // One that has begun meanwhile is told of before it is noted.
        let id = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if id.is_some_and(|id| daemon.clones.knows(id)) {
            continue;
        }
        if let Ok(hidden) = std::fs::read_to_string(&note) {
            Fetch::sweep(Path::new(&hidden));
        }
        let _ = std::fs::remove_file(note);
    }
}
