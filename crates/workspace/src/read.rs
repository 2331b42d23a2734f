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

/// The text of a regular file that is no link and not longer than that.
pub(crate) fn text(path: &Path, longest: u64) -> std::io::Result<String> {
    if std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(std::io::Error::other("it is a symbolic link"));
    }
    let file = open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    if meta.len() > longest {
        return Err(std::io::Error::other(format!("it is longer than {} KB", longest >> 10)));
    }
    let mut text = String::new();
    file.take(longest).read_to_string(&mut text)?;
    Ok(text)
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
