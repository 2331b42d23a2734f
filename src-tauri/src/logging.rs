//! The window's log, beside the daemon's. Never anything that a terminal shows.

use belfry_platform::Home;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::EnvFilter;

/// Days of logs that are kept.
const KEPT: usize = 5;

/// Starts logging. What was logged is on disk once the returned guard is dropped. A home that takes no log leaves
/// the window working without one.
pub(crate) fn start(home: &Home) -> Option<WorkerGuard> {
    let file = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("belfry-desktop")
        .filename_suffix("log")
        .max_log_files(KEPT)
        .build(home.log_dir())
        .ok()?;
    let (writer, guard) = tracing_appender::non_blocking(file);
    let filter = EnvFilter::try_from_env("BELFRY_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(writer).init();
    Some(guard)
}
