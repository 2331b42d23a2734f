//! The frames of both sockets: daemon and keeper, client and daemon.
#![no_main]

use belfry_protocol::frame::{Frame, FrameDecoder, MAX_FRAME as MAX_CLIENT_FRAME};
use belfry_protocol::keeper::{Decoder, FromKeeper, MAX_FRAME, ToKeeper};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((cut, stream)) = data.split_first() else { return };
    let piece = usize::from(*cut).max(1);
    keeper(stream, piece);
    client(stream, piece);
});

/// What is understood must mean the same after a round trip, in whatever pieces it came.
fn keeper(stream: &[u8], piece: usize) {
    let mut decoder = Decoder::new();
    for bytes in stream.chunks(piece) {
        decoder.push(bytes);
        loop {
            match decoder.next_frame() {
                Ok(Some(frame)) => {
                    assert!(frame.payload.len() < MAX_FRAME);
                    if let Ok(message) = ToKeeper::decode(frame) {
                        assert_eq!(again(&message.to_bytes(), ToKeeper::decode), message);
                    }
                    if let Ok(message) = FromKeeper::decode(frame) {
                        assert_eq!(again(&message.to_bytes(), FromKeeper::decode), message);
                    }
                }
                Ok(None) => break,
                Err(_) => return,
            }
        }
        assert!(decoder.pending() <= MAX_FRAME + 4 + piece);
    }
}

fn again<T, E: std::fmt::Debug>(
    bytes: &[u8],
    decode: impl Fn(belfry_protocol::keeper::RawFrame<'_>) -> Result<T, E>,
) -> T {
    let mut decoder = Decoder::new();
    decoder.push(bytes);
    let frame = decoder.next_frame().expect("our own frame is well formed").expect("and whole");
    decode(frame).expect("and understood")
}

fn client(stream: &[u8], piece: usize) {
    let mut decoder = FrameDecoder::default();
    for bytes in stream.chunks(piece) {
        decoder.push(bytes);
        loop {
            match decoder.next_frame() {
                Ok(Some(frame)) => {
                    let mut bytes = Vec::new();
                    frame.encode(&mut bytes);
                    let mut decoder = FrameDecoder::default();
                    decoder.push(&bytes);
                    let again: Option<Frame> = decoder.next_frame().expect("our own frame is well formed");
                    assert_eq!(again, Some(frame));
                }
                Ok(None) => break,
                Err(_) => return,
            }
        }
        assert!(decoder.pending() <= MAX_CLIENT_FRAME + 4 + piece);
    }
}
