//! The one writer of a journal.

use std::fs::{File, OpenOptions};
use std::io::{self, IoSlice, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::JournalError;
use crate::record::{self, Exit, MAX_BODY, Stamp};
use crate::segment::{self, Header, SEGMENT_SIZE};

/// Smallest segment, whatever the cap: below it the headers and files would outweigh the content.
const SMALLEST_SEGMENT: u64 = 64 * 1024;

/// Into how many segments a cap is cut: what is dropped at once is this part of it.
const SEGMENTS_IN_CAP: u64 = 8;

/// How far input and resize records alone may push a segment past its size. Only output makes a new name for the next
/// one, so a program that reads for ever and prints nothing would grow its segment without end.
const SILENT_FACTOR: u64 = 2;

/// Output that could not be appended, mostly because the disk is full. The journal is as it was before the record that
/// failed; the caller tries again later, or records a [`Writer::hole`].
#[derive(Debug, thiserror::Error)]
#[error("cannot append to the journal: {source}")]
pub struct WriteError {
    /// Bytes of the output that are in the journal all the same.
    pub written: usize,
    /// The system's answer.
    #[source]
    pub source: io::Error,
}

impl From<io::Error> for WriteError {
    fn from(source: io::Error) -> Self {
        Self { written: 0, source }
    }
}

/// Appends records. Each is one `writev` to the page cache: nothing here waits for a disk but [`Writer::sync`].
#[derive(Debug)]
pub struct Writer {
    dir: PathBuf,
    file: File,
    /// The open segment's first offset.
    first: u64,
    /// Its length in bytes.
    length: u64,
    offset: u64,
    size: (u16, u16),
    cap: u64,
    segment_size: u64,
}

impl Writer {
    /// Starts a journal in an existing, empty directory. `cap` is the most that it may take on disk, in bytes.
    pub fn create(dir: &Path, cap: u64, size: (u16, u16), stamp: Stamp) -> Result<Self, JournalError> {
        let header = header(0, size, stamp, cap);
        let path = segment::plain_path(dir, 0);
        let file = create_segment(&path, header, true).map_err(JournalError::io(&path))?;
        Ok(Self {
            dir: dir.to_owned(),
            file,
            first: 0,
            length: segment::HEADER as u64,
            offset: 0,
            size,
            cap,
            segment_size: segment_size(cap),
        })
    }

    /// Goes on with a journal whose writer is gone: a torn last record is cut.
    pub fn resume(dir: &Path, cap: u64) -> Result<Self, JournalError> {
        let mut follower = crate::Follower::open_last(dir)?;
        let mut scratch = Vec::new();
        while !follower.poll(&mut scratch, u64::MAX, |_| ())?.caught_up {}
        let position = follower.position();
        let path = segment::plain_path(dir, position.segment);
        let io = JournalError::io(&path);
        let open = || {
            let mut file = OpenOptions::new().write(true).open(&path)?;
            file.set_len(position.at)?;
            file.seek(SeekFrom::Start(position.at))?;
            Ok(file)
        };
        let file = open().map_err(io)?;
        let size = follower.size();
        let mut writer = Self {
            dir: dir.to_owned(),
            file,
            first: position.segment,
            length: position.at,
            offset: position.offset,
            size,
            cap,
            segment_size: segment_size(cap),
        };
        if position.at < segment::HEADER as u64 {
            // The segment's own header was torn.
            let stamp = Stamp::default();
            let header = header(position.segment, size, stamp, cap);
            writer.file = create_segment(&path, header, false).map_err(JournalError::io(&path))?;
            writer.length = segment::HEADER as u64;
        }
        Ok(writer)
    }

    /// Output bytes recorded, holes included: the offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Appends output.
    pub fn output(&mut self, stamp: Stamp, bytes: &[u8]) -> Result<(), WriteError> {
        let mut written = 0;
        for piece in bytes.chunks(MAX_BODY) {
            self.roll_if_due(stamp);
            self.append(record::OUTPUT, stamp, piece).map_err(|source| WriteError { written, source })?;
            self.offset += piece.len() as u64;
            written += piece.len();
        }
        Ok(())
    }

    /// Appends a new size of the terminal.
    pub fn resize(&mut self, stamp: Stamp, cols: u16, rows: u16) -> Result<(), WriteError> {
        self.size = (cols, rows);
        if self.length < self.segment_size * SILENT_FACTOR {
            self.roll_if_due(stamp);
            self.append(record::RESIZE, stamp, &record::resize_body(cols, rows))?;
        }
        Ok(())
    }

    /// Appends the length of input that was written to the program.
    pub fn input(&mut self, stamp: Stamp, bytes: u32) -> Result<(), WriteError> {
        if self.length < self.segment_size * SILENT_FACTOR {
            self.roll_if_due(stamp);
            self.append(record::INPUT, stamp, &bytes.to_le_bytes())?;
        }
        Ok(())
    }

    /// Appends that output up to `to` is lost for the journal, and the size that the terminal has by now.
    pub fn hole(&mut self, stamp: Stamp, to: u64, size: (u16, u16)) -> Result<(), WriteError> {
        let from = std::mem::replace(&mut self.offset, to);
        if let Err(source) = self.append(record::HOLE, stamp, &record::hole_body(from, size)) {
            self.offset = from;
            return Err(source.into());
        }
        self.size = size;
        Ok(())
    }

    /// Appends the program's end.
    pub fn exit(&mut self, stamp: Stamp, exit: Exit) -> Result<(), WriteError> {
        self.append(record::EXIT, stamp, &record::exit_body(exit))?;
        Ok(())
    }

    /// Waits until the open segment is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn append(&mut self, kind: u8, stamp: Stamp, body: &[u8]) -> io::Result<()> {
        let header = record::header(kind, stamp, self.offset, body);
        let written = write_both(&mut self.file, &header, body);
        if written.is_err() {
            // Half a record may be there. Cut it; where even that fails, the next append overwrites it.
            let _ = self.file.set_len(self.length);
            self.file.seek(SeekFrom::Start(self.length))?;
            return written;
        }
        self.length += (header.len() + body.len()) as u64;
        Ok(())
    }

    /// Closes a full segment and starts the next. When that fails the old one goes on: too long beats lost.
    fn roll_if_due(&mut self, stamp: Stamp) {
        if self.length < self.segment_size || self.offset == self.first {
            return;
        }
        let header = header(self.offset, self.size, stamp, self.cap);
        let path = segment::plain_path(&self.dir, self.offset);
        let Ok(next) = create_segment(&path, header, false) else { return };
        // The next one is there before the last record of this one says so; a follower that finds no such record looks
        // for itself.
        let _ = self.append(record::END, stamp, &self.offset.to_le_bytes());
        self.file = next;
        self.first = self.offset;
        self.length = segment::HEADER as u64;
        self.enforce_cap();
    }

    /// Drops the oldest segments until another whole one fits under the cap. What cannot be removed now is tried again
    /// at the next roll; the ones after it stay as well, so that the history is in one piece.
    fn enforce_cap(&self) {
        let Ok(segments) = segment::list(&self.dir) else { return };
        let mut total: u64 = segments.iter().map(|segment| segment.bytes).sum();
        for segment in segments {
            if segment.first >= self.first || total + self.segment_size <= self.cap {
                return;
            }
            // Both forms, in the order in which a compression just now would make them appear and go: see `compress`.
            let forms = [segment::plain_path, segment::compressed_path];
            for path in forms.map(|form| form(&self.dir, segment.first)) {
                match std::fs::remove_file(path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return,
                    _ => {}
                }
            }
            total = total.saturating_sub(segment.bytes);
        }
    }
}

