//! Frames: how messages and bytes share one stream between a client and the daemon.
//!
//! A frame is `u32` little-endian length of what follows, one kind byte, and the payload:
//!
//! | kind | payload |
//! |---|---|
//! | 0 control | JSON: a [`crate::ClientMessage`] or a [`crate::DaemonMessage`] |
//! | 1 output | `u32` view, `u64` offset after this piece, `u8` flags, bytes for the view's terminal |
//! | 2 input | `u32` view, bytes for the session's program |
//! | 3 credit | `u32` view, `u32` bytes that the client can take on top of what it granted before |
//! | 4 blob | `u32` stream, bytes; an empty piece ends the stream |

use crate::ids::{StreamId, ViewId};

/// Longest frame (kind and payload), in bytes. Larger ones end the connection.
pub const MAX_FRAME: usize = 1 << 20;

/// Longest piece of terminal output or blob that either side puts in one frame, in bytes.
pub const MAX_PIECE: usize = 64 * 1024;

/// This output piece starts a snapshot: reset the terminal first.
pub const OUTPUT_SNAPSHOT_BEGIN: u8 = 1;
/// This output piece ends a snapshot: what follows is the program's own output.
pub const OUTPUT_SNAPSHOT_END: u8 = 2;
/// The snapshot holds the whole scrollback, not only its newest lines.
pub const OUTPUT_SNAPSHOT_FULL: u8 = 4;

/// One frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A JSON message.
    Control(Vec<u8>),
    /// Bytes for a view's terminal.
    Output {
        /// The view.
        view: ViewId,
        /// Source bytes printed by the run up to the end of this piece.
        offset: u64,
        /// `OUTPUT_*` bits.
        flags: u8,
        /// What to write to the terminal.
        bytes: Vec<u8>,
    },
    /// Bytes for a session's program.
    Input {
        /// The view that they were typed in.
        view: ViewId,
        /// What was typed or pasted.
        bytes: Vec<u8>,
    },
    /// Bytes that the client can take.
    Credit {
        /// The view.
        view: ViewId,
        /// How many more.
        bytes: u32,
    },
    /// A piece of a long answer.
    Blob {
        /// The stream.
        stream: StreamId,
        /// The piece; empty at the end.
        bytes: Vec<u8>,
    },
}

/// Why a stream cannot be read on. The connection must be closed: there is no way to find the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Longer than [`MAX_FRAME`].
    #[error("frame of {0} bytes, more than the limit")]
    TooLong(usize),
    /// No kind byte, or a payload shorter than its kind needs.
    #[error("frame of kind {kind} is too short")]
    Short {
        /// The kind byte, 255 when there was none.
        kind: u8,
    },
    /// A kind that this build does not know.
    #[error("unknown frame kind {0}")]
    UnknownKind(u8),
}

impl Frame {
    /// Adds the frame's bytes to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Control(json) => encode_parts(out, 0, &[], json),
            Self::Output { view, offset, flags, bytes } => encode_output(out, *view, *offset, *flags, bytes),
            Self::Input { view, bytes } => encode_parts(out, 2, &view.0.to_le_bytes(), bytes),
            Self::Credit { view, bytes } => {
                encode_parts(out, 3, &view.0.to_le_bytes(), &bytes.to_le_bytes());
            }
            Self::Blob { stream, bytes } => encode_parts(out, 4, &stream.0.to_le_bytes(), bytes),
        }
    }

    fn decode(body: &[u8]) -> Result<Self, FrameError> {
        let (&kind, payload) = body.split_first().ok_or(FrameError::Short { kind: 255 })?;
        let short = FrameError::Short { kind };
        Ok(match kind {
            0 => Self::Control(payload.to_vec()),
            1 => {
                let (view, rest) = take::<4>(payload).ok_or(short)?;
                let (offset, rest) = take::<8>(rest).ok_or(short)?;
                let (flags, bytes) = rest.split_first().ok_or(short)?;
                Self::Output {
                    view: ViewId(u32::from_le_bytes(view)),
                    offset: u64::from_le_bytes(offset),
                    flags: *flags,
                    bytes: bytes.to_vec(),
                }
            }
            2 => {
                let (view, bytes) = take::<4>(payload).ok_or(short)?;
                Self::Input { view: ViewId(u32::from_le_bytes(view)), bytes: bytes.to_vec() }
            }
            3 => {
                let (view, rest) = take::<4>(payload).ok_or(short)?;
                let (bytes, _) = take::<4>(rest).ok_or(short)?;
                Self::Credit { view: ViewId(u32::from_le_bytes(view)), bytes: u32::from_le_bytes(bytes) }
            }
            4 => {
                let (stream, bytes) = take::<4>(payload).ok_or(short)?;
                Self::Blob { stream: StreamId(u32::from_le_bytes(stream)), bytes: bytes.to_vec() }
            }
            other => return Err(FrameError::UnknownKind(other)),
        })
    }
}

