//! Versions of tmux.

/// `3.3a`, `next-3.5`, `openbsd-7.4`: what counts of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second.
    pub minor: u32,
}

/// From this one on a client in control mode need not have a size and is told to pause: both came with 3.2.
pub const ADOPTS: Version = Version { major: 3, minor: 2 };

/// Reads what `tmux -V` prints, or the format `version`. One of OpenBSD's own, which has no number of tmux's, counts as new.
pub fn version(text: &str) -> Option<Version> {
    let text = text.trim();
    let text = text.strip_prefix("tmux ").unwrap_or(text);
    if text.starts_with("openbsd-") || text == "master" {
        return Some(Version { major: u32::MAX, minor: 0 });
    }
    let text = text.strip_prefix("next-").unwrap_or(text);
    let (major, rest) = text.split_once('.')?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(Version { major: major.parse().ok()?, minor: digits.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        let at_least = |text: &str| version(text).map(|version| version >= ADOPTS);
        assert_eq!(at_least("tmux 3.3a\n"), Some(true));
        assert_eq!(at_least("3.2"), Some(true));
        assert_eq!(at_least("tmux 3.1c"), Some(false));
        assert_eq!(at_least("tmux 2.9a"), Some(false));
        assert_eq!(at_least("tmux next-3.6"), Some(true));
        assert_eq!(at_least("tmux master"), Some(true));
        assert_eq!(at_least("tmux openbsd-7.4"), Some(true));
        assert_eq!(at_least("screen"), None);
    }
}
