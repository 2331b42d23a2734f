//! Telling what a terminal reports by itself from what a person types.

/// Whether all of these bytes are reports: of the mouse in any encoding, of the focus, and answers to a program's questions.
/// A report that is cut at the end counts as one.
pub(crate) fn only(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some(after) = strip(rest) else { return false };
        rest = after;
    }
    !bytes.is_empty()
}

/// What follows the report at the front; none where there is no report.
fn strip(bytes: &[u8]) -> Option<&[u8]> {
    let body = bytes.strip_prefix(b"\x1b[")?;
    match *body.first()? {
        b'I' | b'O' => return Some(&body[1..]),
        // X10: button, column and row in a byte each.
        b'M' => return Some(body.get(4..).unwrap_or_default()),
        b'<' | b'?' | b'>' | b'=' | b'0'..=b'9' => {}
        _ => return None,
    }
    let private = !body[0].is_ascii_digit();
    let parameters = body.iter().skip(usize::from(private));
    let length = parameters.take_while(|byte| byte.is_ascii_digit() || b";:$".contains(byte)).count();
    let (parameters, rest) = body.split_at(usize::from(private) + length);
    let semicolons = parameters.split(|byte| *byte == b';').count() - 1;
    match (rest.first(), private) {
        // Cut. Keys have no private marker, and come whole.
        (None, true) => Some(rest),
        // Keys of the kitty protocol end in `u`, and are never private; its report of its own flags is.
        (Some(b'M' | b'm' | b'c' | b'n' | b'u' | b'y'), true) | (Some(b'n' | b't'), false) => {
            Some(&rest[1..])
        }
        // urxvt's mouse has three parameters, the cursor's place two; F3 with modifiers looks like the latter.
        (Some(b'M'), false) if semicolons == 2 => Some(&rest[1..]),
        (Some(b'R'), false) if semicolons == 1 && !parameters.starts_with(b"1;") => Some(&rest[1..]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::only;

    #[test]
    fn reports_are_told_from_keys() {
        for report in [
            "\x1b[<35;10;20M",
            "\x1b[<0;1;1M\x1b[<0;1;1m",
            "\x1b[<0;1",
            "\x1b[M !!",
            "\x1b[35;10;20M",
            "\x1b[I",
            "\x1b[O\x1b[<35;1;1M",
            "\x1b[?62;22c",
            "\x1b[24;80R",
            "\x1b[0n",
        ] {
            assert!(only(report.as_bytes()), "{report:?}");
        }
        for key in [
            "",
            "a",
            "\r",
            "\x1b",
            "\x1b[A",
            "\x1b[1;5C",
            "\x1b[1;2R",
            "\x1b[15~",
            "\x1b[200~text\x1b[201~",
            "\x1b[97;5u",
            "\x1bOM",
            "\x1b[<0;1;1Ma",
            "\x1b[1;5A\x1b[<0;1;1M",
        ] {
            assert!(!only(key.as_bytes()), "{key:?}");
        }
    }
}
