//! Ignored files: those that are no equal copies of what the project's own directory has.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::Subject;
use super::inside::{Size, size};
use super::status::Status;
use crate::{GitResult, Stop};

/// Most bytes that are compared, in all: beyond, a file counts as no copy.
const MOST_COMPARED: u64 = 256 << 20;
/// How every `CACHEDIR.TAG` begins (Cache Directory Tagging Specification).
const TAG: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";

#[derive(Default)]
pub(super) struct Ignored {
    pub(super) lost: Vec<(PathBuf, Size)>,
    pub(super) caches: Vec<PathBuf>,
}

/// Whether tools fill a directory and fill it again when it is gone. By what it says of itself, or a name that means nothing else:
/// `build` or `dist` could be anybody's.
fn is_cache(dir: &Path) -> bool {
    let named = dir.file_name().is_some_and(|name| name == "node_modules" || name == "__pycache__");
    let venv = || dir.join("pyvenv.cfg").symlink_metadata().is_ok_and(|file| file.is_file());
    let tagged = || {
        let mut begin = [0; TAG.len()];
        let tag = dir.join("CACHEDIR.TAG");
        tag.symlink_metadata().is_ok_and(|file| file.is_file())
            && File::open(tag).and_then(|mut file| file.read_exact(&mut begin)).is_ok()
            && begin == TAG
    };
    named || venv() || tagged()
}

pub(super) fn lost(subject: &Subject, at: &Path, status: &Status, stop: &Stop) -> GitResult<Ignored> {
    let mut ignored = Ignored::default();
    let mut left = MOST_COMPARED;
    for path in &status.ignored {
        let here = at.join(path);
        let Ok(file) = here.symlink_metadata() else { continue };
        // A link leads to what is elsewhere, and that stays.
        if file.is_symlink() {
            continue;
        }
        let there = subject.main.as_ref().map(|main| main.join(path));
        if file.is_dir() {
            let cache = is_cache(&here);
            if cache {
                ignored.caches.push(path.clone());
            }
            let there = there.filter(|there| !cache && there.is_dir());
            let files = match there {
                Some(there) => own_files(&here, &there, &mut left, stop)?,
                None => vec![(PathBuf::new(), size(&here, stop)?)],
            };
            // Git says `dir/` of a directory; with nothing in it, nothing is lost.
            let files = files.into_iter().filter(|(_, (count, ..))| *count > 0);
            ignored.lost.extend(files.map(|(file, size)| {
                (if file.as_os_str().is_empty() { path.clone() } else { path.join(file) }, size)
            }));
        } else if !there.is_some_and(|there| equal(&here, &there, &mut left)) {
            ignored.lost.push((path.clone(), size(&here, stop)?));
        }
    }
    Ok(ignored)
}

/// The files of a directory that another one does not have just so.
fn own_files(here: &Path, there: &Path, left: &mut u64, stop: &Stop) -> GitResult<Vec<(PathBuf, Size)>> {
    let mut own = Vec::new();
    super::inside::walk(here, stop, &mut |entry| {
        if entry.file && !equal(&here.join(&entry.path), &there.join(&entry.path), left) {
            own.push((entry.path.clone(), (1, entry.bytes, entry.changed)));
        }
        true
    })?;
    Ok(own)
}

/// Whether two regular files have the same bytes.
fn equal(one: &Path, other: &Path, left: &mut u64) -> bool {
    let length =
        |path: &Path| path.symlink_metadata().ok().filter(std::fs::Metadata::is_file).map(|file| file.len());
    let (Some(length), Some(same)) = (length(one), length(other)) else { return false };
    if length != same || length > *left {
        return false;
    }
    *left -= length;
    let (Ok(mut one), Ok(mut other)) = (File::open(one), File::open(other)) else { return false };
    let (mut a, mut b) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    loop {
        let Ok(count) = one.read(&mut a) else { return false };
        if count == 0 {
            return other.read(&mut b).is_ok_and(|more| more == 0);
        }
        if other.read_exact(&mut b[..count]).is_err() || a[..count] != b[..count] {
            return false;
        }
    }
}
