//! Opening files that somebody else has put there.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::path::{Component, Path};

use rustix::fs::{FileType, Mode, OFlags, fstat, open, openat};

/// Opens a regular file below a directory. No symbolic link below it is followed, so that no file elsewhere is read; the
/// directory itself may be one. A pipe or a device is refused without waiting for it.
pub(super) fn open_file(root: &Path, relative: &Path) -> io::Result<File> {
    let mut directory: OwnedFd =
        open(root, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let name = relative.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    for component in relative.parent().into_iter().flat_map(Path::components) {
        let Component::Normal(part) = component else { return Err(io::ErrorKind::InvalidInput.into()) };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        directory = openat(&directory, part, flags, Mode::empty())?;
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = openat(&directory, name, flags, Mode::empty())?;
    if FileType::from_raw_mode(fstat(&file)?.st_mode) != FileType::RegularFile {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    Ok(File::from(file))
}

/// The beginning of such a file.
pub(super) fn read_head(root: &Path, relative: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(root, relative)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
