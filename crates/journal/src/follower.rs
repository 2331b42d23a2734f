//! Following a journal while it grows.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::JournalError;
use crate::record::{self, Body, Entry, Gap, GapReason, MAX_BODY, Parsed, Record, Stamp, What};
use crate::segment::{self, Header, Segment};
use crate::source::Source;

/// Bytes asked for in one read. At least one whole record fits.
const CHUNK: usize = 4 * (MAX_BODY + record::HEADER);

/// A place in a journal. `offset` alone finds it again; the other two make that quick, and are ignored when they no
/// longer fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Output bytes before this place.
    pub offset: u64,
    /// First offset of the segment that it lies in.
    pub segment: u64,
    /// Byte in that (uncompressed) segment; 0 when not known.
    pub at: u64,
}

impl Position {
    /// The place behind so many bytes of output. Entries other than output at that very offset come (again).
    pub fn offset(offset: u64) -> Self {
        Self { offset, segment: 0, at: 0 }
    }
}

/// What a [`Follower::poll`] came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// How far the offset moved: output bytes given, and those of gaps.
    pub bytes: u64,
    /// Nothing more for now. Otherwise the budget ran out and the next call goes on.
    pub caught_up: bool,
}

/// Reads what is new in a journal since last time. Holds one open file, reads with `pread`, and keeps no buffer: callers
/// with many followers share one.
#[derive(Debug)]
pub struct Follower {
    dir: PathBuf,
    source: Source,
    segment: u64,
    /// Next byte of the segment to read; 0 while its header has not been read.
    at: u64,
    offset: u64,
    size: (u16, u16),
    /// Length from which on the writer closes the segment.
    closes_at: u64,
    /// Why output may be missing before the next record, if it is.
    hole: GapReason,
    /// Entered by offset alone: the size at that offset is told first.
    tell_size: bool,
}

impl Follower {
    /// Opens a journal at a place. A place before the oldest segment gives a [`What::Gap`] first; one beyond the end
    /// gives nothing until the journal has grown past it. At a place given by its offset alone, the first entry tells the
    /// terminal's size there.
    pub fn open(dir: &Path, position: Position) -> Result<Self, JournalError> {
        let segments = segment::list(dir)?;
        if position.at > 0
            && let Some(follower) = Self::at_place(dir, &segments, position)?
        {
            return Ok(follower);
        }
        // What happened at the very offset can stand at the end of the segment before the one that starts there.
        let chosen = segments.iter().rev().find(|segment| segment.first < position.offset);
        let Some(chosen) = chosen.or(segments.first()) else {
            return Err(JournalError::Missing { path: dir.to_owned() });
        };
        let mut follower = Self::enter(dir, chosen.first, position.offset)?;
        follower.tell_size = true;
        Ok(follower)
    }

    /// Opens a journal at its oldest entry.
    pub fn open_oldest(dir: &Path) -> Result<Self, JournalError> {
        let oldest = segment::oldest_offset(dir)?;
        let oldest = oldest.ok_or_else(|| JournalError::Missing { path: dir.to_owned() })?;
        Self::open(dir, Position::offset(oldest))
    }

    /// Opens a journal at the start of its last segment but one, so that the size is known even when a crash has torn the
    /// last one's header.
    pub(crate) fn open_last(dir: &Path) -> Result<Self, JournalError> {
        let segments = segment::list(dir)?;
        let first = segments.iter().rev().nth(1).or(segments.first()).map(|segment| segment.first);
        let first = first.ok_or_else(|| JournalError::Missing { path: dir.to_owned() })?;
        Self::enter(dir, first, first)
    }

    /// The exact place that a position names, if its segment still has a record boundary there.
    fn at_place(dir: &Path, segments: &[Segment], position: Position) -> Result<Option<Self>, JournalError> {
        if !segments.iter().any(|segment| segment.first == position.segment) {
            return Ok(None);
        }
        let mut follower = Self::enter(dir, position.segment, position.offset)?;
        let mut header = [0; segment::HEADER];
        let path = segment::plain_path(dir, position.segment);
        let io = |error| JournalError::io(&path)(error);
        let count = follower.source.read_at(&mut header, 0).map_err(io)?;
        let Some(header) = Header::parse(&header[..count], &path)? else { return Ok(None) };
        let mut chunk = vec![0; MAX_BODY + record::HEADER];
        let count = follower.source.read_at(&mut chunk, position.at).map_err(io)?;
        let fits = match record::parse(&chunk[..count]) {
            Parsed::Record(found) => {
                found.offset == position.offset || matches!(found.body, Body::Hole { .. })
            }
            _ => count == 0 && follower.source.read_at(&mut [0], position.at - 1).map_err(io)? == 1,
        };
        follower.at = position.at;
        // Only the segment's first size is known here; a caller that starts at a place knows the present one.
        follower.size = header.size;
        follower.closes_at = header.closes_at.into();
        Ok(fits.then_some(follower))
    }

