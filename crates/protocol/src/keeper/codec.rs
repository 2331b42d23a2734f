//! Frames to bytes and back. Everything that arrives is bounded before it is kept.

use serde::{Serialize, de::DeserializeOwned};

use super::MAX_FRAME;
use super::frame::{FromKeeper, SignalTarget, ToKeeper};

/// Bytes of the length field.
const LENGTH: usize = 4;

/// `only_if_offset` is not given.
const NO_OFFSET: u64 = u64::MAX;

mod kind {
    pub(super) const HELLO: u8 = 1;
    pub(super) const INPUT: u8 = 2;
    pub(super) const REPLY: u8 = 3;
    pub(super) const RESIZE: u8 = 4;
    pub(super) const REPAINT: u8 = 5;
    pub(super) const KILL: u8 = 6;
    pub(super) const SIGNAL: u8 = 7;
    pub(super) const ACK: u8 = 8;
    pub(super) const STAT: u8 = 9;

    pub(super) const DOORBELL: u8 = 2;
    pub(super) const TAKEN: u8 = 3;
    pub(super) const REFUSED: u8 = 4;
    pub(super) const EXIT: u8 = 5;
    pub(super) const LADDER: u8 = 6;
    pub(super) const NOTICE: u8 = 7;
    pub(super) const TAIL: u8 = 8;
}

/// The stream of frames is broken: the connection is of no more use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The length field is above [`MAX_FRAME`].
    #[error("a frame of {0} bytes is longer than {MAX_FRAME}")]
    TooLong(usize),
    /// The length field is 0: not even a kind.
    #[error("a frame without a kind")]
    Empty,
}

/// One frame is not understood; the next one may be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// A kind that this version does not know.
    #[error("unknown kind {0}")]
    Unknown(u8),
    /// The payload does not fit the kind.
    #[error("malformed payload of kind {0}")]
    Malformed(u8),
}

/// One whole frame, not yet understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawFrame<'a> {
    /// The kind.
    pub kind: u8,
    /// What follows it.
    pub payload: &'a [u8],
}

/// Cuts a stream of bytes, however it arrives, into frames.
#[derive(Debug, Default)]
pub struct Decoder {
    buffer: Vec<u8>,
    start: usize,
}

impl Decoder {
    /// An empty decoder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes as read from the socket.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
        } else if self.start > MAX_FRAME {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole frame, or `None` when more bytes are needed.
    pub fn next_frame(&mut self) -> Result<Option<RawFrame<'_>>, FrameError> {
        let Some(length) = self.buffer[self.start..].first_chunk::<LENGTH>() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        if length > MAX_FRAME {
            return Err(FrameError::TooLong(length));
        }
        let from = self.start + LENGTH;
        let Some(body) = self.buffer.get(from..from + length) else { return Ok(None) };
        let (kind, payload) = body.split_first().ok_or(FrameError::Empty)?;
        self.start = from + length;
        Ok(Some(RawFrame { kind: *kind, payload }))
    }

    /// Bytes held that are not yet a whole frame.
    pub fn pending(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Gives back memory that a large frame needed; for a process that counts its kilobytes.
    pub fn shrink(&mut self) {
        if self.start == self.buffer.len() && self.buffer.capacity() > 4096 {
            self.buffer = Vec::new();
            self.start = 0;
        }
    }
}

/// Appends a frame; the length is filled in once the payload is there.
fn frame(out: &mut Vec<u8>, kind: u8, payload: impl FnOnce(&mut Vec<u8>)) {
    let at = out.len();
    out.extend_from_slice(&[0; LENGTH]);
    out.push(kind);
    payload(out);
    let length = (out.len() - at - LENGTH) as u32;
    out[at..at + LENGTH].copy_from_slice(&length.to_le_bytes());
}

fn json(out: &mut Vec<u8>, value: &impl Serialize) {
    // The types that come here have string keys and no failing serialisers, and a Vec takes every byte.
    let _ = serde_json::to_writer(out, value);
}

