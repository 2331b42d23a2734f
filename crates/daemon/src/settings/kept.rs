//! A copy of the last file without an error: what a daemon goes by that starts while the file has one.

use std::path::{Path, PathBuf};

use belfry_protocol::Settings;

use super::names::KnownNames;
use super::{file, read};

/// The copy's name in the directory for state.
const NAME: &str = "settings-in-force.toml";

/// The copy.
pub(super) struct Kept {
    path: PathBuf,
}

impl Kept {
    pub(super) fn within(state: &Path) -> Self {
        Self { path: state.join(NAME) }
    }

    /// The settings of before; none where there are none without an error. Blocks.
    pub(super) fn settings(&self) -> Option<Settings> {
        let text = file::read(&self.path).ok().flatten()?;
        read::read(&text, &KnownNames::default()).ok().map(|(settings, _)| settings)
    }

    /// Keeps what the file holds; none where it is not there. Blocks.
    pub(super) fn keep(&self, text: Option<&str>) {
        let before = file::read(&self.path).ok().flatten();
        if before.as_deref() == text {
            return;
        }
        let kept = match text {
            Some(text) => file::write(&self.path, text, before.as_deref()),
            None => std::fs::remove_file(&self.path),
        };
        if let Err(error) = kept {
            tracing::warn!(%error, "the settings in force cannot be kept for the next start");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_good_ones_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = Kept::within(folder.path());
        assert!(kept.settings().is_none());
        kept.keep(Some("[fonts]\nsize = 20\n"));
        kept.keep(Some("[fonts]\nsize = 21\n"));
        assert_eq!(kept.settings().expect("kept").fonts.size, 21);
        kept.keep(None);
        assert!(kept.settings().is_none());
    }
}
