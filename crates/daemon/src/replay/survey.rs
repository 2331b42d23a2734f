//! How long a recording is, and what is where in it.

use std::ops::ControlFlow;

use belfry_journal::{JournalError, Reader, Stamp, What};
use belfry_protocol::recording::{BETWEEN_RUNS, Mark, MarkKind, PARTS, RecordedRun, Recording};
use jiff::Timestamp;

use super::Journals;

/// Something that can be gone to, by the clock on the wall.
pub(super) struct Moment {
    /// Microseconds since 1970.
    pub(super) wall: u64,
    pub(super) kind: MarkKind,
    pub(super) text: String,
}

/// The clock of one run within a recording.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    /// Where the run begins, in milliseconds.
    from: u64,
    /// The monotonic time of its first entry.
    first: Option<u64>,
    /// The newest time told.
    at: u64,
}

impl Clock {
    /// Of a run that begins there, in milliseconds.
    pub(super) fn new(from: u64) -> Self {
        Self { from, first: None, at: from }
    }

    /// Where that is; never before what was told last.
    pub(super) fn at(&mut self, stamp: Stamp) -> u64 {
        // Stamps of a size that was in force before the first record are 0.
        if stamp.mono != 0 {
            let first = *self.first.get_or_insert(stamp.mono);
            self.at = self.at.max(self.from + stamp.mono.saturating_sub(first) / 1000);
        }
        self.at
    }
}

/// Reads all of it once. `moments` are in order. Blocks.
pub(super) fn survey(journals: &Journals, moments: Vec<Moment>) -> Result<Recording, JournalError> {
    let mut recording = Recording::default();
    let mut moments = moments.into_iter().peekable();
    // Bytes by the second: days of output are a few megabytes at most.
    let mut seconds: Vec<(u64, u64)> = Vec::new();
    for (run, journal) in journals {
        let mut reader = match Reader::open(journal) {
            Ok(reader) => reader,
            Err(JournalError::Missing { .. }) => continue,
            Err(error) => return Err(error),
        };
        let from = if recording.runs.is_empty() { 0 } else { recording.length + BETWEEN_RUNS };
        let mut clock = Clock::new(from);
        let mut began = None;
        let mut entries = 0_u64;
        reader.for_each(|entry| {
            let at = clock.at(entry.stamp);
            entries += 1;
            if entry.stamp.wall != 0 {
                began.get_or_insert(entry.stamp.wall);
                while let Some(moment) = moments.next_if(|moment| moment.wall <= entry.stamp.wall) {
                    // What happened while the session was dead belongs to the run that follows.
                    recording.marks.push(Mark { at, kind: moment.kind, text: moment.text });
                }
            }
            match entry.what {
                What::Output(bytes) => {
                    recording.bytes += bytes.len() as u64;
                    match seconds.last_mut() {
                        Some((second, count)) if *second == at / 1000 => *count += bytes.len() as u64,
                        _ => seconds.push((at / 1000, bytes.len() as u64)),
                    }
                }
                What::Resize { cols, rows } => {
                    recording.cols = recording.cols.max(cols);
                    recording.rows = recording.rows.max(rows);
                }
                What::Gap(gap) => {
                    recording.gaps = true;
                    recording.cols = recording.cols.max(gap.size.0);
                    recording.rows = recording.rows.max(gap.size.1);
                }
                What::Input { .. } | What::Exit(_) => {}
            }
            ControlFlow::Continue(())
        })?;
        if entries == 0 {
            continue;
        }
        let wall = began.and_then(|wall| Timestamp::from_microsecond(i64::try_from(wall).ok()?).ok());
        recording.length = clock.at;
        recording.runs.push(RecordedRun { run: *run, from, to: clock.at, began: wall.unwrap_or_default() });
        recording.marks.push(Mark { at: from, kind: MarkKind::Run, text: String::new() });
    }
    let end = recording.length;
    recording.marks.extend(moments.map(|moment| Mark { at: end, kind: moment.kind, text: moment.text }));
    recording.marks.sort_by_key(|mark| (mark.at, mark.kind != MarkKind::Run));
    if recording.bytes > 0 {
        recording.activity = vec![0; PARTS];
        for (second, bytes) in seconds {
            let part = (second * 1000).saturating_mul(PARTS as u64) / (end + 1).max(1);
            let part = usize::try_from(part).unwrap_or(0).min(PARTS - 1);
            recording.activity[part] += bytes;
        }
    }
    if recording.runs.is_empty() {
        recording.marks.clear();
    }
    Ok(recording)
}
