//! Shared by the tests of this crate: a seeded source of chance, streams of terminal output, and xterm.js as a reference.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

pub mod chance;
pub mod stream;
pub mod xterm;

use std::fmt::Write;

use belfry_terminal::{Fed, Terminal};

/// Feeds all of `bytes` in pieces of random length; `each` sees what every piece gave.
pub fn feed_in_pieces(
    terminal: &mut Terminal,
    bytes: &[u8],
    chance: &mut chance::Chance,
    mut each: impl FnMut(&Fed<'_>),
) {
    let mut at = 0;
    while at < bytes.len() {
        let longest = if chance.one_in(3) { 4 } else { 400 };
        let end = (at + 1 + chance.below(longest)).min(bytes.len());
        let offset = terminal.offset();
        each(&terminal.feed(&bytes[at..end], offset));
        at = end;
    }
}

/// The picture without the rows that only one side still has as cells: as many rows above the screen as `rows`.
pub fn with_rows_above(picture: &str, rows: usize) -> String {
    let primary: Vec<&str> = picture.lines().filter(|line| line.starts_with('P')).collect();
    let surplus = primary.len().saturating_sub(rows);
    let mut dropped = 0;
    picture
        .lines()
        .filter(|line| {
            let drop = line.starts_with('P') && dropped < surplus;
            dropped += usize::from(drop);
            !drop
        })
        .fold(String::new(), |text, line| text + line + "\n")
}

/// Number of primary rows in a picture.
pub fn primary_rows(picture: &str) -> usize {
    picture.lines().filter(|line| line.starts_with('P')).count()
}

/// As [`same`], where xterm.js is known to keep other records: a link is forgotten there with its first row, and a saved
/// position moves with the text (which views correct when it is restored).
pub fn same_as_xterm(what: &str, ours: &str, theirs: &str) -> Result<(), String> {
    let forgotten = theirs.contains("@\u{2}") || theirs.lines().any(|line| line.ends_with('@'));
    let strip = |line: &str| {
        if !forgotten {
            return line.to_owned();
        }
        let mut parts = line.split('@');
        let first = parts.next().unwrap_or("").to_owned();
        let plain = parts.fold(first, |text, part| text + part.find('\u{2}').map_or("", |at| &part[at..]));
        // Without links, some runs of equal cells are one.
        let mut last = "-/-/";
        plain.split('\u{1}').enumerate().fold(String::new(), |text, (at, run)| {
            match run.split_once('\u{2}') {
                Some((attributes, cells)) if at > 0 && attributes == last => text + cells,
                Some((attributes, cells)) if at > 0 => {
                    last = attributes;
                    text + "\u{1}" + attributes + "\u{2}" + cells
                }
                _ => text + run,
            }
        })
    };
    let mask = |line: &str, known: &str| {
        let Some((head, saved)) = known.split_once(" saved ") else { return strip(line) };
        let Some((_, mine)) = line.split_once(" saved ") else { return strip(line) };
        match (saved.starts_with('-'), saved.split(' ').nth(1)) {
            (true, _) => format!("{head} saved -"),
            (_, Some(y)) if y.ends_with('*') => {
                let mut parts: Vec<&str> = mine.splitn(3, ' ').collect();
                parts[1] = y;
                strip(&format!(
                    "{} saved {}",
                    line.split_once(" saved ").map_or("", |p| p.0),
                    parts.join(" ")
                ))
            }
            _ => strip(line),
        }
    };
    let (ours, theirs) = (without_first_wraps(ours), without_first_wraps(theirs));
    let known: Vec<&str> = ours.lines().collect();
    let ours: String = ours.lines().map(|line| strip(line) + "\n").collect();
    let theirs: String = theirs
        .lines()
        .enumerate()
        .map(|(at, line)| mask(line, known.get(at).unwrap_or(&"")) + "\n")
        .collect();
    same(what, &ours, &theirs)
}

/// As [`same`], for two terminals of this crate: how far text has scrolled since the cursor was saved makes no difference.
pub fn same_state(what: &str, ours: &str, theirs: &str) -> Result<(), String> {
    let (ours, theirs) = (without_first_wraps(ours), without_first_wraps(theirs));
    same(what, &ours.replace("* ", " "), &theirs.replace("* ", " "))
}

/// Whether the first row of a screen continues one that is gone: a snapshot cannot say so, and the row may move later.
pub fn starts_with_a_continuation(picture: &str) -> bool {
    let first = |mark: char| {
        picture.lines().find(|line| line.starts_with(mark)).is_some_and(|l| l[1..].starts_with('~'))
    };
    first('P') || first('A')
}

/// A picture that does not tell which rows continue others.
pub fn without_wraps(picture: &str) -> String {
    picture.lines().fold(String::new(), |mut text, line| {
        let _ = match line
            .strip_prefix("P~")
            .map(|l| ('P', l))
            .or_else(|| line.strip_prefix("A~").map(|l| ('A', l)))
        {
            Some((mark, rest)) => writeln!(text, "{mark} {rest}"),
            None => writeln!(text, "{line}"),
        };
        text
    })
}

/// That the first row continues one that is gone shows nowhere, and no sequence can say it.
fn without_first_wraps(picture: &str) -> String {
    let mut last = ' ';
    let mut out = String::new();
    for line in picture.lines() {
        let mark = line.chars().next().unwrap_or(' ');
        if matches!(mark, 'P' | 'A') && mark != last && line[1..].starts_with('~') {
            let _ = writeln!(out, "{mark} {}", &line[2..]);
        } else {
            let _ = writeln!(out, "{line}");
        }
        last = mark;
    }
    out
}

/// Compares two pictures line by line and says where they differ.
pub fn same(what: &str, ours: &str, theirs: &str) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    let mut report = format!("{what}:\n");
    let (a, b): (Vec<_>, Vec<_>) = (ours.lines().collect(), theirs.lines().collect());
    let mut shown = 0;
    for at in 0..a.len().max(b.len()) {
        let (x, y) = (a.get(at).copied().unwrap_or("<none>"), b.get(at).copied().unwrap_or("<none>"));
        if x != y && shown < 6 {
            let _ = writeln!(
                report,
                "  line {at}\n    ours   {}\n    theirs {}",
                x.escape_debug(),
                y.escape_debug()
            );
            shown += 1;
        }
    }
    Err(report)
}
