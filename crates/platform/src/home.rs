//! Where everything of one Belfry lies: its home.
//!
//! | | `BELFRY_HOME=DIR` | Linux | macOS |
//! |---|---|---|---|
//! | config | `DIR/config` | `$XDG_CONFIG_HOME/belfry` | `~/Library/Application Support/Belfry/config` |
//! | state | `DIR/state` | `$XDG_STATE_HOME/belfry` | `~/Library/Application Support/Belfry/state` |
//! | runtime | `DIR/run` | `$XDG_RUNTIME_DIR/belfry`, else `/tmp/belfry-UID` | `$TMPDIR/belfry-UID` |
//!
//! Plan for Windows: config under `%APPDATA%\Belfry`, state under `%LOCALAPPDATA%\Belfry`, no runtime directory (named
//! pipes), with the directories' access lists set to the current user alone.

mod places;
mod run;

use std::fmt::Display;
use std::path::{Path, PathBuf};

pub use run::RunDir;

/// Where one Belfry keeps its files. Only paths: nothing is made until [`Home::prepare`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    config: PathBuf,
    state: PathBuf,
    runtime: PathBuf,
    /// `BELFRY_HOME`, when everything lies under one directory.
    root: Option<PathBuf>,
}

/// Why there is no home.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// Neither `BELFRY_HOME` nor `HOME` says where.
    #[error("neither BELFRY_HOME nor HOME is set to a directory, so there is no place for Belfry's files")]
    NoHome,
    /// Commands that run in different directories would each find another Belfry.
    #[error("BELFRY_HOME is `{}`, and must be an absolute path", .0.display())]
    Relative(PathBuf),
    /// A directory cannot be had or trusted.
    #[cfg(unix)]
    #[error(transparent)]
    Directory(#[from] crate::directory::DirectoryError),
    /// There is no memory-backed storage for a private session.
    #[error(
        "a private session needs memory-backed storage, and neither the runtime directory nor /dev/shm is"
    )]
    NoMemoryStorage,
}

impl Home {
    /// As the environment says: `BELFRY_HOME`, else the system's usual places.
    pub fn from_env() -> Result<Self, HomeError> {
        Self::from_vars(|name| std::env::var_os(name))
    }

    /// As the given variables say; for a caller with another process's environment.
    pub fn from_vars(var: impl Fn(&str) -> Option<std::ffi::OsString>) -> Result<Self, HomeError> {
        if let Some(root) = var("BELFRY_HOME").filter(|root| !root.is_empty()) {
            let root = PathBuf::from(root);
            return if root.is_absolute() { Ok(Self::at(root)) } else { Err(HomeError::Relative(root)) };
        }
        places::usual(&var).ok_or(HomeError::NoHome)
    }

    /// Everything under one directory, as with `BELFRY_HOME`. A relative one counts from the current directory.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let root = std::path::absolute(&root).unwrap_or(root);
        Self {
            config: root.join("config"),
            state: root.join("state"),
            runtime: root.join("run"),
            root: Some(root),
        }
    }

    /// The one directory that everything lies under, if it is so: the value of `BELFRY_HOME` for children.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Settings, written by the person or for them.
    pub fn config_dir(&self) -> &Path {
        &self.config
    }

    /// The database, logs and sessions.
    pub fn state_dir(&self) -> &Path {
        &self.state
    }

    /// Sockets and the lock: gone after a restart of the machine.
    pub fn runtime_dir(&self) -> &Path {
        &self.runtime
    }

    /// The settings file.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("belfry.toml")
    }

    /// The daemon's socket.
    pub fn daemon_socket(&self) -> PathBuf {
        self.runtime.join("daemon.sock")
    }

    /// The file whose `flock` the daemon holds for its life.
    pub fn daemon_lock(&self) -> PathBuf {
        self.runtime.join("daemon.lock")
    }

    /// Where keepers put their sockets.
    pub fn keepers_dir(&self) -> PathBuf {
        self.runtime.join("keepers")
    }

    /// The socket of a run's keeper.
    pub fn keeper_socket(&self, run: impl Display) -> PathBuf {
        self.keepers_dir().join(format!("{run}.sock"))
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.state.join("belfry.db")
    }

    /// Where logs are rotated.
    pub fn log_dir(&self) -> PathBuf {
        self.state.join("log")
    }

    /// The newest log; older ones have a suffix.
    pub fn log_file(&self) -> PathBuf {
        self.log_dir().join("belfry.log")
    }

    /// One directory for each session.
    pub fn sessions_dir(&self) -> PathBuf {
        self.state.join("sessions")
    }

    /// A session's directory.
    pub fn session_dir(&self, session: impl Display) -> PathBuf {
        self.sessions_dir().join(session.to_string())
    }

    /// A session's explicit environment values, first prompt and the like: mode 0600.
    pub fn launch_file(&self, session: impl Display) -> PathBuf {
        self.session_dir(session).join("launch.json")
    }

    /// One directory for each run of a session.
    pub fn runs_dir(&self, session: impl Display) -> PathBuf {
        self.session_dir(session).join("runs")
    }

    /// A run's files.
    pub fn run(&self, session: impl Display, run: impl Display) -> RunDir {
        RunDir::new(self.runs_dir(session).join(run.to_string()))
    }

    /// Makes the directories that must be there before anything else, each 0700, ours and no symbolic link.
    #[cfg(unix)]
    pub fn prepare(&self) -> Result<(), HomeError> {
        for dir in [&self.config, &self.state, &self.runtime] {
            crate::directory::create_private(dir)?;
        }
        for dir in [self.keepers_dir(), self.log_dir(), self.sessions_dir()] {
            crate::directory::create_private(&dir)?;
        }
        Ok(())
    }

    /// Makes a run's directory and its journal's, and gives its paths. With `private` it is memory-backed.
    #[cfg(unix)]
    pub fn create_run(
        &self,
        session: impl Display,
        run: impl Display,
        private: bool,
    ) -> Result<RunDir, HomeError> {
        let dir = if private { self.private_run(session, run)? } else { self.run(session, run) };
        crate::directory::create_private(dir.path())?;
        crate::directory::create_private(&dir.journal())?;
        Ok(dir)
    }

    /// A private session's run: the same layout under memory-backed storage.
    #[cfg(unix)]
    pub fn private_run(&self, session: impl Display, run: impl Display) -> Result<RunDir, HomeError> {
        let session = self.private_dir()?.join("sessions").join(session.to_string());
        Ok(RunDir::new(session.join("runs").join(run.to_string())))
    }

    /// Memory-backed storage of this home: under the runtime directory where that is a tmpfs, else under
    /// `/dev/shm/belfry-UID`, in a directory named by the home's hash. Made if it is missing.
    #[cfg(unix)]
    pub fn private_dir(&self) -> Result<PathBuf, HomeError> {
        places::memory_backed(&self.runtime, &self.state)
    }
}

#[cfg(all(test, unix))]
mod tests;
