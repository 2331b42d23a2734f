use super::super::{ExitInfo, Kill, Notice, OsText, Refused, What, Why};
use super::*;
use uuid::Uuid;

fn to_keeper() -> Vec<ToKeeper> {
    vec![
        ToKeeper::Hello { version: 7 },
        ToKeeper::Input { id: 3, only_if_offset: Some(12), bytes: b"y\r".to_vec() },
        ToKeeper::Input { id: 0, only_if_offset: None, bytes: vec![0, 255, 27] },
        ToKeeper::Reply { query_offset: 9, sent_at: 10, bytes: b"\x1b[?6c".to_vec() },
        ToKeeper::Resize { cols: 120, rows: 40 },
        ToKeeper::Repaint,
        ToKeeper::Kill(Kill::default()),
        ToKeeper::Signal { signal: 2, target: SignalTarget::Foreground },
        ToKeeper::Ack { offset: u64::MAX - 1 },
        ToKeeper::Stat,
    ]
}

fn from_keeper() -> Vec<FromKeeper> {
    let exit = ExitInfo {
        run: Uuid::from_u128(5),
        code: None,
        signal: Some(9),
        core: false,
        reason: super::super::EndReason::Killed,
        offset: 77,
        at: 1,
        steps: Vec::new(),
        left: Vec::new(),
    };
    vec![
        FromKeeper::Doorbell { offset: 1 },
        FromKeeper::Taken { id: 2 },
        FromKeeper::Refused(Refused { id: 2, what: What::Input, why: Why::QueueFull }),
        FromKeeper::Exit(Box::new(exit)),
        FromKeeper::Ladder(super::super::LadderReport::default()),
        FromKeeper::Notice(Notice::DiskFull { offset: 4, errno: 28 }),
        FromKeeper::Tail { offset: 4, bytes: vec![1, 2, 3] },
    ]
}

#[test]
fn every_frame_survives_any_cut_of_the_stream() {
    let (ours, theirs) = (to_keeper(), from_keeper());
    let mut stream = Vec::new();
    for message in &ours {
        message.encode(&mut stream);
    }
    let boundary = stream.len();
    for message in &theirs {
        message.encode(&mut stream);
    }
    for step in [1, 2, 3, 7, 64, stream.len()] {
        let mut decoder = Decoder::new();
        let (mut got_ours, mut got_theirs) = (Vec::new(), Vec::new());
        let mut consumed = 0;
        for piece in stream.chunks(step) {
            decoder.push(piece);
            while let Some(raw) = decoder.next_frame().unwrap() {
                if consumed < boundary {
                    got_ours.push(ToKeeper::decode(raw).unwrap());
                } else {
                    got_theirs.push(FromKeeper::decode(raw).unwrap());
                }
                consumed += LENGTH + 1 + raw.payload.len();
            }
        }
        assert_eq!(got_ours, ours);
        assert_eq!(got_theirs, theirs);
        assert_eq!(decoder.pending(), 0);
    }
}

#[test]
fn an_oversized_frame_is_refused_before_it_is_kept() {
    let mut decoder = Decoder::new();
    decoder.push(&(MAX_FRAME as u32 + 1).to_le_bytes());
    assert_eq!(decoder.next_frame(), Err(FrameError::TooLong(MAX_FRAME + 1)));
    let mut decoder = Decoder::new();
    decoder.push(&0_u32.to_le_bytes());
    assert_eq!(decoder.next_frame(), Err(FrameError::Empty));
}

#[test]
fn an_unknown_or_malformed_message_leaves_the_stream_usable() {
    let mut decoder = Decoder::new();
    decoder.push(&[3, 0, 0, 0, 200, 1, 2]);
    decoder.push(&[2, 0, 0, 0, kind::ACK, 1]);
    decoder.push(&ToKeeper::Stat.to_bytes());
    let raw = decoder.next_frame().unwrap().unwrap();
    assert_eq!(ToKeeper::decode(raw), Err(MessageError::Unknown(200)));
    let raw = decoder.next_frame().unwrap().unwrap();
    assert_eq!(ToKeeper::decode(raw), Err(MessageError::Malformed(kind::ACK)));
    let raw = decoder.next_frame().unwrap().unwrap();
    assert_eq!(ToKeeper::decode(raw), Ok(ToKeeper::Stat));
}

#[test]
fn system_text_that_is_not_utf8_survives_json() {
    for bytes in [&b"plain"[..], b"sp ace \xc3\xa9", b"\xff\xfe", b""] {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => OsText::from(text),
            Err(_) => OsText::Bytes(bytes.to_vec()),
        };
        let json = serde_json::to_string(&text).unwrap();
        let back: OsText = serde_json::from_str(&json).unwrap();
        assert_eq!(back.as_bytes(), bytes);
    }
}
