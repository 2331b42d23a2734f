//! The key that detaches, in every form in which terminals send it.

use std::str::FromStr;

/// A control key, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DetachKey(Option<char>);

impl FromStr for DetachKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Self(None));
        }
        let rest =
            text.strip_prefix("C-").or_else(|| text.strip_prefix("c-")).or_else(|| text.strip_prefix('^'));
        let mut chars = rest.unwrap_or_default().chars();
        match (chars.next().map(|c| c.to_ascii_lowercase()), chars.next()) {
            // C-[ is Escape, C-i Tab, C-j and C-m Enter: as detach keys they would take those away.
            (Some('i' | 'j' | 'm' | '['), None) => Err(format!("{text} is also Escape, Tab or Enter")),
            (Some(c @ ('a'..='z' | '\\' | ']' | '^' | '_' | '@')), None) => Ok(Self(Some(c))),
            _ => Err("write it as C-\\, C-], C-a … or none".to_owned()),
        }
    }
}

impl DetachKey {
    /// No key detaches.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// As it is written elsewhere; none where there is no key.
    pub(super) fn name(self) -> Option<String> {
        self.0.map(|key| format!("C-{key}"))
    }

    /// Whether this control byte is the key as every terminal sends it by default.
    pub(super) fn is_byte(self, byte: u8) -> bool {
        self.0.is_some_and(|key| key.to_ascii_uppercase() as u8 & 0x1f == byte)
    }

    /// Whether a control sequence is the key: `parameters` and `last` of `CSI parameters last`. Programs can switch
    /// terminals to the kitty protocol (`CSI 92;5u`) or xterm's modifyOtherKeys (`CSI 27;5;92~`).
    pub(super) fn is_sequence(self, parameters: &[u8], last: u8) -> bool {
        let (Some(key), Ok(parameters)) = (self.0, std::str::from_utf8(parameters)) else { return false };
        let fields: Vec<&str> = parameters.split(';').collect();
        let (code, modifiers) = match (last, fields.as_slice()) {
            (b'u', [code, modifiers, ..]) | (b'~', ["27", modifiers, code]) => (*code, *modifiers),
            _ => return false,
        };
        let number = |text: &str| text.split(':').next().and_then(|first| first.parse::<u32>().ok());
        let released = modifiers.split(':').nth(1) == Some("3");
        // Modifiers are sent plus one; 64 and 128 are the lock keys, 4 is Control.
        let only_control = number(modifiers).is_some_and(|sent| sent.wrapping_sub(1) & !(64 | 128) == 4);
        only_control && !released && number(code) == Some(u32::from(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> DetachKey {
        text.parse().unwrap()
    }

    #[test]
    fn keys_are_written_as_elsewhere() {
        assert!(key("C-\\").is_byte(0x1c));
        assert!(key("^]").is_byte(0x1d));
        assert!(key("c-A").is_byte(1));
        assert!(key("C-@").is_byte(0));
        assert_eq!((key("^A").name().as_deref(), key("none").name()), (Some("C-a"), None));
        assert!((0..=255).all(|byte| !key("none").is_byte(byte)));
        for wrong in ["", "C-", "x", "C-ab", "C-m", "C-[", "C-é"] {
            assert!(wrong.parse::<DetachKey>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn extended_forms_are_known() {
        let key = key("C-\\");
        for (parameters, last) in
            [("92;5", b'u'), ("92;5:1", b'u'), ("92;69", b'u'), ("27;5;92", b'~'), ("92::124;133:2", b'u')]
        {
            assert!(key.is_sequence(parameters.as_bytes(), last), "{parameters}");
        }
        for (parameters, last) in
            [("92;5:3", b'u'), ("92;6", b'u'), ("92", b'u'), ("27;5;93", b'~'), ("92;0", b'u'), ("", b'u')]
        {
            assert!(!key.is_sequence(parameters.as_bytes(), last), "{parameters}");
        }
    }
}
