//! Whether a program's output looks like work.

use crate::clock::Moment;

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
    pub(crate) series: Option<u64>,
    series_bytes: usize,
}

impl Output {
    pub(crate) fn touched(&mut self, at: u64) {
        self.touched = self.touched.max(Some(at));
    }

    /// Enter: the next output is looked at anew.
    pub(crate) fn submitted(&mut self) {
        self.series = None;
        self.series_bytes = 0;
    }

    pub(crate) fn printed(&mut self, bytes: usize, at: u64) {
        let before = self.last.replace(at);
        let since_touch = self.touched.map(|touched| at.saturating_sub(touched));
        let busy = self.worked.is_some_and(|worked| at < worked + QUIET);
        // Work is over in silence alone: a spinner on a loaded machine keeps no rhythm.
        if busy && since_touch.is_none_or(|since| since > ECHO_AT_WORK) {
            self.worked = Some(at);
        }
        if since_touch.is_some_and(|since| since <= ECHO) {
            return;
        }
        let broken = before.is_none_or(|before| at.saturating_sub(before) > TOGETHER);
        if broken || self.series.is_none() {
            self.series = Some(at);
            self.series_bytes = 0;
        }
        self.series_bytes = self.series_bytes.saturating_add(bytes);
        let long = self.series.is_some_and(|first| at.saturating_sub(first) >= APART);
        if long || self.series_bytes >= BURST {
            self.worked = Some(at);
        }
    }

    /// When it last printed what counts as work, after that time.
    pub(crate) fn worked_after(&self, drawn: Option<u64>) -> Option<u64> {
        self.worked.filter(|worked| Some(*worked) > drawn)
    }

    /// Whether it has printed without a pause for that long. Milliseconds.
    pub(crate) fn steady(&self, long: u64, moment: &Moment) -> bool {
        self.series.is_some_and(|first| moment.reached(first + long))
    }
}
