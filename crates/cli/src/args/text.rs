//! Texts that are given: what is empty, or longer than it can be kept, is said to be so before anything is done.

/// Longest name of a session, project or group, in characters: the daemon's own limit.
const LONGEST_NAME: usize = 200;

/// A text with something in it.
pub(super) fn said(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("it is empty".to_owned()) } else { Ok(text.to_owned()) }
}

/// A name.
pub(super) fn name(text: &str) -> Result<String, String> {
    match text.chars().count() {
        count if count > LONGEST_NAME => {
            Err(format!("a name has {LONGEST_NAME} characters at the most, and this one has {count}"))
        }
        _ if text.trim().is_empty() => Err("a name has at least one visible character".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// A directory.
pub(super) fn directory(text: &str) -> Result<std::path::PathBuf, String> {
    said(text).map(Into::into)
}

/// A number of lines.
pub(super) fn lines(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "it is a whole number of lines, such as 200".to_owned())
}

/// A port.
pub(super) fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "it is a number from 0 to 65535".to_owned())
}
