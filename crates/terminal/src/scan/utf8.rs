//! UTF-8, one character at a time.

/// What the start of some bytes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decoded {
    Char(char, usize),
    /// U+0080 to U+009F. xterm.js takes these for control functions, no program means them: dropped.
    Control(usize),
    /// Not UTF-8; this many bytes stand for one replacement character.
    Invalid(usize),
    /// The start of a character.
    Incomplete,
}

/// Decodes the character at the start of `bytes`, which is not empty and not ASCII.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    let first = bytes[0];
    // Length, and the range of the second byte: it rules out overlong forms, surrogates and what is beyond Unicode.
    let (length, low, high) = match first {
        0xc2..=0xdf => (2, 0x80, 0xbf),
        0xe0 => (3, 0xa0, 0xbf),
        0xe1..=0xec | 0xee..=0xef => (3, 0x80, 0xbf),
        0xed => (3, 0x80, 0x9f),
        0xf0 => (4, 0x90, 0xbf),
        0xf1..=0xf3 => (4, 0x80, 0xbf),
        0xf4 => (4, 0x80, 0x8f),
        _ => return Decoded::Invalid(1),
    };
    let mut value = u32::from(first) & (0x7f >> length);
    for at in 1..length {
        let Some(&byte) = bytes.get(at) else { return Decoded::Incomplete };
        let (low, high) = if at == 1 { (low, high) } else { (0x80, 0xbf) };
        if !(low..=high).contains(&byte) {
            return Decoded::Invalid(at);
        }
        value = value << 6 | u32::from(byte & 0x3f);
    }
    match char::from_u32(value) {
        Some('\u{80}'..='\u{9f}') => Decoded::Control(length),
        Some(c) => Decoded::Char(c, length),
        None => Decoded::Invalid(length),
    }
}
