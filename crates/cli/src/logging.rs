//! The daemon's log: a rotated file that only the person can read, and never what a terminal shows.
//!
//! What may be logged is a rule for whoever writes a `tracing` call: ids, sizes, offsets, errors and times; no output, no
//! input, no prompt, no environment value, no title.

use std::sync::Mutex;

use belfry_platform::Home;
use belfry_platform::rotate::RotatedFile;
use tracing_subscriber::EnvFilter;

/// Bytes in one file. With [`FILES`] the log takes at most 20 MB.
const FILE_CAP: u64 = 4 * 1024 * 1024;
const FILES: usize = 5;

/// Sends `tracing` to the home's log file. `BELFRY_LOG` chooses what is logged, as in `belfry_daemon=debug`.
pub(crate) fn start(home: &Home) -> std::io::Result<()> {
    belfry_platform::directory::create_private(&home.log_dir()).map_err(std::io::Error::other)?;
    let file = RotatedFile::open(home.log_file(), FILE_CAP, FILES)?;
    let filter = EnvFilter::try_from_env("BELFRY_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(Mutex::new(file))
        .try_init()
        .map_err(std::io::Error::other)?;
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // Not its message: that may quote the text that was being worked on.
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "panic");
        before(panic);
    }));
    Ok(())
}