    fn enter(dir: &Path, first: u64, offset: u64) -> Result<Self, JournalError> {
        let source = Source::open(dir, first).map_err(JournalError::io(&segment::plain_path(dir, first)))?;
        let source = source.ok_or_else(|| JournalError::Missing { path: dir.to_owned() })?;
        Ok(Self {
            dir: dir.to_owned(),
            source,
            segment: first,
            at: 0,
            offset,
            size: (0, 0),
            closes_at: 0,
            hole: GapReason::Dropped,
            tell_size: false,
        })
    }

    /// Where the next entry will be read.
    pub fn position(&self) -> Position {
        Position { offset: self.offset, segment: self.segment, at: self.at }
    }

    /// Output bytes given so far, counted from the run's start.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Columns and rows of the terminal at this place, as far as they have been read.
    pub fn size(&self) -> (u16, u16) {
        self.size
    }

    /// Leaves out output before `offset`: the caller has it from elsewhere (the keeper's memory, while the disk was full).
    pub fn skip_to(&mut self, offset: u64) {
        self.offset = self.offset.max(offset);
    }

    /// Gives every new entry to `sink`, in order, until nothing is left or `budget` bytes of output have been given (it
    /// ends with the record that reaches it, at most 64 KiB more). `scratch` is a buffer to share between followers.
    pub fn poll(
        &mut self,
        scratch: &mut Vec<u8>,
        budget: u64,
        mut sink: impl FnMut(Entry<'_>),
    ) -> Result<Progress, JournalError> {
        self.poll_until(scratch, budget, |entry| {
            sink(entry);
            ControlFlow::Continue(())
        })
    }

    /// As [`Follower::poll`], and the sink may also end it; the entry that it was given then counts as read.
    pub fn poll_until(
        &mut self,
        scratch: &mut Vec<u8>,
        budget: u64,
        mut sink: impl FnMut(Entry<'_>) -> ControlFlow<()>,
    ) -> Result<Progress, JournalError> {
        if scratch.len() < CHUNK {
            scratch.resize(CHUNK, 0);
        }
        let start = self.offset;
        // Set once a newer segment was seen: what this one had to say by then is all that it ever will.
        let mut closed = false;
        loop {
            let from = self.at;
            let count = self.read(scratch)?;
            let step = self.feed(&scratch[..count], start, budget, &mut sink)?;
            let bytes = self.offset - start;
            match step {
                Step::Stopped => return Ok(Progress { bytes, caught_up: false }),
                // It ends where the file did a moment ago: what comes after is for the next call.
                Step::Moved
                    if count < scratch.len() && self.at == from + count as u64 && !self.may_be_closed(0) =>
                {
                    let told = self.tell(Stamp::default(), &mut sink);
                    return Ok(Progress { bytes, caught_up: told.is_continue() });
                }
                Step::Moved => closed = false,
                Step::Next(next) => {
                    if !self.advance(Some(next))? {
                        return Ok(Progress { bytes, caught_up: true });
                    }
                    closed = false;
                }
                Step::Nothing if closed => {
                    // Anything left here is torn or damaged, or there was no closing record.
                    self.hole = GapReason::Damaged;
                    if !self.advance(None)? {
                        return Ok(Progress { bytes, caught_up: true });
                    }
                    closed = false;
                }
                Step::Nothing if self.may_be_closed(count) && self.newer()?.is_some() => closed = true,
                Step::Nothing => {
                    let told = self.tell(Stamp::default(), &mut sink);
                    return Ok(Progress { bytes, caught_up: told.is_continue() });
                }
            }
        }
    }

    fn read(&self, buffer: &mut [u8]) -> Result<usize, JournalError> {
        self.source.read_at(buffer, self.at).map_err(JournalError::io(&self.dir))
    }

    /// Whether to look for a newer segment although this one has no closing record: a listing is too dear for every
    /// doorbell, and an orderly journal needs none.
    fn may_be_closed(&self, unread: usize) -> bool {
        unread > 0 || self.at == 0 || !self.source.grows() || self.at >= self.closes_at
    }

    fn feed(
        &mut self,
        mut bytes: &[u8],
        start: u64,
        budget: u64,
        sink: &mut impl FnMut(Entry<'_>) -> ControlFlow<()>,
    ) -> Result<Step, JournalError> {
        let mut step = Step::Nothing;
        if self.at == 0 {
            let path = segment::plain_path(&self.dir, self.segment);
            let Some(header) = Header::parse(bytes, &path)? else { return Ok(Step::Nothing) };
            self.at = header.length as u64;
            bytes = bytes.get(header.length..).unwrap_or(&[]);
            step = Step::Moved;
            if self.enter_segment(header, sink).is_break() {
                return Ok(Step::Stopped);
            }
        }
        loop {
            let Parsed::Record(found) = record::parse(bytes) else { return Ok(step) };
            // The size at the place where we came in is the one behind output and holes that end there.
            let ends_here =
                matches!(found.body, Body::Output(_) | Body::Hole { .. }) && found.end() == self.offset;
            let known = found.end() < self.offset || ends_here;
            if !known && self.tell(found.stamp, sink).is_break() {
                return Ok(Step::Stopped);
            }
            self.at += found.size as u64;
            bytes = &bytes[found.size..];
            step = Step::Moved;
            if let Body::End { next } = found.body {
                return Ok(Step::Next(next));
            }
            let flow = self.give(&found, sink);
            if flow.is_break() || self.offset.saturating_sub(start) >= budget {
                return Ok(Step::Stopped);
            }
        }
    }

    fn enter_segment(
        &mut self,
        header: Header,
        sink: &mut impl FnMut(Entry<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.size = header.size;
        self.closes_at = header.closes_at.into();
        if header.first > self.offset {
            self.tell_size = false;
            self.gap(header.first, header.stamp, self.hole, sink)?;
        }
        self.hole = GapReason::Damaged;
        ControlFlow::Continue(())
    }

    /// Tells the size at the place where the follower was opened, once it is known.
    fn tell(&mut self, stamp: Stamp, sink: &mut impl FnMut(Entry<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.at == 0 || !std::mem::take(&mut self.tell_size) {
            return ControlFlow::Continue(());
        }
        let what = What::Resize { cols: self.size.0, rows: self.size.1 };
        sink(Entry { stamp, offset: self.offset, what })
    }

    fn gap(
        &mut self,
        to: u64,
        stamp: Stamp,
        reason: GapReason,
        sink: &mut impl FnMut(Entry<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let gap = Gap { from: self.offset, to, reason, size: self.size };
        self.offset = to;
        sink(Entry { stamp, offset: to, what: What::Gap(gap) })
    }

    fn give(
        &mut self,
        found: &Record<'_>,
        sink: &mut impl FnMut(Entry<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let stamp = found.stamp;
        if let Body::Resize { cols, rows } | Body::Hole { cols, rows } = found.body {
            self.size = (cols, rows);
        }
        if found.offset > self.offset {
            let reason =
                if let Body::Hole { .. } = found.body { GapReason::DiskFull } else { GapReason::Damaged };
            self.gap(found.offset, stamp, reason, sink)?;
        }
        let what = match found.body {
            Body::Output(bytes) => {
                // The part before our offset is known already.
                let known = (self.offset - found.offset).min(bytes.len() as u64) as usize;
                let offset = self.offset;
                self.offset = self.offset.max(found.end());
                if known == bytes.len() {
                    return ControlFlow::Continue(());
                }
                return sink(Entry { stamp, offset, what: What::Output(&bytes[known..]) });
            }
            // Before our offset: part of what the caller already has.
            _ if found.offset < self.offset => return ControlFlow::Continue(()),
            Body::Resize { cols, rows } => What::Resize { cols, rows },
            Body::Input { bytes } => What::Input { bytes },
            Body::Exit(exit) => What::Exit(exit),
            Body::Hole { .. } | Body::End { .. } | Body::Unknown => return ControlFlow::Continue(()),
        };
        sink(Entry { stamp, offset: found.offset, what })
    }

    /// First offset of the oldest segment after this one.
    fn newer(&self) -> Result<Option<u64>, JournalError> {
        let segments = segment::list(&self.dir)?;
        Ok(segments.iter().find(|segment| segment.first > self.segment).map(|segment| segment.first))
    }

    /// Goes on to the next segment, by the name that the closing record gave or else by looking. False when there is
    /// none to be had (yet).
    fn advance(&mut self, named: Option<u64>) -> Result<bool, JournalError> {
        // A segment can be dropped between being seen and being opened: then the one after it is the next.
        for _ in 0..8 {
            let next = match named {
                Some(next) if next > self.segment && self.hole != GapReason::Dropped => Some(next),
                _ => self.newer()?,
            };
            let Some(next) = next else { return Ok(false) };
            let opened = Source::open(&self.dir, next);
            if let Some(source) = opened.map_err(JournalError::io(&segment::plain_path(&self.dir, next)))? {
                (self.source, self.segment, self.at, self.closes_at) = (source, next, 0, 0);
                return Ok(true);
            }
            self.hole = GapReason::Dropped;
        }
        Ok(false)
    }
}

enum Step {
    /// Nothing whole was there.
    Nothing,
    /// At least one record was read.
    Moved,
    /// The segment is closed; the next one starts at this offset.
    Next(u64),
    /// The budget is used up, or the sink said stop.
    Stopped,
}
