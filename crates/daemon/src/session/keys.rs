//! Names of keys as bytes for a program, in the encoding of xterm.

/// The bytes of a key. What is no key name is text. `app_cursor` is the terminal's mode 1 (DECCKM).
///
/// Names: `Enter`, `Esc`, `Tab`, `BTab`, `Backspace`, `Space`, `Up`, `Down`, `Left`, `Right`, `Home`, `End`, `PageUp`, `PageDown`,
/// `Insert`, `Delete`, `F1` to `F12`, in any case; before them, or before one character, `C-`, `M-` and `S-`.
pub(crate) fn bytes(key: &str, app_cursor: bool) -> Vec<u8> {
    let (modifiers, name) = modifiers(key);
    if let Some(bytes) = named(name, modifiers, app_cursor) {
        return bytes;
    }
    if modifiers != NONE
        && let Some(bytes) = character(name, modifiers)
    {
        return bytes;
    }
    key.as_bytes().to_vec()
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Modifiers {
    shift: bool,
    alt: bool,
    control: bool,
}

const NONE: Modifiers = Modifiers { shift: false, alt: false, control: false };

fn modifiers(key: &str) -> (Modifiers, &str) {
    let (mut found, mut rest) = (NONE, key);
    loop {
        // `C--` is Control and minus: a prefix needs something after it.
        let (flag, tail) = match rest.split_at_checked(2) {
            Some(("C-" | "c-", tail)) if !tail.is_empty() => (&mut found.control, tail),
            Some(("M-" | "m-", tail)) if !tail.is_empty() => (&mut found.alt, tail),
            Some(("S-" | "s-", tail)) if !tail.is_empty() => (&mut found.shift, tail),
            _ => return (found, rest),
        };
        *flag = true;
        rest = tail;
    }
}

/// xterm's number for a set of modifiers: 1 and 1, 2, 4 for Shift, Alt, Control.
fn parameter(modifiers: Modifiers) -> u8 {
    1 + u8::from(modifiers.shift) + 2 * u8::from(modifiers.alt) + 4 * u8::from(modifiers.control)
}

fn named(name: &str, modifiers: Modifiers, app_cursor: bool) -> Option<Vec<u8>> {
    let plain: &[u8] = match name.to_ascii_lowercase().as_str() {
        "enter" | "return" => b"\r",
        "esc" | "escape" => b"\x1b",
        "tab" if modifiers.shift => b"\x1b[Z",
        "btab" | "backtab" => b"\x1b[Z",
        "tab" => b"\t",
        "backspace" | "bspace" if modifiers.control => b"\x08",
        "backspace" | "bspace" => b"\x7f",
        "space" if modifiers.control => b"\0",
        "space" => b" ",
        lower => return sequence(lower, modifiers, app_cursor),
    };
    let mut bytes = Vec::new();
    if modifiers.alt {
        bytes.push(0x1b);
    }
    bytes.extend_from_slice(plain);
    Some(bytes)
}

/// Keys that are escape sequences: a final letter, or a number and `~`.
fn sequence(name: &str, modifiers: Modifiers, app_cursor: bool) -> Option<Vec<u8>> {
    let parameter = (modifiers != NONE).then(|| parameter(modifiers));
    let letter = match name {
        "up" => b'A',
        "down" => b'B',
        "right" => b'C',
        "left" => b'D',
        "end" => b'F',
        "home" => b'H',
        "f1" => b'P',
        "f2" => b'Q',
        "f3" => b'R',
        "f4" => b'S',
        _ => return numbered(name, parameter),
    };
    let function = matches!(letter, b'P'..=b'S');
    Some(match parameter {
        Some(parameter) => format!("\x1b[1;{parameter}{}", letter as char).into_bytes(),
        None if function || app_cursor => vec![0x1b, b'O', letter],
        None => vec![0x1b, b'[', letter],
    })
}

fn numbered(name: &str, parameter: Option<u8>) -> Option<Vec<u8>> {
    let number = match name {
        "insert" | "ic" => 2,
        "delete" | "dc" => 3,
        "pageup" | "pgup" | "ppage" => 5,
        "pagedown" | "pgdn" | "npage" => 6,
        "f5" => 15,
        "f6" => 17,
        "f7" => 18,
        "f8" => 19,
        "f9" => 20,
        "f10" => 21,
        "f11" => 23,
        "f12" => 24,
        _ => return None,
    };
    Some(match parameter {
        Some(parameter) => format!("\x1b[{number};{parameter}~").into_bytes(),
        None => format!("\x1b[{number}~").into_bytes(),
    })
}

/// One character with modifiers; none where the name is more than that.
fn character(name: &str, modifiers: Modifiers) -> Option<Vec<u8>> {
    let mut characters = name.chars();
    let (Some(c), None) = (characters.next(), characters.next()) else { return None };
    let c = if modifiers.shift { c.to_ascii_uppercase() } else { c };
    let mut bytes = Vec::new();
    if modifiers.alt {
        bytes.push(0x1b);
    }
    if modifiers.control {
        bytes.push(match c.to_ascii_uppercase() {
            c @ '@'..='_' => c as u8 & 0x1f,
            '?' | '8' => 0x7f,
            '2' | ' ' => 0,
            c @ '3'..='7' => c as u8 - b'3' + 0x1b,
            '/' => 0x1f,
            _ => return None,
        });
    } else {
        bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn keys_are_what_xterm_sends() {
        for (key, expected) in [
            ("Enter", "\r"),
            ("esc", "\x1b"),
            ("S-Tab", "\x1b[Z"),
            ("BTab", "\x1b[Z"),
            ("BACKSPACE", "\x7f"),
            ("Space", " "),
            ("C-c", "\x03"),
            ("C-C", "\x03"),
            ("C-[", "\x1b"),
            ("C-Space", "\0"),
            ("C-\\", "\x1c"),
            ("M-x", "\x1bx"),
            ("M-Enter", "\x1b\r"),
            ("Up", "\x1b[A"),
            ("C-Right", "\x1b[1;5C"),
            ("S-F5", "\x1b[15;2~"),
            ("F1", "\x1bOP"),
            ("F12", "\x1b[24~"),
            ("PageUp", "\x1b[5~"),
            ("M-C-a", "\x1b\x01"),
            ("hello", "hello"),
            ("é", "é"),
            ("C-", "C-"),
            ("S-a", "A"),
            ("Control", "Control"),
        ] {
            assert_eq!(bytes(key, false), expected.as_bytes(), "{key}");
        }
        assert_eq!(bytes("Up", true), b"\x1bOA");
        assert_eq!(bytes("F1", true), b"\x1bOP");
        assert_eq!(bytes("C-Up", true), b"\x1b[1;5A");
    }
}
