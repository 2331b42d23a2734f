//! How fast a journal is written and followed: `cargo bench -p belfry-journal`. Prints; asserts nothing.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Instant;

use belfry_journal::{Follower, Stamp, What, Which, Writer, compress};

/// Output in all, in bytes.
const TOTAL: usize = 256 << 20;

fn main() {
    println!("{:>12} {:>12} {:>12} {:>12}", "record", "write MB/s", "follow MB/s", "from lz4");
    for piece in [100, 4096, 64 * 1024] {
        let total = if piece < 1000 { TOTAL / 16 } else { TOTAL };
        let dir = tempfile::tempdir().unwrap();
        let text = "\x1b[32mok\x1b[0m some line of a build that prints a lot\r\n".repeat(1 + piece / 40);
        let bytes = &text.as_bytes()[..piece];
        let mut writer = Writer::create(dir.path(), u64::MAX / 2, (80, 24), Stamp::default()).unwrap();
        let speed = |started: Instant| total as f64 / 1e6 / started.elapsed().as_secs_f64();

        let started = Instant::now();
        for at in 0..total / piece {
            writer.output(Stamp { mono: at as u64, wall: at as u64 }, bytes).unwrap();
        }
        let written = speed(started);
        let read = |started: Instant| {
            let mut follower = Follower::open_oldest(dir.path()).unwrap();
            let (mut scratch, mut count) = (Vec::new(), 0);
            while !follower
                .poll(&mut scratch, 64 * 1024, |entry| {
                    if let What::Output(bytes) = entry.what {
                        count += bytes.len();
                    }
                })
                .unwrap()
                .caught_up
            {}
            assert_eq!(count, total / piece * piece);
            speed(started)
        };
        let followed = read(Instant::now());
        compress(dir.path(), Which::All).unwrap();
        let unpacked = read(Instant::now());
        println!("{piece:>12} {written:>12.0} {followed:>12.0} {unpacked:>12.0}");
    }
}
