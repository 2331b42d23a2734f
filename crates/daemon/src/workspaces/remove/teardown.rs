//! The teardown script: run in the workspace before it goes.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use belfry_store::StoredWorkspace;
use tokio::process::Command;

use super::super::scripts;
use crate::Daemon;
use crate::launch::login_environment;

/// How long it may take. It stops containers and such; a workspace does not stay for ever because one of them does.
const LIMIT: Duration = Duration::from_mins(2);

/// Runs it, where there is one and the person trusts it. None where none ran; else what is to be told of it. That it fails keeps
/// nobody from removing the workspace.
pub(super) async fn run(daemon: &Arc<Daemon>, row: &StoredWorkspace) -> Option<Option<String>> {
    let script = scripts::rules_of(daemon, &row.path, row.project).await.rules.teardown?;
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(&row.path);
    command.env_clear().envs(login_environment(daemon).await);
    command.env("BELFRY_WORKSPACE", &row.path);
    if let Some(ports) = row.ports {
        command.env("BELFRY_PORT", ports.first.to_string()).env("BELFRY_PORT_COUNT", ports.count.to_string());
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Its own group, so that the end of its time ends what it started.
    command.process_group(0).kill_on_drop(true);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Some(Some(format!("its teardown script could not be started: {error}"))),
    };
    let group = child.id();
    let said = match tokio::time::timeout(LIMIT, child.wait()).await {
        Ok(Ok(status)) if status.success() => None,
        Ok(Ok(status)) => Some(format!("its teardown script failed: {status}")),
        Ok(Err(error)) => Some(format!("its teardown script failed: {error}")),
        Err(_) => {
            let group =
                group.and_then(|pid| i32::try_from(pid).ok()).and_then(rustix::process::Pid::from_raw);
            if let Some(group) = group {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            Some(format!("its teardown script did not end within {} s, and was ended", LIMIT.as_secs()))
        }
    };
    if let Some(said) = &said {
        tracing::info!(workspace = %row.id, "{said}");
    }
    Some(said)
}
