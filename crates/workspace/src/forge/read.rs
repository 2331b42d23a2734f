//! Reading what a forge says: any field can be missing, of another type, or an attack.

use belfry_protocol::pull_request::FailedCheck;
use jiff::Timestamp;
use serde_json::Value;

use super::Forge;

/// Most failed checks that are told.
const MOST_FAILED: usize = 50;

/// One line without control characters and without characters that turn the direction of text, cut to so many.
pub(super) fn line(text: &str, most: usize) -> String {
    let plain = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !hostile(*c));
    plain.take(most).collect::<String>().trim().to_owned()
}

/// The same with its lines.
pub(super) fn block(text: &str, most: usize) -> String {
    let text = text.replace("\r\n", "\n");
    let kept = text.chars().filter(|c| matches!(c, '\n' | '\t') || !hostile(*c));
    kept.take(most).collect::<String>().trim().to_owned()
}

fn hostile(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A page of the forge's own.
pub(super) fn own_page(forge: &Forge, url: &Value) -> Option<String> {
    let url = url.as_str()?;
    let rest = url.strip_prefix("https://")?.strip_prefix(forge.host.as_str())?;
    (rest.starts_with('/') && is_plain(url)).then(|| url.to_owned())
}

/// Any page.
pub(super) fn page(url: &Value) -> Option<String> {
    let url = url.as_str().filter(|url| url.starts_with("https://") || url.starts_with("http://"))?;
    is_plain(url).then(|| url.to_owned())
}

fn is_plain(url: &str) -> bool {
    url.len() <= 2048 && url.chars().all(|c| c.is_ascii_graphic())
}

/// A name of a branch.
pub(super) fn branch(value: &Value) -> Option<String> {
    let name = value.as_str()?;
    (!name.is_empty() && !name.starts_with('-') && !name.contains(char::is_control)).then(|| line(name, 250))
}

pub(super) fn date(value: &Value) -> Option<Timestamp> {
    value.as_str()?.parse().ok()
}

/// What came of checks.
#[derive(Debug, Default)]
pub(super) struct Checks {
    pub(super) passed: u32,
    pub(super) pending: u32,
    pub(super) failed: Vec<FailedCheck>,
}

impl Checks {
    pub(super) fn fails(&mut self, name: &str, url: &Value) {
        if self.failed.len() < MOST_FAILED {
            self.failed.push(FailedCheck { name: line(name, 200), url: page(url) });
        }
    }
}
