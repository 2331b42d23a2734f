//! Requests about directories, what was used there, and the window's settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use belfry_protocol::launch::LaunchDefaults;
use belfry_protocol::{ErrorCode, Reply, WireError};
use belfry_store::StoreError;

use super::Outcome;
use crate::{Daemon, places};

/// Recent directories that are offered.
const RECENT: u32 = 30;

fn store(error: &StoreError) -> WireError {
    WireError::new(error.code(), error.to_string())
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, WireError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))
}

pub(super) async fn complete(daemon: &Arc<Daemon>, typed: String) -> Outcome {
    let home = daemon.person_home.clone();
    Ok(Reply::Directories(blocking(move || places::complete(&typed, &home)).await?))
}

pub(super) async fn recent(daemon: &Arc<Daemon>) -> Outcome {
    let paths =
        daemon.store.call(|store| store.recent_directories(RECENT)).await.map_err(|error| store(&error))?;
    let home = daemon.person_home.clone();
    // Those that are gone are left out and kept: a disk that is not there today may be tomorrow.
    let entries = move || {
        let there = paths.iter().map(PathBuf::from).filter(|path| path.is_dir());
        there.map(|path| places::entry(&path, &home)).collect()
    };
    Ok(Reply::Directories(blocking(entries).await?))
}

pub(super) async fn defaults(daemon: &Arc<Daemon>, cwd: String) -> Outcome {
    let Some(path) = places::absolute(&cwd, &daemon.person_home) else {
        return Err(WireError::new(ErrorCode::BadDirectory, "not an absolute path"));
    };
    let cwd = clean(&path);
    let wanted = cwd.clone();
    let known = daemon.store.call(move |store| store.launch_defaults(&wanted)).await;
    let known = known.map_err(|error| store(&error))?;
    Ok(Reply::LaunchDefaults(known.unwrap_or(LaunchDefaults { cwd, ..LaunchDefaults::default() })))
}

/// Without a slash at its end, as sessions keep it.
fn clean(path: &Path) -> String {
    path.components().collect::<PathBuf>().display().to_string()
}

pub(super) async fn setting(daemon: &Arc<Daemon>, name: String) -> Outcome {
    let value = daemon.store.call(move |store| store.setting(&name)).await;
    value.map(Reply::Setting).map_err(|error| store(&error))
}

pub(super) async fn put_setting(daemon: &Arc<Daemon>, name: String, value: serde_json::Value) -> Outcome {
    let kept = daemon.store.call(move |store| store.put_setting(&name, &value)).await;
    kept.map(|()| Reply::Done).map_err(|error| store(&error))
}
