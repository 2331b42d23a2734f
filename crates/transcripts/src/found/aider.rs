//! Aider: a file in each directory, for all that was said there, or one that it was told. Measured with 0.86.

use std::path::PathBuf;

use super::{Found, regular};

pub(super) fn find(places: &[PathBuf], all: &mut Vec<Found>) {
    for place in places {
        let inside = place.join(".aider.chat.history.md");
        let (path, directory) =
            if regular(&inside).is_some() { (inside, Some(place)) } else { (place.clone(), None) };
        let Some(meta) = regular(&path) else { continue };
        let id = path.to_string_lossy().into_owned();
        let mut found = Found::file_of("aider", id, path, &meta);
        found.cwd = directory.map(|directory| directory.to_string_lossy().into_owned());
        all.push(found);
    }
}
