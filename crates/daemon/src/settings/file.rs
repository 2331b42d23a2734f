//! The file on the disk.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::read::LONGEST;

/// Links that are followed from one to the next.
const LINKS: usize = 16;

/// What the file holds; none where it is not there. Blocks.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    match bytes(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err("the file is not UTF-8".to_owned()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("the file cannot be read: {error}")),
    }
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe or a device would never end.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut bytes = Vec::new();
    // One more than may be, so that a longer one is seen to be.
    std::fs::File::open(path)?.take(LONGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Where the file is really: people keep such files elsewhere and link to them. The last one need not be there.
pub(super) fn followed(path: &Path) -> PathBuf {
    let mut at = path.to_owned();
    for _ in 0..LINKS {
        match std::fs::read_link(&at) {
            Ok(to) => at = at.parent().map_or_else(|| to.clone(), |folder| folder.join(&to)),
            Err(_) => break,
        }
    }
    at
}

/// Puts a text in the file's place, whole or not at all; only the person may read it, as variables in it may be secrets.
/// Refused where the file does not hold `before` any more. Blocks.
pub(super) fn write(path: &Path, text: &str, before: Option<&str>) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let target = followed(path);
    let folder = target.parent().ok_or_else(|| io::Error::other("it has no folder"))?;
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let beside = folder.join(format!(".{name}.{}-{count}.new", std::process::id()));
    let written = write_new(&beside, text).and_then(|()| {
        // An editor may have saved it in between. What is left of this race is shorter than any editor's own.
        if read(path).map_err(io::Error::other)?.as_deref() != before {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "it was changed just now"));
        }
        std::fs::rename(&beside, &target)
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
        return written;
    }
    // The name is on the disk as well, where the folder can be synced.
    let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_link_is_followed_and_what_changed_meanwhile_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("dotfiles")).expect("a folder");
        let (path, real) = (folder.path().join("settings.toml"), folder.path().join("dotfiles/belfry.toml"));
        std::os::unix::fs::symlink("dotfiles/belfry.toml", &path).expect("a link");
        assert_eq!(read(&path), Ok(None), "it leads nowhere yet");
        write(&path, "a", None).expect("it is written");
        assert!(path.is_symlink());
        assert_eq!(std::fs::read_to_string(&real).expect("the file"), "a");
        assert_eq!(std::fs::metadata(&real).expect("the file").permissions().mode() & 0o777, 0o600);
        let error = write(&path, "b", None).expect_err("somebody has written it");
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        write(&path, "b", Some("a")).expect("it is written");
        assert_eq!(read(&path), Ok(Some("b".to_owned())));
        assert_eq!(std::fs::read_dir(folder.path().join("dotfiles")).expect("the folder").count(), 1);
        std::fs::remove_file(&real).expect("remove");
        std::fs::create_dir(&real).expect("a folder in its place");
        assert!(read(&path).is_err());
    }
}
