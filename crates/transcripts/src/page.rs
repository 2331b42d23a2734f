//! Some entries of a conversation, as somebody looks at it.

use std::collections::BTreeMap;

use belfry_protocol::transcript::Entry;

use crate::found::{Found, Place};
use crate::out::{Item, PLACES};
use crate::reader::{Budget, ReadError, Reader};

/// Bytes before a place that are looked at first for what is before it; four times as many each time that is not enough.
const WINDOW: u64 = 256 * 1024;
/// Largest file that is read from its beginning where records depend on earlier ones.
const FROM_THE_START: u64 = 32 * 1024 * 1024;

/// Which entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// That one and those after it.
    From(u64),
    /// Those before it.
    Before(u64),
    /// The last ones.
    Last,
}

/// Some entries, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// They.
    pub entries: Vec<Entry>,
    /// There are earlier ones.
    pub earlier: bool,
    /// There are later ones.
    pub later: bool,
}

/// At most so many entries. Costs what is read: to look at the end of a large file, its end.
pub fn page(found: &Found, which: Which, most: usize) -> Result<Page, ReadError> {
    match which {
        Which::From(seq) => forward(found, seq, most),
        Which::Before(seq) => backward(found, Some(seq), most),
        Which::Last => backward(found, None, most),
    }
}

/// Whether a record of it can be read without those before it.
fn by_itself(found: &Found) -> bool {
    let each =
        matches!(found.agent.as_str(), "claude" | "codex") || matches!(found.place, Place::Rows { .. });
    each || found.stamp.bytes > FROM_THE_START
}

fn forward(found: &Found, seq: u64, most: usize) -> Result<Page, ReadError> {
    let mut reader = if by_itself(found) { Reader::open_at(found, seq)? } else { Reader::open(found, None)? };
    let mut entries = BTreeMap::new();
    let mut earlier = by_itself(found) && seq > 0;
    loop {
        let budget = Budget { bytes: 1024 * 1024, entries: most.saturating_add(1) };
        let progress = reader.read(budget, &mut |item| match item {
            Item::Entry(entry) if entry.seq >= seq => {
                entries.insert(entry.seq, entry);
            }
            Item::Entry(_) => earlier = true,
            Item::Used { .. } => {}
        })?;
        if progress.caught_up || entries.len() > most {
            break;
        }
    }
    let later = entries.len() > most;
    Ok(Page { entries: entries.into_values().take(most).collect(), earlier, later })
}

fn backward(found: &Found, end: Option<u64>, most: usize) -> Result<Page, ReadError> {
    let rows = matches!(found.place, Place::Rows { .. });
    let mut window = WINDOW;
    loop {
        // Of a database the numbers are of all its sessions' parts: the whole session is read, of which there is not much.
        let start = if rows || !by_itself(found) {
            0
        } else {
            end.map_or(found.stamp.bytes, |end| end / PLACES).saturating_sub(window)
        };
        let mut reader =
            if start == 0 { Reader::open(found, None)? } else { Reader::open_after(found, start)? };
        let mut entries: BTreeMap<u64, Entry> = BTreeMap::new();
        let (mut earlier, mut later) = (start > 0, false);
        let budget = Budget { bytes: WINDOW, entries: 1000 };
        loop {
            let progress = reader.read(budget, &mut |item| {
                let Item::Entry(entry) = item else { return };
                if end.is_some_and(|end| entry.seq >= end) {
                    later = true;
                    return;
                }
                entries.insert(entry.seq, entry);
                if entries.len() > most {
                    entries.pop_first();
                    earlier = true;
                }
            })?;
            if progress.caught_up || later {
                break;
            }
        }
        if entries.len() >= most || start == 0 {
            return Ok(Page { entries: entries.into_values().collect(), earlier, later });
        }
        window = window.saturating_mul(4);
    }
}
