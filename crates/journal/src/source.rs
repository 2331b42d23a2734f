//! Where a segment's bytes come from: a file that may still grow, or memory for a compressed one.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::segment::{SEGMENT_SIZE, compressed_path, plain_path};

/// Most bytes that a compressed segment may unpack to: a segment ends with the record that passes its size, and records
/// other than output can add to it. A larger one is not ours.
const UNPACKED_LIMIT: u64 = 4 * SEGMENT_SIZE;

#[derive(Debug)]
pub(crate) enum Source {
    File(File),
    Memory(Vec<u8>),
}

impl Source {
    /// Opens a segment in whichever form it has; `None` when it has neither (any more).
    pub(crate) fn open(dir: &Path, first: u64) -> io::Result<Option<Self>> {
        // The daemon makes the compressed form appear before the plain one goes, so this order finds one of them; the
        // second look at the plain form is for a segment that was dropped and one whose compression failed.
        for _ in 0..2 {
            match File::open(plain_path(dir, first)) {
                Ok(file) => return Ok(Some(Self::File(file))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            match File::open(compressed_path(dir, first)) {
                Ok(file) => return Ok(Some(Self::Memory(unpack(file)))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Bytes at a place, as many as there are; less than asked for only at the end.
    pub(crate) fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        match self {
            Self::Memory(bytes) => {
                let rest = usize::try_from(at).ok().and_then(|at| bytes.get(at..)).unwrap_or(&[]);
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            }
            // One call: a local file gives less than was asked for at its end only, and to ask again costs as much as the read.
            Self::File(file) => loop {
                match read_file_at(file, buffer, at) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => return read,
                }
            },
        }
    }

    /// Whether more can come.
    pub(crate) fn grows(&self) -> bool {
        matches!(self, Self::File(_))
    }
}

/// A damaged frame gives the bytes before the damage.
fn unpack(file: File) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut decoder = lz4_flex::frame::FrameDecoder::new(file).take(UNPACKED_LIMIT);
    let mut chunk = vec![0; 64 * 1024];
    loop {
        match decoder.read(&mut chunk) {
            Ok(0) => return bytes,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return bytes,
        }
    }
}

#[cfg(unix)]
fn read_file_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_file_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}
