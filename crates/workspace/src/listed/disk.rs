//! What a directory takes on disk.

use std::collections::HashSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::Stop;

/// Size of the blocks that a file's `st_blocks` counts, whatever the file system's own are (POSIX).
const BLOCK: u64 = 512;

/// Bytes that a directory takes: blocks, a file with several names once, links as themselves, nothing of other file systems. None
/// where it was stopped.
pub fn disk_use(at: &Path, stop: &Stop) -> Option<u64> {
    let top = at.symlink_metadata().ok()?;
    let mut bytes = top.blocks() * BLOCK;
    let mut counted = HashSet::new();
    let mut dirs = vec![at.to_owned()];
    while let Some(dir) = dirs.pop() {
        if stop.stopped() {
            return None;
        }
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let Ok(data) = entry.metadata() else { continue };
            if data.dev() != top.dev() || (data.nlink() > 1 && !data.is_dir() && !counted.insert(data.ino()))
            {
                continue;
            }
            bytes += data.blocks() * BLOCK;
            if data.is_dir() {
                dirs.push(entry.path());
            }
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ntest::timeout(30_000)]
    fn names_of_one_file_and_what_links_lead_to_count_once_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let (one, other) = (place.path().join("one"), place.path().join("other"));
        for dir in [&one, &other] {
            std::fs::create_dir(dir).unwrap();
        }
        std::fs::write(other.join("large"), vec![1; 1 << 20]).unwrap();
        let empty = disk_use(&one, &Stop::default()).unwrap();
        std::os::unix::fs::symlink(&other, one.join("link")).unwrap();
        assert!(disk_use(&one, &Stop::default()).unwrap() < empty + (1 << 16));
        std::fs::write(one.join("file"), vec![1; 1 << 20]).unwrap();
        let once = disk_use(&one, &Stop::default()).unwrap();
        std::fs::hard_link(one.join("file"), one.join("again")).unwrap();
        assert!(disk_use(&one, &Stop::default()).unwrap() < once + (1 << 16));
        let stop = Stop::default();
        stop.now();
        assert_eq!(disk_use(&one, &stop), None);
    }
}
