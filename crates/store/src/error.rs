//! What can go wrong, sorted by what a caller can do about it.

use std::path::PathBuf;

use belfry_protocol::ErrorCode;
use rusqlite::ffi;

/// An error of the database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A newer Belfry wrote it.
    #[error(
        "the database is of version {found}, and this Belfry knows versions up to {known}; use the newer Belfry"
    )]
    Newer {
        /// Its version.
        found: u32,
        /// The newest known one.
        known: u32,
    },
    /// Another program's database is in its place.
    #[error("{} is a database of another program", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// No room on the disk. Nothing of the call was kept.
    #[error("the disk is full")]
    DiskFull,
    /// The file or its file system cannot be written. Nothing of the call was kept.
    #[error("the database cannot be written")]
    ReadOnly,
    /// The file cannot be opened, or its directory not written.
    #[error("the database cannot be opened: {why}")]
    CannotOpen {
        /// What the system said.
        why: String,
    },
    /// Another program holds it locked.
    #[error("another program holds the database locked")]
    Busy,
    /// Its content is damaged. The next [`crate::Store::open`] sets it aside.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// There is no session of that id in it.
    #[error("no such session in the database")]
    NoSuchSession,
    /// The value is longer than what is kept.
    #[error("the {what} is longer than {limit} bytes")]
    TooLong {
        /// What it is.
        what: &'static str,
        /// Most bytes.
        limit: usize,
    },
    /// The thread that owns the database has ended.
    #[error("the database is closed")]
    Closed,
    /// The system refused a file operation beside the database.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Anything else: a fault of Belfry's own.
    #[error("the database refused: {0}")]
    Sqlite(rusqlite::Error),
}

impl StoreError {
    /// The code that a client sees.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::DiskFull => ErrorCode::DiskFull,
            Self::NoSuchSession => ErrorCode::NoSuchSession,
            Self::TooLong { .. } => ErrorCode::TooMuch,
            Self::ReadOnly
            | Self::CannotOpen { .. }
            | Self::Busy
            | Self::Damaged(_)
            | Self::File { .. }
            | Self::Newer { .. }
            | Self::NotOurs { .. } => ErrorCode::Storage,
            Self::Closed | Self::Sqlite(_) => ErrorCode::Internal,
        }
    }

    /// Whether the same call may work later: the disk has room again, the lock is gone.
    pub fn passes(&self) -> bool {
        matches!(self, Self::DiskFull | Self::Busy | Self::ReadOnly)
    }

    /// The same error once more, for each of several callers.
    pub(crate) fn again(&self) -> Self {
        match self {
            Self::DiskFull => Self::DiskFull,
            Self::ReadOnly => Self::ReadOnly,
            Self::Busy => Self::Busy,
            Self::Damaged(what) => Self::Damaged(what.clone()),
            Self::CannotOpen { why } => Self::CannotOpen { why: why.clone() },
            other => Self::Damaged(other.to_string()),
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let rusqlite::Error::SqliteFailure(failure, text) = &error else { return Self::Sqlite(error) };
        let said = || text.clone().unwrap_or_else(|| failure.to_string());
        match failure.code {
            ffi::ErrorCode::DiskFull => Self::DiskFull,
            ffi::ErrorCode::ReadOnly => Self::ReadOnly,
            ffi::ErrorCode::DatabaseBusy | ffi::ErrorCode::DatabaseLocked => Self::Busy,
            ffi::ErrorCode::DatabaseCorrupt | ffi::ErrorCode::NotADatabase => Self::Damaged(said()),
            // Growing the shared-memory file on a full disk is reported as an I/O error, not as a full disk.
            ffi::ErrorCode::SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_SHMSIZE => {
                Self::DiskFull
            }
            ffi::ErrorCode::CannotOpen
            | ffi::ErrorCode::PermissionDenied
            | ffi::ErrorCode::SystemIoFailure => Self::CannotOpen { why: said() },
            ffi::ErrorCode::ConstraintViolation
                if failure.extended_code == ffi::SQLITE_CONSTRAINT_FOREIGNKEY =>
            {
                Self::NoSuchSession
            }
            _ => Self::Sqlite(error),
        }
    }
}
