//! How many cells a character takes: the same as in the window, so that both agree on every column.

use super::width_ranges::{WIDE, ZERO};

/// Two bits for each character of the basic plane.
static BASIC: [u8; 0x4000] = basic();

const fn basic() -> [u8; 0x4000] {
    let mut table = [0b0101_0101; 0x4000];
    let mut at = 0;
    while at < ZERO.len() {
        put(&mut table, ZERO[at], 0);
        at += 1;
    }
    at = 0;
    while at < WIDE.len() {
        put(&mut table, WIDE[at], 2);
        at += 1;
    }
    table
}

const fn put(table: &mut [u8; 0x4000], range: (u32, u32), width: u8) {
    let mut c = range.0;
    while c <= range.1 && c < 0x1_0000 {
        let shift = (c % 4) * 2;
        let byte = &mut table[c as usize / 4];
        *byte = (*byte & !(3 << shift)) | (width << shift);
        c += 1;
    }
}

/// Cells that a printable character takes: 0, 1 or 2.
#[inline]
pub(crate) fn width(c: u32) -> u8 {
    if c < 0xa0 {
        return 1;
    }
    if c < 0x1_0000 {
        return (BASIC[c as usize / 4] >> ((c % 4) * 2)) & 3;
    }
    let within = |ranges: &[(u32, u32)]| {
        let at = ranges.partition_point(|r| r.1 < c);
        ranges.get(at).is_some_and(|r| r.0 <= c)
    };
    if within(&ZERO) {
        0
    } else if within(&WIDE) {
        2
    } else {
        1
    }
}
