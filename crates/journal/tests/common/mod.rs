//! Journals to damage, and what was put into them.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

use std::path::{Path, PathBuf};

use belfry_journal::{Entry, Exit, Follower, Gap, Stamp, What, Writer};
use proptest::prelude::*;

/// Segments of 64 KiB, the smallest there are.
pub const CAP: u64 = 8 * 64 * 1024;

/// Something that a keeper records.
#[derive(Debug, Clone)]
pub enum Op {
    Output(usize),
    Resize(u16, u16),
    Input(u32),
    Hole(u64),
    Exit(Exit),
}

/// An entry that owns its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    Output(u64, Vec<u8>),
    Resize(u64, u16, u16),
    Input(u64, u32),
    Exit(u64, Exit),
    Gap(Gap),
}

pub fn see(entry: Entry<'_>) -> Seen {
    match entry.what {
        What::Output(bytes) => Seen::Output(entry.offset, bytes.to_vec()),
        What::Resize { cols, rows } => Seen::Resize(entry.offset, cols, rows),
        What::Input { bytes } => Seen::Input(entry.offset, bytes),
        What::Exit(exit) => Seen::Exit(entry.offset, exit),
        What::Gap(gap) => Seen::Gap(gap),
    }
}

/// The byte at an offset, by which any wrong, lost or doubled one shows.
pub fn byte_at(offset: u64) -> u8 {
    (offset.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

pub fn bytes(from: u64, count: usize) -> Vec<u8> {
    (from..from + count as u64).map(byte_at).collect()
}

pub fn stamp(at: u64) -> Stamp {
    Stamp { mono: at, wall: 1_700_000_000_000_000 + at }
}

pub fn apply(writer: &mut Writer, op: &Op, at: u64) {
    let stamp = stamp(at);
    match op {
        Op::Output(count) => writer.output(stamp, &bytes(writer.offset(), *count)),
        Op::Resize(cols, rows) => writer.resize(stamp, *cols, *rows),
        Op::Input(count) => writer.input(stamp, *count),
        Op::Hole(length) => writer.hole(stamp, writer.offset() + length, (90, 30)),
        Op::Exit(exit) => writer.exit(stamp, *exit),
    }
    .unwrap();
}

pub fn write(dir: &Path, ops: &[Op]) -> Writer {
    let mut writer = Writer::create(dir, CAP, (80, 24), stamp(0)).unwrap();
    for (at, op) in ops.iter().enumerate() {
        apply(&mut writer, op, at as u64 + 1);
    }
    writer
}

/// Everything in a journal, from its oldest entry.
pub fn read(dir: &Path) -> Vec<Seen> {
    let mut follower = Follower::open_oldest(dir).unwrap();
    let mut seen = Vec::new();
    let mut scratch = Vec::new();
    while !follower.poll(&mut scratch, u64::MAX, |entry| seen.push(see(entry))).unwrap().caught_up {}
    seen
}

/// Output, wherever it was cut into pieces, as one piece each.
pub fn joined(seen: Vec<Seen>) -> Vec<Seen> {
    let mut out: Vec<Seen> = Vec::new();
    for entry in seen {
        match (out.last_mut(), entry) {
            (Some(Seen::Output(from, before)), Seen::Output(at, bytes))
                if *from + before.len() as u64 == at =>
            {
                before.extend_from_slice(&bytes);
            }
            (_, entry) => out.push(entry),
        }
    }
    out
}

pub fn segments(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

pub fn copy(from: &Path) -> tempfile::TempDir {
    let to = tempfile::tempdir().unwrap();
    for path in segments(from) {
        std::fs::copy(&path, to.path().join(path.file_name().unwrap())).unwrap();
    }
    to
}

/// What a keeper might record: small enough in all to stay under the cap.
pub fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        6 => (1_usize..600).prop_map(Op::Output),
        2 => (4000_usize..70_000).prop_map(Op::Output),
        1 => (1_u16..300, 1_u16..100).prop_map(|(cols, rows)| Op::Resize(cols, rows)),
        2 => (1_u32..5000).prop_map(Op::Input),
        1 => (1_u64..100_000).prop_map(Op::Hole),
    ];
    let exit = prop_oneof![
        Just(None),
        (0..256_i32).prop_map(|code| Some(Exit { code: Some(code), signal: None, core: false })),
        (1..65_i32).prop_map(|signal| Some(Exit { code: None, signal: Some(signal), core: true })),
    ];
    (prop::collection::vec(op, 1..30), exit).prop_map(|(mut ops, exit)| {
        let mut total = 0;
        ops.retain(|op| {
            total += if let Op::Output(count) = op { *count } else { 0 };
            total < 360_000
        });
        ops.extend(exit.map(Op::Exit));
        ops
    })
}
