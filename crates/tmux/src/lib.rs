//! What is said to tmux and heard from it: control mode, the list of panes, and how a pane's picture is drawn anew.
//!
//! Pure: no process is started here and no file is read. Everything that comes from a pane is hostile, its title and its
//! session's name as well: what a program prints can neither begin nor end anything in the conversation with the server
//! ([`control`] says why).

pub mod control;
pub mod paint;
pub mod panes;
pub mod raw;
pub mod target;
pub mod typing;
pub mod version;

/// A pane's number: what follows `%` in its id. Unique for as long as its server lives.
pub type PaneId = u32;

/// Reads `%5`.
pub fn pane_id(text: &str) -> Option<PaneId> {
    let digits = text.strip_prefix('%')?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    #[test]
    fn pane_ids() {
        assert_eq!(super::pane_id("%5"), Some(5));
        for odd in ["", "%", "5", "%-5", "%5 ", "%+5", "%99999999999", "%x"] {
            assert_eq!(super::pane_id(odd), None, "{odd}");
        }
    }
}
