//! A log file that only the person can read, and that is put aside when it is full.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;

/// `path` is the newest; `path.1` the one before, and so on.
#[derive(Debug)]
pub struct RotatedFile {
    path: PathBuf,
    file: File,
    size: u64,
    cap: u64,
    files: usize,
}

impl RotatedFile {
    /// Opens or makes it, mode 0600, also where an older one was wider. Each of the `files` has at most `cap` bytes, but for
    /// a single line that is longer.
    pub fn open(path: PathBuf, cap: u64, files: usize) -> io::Result<Self> {
        let file = create(&path)?;
        let size = file.metadata()?.len();
        Ok(Self { path, file, size, cap, files })
    }

    fn rotate(&mut self) -> io::Result<()> {
        for number in (1..self.files).rev() {
            let from = if number == 1 { self.path.clone() } else { self.older(number - 1) };
            match std::fs::rename(&from, self.older(number)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.file = create(&self.path)?;
        self.size = 0;
        Ok(())
    }

    fn older(&self, number: usize) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{number}"));
        name.into()
    }
}

impl Write for RotatedFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.size > 0 && self.size + line.len() as u64 > self.cap {
            // On a full disk the log stops growing, and nothing else suffers.
            self.rotate()?;
        }
        let written = self.file.write(line)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn create(path: &PathBuf) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    let file = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).open(path)?;
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn directory(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("belfry-log-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        directory
    }

    #[test]
    fn old_files_are_kept_up_to_a_number_and_all_are_private() {
        let directory = directory("rotate");
        let path = directory.join("belfry.log");
        let mut log = RotatedFile::open(path.clone(), 10, 3).unwrap();
        for line in ["one 456789", "two 456789", "three", "four", "five 56789"] {
            log.write_all(line.as_bytes()).unwrap();
        }
        let read = |name: &str| std::fs::read_to_string(directory.join(name)).ok();
        assert_eq!(read("belfry.log").as_deref(), Some("five 56789"));
        assert_eq!(read("belfry.log.1").as_deref(), Some("threefour"));
        assert_eq!(read("belfry.log.2").as_deref(), Some("two 456789"));
        assert_eq!(read("belfry.log.3"), None);
        for name in ["belfry.log", "belfry.log.1", "belfry.log.2"] {
            let mode = std::fs::metadata(directory.join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
        std::fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_log_that_others_could_read_is_closed_to_them() {
        let directory = directory("mode");
        let path = directory.join("belfry.log");
        std::fs::write(&path, "x").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let log = RotatedFile::open(path.clone(), 10, 3).unwrap();
        assert_eq!(log.size, 1);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_dir_all(directory).unwrap();
    }
}
