//! The end of a file that grows by lines.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use super::beneath::open_file;

/// How far before its end a file is taken up, in bytes. What an agent does now is in its last records.
const BACK: u64 = 256 * 1024;

/// What is further behind than this is passed over, in bytes.
const BEHIND: u64 = 4 * 1024 * 1024;

/// Longest line that is read, in bytes. Longer ones hold pictures and files, and say nothing of the status.
const LONGEST: usize = 1024 * 1024;

const PIECE: usize = 64 * 1024;

/// Reads a file on.
pub(super) struct Tail {
    root: PathBuf,
    relative: PathBuf,
    open: Option<Open>,
}

struct Open {
    file: File,
    id: (u64, u64),
    at: u64,
    /// The line that is not whole yet.
    partial: Vec<u8>,
    /// What comes up to the next end of a line is the rest of one that is not read.
    skipping: bool,
}

impl Tail {
    pub(super) fn new(root: &Path, relative: PathBuf) -> Self {
        Self { root: root.to_owned(), relative, open: None }
    }

    pub(super) fn relative(&self) -> &Path {
        &self.relative
    }

    /// Hands on the lines that are new and whole. A file that was replaced or cut is begun anew; one that is not there, or no
    /// regular file, has none. True where they have just come; of a file that is begun they may be old.
    pub(super) fn read(&mut self, mut line: impl FnMut(&[u8])) -> io::Result<bool> {
        let id =
            std::fs::symlink_metadata(self.root.join(&self.relative)).map(|meta| (meta.dev(), meta.ino()));
        if self.open.as_ref().is_some_and(|open| id.as_ref().is_ok_and(|id| *id != open.id)) {
            self.open = None;
        }
        let fresh = self.open.is_some();
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(Open::new(open_file(&self.root, &self.relative)?)?),
        };
        open.read(&mut line)?;
        Ok(fresh)
    }
}

impl Open {
    fn new(file: File) -> io::Result<Self> {
        let meta = file.metadata()?;
        let mut open =
            Self { file, id: (meta.dev(), meta.ino()), at: 0, partial: Vec::new(), skipping: false };
        if meta.len() > BACK {
            open.jump(meta.len());
        }
        Ok(open)
    }

    /// To shortly before the end, wherever a line begins there.
    fn jump(&mut self, length: u64) {
        // One byte earlier, so that a line that begins exactly there is seen to begin.
        self.at = length - BACK - 1;
        self.partial.clear();
        self.skipping = true;
    }

    fn read(&mut self, line: &mut impl FnMut(&[u8])) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        if length < self.at {
            (self.at, self.skipping) = (0, false);
            self.partial.clear();
        }
        if length - self.at > BEHIND {
            self.jump(length);
        }
        let mut piece = vec![0; PIECE];
        // Not beyond the length of this moment: whoever writes without end is come back to.
        while self.at < length {
            let want = PIECE.min(usize::try_from(length - self.at).unwrap_or(PIECE));
            let read = match self.file.read_at(&mut piece[..want], self.at) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.at += read as u64;
            self.take(&piece[..read], line);
        }
        Ok(())
    }

    fn take(&mut self, mut bytes: &[u8], line: &mut impl FnMut(&[u8])) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (head, rest) = (&bytes[..end], &bytes[end + 1..]);
            if !self.skipping && self.partial.len() + head.len() <= LONGEST {
                if self.partial.is_empty() {
                    line(head);
                } else {
                    self.partial.extend_from_slice(head);
                    line(&self.partial);
                }
            }
            self.partial.clear();
            self.skipping = false;
            bytes = rest;
        }
        if self.skipping {
            return;
        }
        if self.partial.len() + bytes.len() > LONGEST {
            self.partial = Vec::new();
            self.skipping = true;
        } else {
            self.partial.extend_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests;
