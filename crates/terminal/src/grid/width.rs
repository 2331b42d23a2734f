//! How many cells a character takes: the same as in the window, so that both agree on every column.

use std::sync::LazyLock;

use super::width_ranges::{WIDE, ZERO};

/// Two bits for each character of the basic plane.
static BASIC: LazyLock<Box<[u8]>> = LazyLock::new(|| {
    let mut table = vec![0b0101_0101_u8; 0x1_0000 / 4].into_boxed_slice();
    let mut put = |ranges: &[(u32, u32)], width: u8| {
        for &(first, last) in ranges {
            for c in first..=last.min(0xffff) {
                let (byte, shift) = (c as usize / 4, (c % 4) * 2);
                table[byte] = (table[byte] & !(3 << shift)) | (width << shift);
            }
        }
    };
    put(&ZERO, 0);
    put(&WIDE, 2);
    table
});

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