/// Adds an output frame to `out` without a copy of `bytes` in between.
pub fn encode_output(out: &mut Vec<u8>, view: ViewId, offset: u64, flags: u8, bytes: &[u8]) {
    let mut head = [0u8; 13];
    head[..4].copy_from_slice(&view.0.to_le_bytes());
    head[4..12].copy_from_slice(&offset.to_le_bytes());
    head[12] = flags;
    encode_parts(out, 1, &head, bytes);
}

fn encode_parts(out: &mut Vec<u8>, kind: u8, head: &[u8], tail: &[u8]) {
    let length = 1 + head.len() + tail.len();
    debug_assert!(length <= MAX_FRAME, "a frame of {length} bytes was built");
    out.reserve(4 + length);
    out.extend_from_slice(&(length as u32).to_le_bytes());
    out.push(kind);
    out.extend_from_slice(head);
    out.extend_from_slice(tail);
}

fn take<const N: usize>(bytes: &[u8]) -> Option<([u8; N], &[u8])> {
    bytes.split_first_chunk::<N>().map(|(head, rest)| (*head, rest))
}

/// Cuts frames out of a byte stream, however it is chunked. Holds at most one incomplete frame.
#[derive(Debug, Default)]
pub struct FrameDecoder {
    buffer: Vec<u8>,
    read: usize,
}

impl FrameDecoder {
    /// Adds bytes as they arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.read > 0 {
            self.buffer.drain(..self.read);
            self.read = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole frame, if there is one. After an error the stream is lost.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, FrameError> {
        let rest = &self.buffer[self.read..];
        let Some((length, rest)) = take::<4>(rest) else { return Ok(None) };
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_FRAME {
            return Err(FrameError::TooLong(length));
        }
        let Some(body) = rest.get(..length) else { return Ok(None) };
        let frame = Frame::decode(body)?;
        self.read += 4 + length;
        Ok(Some(frame))
    }

    /// Bytes held of a frame that is not complete yet.
    pub fn pending(&self) -> usize {
        self.buffer.len() - self.read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Frame> {
        vec![
            Frame::Control(b"{}".to_vec()),
            Frame::Output { view: ViewId(7), offset: u64::MAX, flags: 3, bytes: b"\x1b[0m".to_vec() },
            Frame::Input { view: ViewId(1), bytes: vec![0, 255] },
            Frame::Credit { view: ViewId(2), bytes: 65_536 },
            Frame::Blob { stream: StreamId(9), bytes: Vec::new() },
        ]
    }

    #[test]
    fn frames_survive_any_chunking() {
        let mut stream = Vec::new();
        for frame in samples() {
            frame.encode(&mut stream);
        }
        for size in 1..stream.len() {
            let mut decoder = FrameDecoder::default();
            let mut seen = Vec::new();
            for chunk in stream.chunks(size) {
                decoder.push(chunk);
                while let Some(frame) = decoder.next_frame().expect("valid stream") {
                    seen.push(frame);
                }
            }
            assert_eq!(seen, samples(), "chunks of {size} bytes");
            assert_eq!(decoder.pending(), 0);
        }
    }

    #[test]
    fn a_frame_over_the_limit_is_refused_before_it_is_held() {
        let mut decoder = FrameDecoder::default();
        decoder.push(&(MAX_FRAME as u32 + 1).to_le_bytes());
        assert_eq!(decoder.next_frame(), Err(FrameError::TooLong(MAX_FRAME + 1)));
    }

    #[test]
    fn short_and_unknown_frames_are_named() {
        for (body, error) in [
            (vec![], FrameError::Short { kind: 255 }),
            (vec![1, 0, 0], FrameError::Short { kind: 1 }),
            (vec![99], FrameError::UnknownKind(99)),
        ] {
            let mut decoder = FrameDecoder::default();
            decoder.push(&(body.len() as u32).to_le_bytes());
            decoder.push(&body);
            assert_eq!(decoder.next_frame(), Err(error));
        }
    }
}
