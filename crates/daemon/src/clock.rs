//! The daemon's clock: a steady one for judging, and the wall's for records.

use jiff::Timestamp;
use tokio::time::{Duration, Instant};

/// Milliseconds since the daemon's start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { start: Instant::now() }
    }

    /// Now. It begins at a day, so that a moment shortly before the start can be written.
    pub(crate) fn now(self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX) + OFFSET
    }

    /// The instant of a moment, to sleep until.
    pub(crate) fn instant(self, at: u64) -> Instant {
        self.start + Duration::from_millis(at.saturating_sub(OFFSET))
    }
}

const OFFSET: u64 = 86_400_000;

/// The wall's time, cut to milliseconds: what SQLite and people keep.
pub(crate) fn wall() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
}

/// Milliseconds since then, 0 where the clock has been turned back.
pub(crate) fn since(then: Timestamp) -> u64 {
    u64::try_from(wall().duration_since(then).as_millis()).unwrap_or(0)
}

/// A record's stamp: microseconds since 1970.
pub(crate) fn from_micros(micros: u64) -> Timestamp {
    i64::try_from(micros / 1000)
        .ok()
        .and_then(|millis| Timestamp::from_millisecond(millis).ok())
        .unwrap_or_else(wall)
}

/// Microseconds of the machine's monotonic clock, as a keeper stamps its records.
pub(crate) fn monotonic_micros() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    seconds * 1_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0) / 1000
}
