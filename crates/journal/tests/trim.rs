//! Several journals of one session share one bound.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use belfry_journal::{disk_size, trim};
use common::{CAP, Op, Seen, bytes, joined, read, write};

#[test]
#[ntest::timeout(30000)]
fn the_oldest_go_first_and_the_newest_stay_readable() {
    let temp = tempfile::tempdir().unwrap();
    let count = CAP as usize / 4;
    let journals: Vec<_> = (0..3).map(|run| temp.path().join(run.to_string())).collect();
    for journal in &journals {
        std::fs::create_dir(journal).unwrap();
        drop(write(journal, &[Op::Output(count)]));
    }
    let of = |run: usize| disk_size(&journals[run]).unwrap();
    let sizes: Vec<u64> = (0..3).map(of).collect();
    let all: u64 = sizes.iter().sum();
    let missing = temp.path().join("none");
    let wanted = [&[missing][..], &journals].concat();
    assert_eq!(trim(&wanted, all).unwrap(), all, "there is room");
    let left = trim(&wanted, CAP / 2).unwrap();
    assert!(left <= CAP / 2 && left > CAP / 4, "{left}");
    assert_eq!((of(0), of(2)), (0, sizes[2]));
    assert!(of(1) < sizes[1] && of(1) > 0, "cut at its beginning");
    let ends = |run: usize| match joined(read(&journals[run])).pop() {
        Some(Seen::Output(from, output)) => {
            assert_eq!(output, bytes(from, output.len()));
            from + output.len() as u64
        }
        other => panic!("no output: {other:?}"),
    };
    assert_eq!((ends(1), ends(2)), (count as u64, count as u64));
}
