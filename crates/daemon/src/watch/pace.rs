//! When the screen is looked at, and when what is seen is worth reading.

use super::copy::Change;

/// Without output for so long, what was drawn is whole. Agents write a frame in one piece or a few at once; milliseconds.
const CALM: u64 = 30;

/// While output goes on, the screen is looked at this long after its first change at the latest. Milliseconds.
const LATEST: u64 = 100;

/// A frame that is begun (mode 2026) is waited for this long. Agents' frames take a few milliseconds; terminals give up after
/// one second as well.
const FRAME: u64 = 1000;

/// Where only numbers and signs move, the screen is read this seldom, in milliseconds.
const SELDOM: u64 = 1000;

/// Least time between two readings that say the same, in milliseconds: text that streams in changes words many times a
/// second, and means one thing.
const APART: u64 = 100;

/// Without output for so long, whatever moved stands still: the slowest spinner of the five agents turns every 125 ms.
/// Milliseconds.
const QUIET: u64 = 150;

/// The times of looks and readings of one session, in milliseconds of the caller's clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    /// First output since the last look.
    since: Option<u64>,
    /// Last output.
    last: u64,
    /// A frame is being drawn.
    drawing: bool,
    /// Changes that were looked at and not read: when they are.
    unread: Option<u64>,
    /// When the screen was last read.
    read: Option<u64>,
    /// The last reading said the same as the one before.
    same: bool,
    /// The last reading was of a screen that may have been half drawn.
    unsettled: bool,
}

impl Pace {
    /// Something was printed. Whether the screen is to be looked at now: a frame has just been finished.
    pub(super) fn printed(&mut self, now: u64, drawing: bool, frame_ended: bool) -> bool {
        self.since.get_or_insert(now);
        (self.last, self.drawing) = (now, drawing);
        frame_ended && !drawing
    }

    /// When to look, or to read what was looked at; none while there is nothing to see.
    pub(super) fn due(&self) -> Option<u64> {
        if let Some(since) = self.since {
            let calm = (self.last + CALM).min(since + LATEST);
            return Some(if self.drawing { since + FRAME } else { calm });
        }
        // What is put off because it is restless is read once it stands still.
        let unread = self.unread.map(|at| at.min(self.last + QUIET));
        let settle = self.unsettled.then_some(self.last + CALM);
        [unread, settle].into_iter().flatten().min()
    }

    /// It is looked at. Whether what is seen is whole.
    pub(super) fn look(&mut self, now: u64, frame_ended: bool) -> bool {
        self.since = None;
        !self.drawing && (frame_ended || now >= self.last + CALM)
    }

    /// Whether to read what was seen now.
    pub(super) fn reads(&mut self, change: Change, settled: bool, now: u64) -> bool {
        let apart = self.read.map_or(0, |read| if self.same { read + APART } else { 0 });
        let seldom = self.read.map_or(0, |read| read + SELDOM);
        let still = self.since.is_none() && now >= self.last + QUIET;
        let wanted = match change {
            Change::Words => Some(apart),
            Change::Restless => Some(seldom),
            Change::None => None,
        };
        let wanted = match (wanted, self.unread) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        let resolves = self.unsettled && settled;
        match wanted {
            Some(at) if at <= now || still || resolves => true,
            Some(at) => {
                self.unread = Some(at);
                false
            }
            None => resolves,
        }
    }

    /// It was read; `same` is whether it says what it said before.
    pub(super) fn has_read(&mut self, now: u64, settled: bool, same: bool) {
        self.read = Some(now);
        (self.unread, self.same, self.unsettled) = (None, same, !settled);
    }
}
