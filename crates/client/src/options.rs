//! How to reach the daemon.

use std::path::PathBuf;
use std::time::Duration;

/// Who connects, and what may be started.
#[derive(Clone, Debug)]
pub struct ConnectOptions {
    /// What the client is: `desktop`, `cli`, `browser`.
    pub client: String,
    /// The client's version.
    pub version: String,
    /// The `belfry` program to start the daemon with. None: this program where it is `belfry`, else the `belfry` beside
    /// it, else the one in `PATH`.
    pub program: Option<PathBuf>,
    /// How long a start and a handshake may take. 10 s by default: a machine that is busy building starts slowly.
    pub timeout: Duration,
}

impl ConnectOptions {
    /// Options of a client of this build.
    pub fn new(client: impl Into<String>) -> Self {
        Self {
            client: client.into(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            program: None,
            timeout: Duration::from_secs(10),
        }
    }
}
