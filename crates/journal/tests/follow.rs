//! Following while the journal grows, is compressed and loses its oldest part.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use belfry_journal::{Follower, Gap, GapReason, Position, Which, Writer, compress, disk_size, oldest_offset};
use common::{CAP, Op, Seen, apply, bytes, joined, ops, read, see, stamp, write};
use proptest::prelude::*;

/// What a follower does between two things that the writer does.
#[derive(Debug, Clone)]
enum Look {
    Nothing,
    Poll(u64),
    ReopenAtPlace,
    ReopenAtOffset,
    Compress,
}

fn look() -> impl Strategy<Value = Look> {
    prop_oneof![
        2 => Just(Look::Nothing),
        4 => (1_u64..200_000).prop_map(Look::Poll),
        1 => Just(Look::ReopenAtPlace),
        1 => Just(Look::ReopenAtOffset),
        1 => Just(Look::Compress),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ntest::timeout(60000)]
    fn a_follower_sees_what_a_reader_sees(ops in ops(), looks in prop::collection::vec(look(), 32)) {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = Writer::create(dir.path(), CAP, (80, 24), stamp(0)).unwrap();
        let mut follower = Follower::open_oldest(dir.path()).unwrap();
        let (mut seen, mut scratch) = (Vec::new(), Vec::new());
        for (at, op) in ops.iter().enumerate() {
            apply(&mut writer, op, at as u64 + 1);
            match &looks[at % looks.len()] {
                Look::Nothing => {}
                Look::Poll(budget) => {
                    follower.poll(&mut scratch, *budget, |entry| seen.push(see(entry))).unwrap();
                }
                Look::ReopenAtPlace => {
                    follower = Follower::open(dir.path(), follower.position()).unwrap();
                }
                Look::ReopenAtOffset => {
                    // Entries at that very offset may come again: all that has been told at it is forgotten.
                    let offset = follower.offset();
                    while seen.last().is_some_and(|entry| at_offset(entry, offset)) {
                        seen.pop();
                    }
                    follower = Follower::open(dir.path(), Position::offset(offset)).unwrap();
                }
                Look::Compress => drop(compress(dir.path(), Which::Closed).unwrap()),
            }
        }
        while !follower.poll(&mut scratch, u64::MAX, |entry| seen.push(see(entry))).unwrap().caught_up {}
        prop_assert!(essence(seen) == essence(read(dir.path())));
        prop_assert_eq!(follower.offset(), writer.offset());
    }
}

fn at_offset(entry: &Seen, offset: u64) -> bool {
    match entry {
        Seen::Resize(at, ..) | Seen::Input(at, _) | Seen::Exit(at, _) => *at == offset,
        Seen::Output(..) | Seen::Gap(_) => false,
    }
}

/// A reopened follower tells the size once more; sizes that change nothing do not count.
fn essence(seen: Vec<Seen>) -> Vec<Seen> {
    let mut size = None;
    let seen = seen.into_iter().filter(|entry| match entry {
        Seen::Resize(_, cols, rows) => size.replace((*cols, *rows)) != Some((*cols, *rows)),
        Seen::Gap(gap) => {
            size = Some(gap.size);
            true
        }
        _ => true,
    });
    joined(seen.collect())
}

#[test]
#[ntest::timeout(60000)]
fn the_cap_drops_the_oldest_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = write(dir.path(), &[Op::Output(1000)]);
    let mut early = Follower::open_oldest(dir.path()).unwrap();
    let mut scratch = Vec::new();
    early.poll(&mut scratch, u64::MAX, |_| ()).unwrap();
    for at in 0..400 {
        apply(&mut writer, &Op::Output(5000), at);
        assert!(disk_size(dir.path()).unwrap() <= CAP + 6000, "{at}");
    }
    let oldest = oldest_offset(dir.path()).unwrap().unwrap();
    assert!(oldest > 1000);
    // It has the segment open that it was reading, and loses only what lay beyond.
    let mut seen = Vec::new();
    while !early.poll(&mut scratch, 10_000, |entry| seen.push(see(entry))).unwrap().caught_up {}
    let gaps: Vec<&Gap> = seen
        .iter()
        .filter_map(|entry| match entry {
            Seen::Gap(gap) => Some(gap),
            _ => None,
        })
        .collect();
    assert_eq!(gaps.len(), 1);
    assert_eq!((gaps[0].to, gaps[0].reason, gaps[0].size), (oldest, GapReason::Dropped, (80, 24)));
    let output: usize =
        seen.iter().map(|entry| if let Seen::Output(_, bytes) = entry { bytes.len() } else { 0 }).sum();
    assert_eq!(output as u64 + 1000, writer.offset() - (gaps[0].to - gaps[0].from));
}

