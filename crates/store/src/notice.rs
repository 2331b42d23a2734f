//! What the person should know after the database was opened.

use std::path::PathBuf;

/// Something that happened while opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The database was damaged and set aside; a new one was begun.
    SetAside {
        /// Where the old file is now; its `-wal` and `-shm` files, where there were any, lie beside it.
        path: PathBuf,
        /// What was wrong.
        why: String,
        /// Records that could be read from it and were taken over.
        taken_over: usize,
    },
    /// The schema was brought up to date.
    Migrated {
        /// From this version.
        from: u32,
        /// To this one.
        to: u32,
        /// A copy of the database as it was.
        copy: PathBuf,
    },
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SetAside { path, why, taken_over } => write!(
                f,
                "The database was damaged ({why}). It was set aside as {}, {taken_over} records were taken over from it.",
                path.display()
            ),
            Self::Migrated { from, to, copy } => write!(
                f,
                "The database was brought from version {from} to {to}; a copy of the old one is {}.",
                copy.display()
            ),
        }
    }
}
