//! Aider: a file in each directory, for all that was said there. Measured with 0.86.

use std::path::PathBuf;

use super::{Found, regular};

pub(super) fn find(directories: &[PathBuf], all: &mut Vec<Found>) {
    for directory in directories {
        let path = directory.join(".aider.chat.history.md");
        if let Some(meta) = regular(&path) {
            let id = path.to_string_lossy().into_owned();
            let mut found = Found::file_of("aider", id, path, &meta);
            found.cwd = Some(directory.to_string_lossy().into_owned());
            all.push(found);
        }
    }
}
