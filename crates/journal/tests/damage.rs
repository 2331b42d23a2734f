//! Whatever a crash or a rotten byte leaves, what is read is what was written.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::fs::OpenOptions;

use belfry_journal::{GapReason, Writer};
use common::{CAP, Op, Seen, apply, byte_at, copy, joined, ops, read, segments, write};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// A crash can leave any length of the newest segment.
    #[test]
    #[ntest::timeout(60000)]
    fn any_cut_leaves_a_prefix_that_can_be_gone_on_with(ops in ops(), cut in any::<prop::sample::Index>()) {
        let dir = tempfile::tempdir().unwrap();
        drop(write(dir.path(), &ops));
        let whole = read(dir.path());
        let newest = segments(dir.path()).pop().unwrap();
        let length = std::fs::metadata(&newest).unwrap().len() as usize;
        let cut = cut.index(length + 1) as u64;
        OpenOptions::new().write(true).open(&newest).unwrap().set_len(cut).unwrap();

        let left = read(dir.path());
        prop_assert!(whole.starts_with(&left), "{} of {} entries", left.len(), whole.len());
        if cut == length as u64 {
            prop_assert_eq!(left.len(), whole.len());
        }

        let mut writer = Writer::resume(dir.path(), CAP).unwrap();
        apply(&mut writer, &Op::Output(100), 99);
        apply(&mut writer, &Op::Output(100_000), 100);
        let resumed = read(dir.path());
        prop_assert!(joined(resumed[..left.len()].to_vec()) == joined(left.clone()));
        let from = writer.offset() - 100_100;
        let mut rest = joined(resumed[left.len()..].to_vec());
        // The very first header was torn: the size there is not known.
        rest.retain(|entry| *entry != Seen::Resize(0, 0, 0));
        prop_assert!(rest == [Seen::Output(from, common::bytes(from, 100_100))]);
    }

    /// A byte that rots anywhere costs at most the rest of its segment.
    #[test]
    #[ntest::timeout(60000)]
    fn any_rotten_byte_gives_no_wrong_byte(ops in ops(), place in any::<prop::sample::Index>(), flip in 1_u8..) {
        let dir = tempfile::tempdir().unwrap();
        drop(write(dir.path(), &ops));
        let whole = read(dir.path());
        let damaged = copy(dir.path());
        let paths = segments(damaged.path());
        let total: u64 = paths.iter().map(|path| std::fs::metadata(path).unwrap().len()).sum();
        let mut at = place.index(total as usize);
        let mut number = 0;
        let mut bytes = std::fs::read(&paths[0]).unwrap();
        while at >= bytes.len() {
            at -= bytes.len();
            number += 1;
            bytes = std::fs::read(&paths[number]).unwrap();
        }
        bytes[at] ^= flip;
        std::fs::write(&paths[number], &bytes).unwrap();

        // A version that is not ours, with a checksum that is right, cannot come from one byte.
        let left = read(damaged.path());
        let shared = whole.iter().zip(&left).take_while(|(a, b)| a == b).count();
        let rest = &left[shared..];
        for entry in rest {
            match entry {
                Seen::Output(from, bytes) => {
                    prop_assert!(bytes.iter().zip(*from..).all(|(byte, at)| *byte == byte_at(at)));
                }
                Seen::Gap(gap) => prop_assert!(gap.from < gap.to),
                other => prop_assert!(whole.contains(other), "{other:?}"),
            }
        }
        if number + 1 == paths.len() {
            prop_assert_eq!(rest.len(), 0, "the newest segment gives a prefix");
        } else if let Some(Seen::Gap(gap)) = rest.first() {
            prop_assert!(matches!(gap.reason, GapReason::Damaged | GapReason::Dropped), "{gap:?}");
        }
        // Whole segments before and after are all there.
        let before: u64 = first_offset(&paths[number]);
        let after = paths.get(number + 1).map_or(u64::MAX, |path| first_offset(path));
        let outside = |seen: &[Seen]| -> u64 {
            seen.iter().map(|entry| match entry {
                Seen::Output(from, bytes) if *from < before || *from >= after => bytes.len() as u64,
                _ => 0,
            }).sum()
        };
        prop_assert_eq!(outside(&left), outside(&whole));
    }
}

fn first_offset(path: &std::path::Path) -> u64 {
    path.file_name().unwrap().to_str().unwrap()[..20].parse().unwrap()
}

#[test]
#[ntest::timeout(60000)]
fn an_empty_or_foreign_directory_is_no_journal() {
    let dir = tempfile::tempdir().unwrap();
    assert!(belfry_journal::Reader::open(dir.path()).is_err());
    std::fs::write(
        dir.path().join("00000000000000000000.seg"),
        b"not a segment at all, and long enough for one......",
    )
    .unwrap();
    assert_eq!(read(dir.path()), []);
    std::fs::write(dir.path().join("notes.txt"), b"x").unwrap();
    assert_eq!(belfry_journal::oldest_offset(dir.path()).unwrap(), Some(0));
}

#[test]
#[ntest::timeout(60000)]
fn a_later_version_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    drop(write(dir.path(), &[Op::Output(10)]));
    let path = segments(dir.path()).pop().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[8] = 9;
    let crc = crc32fast::hash(&bytes[..44]);
    bytes[44..48].copy_from_slice(&crc.to_le_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let error = belfry_journal::Reader::open(dir.path())
        .and_then(|mut reader| reader.for_each(|_| std::ops::ControlFlow::Continue(())))
        .unwrap_err();
    assert!(matches!(error, belfry_journal::JournalError::Version { version: 9, .. }), "{error}");
}
