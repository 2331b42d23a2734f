//! The window's log, beside the daemon's. Never anything that a terminal shows.

use belfry_platform::Home;
use belfry_platform::rotate::RotatedFile;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::EnvFilter;

/// Bytes in one file. With [`FILES`] the log takes at most 4 MB.
const FILE_CAP: u64 = 1024 * 1024;
const FILES: usize = 4;

/// Starts logging. What was logged is on disk once the returned guard is dropped. A home that takes no log leaves
/// the window working without one.
pub(crate) fn start(home: &Home) -> Option<WorkerGuard> {
    let file = open(home)?;
    let (writer, guard) = tracing_appender::non_blocking(file);
    let filter = EnvFilter::try_from_env("BELFRY_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(writer).init();
    Some(guard)
}

fn open(home: &Home) -> Option<RotatedFile> {
    belfry_platform::directory::create_private(&home.log_dir()).ok()?;
    RotatedFile::open(home.log_dir().join("belfry-desktop.log"), FILE_CAP, FILES).ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    #[test]
    #[ntest::timeout(10000)]
    fn the_log_is_the_persons_alone() {
        let dir = std::env::temp_dir().join(format!("belfry-desktop-log-{}", std::process::id()));
        let home = belfry_platform::Home::at(&dir);
        home.prepare().expect("a home");
        super::open(&home).expect("a log");
        let log = std::fs::metadata(home.log_dir().join("belfry-desktop.log")).expect("the file");
        assert_eq!(log.permissions().mode() & 0o777, 0o600);
        std::fs::remove_dir_all(dir).expect("clean up");
    }
}
