//! Reading files.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::{Budget, Progress, ReadError};
use crate::found::{Found, Stamp};
use crate::json;
use crate::lines::{LONGEST, Line, Lines};
use crate::out::{Item, Out};
use crate::state::{Format, Print, State};

/// Bytes whose fingerprint is kept, of the beginning and before the place that was come to.
const PRINTED: u64 = 256;
/// Largest file of the kind that is read as a whole.
const LARGEST_WHOLE: u64 = 32 * 1024 * 1024;

/// Opens it, if it is a regular file: anything else could wait for ever.
fn open(path: &Path) -> Result<(File, Stamp), ReadError> {
    let gone = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => ReadError::Gone,
        _ => ReadError::Io(error),
    };
    if !fs::metadata(path).map_err(gone)?.is_file() {
        return Err(ReadError::Unreadable);
    }
    let file = File::open(path).map_err(gone)?;
    let stamp = Stamp::of(&file.metadata()?);
    Ok((file, stamp))
}

fn print(file: &mut File, from: u64, length: u64) -> Result<Print, ReadError> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(Print::of(&bytes))
}

/// Where the line begins that a place is in. Of a line that is longer than any which is read, the place itself.
pub(super) fn line_around(path: &Path, offset: u64) -> Result<u64, ReadError> {
    const PIECE: u64 = 64 * 1024;
    let (mut file, stamp) = open(path)?;
    let mut end = offset.min(stamp.bytes);
    let mut bytes = Vec::new();
    while end > 0 && offset - end <= LONGEST as u64 {
        let start = end.saturating_sub(PIECE);
        bytes.clear();
        file.seek(SeekFrom::Start(start))?;
        (&mut file).take(end - start).read_to_end(&mut bytes)?;
        if let Some(at) = memchr::memrchr(b'\n', &bytes) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(if end == 0 { 0 } else { offset })
}

/// Where the first line begins at or after a place; the file's end where none does.
pub(super) fn next_line(path: &Path, offset: u64) -> Result<u64, ReadError> {
    let Some(before) = offset.checked_sub(1) else { return Ok(0) };
    let (mut file, stamp) = open(path)?;
    file.seek(SeekFrom::Start(before))?;
    let mut lines = Lines::new(file, before);
    let ended = matches!(lines.next()?, Line::Whole(_) | Line::TooLong(..));
    Ok(if ended { lines.offset() } else { stamp.bytes })
}

/// Whether the file is the one that was read, and has only been added to.
pub(super) fn goes_on(path: &Path, state: &State) -> Result<bool, ReadError> {
    let (mut file, now) = open(path)?;
    if is_whole(path) {
        return Ok(now == state.stamp);
    }
    if now.bytes < state.offset {
        return Ok(false);
    }
    if now == state.stamp {
        return Ok(true);
    }
    // Another number alone means little: on some network disks it changes.
    Ok(print(&mut file, 0, state.first.length)? == state.first
        && print(&mut file, state.offset - state.last.length, state.last.length)? == state.last)
}

fn is_whole(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "json")
}

pub(super) fn read(
    path: &Path,
    found: &Found,
    state: &mut State,
    budget: Budget,
    each: &mut dyn FnMut(Item),
) -> Result<Progress, ReadError> {
    let (mut file, stamp) = open(path)?;
    if is_whole(path) {
        return whole(file, stamp, found, state, each);
    }
    let from = state.offset;
    file.seek(SeekFrom::Start(from))?;
    let mut lines = Lines::new(&mut file, from);
    let mut out = Out::new(&mut state.summary, each, found.subagent.as_deref());
    let format = &mut state.format;
    let caught_up = loop {
        if lines.offset() - from >= budget.bytes || out.entries >= budget.entries {
            break false;
        }
        let at = lines.offset();
        match lines.next()? {
            Line::End => break true,
            Line::Whole(line) => record(format, at, line, found, &mut out),
            Line::TooLong(head, length) => {
                out.record(at);
                let head = String::from_utf8_lossy(head);
                out.unread(&format!(
                    "a record of {} MB: {}…",
                    length / 1_000_000,
                    crate::clean::upto(&head, 60)
                ));
            }
            Line::Unfinished(line) => {
                // Some files have no end of line after the last one. A whole object is no half of anything.
                let whole = matches!(format, Format::Claude(_) | Format::Codex(_) | Format::Gemini(_))
                    && line.trim_ascii_end().ends_with(b"}")
                    && json::parse(line).is_some();
                if whole {
                    record(format, at, line, found, &mut out);
                    state.offset = at + line.len() as u64;
                }
                break true;
            }
        }
    };
    match format {
        Format::Aider(aider) => aider.pause(&mut out),
        Format::Codex(codex) => codex.pause(&mut out),
        _ => {}
    }
    let entries = out.entries;
    state.offset = state.offset.max(lines.offset());
    // Of a file that changes meanwhile an older time is kept, so that it is looked at again.
    state.stamp = stamp;
    let printed = PRINTED.min(state.offset);
    state.first = print(&mut file, 0, printed)?;
    state.last = print(&mut file, state.offset - printed, printed)?;
    Ok(Progress { caught_up, bytes: state.offset - from, entries })
}

fn record(format: &mut Format, at: u64, line: &[u8], found: &Found, out: &mut Out<'_>) {
    if line.iter().all(u8::is_ascii_whitespace) && !matches!(format, Format::Aider(_)) {
        return;
    }
    out.record(at);
    match format {
        Format::Claude(claude) => claude.line(line, &found.id, out),
        Format::Codex(codex) => codex.line(line, &found.id, out),
        Format::Gemini(gemini) => gemini.line(at, line, out),
        Format::Aider(aider) => aider.line(at, line, out),
        Format::OpenCode(_) => {}
    }
}

/// A file that is one object. It is read at once or not at all.
fn whole(
    file: File,
    stamp: Stamp,
    found: &Found,
    state: &mut State,
    each: &mut dyn FnMut(Item),
) -> Result<Progress, ReadError> {
    let done = |bytes, entries| Progress { caught_up: true, bytes, entries };
    if state.stamp == stamp {
        return Ok(done(0, 0));
    }
    let mut out = Out::new(&mut state.summary, each, found.subagent.as_deref());
    out.record(0);
    let mut bytes = Vec::new();
    if stamp.bytes <= LARGEST_WHOLE {
        file.take(LARGEST_WHOLE).read_to_end(&mut bytes)?;
    }
    match (json::parse(&bytes), &mut state.format) {
        (Some(value), Format::Gemini(gemini)) => gemini.whole(&value, &mut out),
        _ => out.unread("a file that could not be read"),
    }
    let entries = out.entries;
    state.stamp = stamp;
    Ok(done(bytes.len() as u64, entries))
}
