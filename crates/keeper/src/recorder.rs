//! Output into the journal, or into a bounded tail in memory while the disk takes nothing.

use std::collections::VecDeque;

use belfry_journal::{Exit, Stamp, WriteError, Writer};
use belfry_platform::clock;
use belfry_protocol::keeper::Notice;

/// Most bytes of output kept in memory while the disk is full: a few screens of any program, and within the keeper's
/// budget of memory.
pub(crate) const TAIL_LIMIT: usize = 1024 * 1024;

/// Time between two attempts to write again, in microseconds: soon enough for a person, and one wake-up a second.
const RETRY: u64 = 1_000_000;

/// Output that is not in the journal yet.
struct Tail {
    /// Offset of the first byte.
    start: u64,
    bytes: VecDeque<u8>,
    /// What the daemon has been sent ends here.
    sent: u64,
    retry_at: u64,
    /// The stretch that is in neither, if there is one.
    lost: Option<(u64, u64)>,
}

pub(crate) struct Recorder {
    writer: Writer,
    tail: Option<Tail>,
    offset: u64,
    size: (u16, u16),
    /// The size that the journal knows of.
    recorded_size: (u16, u16),
    /// The journal has grown since this was last asked.
    grown: bool,
    notices: Vec<Notice>,
}

impl Recorder {
    pub(crate) fn new(writer: Writer, size: (u16, u16)) -> Self {
        Self { writer, tail: None, offset: 0, size, recorded_size: size, grown: false, notices: Vec::new() }
    }

    /// Bytes printed.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes printed that are in the journal.
    pub(crate) fn journal_offset(&self) -> u64 {
        self.writer.offset()
    }

    /// Whether the disk takes nothing.
    pub(crate) fn is_full(&self) -> bool {
        self.tail.is_some()
    }

    pub(crate) fn tail_len(&self) -> usize {
        self.tail.as_ref().map_or(0, |tail| tail.bytes.len())
    }

    /// Whether the journal has grown since the last call.
    pub(crate) fn take_grown(&mut self) -> bool {
        std::mem::take(&mut self.grown)
    }

    pub(crate) fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// When to call [`Recorder::retry`].
    pub(crate) fn deadline(&self) -> Option<u64> {
        self.tail.as_ref().map(|tail| tail.retry_at)
    }

    /// Whether the tail has room, when what the daemon has acknowledged may be let go.
    pub(crate) fn has_room(&self, acked: u64) -> bool {
        self.tail.as_ref().is_none_or(|tail| {
            let known = acked.saturating_sub(tail.start).min(tail.bytes.len() as u64) as usize;
            tail.bytes.len() - known < TAIL_LIMIT
        })
    }

    /// Takes output. What leaves a full tail is the oldest; a connected daemon has it by then (see `has_room`).
    pub(crate) fn output(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        if self.tail.is_some() {
            self.retry();
        }
        if let Some(tail) = &mut self.tail {
            tail.bytes.extend(bytes);
            let surplus = tail.bytes.len().saturating_sub(TAIL_LIMIT);
            tail.bytes.drain(..surplus);
            tail.start += surplus as u64;
            return;
        }
        let written = self.writer.output(now(), bytes);
        self.grown |= self.writer.offset() > self.offset - bytes.len() as u64;
        if let Err(error) = written {
            self.begin_tail(&error, bytes.get(error.written..).unwrap_or(&[]));
        }
    }

    fn begin_tail(&mut self, error: &WriteError, bytes: &[u8]) {
        let start = self.writer.offset();
        self.tail = Some(Tail {
            start,
            bytes: bytes.iter().copied().collect(),
            sent: start,
            retry_at: clock::monotonic() + RETRY,
            lost: None,
        });
        let errno = error.source.raw_os_error().unwrap_or(0);
        self.notices.push(Notice::DiskFull { offset: start, errno });
    }

    /// Tries to write the tail, if it is time.
    pub(crate) fn retry(&mut self) {
        if self.tail.as_ref().is_some_and(|tail| clock::monotonic() >= tail.retry_at) {
            self.write_tail();
        }
    }

    /// Tries to write the tail now.
    pub(crate) fn write_tail(&mut self) {
        let Some(mut tail) = self.tail.take() else { return };
        if self.try_write(&mut tail).is_ok() {
            self.grown = true;
            let (from, to) = tail.lost.unwrap_or((self.offset, self.offset));
            self.notices.push(Notice::DiskRecovered { from, to });
        } else {
            tail.retry_at = clock::monotonic() + RETRY;
            self.tail = Some(tail);
        }
    }

    fn try_write(&mut self, tail: &mut Tail) -> Result<(), WriteError> {
        let from = self.writer.offset();
        if tail.start > from {
            self.writer.hole(now(), tail.start, self.size)?;
            self.recorded_size = self.size;
            tail.lost = Some((tail.lost.map_or(from, |(first, _)| first), tail.start));
        }
        let written = self.writer.output(now(), tail.bytes.make_contiguous());
        let count = self.writer.offset() - tail.start;
        tail.bytes.drain(..count as usize);
        tail.start += count;
        self.grown |= count > 0;
        written?;
        self.record_size()
    }

    fn record_size(&mut self) -> Result<(), WriteError> {
        if self.recorded_size != self.size {
            self.writer.resize(now(), self.size.0, self.size.1)?;
            self.recorded_size = self.size;
            self.grown = true;
        }
        Ok(())
    }

    /// The next piece of the tail for the daemon, and its offset.
    pub(crate) fn next_piece(&mut self, limit: usize) -> Option<(u64, Vec<u8>)> {
        let tail = self.tail.as_mut()?;
        tail.sent = tail.sent.max(tail.start);
        let skip = (tail.sent - tail.start) as usize;
        let piece: Vec<u8> = tail.bytes.iter().skip(skip).take(limit).copied().collect();
        if piece.is_empty() {
            return None;
        }
        let offset = tail.sent;
        tail.sent += piece.len() as u64;
        Some((offset, piece))
    }

    /// A new daemon has been sent nothing.
    pub(crate) fn forget_sent(&mut self) {
        if let Some(tail) = &mut self.tail {
            tail.sent = tail.start;
        }
    }

    /// Records a size. While the disk is full only the last one counts.
    pub(crate) fn resize(&mut self, cols: u16, rows: u16) {
        self.size = (cols, rows);
        if self.tail.is_none()
            && let Err(error) = self.record_size()
        {
            self.begin_tail(&error, &[]);
        }
    }

    /// Records that so many bytes were typed. Lost while the disk is full: it matters to statistics only.
    pub(crate) fn input(&mut self, bytes: usize) {
        if self.tail.is_none() {
            let _ = self.writer.input(now(), u32::try_from(bytes).unwrap_or(u32::MAX));
        }
    }

    /// Records the end and waits for the disk; false when it could not.
    pub(crate) fn exit(&mut self, exit: Exit) -> bool {
        self.write_tail();
        let recorded = self.tail.is_none() && self.writer.exit(now(), exit).is_ok();
        self.grown |= recorded;
        recorded && self.writer.sync().is_ok()
    }
}

pub(crate) fn now() -> Stamp {
    Stamp { mono: clock::monotonic(), wall: clock::wall() }
}
