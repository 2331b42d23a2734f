//! Records: what is in a journal, and its bytes.

/// Largest body of a record; longer output becomes several records.
pub const MAX_BODY: usize = 64 * 1024;

/// Bytes of a record's header.
pub(crate) const HEADER: usize = 36;

const MAGIC: [u8; 2] = *b"JB";

/// When something was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stamp {
    /// Microseconds of the machine's monotonic clock.
    pub mono: u64,
    /// Microseconds since 1970.
    pub wall: u64,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exit {
    /// Its exit code, if it exited.
    pub code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// It left a core dump.
    pub core: bool,
}

/// Why output is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapReason {
    /// Dropped to stay under the cap.
    Dropped,
    /// The disk was full.
    DiskFull,
    /// A segment is damaged from some point on.
    Damaged,
}

/// A stretch of output that is not in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// First missing byte.
    pub from: u64,
    /// First byte present again.
    pub to: u64,
    /// Why.
    pub reason: GapReason,
    /// Columns and rows of the terminal behind the gap.
    pub size: (u16, u16),
}

/// What an entry says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What<'a> {
    /// The program printed this.
    Output(&'a [u8]),
    /// The terminal has this size from here on.
    Resize {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// So many bytes were written to the program.
    Input {
        /// How many.
        bytes: u32,
    },
    /// The program ended; nothing follows.
    Exit(Exit),
    /// Output is missing: what was on the screen cannot be known until the program paints anew.
    Gap(Gap),
}

/// One thing that a reader is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// When. For a gap: when what follows it was recorded, as far as that is known.
    pub stamp: Stamp,
    /// The offset at which it happened: for output that of its first byte, for a gap where it ends.
    pub offset: u64,
    /// What.
    pub what: What<'a>,
}

/// A record's content, as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body<'a> {
    Output(&'a [u8]),
    Resize { cols: u16, rows: u16 },
    Input { bytes: u32 },
    Exit(Exit),
    Hole { cols: u16, rows: u16 },
    End { next: u64 },
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    pub(crate) stamp: Stamp,
    pub(crate) offset: u64,
    pub(crate) body: Body<'a>,
    /// Bytes in the file.
    pub(crate) size: usize,
}

impl Record<'_> {
    /// The offset behind it.
    pub(crate) fn end(&self) -> u64 {
        match self.body {
            Body::Output(bytes) => self.offset + bytes.len() as u64,
            _ => self.offset,
        }
    }
}

/// What stands at a place in a segment.
#[derive(Debug)]
pub(crate) enum Parsed<'a> {
    Record(Record<'a>),
    /// Perhaps more bytes will make it a record.
    Short,
    /// No bytes after these will.
    Bad,
}

/// Header of a record with this body; the body is written after it.
pub(crate) fn header(kind: u8, stamp: Stamp, offset: u64, body: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..2].copy_from_slice(&MAGIC);
    header[2] = kind;
    header[4..8].copy_from_slice(&(body.len() as u32).to_le_bytes());
    header[8..16].copy_from_slice(&offset.to_le_bytes());
    header[16..24].copy_from_slice(&stamp.mono.to_le_bytes());
    header[24..32].copy_from_slice(&stamp.wall.to_le_bytes());
    let crc = checksum(&header[..32], body);
    header[32..].copy_from_slice(&crc.to_le_bytes());
    header
}

pub(crate) fn checksum(head: &[u8], body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(body);
    hasher.finalize()
}

pub(crate) const OUTPUT: u8 = 1;
pub(crate) const RESIZE: u8 = 2;
pub(crate) const INPUT: u8 = 3;
pub(crate) const EXIT: u8 = 4;
pub(crate) const HOLE: u8 = 5;
pub(crate) const END: u8 = 6;

const HAS_CODE: u32 = 1;
const HAS_SIGNAL: u32 = 2;
const CORE: u32 = 4;

pub(crate) fn resize_body(cols: u16, rows: u16) -> [u8; 4] {
    let mut body = [0; 4];
    body[..2].copy_from_slice(&cols.to_le_bytes());
    body[2..].copy_from_slice(&rows.to_le_bytes());
    body
}

pub(crate) fn hole_body(from: u64, size: (u16, u16)) -> [u8; 12] {
    let mut body = [0; 12];
    body[..8].copy_from_slice(&from.to_le_bytes());
    body[8..].copy_from_slice(&resize_body(size.0, size.1));
    body
}

pub(crate) fn exit_body(exit: Exit) -> [u8; 12] {
    let mut flags = 0;
    flags |= if exit.code.is_some() { HAS_CODE } else { 0 };
    flags |= if exit.signal.is_some() { HAS_SIGNAL } else { 0 };
    flags |= if exit.core { CORE } else { 0 };
    let mut body = [0; 12];
    body[..4].copy_from_slice(&flags.to_le_bytes());
    body[4..8].copy_from_slice(&exit.code.unwrap_or(0).to_le_bytes());
    body[8..].copy_from_slice(&exit.signal.unwrap_or(0).to_le_bytes());
    body
}

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|b| u16::from_le_bytes(*b))
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|b| u64::from_le_bytes(*b))
}

/// The record at the start of `bytes`.
pub(crate) fn parse(bytes: &[u8]) -> Parsed<'_> {
    if !MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]) {
        return Parsed::Bad;
    }
    let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else { return Parsed::Short };
    let Some(length) = u32_at(header, 4).map(|length| length as usize) else { return Parsed::Short };
    if length > MAX_BODY {
        return Parsed::Bad;
    }
    let Some(body) = rest.get(..length) else { return Parsed::Short };
    let fields = (u64_at(header, 8), u64_at(header, 16), u64_at(header, 24), u32_at(header, 32));
    let (Some(offset), Some(mono), Some(wall), Some(crc)) = fields else { return Parsed::Bad };
    if checksum(&header[..32], body) != crc || offset.checked_add(length as u64).is_none() {
        return Parsed::Bad;
    }
    match parse_body(header[2], body) {
        Some(body) => {
            Parsed::Record(Record { stamp: Stamp { mono, wall }, offset, body, size: HEADER + length })
        }
        None => Parsed::Bad,
    }
}

fn parse_body(kind: u8, body: &[u8]) -> Option<Body<'_>> {
    Some(match kind {
        OUTPUT => Body::Output(body),
        RESIZE => Body::Resize { cols: u16_at(body, 0)?, rows: u16_at(body, 2)? },
        INPUT => Body::Input { bytes: u32_at(body, 0)? },
        EXIT => {
            let flags = u32_at(body, 0)?;
            let (code, signal) = (u32_at(body, 4)?.cast_signed(), u32_at(body, 8)?.cast_signed());
            Body::Exit(Exit {
                code: (flags & HAS_CODE != 0).then_some(code),
                signal: (flags & HAS_SIGNAL != 0).then_some(signal),
                core: flags & CORE != 0,
            })
        }
        HOLE => Body::Hole { cols: u16_at(body, 8)?, rows: u16_at(body, 10)? },
        END => Body::End { next: u64_at(body, 0)? },
        _ => Body::Unknown,
    })
}
