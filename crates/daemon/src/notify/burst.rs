//! Many at once: the desktop may sum them up, and one sound is enough.

use std::collections::VecDeque;

/// So many within [`BURST`] are one by one; more are many.
const FEW: usize = 3;

/// See [`FEW`], in milliseconds.
const BURST: u64 = 5000;

/// Least time between two sounds, in milliseconds.
const SOUND_EVERY: u64 = 2000;

/// The last ones, by the daemon's clock.
#[derive(Debug, Default)]
pub(super) struct Burst {
    sent: VecDeque<u64>,
    sounded: Option<u64>,
}

impl Burst {
    /// So many are sent now: whether they are of many.
    pub(super) fn send(&mut self, count: usize, now: u64) -> bool {
        self.sent.retain(|at| now < at + BURST);
        self.sent.extend(std::iter::repeat_n(now, count.min(FEW + 1)));
        self.sent.len() > FEW
    }

    /// Whether one that would sound does.
    pub(super) fn sounds(&mut self, now: u64) -> bool {
        let may = self.sounded.is_none_or(|at| now >= at + SOUND_EVERY);
        if may {
            self.sounded = Some(now);
        }
        may
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_few_at_once_are_many_and_sound_once() {
        let mut burst = Burst::default();
        assert!(!burst.send(1, 0) && !burst.send(2, 100));
        assert!(burst.send(1, 4999), "the fourth");
        assert!(!burst.send(1, 6000), "the first ones are long ago");
        assert!(burst.send(40, 60_000), "all together");
        let sounds: Vec<u64> = (0..10).map(|n| 60_000 + n * 500).filter(|at| burst.sounds(*at)).collect();
        assert_eq!(sounds, [60_000, 62_000, 64_000]);
    }
}
