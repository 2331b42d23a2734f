//! Lines of files that git does not know.

use std::fs::OpenOptions;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

/// Largest file that is read, in bytes, and most of all of them at one look. More would make every look slow for a number that
/// nobody reads.
const LARGEST: u64 = 4 << 20;
const MOST: u64 = 16 << 20;
/// Where git looks for a zero byte to tell that a file is binary.
const BINARY_WITHIN: usize = 8000;

/// Counts lines, up to a limit in all.
#[derive(Default)]
pub(super) struct Counter {
    read: u64,
}

impl Counter {
    /// How many lines the file would add; none where it is binary, or too large to be looked at.
    pub(super) fn lines(&mut self, root: &Path, path: &[u8]) -> Option<u32> {
        let path = root.join(std::ffi::OsStr::from_bytes(path));
        let about = path.symlink_metadata().ok()?;
        if about.is_symlink() {
            return Some(1);
        }
        let size = about.len();
        if !about.is_file() || size > LARGEST || self.read + size > MOST {
            return None;
        }
        self.read += size;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(&path).ok()?;
        let mut bytes = Vec::with_capacity(size as usize);
        file.take(LARGEST).read_to_end(&mut bytes).ok()?;
        if bytes.iter().take(BINARY_WITHIN).any(|byte| *byte == 0) {
            return None;
        }
        let ends = memchr::memchr_iter(b'\n', &bytes).count() as u32;
        Some(ends + u32::from(bytes.last().is_some_and(|last| *last != b'\n')))
    }
}
