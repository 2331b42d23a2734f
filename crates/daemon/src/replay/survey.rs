//! How long a recording is, and what is where in it.

use std::ops::ControlFlow;

use belfry_journal::{Gap, GapReason, JournalError, Reader, Stamp, What};
use belfry_protocol::recording::{
    BETWEEN_RUNS, Hole, HoleReason, Mark, MarkKind, PARTS, RecordedRun, RecordedSize, Recording, WallClock,
};
use jiff::Timestamp;

use super::Journals;

/// Most sizes, holes and jumps of the clock that are told, each.
const MOST: usize = 500;

/// A size that another one follows within so many milliseconds was only passed through, as when a window is dragged.
const PASSING: u64 = 1000;

/// The wall's clock jumped where it is off by more than so many milliseconds: less is lost between two looks at it.
const JUMP: u64 = 1000;

/// Something that can be gone to, by the clock on the wall.
pub(super) struct Moment {
    /// Microseconds since 1970.
    pub(super) wall: u64,
    pub(super) kind: MarkKind,
    pub(super) text: String,
}

/// What there is, and each run's clock at its beginning.
pub(super) struct Surveyed {
    pub(super) recording: Recording,
    pub(super) clocks: Vec<Clock>,
}

/// The clock of one run within a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
pub(super) fn survey(journals: &Journals, moments: Vec<Moment>) -> Result<Surveyed, JournalError> {
    let mut recording = Recording::default();
    let mut clocks = Vec::new();
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
                note_clock(&mut recording.clocks, from, at, entry.stamp.wall / 1000);
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
                    note_size(&mut recording.sizes, at, (cols, rows));
                }
                What::Gap(gap) => {
                    recording.gaps = true;
                    if recording.holes.len() < MOST {
                        recording.holes.push(hole(at, gap));
                    }
                    note_size(&mut recording.sizes, at, gap.size);
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
        clocks.push(Clock { at: from, ..clock });
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
    Ok(Surveyed { recording, clocks })
}

fn hole(at: u64, gap: Gap) -> Hole {
    let why = match gap.reason {
        GapReason::Dropped => HoleReason::Dropped,
        GapReason::DiskFull => HoleReason::DiskFull,
        GapReason::Damaged => HoleReason::Damaged,
    };
    Hole { at, bytes: gap.to.saturating_sub(gap.from), why }
}

fn note_size(sizes: &mut Vec<RecordedSize>, at: u64, (cols, rows): (u16, u16)) {
    let same = |last: &RecordedSize| (last.cols, last.rows) == (cols, rows);
    if sizes.last().is_some_and(same) || cols == 0 || rows == 0 {
        return;
    }
    let at = sizes.pop_if(|last| at < last.at + PASSING).map_or(at, |last| last.at);
    // What was dragged away and back has not changed.
    if !sizes.last().is_some_and(same) && sizes.len() < MOST {
        sizes.push(RecordedSize { at, cols, rows });
    }
}

/// `from` is where the run begins; `wall` is in milliseconds.
fn note_clock(clocks: &mut Vec<WallClock>, from: u64, at: u64, wall: u64) {
    let known = clocks.last().filter(|last| last.at >= from);
    let off = known.map(|last| (last.wall + (at - last.at)).abs_diff(wall));
    if off.is_none_or(|off| off > JUMP) && clocks.len() < MOST {
        clocks.push(WallClock { at, wall });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_are_passed_through_are_not_told() {
        let mut sizes = Vec::new();
        for (at, cols) in [(0, 80), (0, 80), (5000, 90), (5100, 95), (5300, 100), (9000, 110), (9100, 100)] {
            note_size(&mut sizes, at, (cols, 24));
        }
        let told: Vec<_> = sizes.iter().map(|size| (size.at, size.cols)).collect();
        assert_eq!(told, [(0, 80), (5000, 100)]);
    }

    #[test]
    fn the_clock_is_told_at_each_run_and_where_it_jumps() {
        let mut clocks = Vec::new();
        // It slept for an hour between the third and the fourth.
        for (at, wall) in [(0, 50_000), (10, 50_010), (4000, 54_900), (4100, 3_654_900), (9000, 3_659_800)] {
            note_clock(&mut clocks, 0, at, wall);
        }
        note_clock(&mut clocks, 10_000, 10_000, 3_660_800);
        let told: Vec<_> = clocks.iter().map(|clock| (clock.at, clock.wall)).collect();
        assert_eq!(told, [(0, 50_000), (4100, 3_654_900), (10_000, 3_660_800)]);
    }
}
