//! Whether a program's output looks like work.

/// Output this soon after typing is an echo of it, in milliseconds. Agents redraw their composer within two frames of 50
/// ms; a slow machine needs some more.
const ECHO: u64 = 300;

/// The same while it works: its spinner goes on while somebody types, so that only what comes within two frames of a key is
/// held for the key's. Milliseconds.
const ECHO_AT_WORK: u64 = 100;

/// Two outputs at least this far apart, and no further than [`TOGETHER`], are work; one alone may be a late redraw (a hint
/// that goes away). Milliseconds.
const APART: u64 = 80;

/// See [`APART`]. Every agent measured redraws its spinner at least once a second while it works.
const TOGETHER: u64 = 1500;

/// One burst of this many bytes is work by itself: no redraw of an idle agent came near it (6 KB was seen once, within 2 s
/// after a turn).
const BURST: usize = 8 * 1024;

/// Silence after which work is over, in milliseconds.
pub(crate) const QUIET: u64 = 2000;

/// What is remembered of the output.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output {
    /// Last output of any kind.
    pub(crate) last: Option<u64>,
    /// Last output that counts as work.
    pub(crate) worked: Option<u64>,
    touched: Option<u64>,
    /// First output of the present series that is no echo.
    series: Option<u64>,
    series_bytes: usize,
}

impl Output {
    pub(crate) fn touched(&mut self, now: u64) {
        self.touched = Some(now);
    }

    /// Enter: the next output is looked at anew.
    pub(crate) fn submitted(&mut self) {
        self.series = None;
        self.series_bytes = 0;
    }

    pub(crate) fn printed(&mut self, bytes: usize, now: u64) {
        let before = self.last.replace(now);
        let since_touch = self.touched.map(|touched| now.saturating_sub(touched));
        // Work is over in silence alone: a spinner on a loaded machine keeps no rhythm.
        if self.busy(now).is_some() && since_touch.is_none_or(|since| since > ECHO_AT_WORK) {
            self.worked = Some(now);
        }
        if since_touch.is_some_and(|since| since <= ECHO) {
            return;
        }
        let broken = before.is_none_or(|before| now.saturating_sub(before) > TOGETHER);
        if broken || self.series.is_none() {
            self.series = Some(now);
            self.series_bytes = 0;
        }
        self.series_bytes += bytes;
        let long = self.series.is_some_and(|first| now.saturating_sub(first) >= APART);
        if long || self.series_bytes >= BURST {
            self.worked = Some(now);
        }
    }

    /// Nothing of what was printed so far is work.
    pub(crate) fn settle(&mut self) {
        self.worked = None;
        self.submitted();
    }

    /// Whether it has printed without a pause for that long, and still does. Milliseconds.
    pub(crate) fn steady(&self, now: u64, long: u64) -> bool {
        self.series.is_some_and(|first| now.saturating_sub(first) >= long) && self.busy(now).is_some()
    }

    /// Whether something was done to the terminal after that time.
    pub(crate) fn touched_after(&self, time: u64) -> bool {
        self.touched.is_some_and(|touched| touched > time)
    }

    /// Whether it works, and until when that holds without more output.
    pub(crate) fn busy(&self, now: u64) -> Option<u64> {
        let until = self.worked? + QUIET;
        (now < until).then_some(until)
    }

    /// How long nothing was printed.
    pub(crate) fn quiet(&self, now: u64) -> Option<u64> {
        self.last.map(|last| now.saturating_sub(last))
    }
}
