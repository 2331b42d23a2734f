//! `exit.json`: how the program ended, on disk before the keeper leaves.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use belfry_protocol::keeper::ExitInfo;

/// Bytes set aside at the start. The first version of the record needs about 250.
const RESERVED: usize = 4096;

/// The file, set aside at the start of the run so that a disk that fills up later cannot prevent the record: overwriting
/// takes no new space (but on copy-on-write file systems, where it is tried again until it works).
pub(crate) struct ExitFile {
    dir: PathBuf,
    reserved: Option<File>,
}

impl ExitFile {
    pub(crate) fn reserve(dir: &Path) -> io::Result<Self> {
        let path = dir.join(".exit.json.reserved");
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(path)?;
        file.write_all_at(&[b' '; RESERVED], 0)?;
        Ok(Self { dir: dir.to_owned(), reserved: Some(file) })
    }

    /// Writes the record durably. May be called again, with more known.
    pub(crate) fn write(&mut self, info: &ExitInfo) -> io::Result<()> {
        let json = serde_json::to_vec(info)?;
        match self.reserved.take() {
            Some(file) if json.len() < RESERVED => {
                let written = self.write_reserved(&file, &json);
                if written.is_err() {
                    self.reserved = Some(file);
                }
                written
            }
            _ => self.write_fresh(&json),
        }
    }

    /// Whether somebody has removed the directory, as a person does who deletes Belfry's whole home: there is nothing to
    /// record for then.
    pub(crate) fn has_no_place(&self) -> bool {
        matches!(self.dir.try_exists(), Ok(false))
    }

    /// White space after the record is still JSON.
    fn write_reserved(&self, file: &File, json: &[u8]) -> io::Result<()> {
        let mut padded = json.to_vec();
        padded.resize(RESERVED - 1, b' ');
        padded.push(b'\n');
        file.write_all_at(&padded, 0)?;
        file.sync_all()?;
        self.publish(&self.dir.join(".exit.json.reserved"))
    }

    fn write_fresh(&self, json: &[u8]) -> io::Result<()> {
        let path = self.dir.join(".exit.json.new");
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(&path)?;
        file.write_all_at(json, 0)?;
        file.sync_all()?;
        self.publish(&path)
    }

    fn publish(&self, from: &Path) -> io::Result<()> {
        std::fs::rename(from, self.dir.join("exit.json"))?;
        File::open(&self.dir)?.sync_all()
    }

    /// Nothing was started: leave nothing behind.
    pub(crate) fn discard(&self) {
        let _ = std::fs::remove_file(self.dir.join(".exit.json.reserved"));
    }
}
