//! Starting a keeper.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use belfry_protocol::keeper::{LaunchError, LaunchErrorKind, LaunchReply, LaunchSpec, Started};
use belfry_protocol::{ErrorCode, WireError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

/// How long a keeper may take to start. It takes a few milliseconds; a machine that swaps takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Longest answer that is read, in bytes.
const LONGEST: u64 = 64 * 1024;

/// Starts a keeper with that specification and waits for its answer.
pub(crate) async fn start(program: &Path, spec: &LaunchSpec) -> Result<Started, WireError> {
    let failed = |what: String| WireError::new(ErrorCode::LaunchFailed, what);
    let spec =
        serde_json::to_vec(spec).map_err(|error| failed(format!("the launch cannot be written: {error}")))?;
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // Nothing of our own environment is the keeper's business, and it lives for long.
        .env_clear()
        .current_dir("/")
        .spawn()
        .map_err(|error| failed(format!("the keeper {} cannot be started: {error}", program.display())))?;
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(failed("the keeper has no input or output".to_owned()));
    };
    let talk = async {
        stdin.write_all(&spec).await?;
        drop(stdin);
        let mut said = Vec::new();
        stdout.take(LONGEST).read_to_end(&mut said).await?;
        // What was spawned ends as soon as the keeper has detached.
        child.wait().await?;
        Ok::<_, std::io::Error>(said)
    };
    let said = tokio::time::timeout(PATIENCE, talk)
        .await
        .map_err(|_| failed("the keeper did not start in time".to_owned()))?
        .map_err(|error| failed(format!("the keeper could not be started: {error}")))?;
    match serde_json::from_slice(&said) {
        Ok(LaunchReply::Started(started)) => Ok(started),
        Ok(LaunchReply::Failed(error)) => Err(wire(&error)),
        Err(_) => Err(failed("the keeper ended without an answer".to_owned())),
    }
}

fn wire(error: &LaunchError) -> WireError {
    let code = match error.kind {
        LaunchErrorKind::Cwd => ErrorCode::BadDirectory,
        LaunchErrorKind::ProgramNotFound | LaunchErrorKind::ProgramNotExecutable => ErrorCode::MissingProgram,
        LaunchErrorKind::Journal if error.errno == Some(rustix::io::Errno::NOSPC.raw_os_error()) => {
            ErrorCode::DiskFull
        }
        LaunchErrorKind::Journal => ErrorCode::Storage,
        _ => ErrorCode::LaunchFailed,
    };
    WireError::new(code, error.message.clone())
}