impl ToKeeper {
    /// Appends the frame to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hello { version } => frame(out, kind::HELLO, |b| b.extend(version.to_le_bytes())),
            Self::Input { id, only_if_offset, bytes } => frame(out, kind::INPUT, |b| {
                b.extend(id.to_le_bytes());
                b.extend(only_if_offset.unwrap_or(NO_OFFSET).to_le_bytes());
                b.extend_from_slice(bytes);
            }),
            Self::Reply { query_offset, sent_at, bytes } => frame(out, kind::REPLY, |b| {
                b.extend(query_offset.to_le_bytes());
                b.extend(sent_at.to_le_bytes());
                b.extend_from_slice(bytes);
            }),
            Self::Resize { cols, rows } => frame(out, kind::RESIZE, |b| {
                b.extend(cols.to_le_bytes());
                b.extend(rows.to_le_bytes());
            }),
            Self::Repaint => frame(out, kind::REPAINT, |_| ()),
            Self::Kill(kill) => frame(out, kind::KILL, |b| json(b, kill)),
            Self::Signal { signal, target } => frame(out, kind::SIGNAL, |b| {
                b.extend(signal.to_le_bytes());
                b.push(*target as u8);
            }),
            Self::Ack { offset } => frame(out, kind::ACK, |b| b.extend(offset.to_le_bytes())),
            Self::Stat => frame(out, kind::STAT, |_| ()),
        }
    }

    /// The frame as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }

    /// Understands a frame.
    pub fn decode(raw: RawFrame<'_>) -> Result<Self, MessageError> {
        let mut p = Payload(raw);
        let message = match raw.kind {
            kind::HELLO => Self::Hello { version: p.u32()? },
            kind::INPUT => {
                let id = p.u32()?;
                let only_if_offset = Some(p.u64()?).filter(|offset| *offset != NO_OFFSET);
                Self::Input { id, only_if_offset, bytes: p.rest() }
            }
            kind::REPLY => Self::Reply { query_offset: p.u64()?, sent_at: p.u64()?, bytes: p.rest() },
            kind::RESIZE => Self::Resize { cols: p.u16()?, rows: p.u16()? },
            kind::REPAINT => Self::Repaint,
            kind::KILL => Self::Kill(p.json()?),
            kind::SIGNAL => {
                let signal = p.u32()?.cast_signed();
                let target = match p.array::<1>()? {
                    [0] => SignalTarget::Program,
                    [1] => SignalTarget::Foreground,
                    [2] => SignalTarget::Session,
                    _ => return Err(MessageError::Malformed(raw.kind)),
                };
                Self::Signal { signal, target }
            }
            kind::ACK => Self::Ack { offset: p.u64()? },
            kind::STAT => Self::Stat,
            other => return Err(MessageError::Unknown(other)),
        };
        Ok(message)
    }
}

impl FromKeeper {
    /// Appends the frame to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hello(hello) => frame(out, kind::HELLO, |b| json(b, hello)),
            Self::Doorbell { offset } => frame(out, kind::DOORBELL, |b| b.extend(offset.to_le_bytes())),
            Self::Taken { id } => frame(out, kind::TAKEN, |b| b.extend(id.to_le_bytes())),
            Self::Refused(refused) => frame(out, kind::REFUSED, |b| json(b, refused)),
            Self::Exit(exit) => frame(out, kind::EXIT, |b| json(b, exit)),
            Self::Ladder(report) => frame(out, kind::LADDER, |b| json(b, report)),
            Self::Notice(notice) => frame(out, kind::NOTICE, |b| json(b, notice)),
            Self::Tail { offset, bytes } => frame(out, kind::TAIL, |b| {
                b.extend(offset.to_le_bytes());
                b.extend_from_slice(bytes);
            }),
            Self::Stat(stats) => frame(out, kind::STAT, |b| json(b, stats)),
        }
    }

    /// The frame as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }

    /// Understands a frame.
    pub fn decode(raw: RawFrame<'_>) -> Result<Self, MessageError> {
        let mut p = Payload(raw);
        let message = match raw.kind {
            kind::HELLO => Self::Hello(p.json()?),
            kind::DOORBELL => Self::Doorbell { offset: p.u64()? },
            kind::TAKEN => Self::Taken { id: p.u32()? },
            kind::REFUSED => Self::Refused(p.json()?),
            kind::EXIT => Self::Exit(p.json()?),
            kind::LADDER => Self::Ladder(p.json()?),
            kind::NOTICE => Self::Notice(p.json()?),
            kind::TAIL => Self::Tail { offset: p.u64()?, bytes: p.rest() },
            kind::STAT => Self::Stat(p.json()?),
            other => return Err(MessageError::Unknown(other)),
        };
        Ok(message)
    }
}

/// Reads a payload from its front. Bytes beyond what a kind needs are ignored: a later version may add to it.
struct Payload<'a>(RawFrame<'a>);

impl Payload<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], MessageError> {
        let (head, rest) =
            self.0.payload.split_first_chunk::<N>().ok_or(MessageError::Malformed(self.0.kind))?;
        self.0.payload = rest;
        Ok(*head)
    }

    fn u16(&mut self) -> Result<u16, MessageError> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, MessageError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, MessageError> {
        self.array().map(u64::from_le_bytes)
    }

    fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0.payload).to_vec()
    }

    fn json<T: DeserializeOwned>(&mut self) -> Result<T, MessageError> {
        serde_json::from_slice(self.0.payload).map_err(|_| MessageError::Malformed(self.0.kind))
    }
}

#[cfg(test)]
mod tests;
