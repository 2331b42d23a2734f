//! A journal of any content: it is read to its end, in order, without a panic.
//!
//! The first byte says how the rest becomes segments. Most often records are built from it with right checksums, since no
//! fuzzer guesses those; they may have any kind, offset, length and body.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use belfry_journal::{Follower, Position, What};
use libfuzzer_sys::fuzz_target;

/// A directory of this process, in memory where there is such a place.
static DIR: LazyLock<PathBuf> = LazyLock::new(|| {
    let shared = Path::new("/dev/shm");
    let base = if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() };
    let dir = base.join(format!("belfry-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory to work in");
    dir
});

fuzz_target!(|data: &[u8]| {
    let Some((how, mut rest)) = data.split_first() else { return };
    for entry in std::fs::read_dir(&*DIR).expect("the directory is there").flatten() {
        let _ = std::fs::remove_file(entry.path());
    }
    if how & 1 == 0 {
        put(0, false, rest);
    } else if how & 2 == 0 {
        put(0, true, rest);
    } else {
        // One to four segments of records.
        let count = u64::from(how >> 2 & 3) + 1;
        for number in 0..count {
            let (mine, others) = rest.split_at(rest.len() / (count - number) as usize);
            rest = others;
            put(number * 1000, false, &segment(number * 1000, mine));
        }
    }
    follow(u64::from(*how));
});

fn put(first: u64, compressed: bool, bytes: &[u8]) {
    let end = if compressed { ".lz4" } else { "" };
    std::fs::write(DIR.join(format!("{first:020}.seg{end}")), bytes).expect("room for a segment");
}

/// A segment with a right header and, of `data`, records.
fn segment(first: u64, mut data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(b"BLFYJRNL\x01\0\x30\0\x50\0\x18\0");
    out.extend_from_slice(&first.to_le_bytes());
    out.extend_from_slice(&[0; 16]);
    out.extend_from_slice(&100_u32.to_le_bytes());
    out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
    let mut offset = first;
    while let Some(([kind, shape, length], rest)) = data.split_first_chunk() {
        let (body, rest) = rest.split_at(rest.len().min(usize::from(*length)));
        data = rest;
        // Mostly the offset that fits; sometimes one from the body.
        if shape & 7 == 0
            && let Some(odd) = body.first_chunk()
        {
            offset = u64::from_le_bytes(*odd);
        }
        let at = out.len();
        out.extend_from_slice(&[b'J', b'B', *kind % 8, 0]);
        out.extend_from_slice(&(body.len() as u32).to_le_bytes());
        out.extend_from_slice(&offset.to_le_bytes());
        out.extend_from_slice(&[0; 16]);
        let mut crc = crc32fast::Hasher::new();
        crc.update(&out[at..]);
        crc.update(body);
        out.extend_from_slice(&crc.finalize().to_le_bytes());
        out.extend_from_slice(body);
        if *kind % 8 == 1 {
            offset = offset.wrapping_add(body.len() as u64);
        }
    }
    out.extend_from_slice(data);
    out
}

fn follow(budget: u64) {
    let Ok(mut follower) = Follower::open_oldest(&DIR) else { return };
    let mut scratch = Vec::new();
    let mut at = follower.offset();
    let mut places = Vec::new();
    // Each turn reads something or ends, and there is less to read than this.
    for turn in 0.. {
        assert!(turn < 100_000, "it does not end");
        let polled = follower.poll(&mut scratch, budget, |entry| match entry.what {
            What::Output(bytes) => {
                assert_eq!(entry.offset, at, "output follows on");
                at += bytes.len() as u64;
            }
            What::Gap(gap) => {
                assert!(gap.from == at && gap.to > at);
                at = gap.to;
            }
            _ => assert_eq!(entry.offset, at),
        });
        let Ok(progress) = polled else { return };
        assert_eq!(follower.offset(), at);
        places.push(follower.position());
        if progress.caught_up {
            break;
        }
    }
    // Any place can be gone back to.
    for place in places.into_iter().rev().take(3) {
        for position in [place, Position::offset(place.offset)] {
            let Ok(mut again) = Follower::open(&DIR, position) else { continue };
            let _ = again.poll(&mut scratch, u64::MAX, |entry| assert!(entry.offset >= place.offset));
        }
    }
}
