//! Reading small files that somebody else wrote.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::path::Path;

/// Longest file that is read, in bytes: `HEAD` and `.git` files hold one line.
const LONGEST: u64 = 8 * 1024;

/// The text of a small regular file; none for anything else. A FIFO in its place does not block.
pub(crate) fn small_text(path: &Path) -> Option<String> {
    let file = open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(any(target_os = "linux", target_os = "android"))]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, 0o4000);
    // O_NONBLOCK has another value on the BSDs and macOS.
    #[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, 0x4);
    options.open(path)
}