#[test]
#[ntest::timeout(60000)]
fn compressed_segments_read_the_same_and_count_less() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::create(dir.path(), CAP, (80, 24), stamp(0)).unwrap();
    for at in 0..60 {
        writer.output(stamp(at), "all the same again\r\n".repeat(300).as_bytes()).unwrap();
    }
    let before = (read(dir.path()), disk_size(dir.path()).unwrap());
    let done = compress(dir.path(), Which::Closed).unwrap();
    assert!(done.segments > 2 && done.after < done.before / 20, "{done:?}");
    assert_eq!(compress(dir.path(), Which::Closed).unwrap().segments, 0);
    writer.output(stamp(99), b"the end").unwrap();
    let after = read(dir.path());
    assert_eq!(after[..before.0.len()], before.0[..]);
    drop(writer);
    assert_eq!(compress(dir.path(), Which::All).unwrap().segments, 1);
    assert_eq!(read(dir.path()), after);
    assert!(disk_size(dir.path()).unwrap() < before.1 / 20);
    // From the middle as well.
    let mut reader = belfry_journal::Reader::open_at(dir.path(), 123_456).unwrap();
    let mut first = None;
    let stop = |entry: belfry_journal::Entry<'_>| match see(entry) {
        output @ Seen::Output(..) => {
            first = Some(output);
            std::ops::ControlFlow::Break(())
        }
        _ => std::ops::ControlFlow::Continue(()),
    };
    reader.for_each(stop).unwrap();
    assert!(matches!(first, Some(Seen::Output(123_456, _))), "{first:?}");
}

#[test]
#[ntest::timeout(60000)]
fn a_segment_dropped_while_it_is_compressed_does_not_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = write(dir.path(), &[Op::Output(200_000)]);
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (path, stop) = (dir.path(), &stop);
        scope.spawn(move || {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                compress(path, Which::Closed).unwrap();
            }
        });
        for at in 0..600 {
            apply(&mut writer, &Op::Output(20_000), at);
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    compress(dir.path(), Which::Closed).unwrap();
    let seen = joined(read(dir.path()));
    assert!(!seen.iter().any(|entry| matches!(entry, Seen::Gap(_))), "history is in one piece");
    assert!(disk_size(dir.path()).unwrap() <= CAP + 25_000);
}

#[test]
#[ntest::timeout(60000)]
fn what_is_known_from_elsewhere_is_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = write(dir.path(), &[Op::Output(100)]);
    let mut follower = Follower::open(dir.path(), Position::offset(150)).unwrap();
    let (mut seen, mut scratch) = (Vec::new(), Vec::new());
    let progress = follower.poll(&mut scratch, u64::MAX, |entry| seen.push(see(entry))).unwrap();
    assert!(progress.caught_up && joined(seen.clone()).len() <= 1, "{seen:?}");
    seen.clear();
    apply(&mut writer, &Op::Output(100), 2);
    follower.poll(&mut scratch, u64::MAX, |entry| seen.push(see(entry))).unwrap();
    assert_eq!(seen, [Seen::Output(150, bytes(150, 50))]);
    follower.skip_to(400);
    apply(&mut writer, &Op::Hole(150), 3);
    apply(&mut writer, &Op::Output(100), 4);
    seen.clear();
    follower.poll(&mut scratch, u64::MAX, |entry| seen.push(see(entry))).unwrap();
    assert_eq!(seen, [Seen::Output(400, bytes(400, 50))]);
}
