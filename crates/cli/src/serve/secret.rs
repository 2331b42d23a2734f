//! Secrets that a peer must show.

use std::fmt::Write;

use subtle::ConstantTimeEq;

/// 256 random bits, written in hexadecimal.
#[derive(Clone)]
pub(super) struct Secret(String);

impl Secret {
    pub(super) fn new() -> std::io::Result<Self> {
        let mut bits = [0u8; 32];
        getrandom::fill(&mut bits).map_err(std::io::Error::other)?;
        let mut text = String::with_capacity(64);
        for byte in bits {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// In a time that does not tell how much of it is right.
    pub(super) fn is(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}
