//! Everything that `belfry daemon run` does: sessions, views, messages, recovery; the one process that knows everything.

use belfry_platform::home::Home;

/// How a daemon is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The `belfry-keeper` program. None: the one beside this program, else the one in `PATH`.
    pub keeper: Option<std::path::PathBuf>,
}

/// Why a daemon does not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Another daemon runs for this home.
    #[error("a daemon is already running for this home (process {})", pid.map_or("unknown".to_owned(), |pid| pid.to_string()))]
    AlreadyRunning {
        /// Its process id, where that is known.
        pid: Option<u32>,
    },
    /// Anything else; the message says what was tried.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

/// Runs this home's daemon until it is stopped (a request, SIGTERM or SIGINT). Builds its own runtime: call it from a
/// thread that has none. Sessions go on when it returns.
pub fn run(home: Home, options: Options) -> Result<(), RunError> {
    let _ = (home, options);
    Err(RunError::Other(anyhow::anyhow!("not built yet")))
}
