//! The arbiter's own time, which never goes backwards.

use std::cell::Cell;

/// A step backwards beyond this is another clock and no late observation, in milliseconds.
const ANOTHER_CLOCK: u64 = 60_000;

/// Later than any time: none is believed that lies beyond, so that sums of times never overflow.
const LATEST: u64 = u64::MAX / 4;

/// From the caller's clock to one that never goes backwards.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    /// What is added to the caller's time. It changes where the caller's clock was set back.
    ahead: u64,
    last: u64,
}

impl Clock {
    /// The time at which something is observed.
    pub(crate) fn tick(&mut self, now: u64) -> u64 {
        let now = now.min(LATEST);
        if now + self.ahead + ANOTHER_CLOCK < self.last {
            self.ahead = self.last - now;
        }
        self.last = self.read(now);
        self.last
    }

    /// The same without taking note of it.
    pub(crate) fn read(&self, now: u64) -> u64 {
        (now.min(LATEST) + self.ahead).clamp(self.last, LATEST)
    }

    /// When something was that is dated.
    pub(crate) fn dated(&self, at: u64, now: u64) -> u64 {
        (at.min(LATEST) + self.ahead).min(now)
    }
}

/// A moment for which is decided. It notes the next one at which a comparison made here would come out otherwise, so that
/// the caller knows when to ask again.
#[derive(Debug)]
pub(crate) struct Moment {
    pub(crate) now: u64,
    next: Cell<Option<u64>>,
}

impl Moment {
    pub(crate) fn new(now: u64) -> Self {
        Self { now, next: Cell::new(None) }
    }

    /// Whether that time has come.
    pub(crate) fn reached(&self, time: u64) -> bool {
        if time > self.now {
            self.next.set(Some(self.next.get().map_or(time, |next| next.min(time))));
        }
        time <= self.now
    }

    /// The first time that was compared with and has not come.
    pub(crate) fn next(&self) -> Option<u64> {
        self.next.get()
    }
}
