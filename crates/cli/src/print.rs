//! What commands print: text for people, JSON for programs, and never a control character of somebody else's.

mod age;
mod ask;
mod safe;
mod sheet;
mod style;
mod table;
mod words;

use std::io::{IsTerminal, Write};

use belfry_protocol::Session;

pub(crate) use age::{ago, at, moment, span};
pub(crate) use ask::{choices, describe, label};
pub(crate) use safe::{block, brief, harmless, is_hostile, plain};
pub(crate) use sheet::Sheet;
pub(crate) use style::{Color, Style};
pub(crate) use table::{Table, wrap};
pub(crate) use words::{doing, shape, word};

/// Where a command's output goes, and in which form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    pub json: bool,
    /// Colours: only on a terminal, and not where `NO_COLOR` is set to anything.
    pub style: Style,
}

impl Printer {
    pub(crate) fn new(json: bool) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { json, style: Style { on: std::io::stdout().is_terminal() && !no_color && !dumb } }
    }

    /// Prints a session as JSON, or what `text` makes of it.
    pub(crate) fn session(
        self,
        session: &Session,
        text: impl FnOnce(&Session) -> String,
    ) -> std::io::Result<()> {
        if self.json { value(session) } else { line(&text(session)) }
    }
}

/// The terminal's width in cells; none where the output is no terminal, or does not say.
pub(crate) fn width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width > 0)
}

/// Prints one line.
pub(crate) fn line(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Prints a screen's text: for a program as it is; on a terminal without characters that would reverse or hide a part of it.
/// Where colours are kept, escape sequences are the daemon's own.
pub(crate) fn screen(text: &str, ansi: bool) -> std::io::Result<()> {
    if !std::io::stdout().is_terminal() {
        return line(text);
    }
    let kept = |c: char| !is_hostile(c) || c == '\n' || (ansi && c == '\x1b') || is_joiner(c);
    line(&text.chars().filter(|c| kept(*c)).collect::<String>())
}

/// Joins emoji into one, and letters of some scripts.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Prints a value as JSON: on several lines for a terminal, on one for a program.
pub(crate) fn value<T: serde::Serialize>(value: &T) -> std::io::Result<()> {
    let text = if std::io::stdout().is_terminal() {
        serde_json::to_string_pretty(value)
    } else {
        serde_json::to_string(value)
    };
    line(&harmless(&text.map_err(std::io::Error::other)?))
}

/// Replaces the person's home directory by `~`.
pub(crate) fn short_path(path: &str, home: &str) -> String {
    match path.strip_prefix(home.trim_end_matches('/')) {
        Some("") if !home.is_empty() => "~".to_owned(),
        Some(rest) if !home.is_empty() && rest.starts_with('/') => format!("~{}", plain(rest)),
        _ => plain(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_is_written_short() {
        assert_eq!(short_path("/home/a/src", "/home/a"), "~/src");
        assert_eq!(short_path("/home/a", "/home/a/"), "~");
        assert_eq!(short_path("/home/ab", "/home/a"), "/home/ab");
        assert_eq!(short_path("/x", ""), "/x");
    }
}