fn header(first: u64, size: (u16, u16), stamp: Stamp, cap: u64) -> Header {
    Header { first, size, stamp, closes_at: segment_size(cap) as u32, length: segment::HEADER }
}

fn segment_size(cap: u64) -> u64 {
    (cap / SEGMENTS_IN_CAP).clamp(SMALLEST_SEGMENT, SEGMENT_SIZE)
}

/// Makes a segment's file with its header. A leftover of that name can hold no output that another segment lacks, since
/// names are offsets; only the first one must be new, as it starts a journal.
fn create_segment(path: &Path, header: Header, new: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    if new {
        options.create_new(true);
    } else {
        options.create(true).truncate(true);
    }
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    if let Err(error) = file.write_all(&header.to_bytes()) {
        let _ = std::fs::remove_file(path);
        return Err(error);
    }
    Ok(file)
}

/// One `writev` in all but odd cases.
fn write_both(file: &mut File, header: &[u8], body: &[u8]) -> io::Result<()> {
    let mut slices = [IoSlice::new(header), IoSlice::new(body)];
    let mut slices = &mut slices[..];
    while !slices.is_empty() {
        match file.write_vectored(slices) {
            Ok(0) if slices.iter().all(|slice| slice.is_empty()) => return Ok(()),
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => IoSlice::advance_slices(&mut slices, count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
