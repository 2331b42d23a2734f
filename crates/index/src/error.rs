//! What can go wrong.

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why the index cannot do something.
#[derive(Debug, Error)]
pub enum IndexError {
    /// The file is damaged: opened again, it is set aside and made anew.
    #[error("the search index is damaged: {0}")]
    Damaged(rusqlite::Error),
    /// The database refused.
    #[error("the search index: {0}")]
    Database(rusqlite::Error),
    /// A file cannot be made or moved.
    #[error("the search index: {0}")]
    Io(#[from] std::io::Error),
    /// Something that was kept cannot be read; it is made anew with the next change.
    #[error("the search index: {0}")]
    Kept(#[from] serde_json::Error),
}

impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(error),
            _ => Self::Database(error),
        }
    }
}
