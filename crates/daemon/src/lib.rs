//! Everything that `belfry daemon run` does: sessions, views, messages, recovery; the one process that knows everything.
//!
//! [`run`] takes the home's lock, opens the database, takes up the sessions that are there ([`mod@recover`]) and serves
//! clients until it is told to end. Each live session has an engine ([`mod@session`]), one task that follows its journal,
//! keeps its screen and feeds its views; each client has a connection ([`mod@client`]). Sessions live in their keepers, so
//! that this process can be killed at any moment and the next one goes on where it was.

mod changes;
mod client;
mod clock;
mod compressor;
mod conversations;
mod daemon;
mod export;
mod figures;
mod forge;
mod hibernate;
mod index;
mod launch;
mod local;
mod notify;
mod places;
mod ready;
mod recover;
mod replay;
mod review;
mod rules;
mod run;
mod session;
mod settings;
mod sources;
mod trash;
mod tree;
mod usage;
pub mod watch;
mod workspaces;

use std::path::PathBuf;

use belfry_platform::home::Home;

pub(crate) use daemon::Daemon;
pub use settings::{knows_setting, setting_meant, setting_path, typed_setting};

/// How a daemon is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The `belfry-keeper` program. None: the one beside this program, else the one in `PATH`.
    pub keeper: Option<PathBuf>,
    /// Most bytes of one session's journals. None: what the person has set.
    pub journal_cap: Option<u64>,
    /// Sessions that Belfry did not start are not looked for, whatever the person has set: a test is alone on a machine where
    /// others work.
    pub alone: bool,
}

/// Why a daemon does not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Another daemon runs for this home.
    #[error("a daemon is already running for this home{}", pid.map(|pid| format!(" (process {pid})")).unwrap_or_default())]
    AlreadyRunning {
        /// Its process id, where that is known.
        pid: Option<u32>,
    },
    /// Anything else; the message says what was tried.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

/// Makes the file of the person's settings where there is none, and says where it is. No daemon need run.
pub fn make_settings_file(home: &Home) -> std::io::Result<PathBuf> {
    settings::make(home.config_dir())
}

/// Runs this home's daemon until it is stopped (a request, SIGTERM or SIGINT). Builds its own runtime: call it from a
/// thread that has none. Sessions go on when it returns.
pub fn run(home: Home, options: Options) -> Result<(), RunError> {
    run::run(home, options)
}
